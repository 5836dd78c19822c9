"""Positions of Ambush to start a test from."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from services.gamekit.chance import Chance
from services.gamekit.game import NATURE, Action, Seat
from services.gamekit.play import nature_due, play
from tests.ambush.cards import Back, Card, Reply
from tests.ambush.game import GAME
from tests.ambush.moves import Answer, PlaceOrder
from tests.ambush.state import AmbushOptions, Phase, State, with_camp, without

A, B, C, D = map(Seat, range(4))
"""The seats."""


def cards(names: str) -> tuple[Card, ...]:
    """`"raid shield"` as sorted cards."""
    return tuple(sorted(Card(name) for name in names.split()))


def given(*hands: str, options: AmbushOptions | None = None, **changes: Any) -> State:
    """The first round with these hands, everybody about to give orders."""
    state = GAME.setup(len(hands), options or AmbushOptions())
    for seat, names in enumerate(hands):
        state = replace(state, deck=without(state.deck, cards(names)))
        state = with_camp(state, Seat(seat), replace(state.camps[seat], hand=cards(names)))
    return replace(state, **{"phase": Phase.ORDERS, "back": Back.BEAR, **changes})


def having(state: State, seat: Seat, **changes: Any) -> State:
    """`state` with a camp changed."""
    return with_camp(state, seat, replace(state.camps[seat], **changes))


def after(state: State, *moves: tuple[Seat, Action[State]]) -> State:
    """The position after these moves."""
    for seat, action in moves:
        state = play(GAME, state, seat, action)
    return state


def natured(state: State, *prompts: str, seed: bytes = b"") -> State:
    """The position after NATURE answered these prompts and no others."""
    chance = Chance(seed)
    for prompt in prompts:
        kind = nature_due(GAME, state, deferred=True)
        assert kind in GAME.moves[prompt], f"{kind} is due, not {prompt}"
        state = play(GAME, state, NATURE, kind.resolve(state, chance))
    return state


def ordered(state: State, *orders: tuple[str, Seat | None]) -> State:
    """The position after every seat in turn gave an order and all were revealed."""
    moves = [
        (Seat(seat), PlaceOrder(Card(card), target)) for seat, (card, target) in enumerate(orders)
    ]
    return natured(after(state, *moves), "reveal")


def answered(state: State, *replies: tuple[Seat, str]) -> State:
    """The position after these replies were given and revealed."""
    moves = [(seat, Answer(Reply(reply))) for seat, reply in replies]
    return natured(after(state, *moves), "unmask")


def asked(state: State) -> dict[Seat, str]:
    """Who is asked what."""
    return {one.seat: one.prompt for one in GAME.decisions(state)}
