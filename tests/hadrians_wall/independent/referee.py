"""The engine plays and the model watches: they must agree on every move and every refusal."""

from __future__ import annotations

from typing import Any

from services.gamekit.chance import Dealt
from services.gamekit.game import NATURE, Action, IllegalAction, Seat
from services.gamekit.play import guard, nature_due, open_decision, play
from services.hadrians_wall.game import GAME
from services.hadrians_wall.rules.attack import Attack
from services.hadrians_wall.state import State
from tests.hadrians_wall.independent import facts, follows
from tests.hadrians_wall.independent.permits import objections
from tests.hadrians_wall.independent.world import Page, World, world

Move = Action[Any]


def compare(state: State, seat: int, move: Move, then: State) -> None:
    """The engine's position after a move is the model's, field by field."""
    expected, found = follows.after(world(state), seat, move), world(then)
    assert expected == found, differences(expected, found)


def differences(expected: World, found: World) -> str:
    """Where two positions differ."""
    lines = [
        f"seat {seat} {name}: expected {mine[name]!r}, found {theirs[name]!r}"
        for seat, (mine, theirs) in enumerate(zip(expected.pages, found.pages, strict=True))
        for name in mine
        if mine[name] != theirs[name]
    ]
    for name, value in vars(expected).items():
        if name != "pages" and value != getattr(found, name):
            lines.append(f"{name}: expected {value!r}, found {getattr(found, name)!r}")
    return "\n".join(lines)


def played(state: State, seat: int, move: Move) -> State:
    """The position after a move that engine and model both allow."""
    if seat != NATURE:
        assert objections(world(state), seat, move) == set()
    then: State = play(GAME, state, Seat(seat), move)
    compare(state, seat, move, then)
    return then


def done(state: State, *moves: Move, seat: int = 0, fate: tuple[int, ...] = ()) -> State:
    """The position after a seat's moves; the fate cards that they turn over are `fate`."""
    for move in moves:
        state = played(state, seat, move)
        while kind := nature_due(GAME, state) if state.draws else None:
            card, *rest = fate
            fate = tuple(rest)
            nature = kind.resolve(state, Dealt({f"fate/{state.drawn}": card}))
            state = played(state, NATURE, nature)
    assert not fate, "cards that nobody turned over"
    return state


def sheet(state: State, seat: int = 0) -> Page:
    """A seat's sheet in plain values."""
    return world(state).pages[seat]


def changes(before: State, after: State, seat: int = 0) -> dict[str, Any]:
    """The new values of all that changed on a seat's sheet."""
    old, new = sheet(before, seat), sheet(after, seat)
    return {name: new[name] for name in new if new[name] != old[name]}


def refusal(state: State, move: Move, seat: int = 0) -> str:
    """The code by which the engine refuses a move, or "" where it does not."""
    try:
        guard(GAME, state, Seat(seat), move)
    except IllegalAction as refused_by:
        return refused_by.code
    return ""


def objected(state: State, move: Move, seat: int = 0) -> set[str]:
    """All reasons against a move; the engine refuses it by one of them."""
    reasons = objections(world(state), seat, move)
    assert refusal(state, move, seat) in reasons
    return reasons


def refused(state: State, move: Move, seat: int = 0) -> str:
    """The one reason against a move, by which the engine refuses it as well."""
    (reason,) = objected(state, move, seat)
    return reason


def asked(state: State, seat: int = 0) -> str:
    """The question that a seat must answer, or "" when none is open."""
    decision = open_decision(GAME, state, Seat(seat))
    return decision.prompt if decision else ""


def dealt(state: State, results: dict[str, int | str], *, attack: bool = False) -> State:
    """NATURE plays what is due with these results; the attack only when it is asked for."""
    chance = Dealt(results)
    while kind := nature_due(GAME, state, deferred=attack):
        state = played(state, NATURE, kind.resolve(state, chance))
    return state


def attacked(state: State, *cards: int) -> State:
    """The Picts come with these fate cards, the common ones first."""
    labels: dict[str, int | str] = {
        f"fate/{state.drawn + number}": card for number, card in enumerate(cards)
    }
    return played(state, NATURE, Attack.resolve(state, Dealt(labels)))


def goods(state: State, seat: int = 0) -> str:
    """What a seat holds, as in `2 builder, 1 resource`."""
    page = sheet(state, seat)
    return ", ".join(f"{page[good]} {good}" for good in facts.GOODS if page[good])
