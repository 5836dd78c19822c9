"""A match in this process: bots over the rules, with no host between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from services.bots.policy import Policy, rng_for
from services.gamekit.chance import Chance
from services.gamekit.game import Game, Result, Seat
from services.gamekit.play import Entry, play, settle, start


class Played(NamedTuple):
    """A finished match; `turns` counts what the bots were asked."""

    state: Any
    entries: list[Entry]
    result: Result
    turns: int


def match(game: Game[Any], options: Any, bots: Sequence[Policy], seed: str) -> Played:
    """Play one match, a bot on each seat. The same arguments give the same match.

    Raises `IllegalAction` when a bot plays what the rules refuse.
    """
    chance = Chance(seed.encode())
    state, entries = settle(game, start(game, len(bots), options), chance, deferred=True)
    turns = 0
    while open_ := game.decisions(state):
        turns += 1
        seat = open_[0].seat
        for action in chosen(game, state, bots[seat], seat, seed, turns):
            state = play(game, state, seat, action)
            entries.append(Entry(seat, action))
        state, answered = settle(game, state, chance, deferred=True)
        entries += answered
    result = game.result(state)
    assert result is not None
    return Played(state, entries, result, turns)


def chosen(
    game: Game[Any], state: Any, bot: Policy, seat: Seat, seed: str, turn: int
) -> tuple[Any, ...]:
    """What a bot answers to the position as its seat imagines it; one that is `blind` to all but
    its legal actions is spared the imagining."""
    if not getattr(bot, "blind", False):
        state = game.imagine(state, seat, Chance(f"{seed}/imagined/{turn}".encode()))
    return bot.choose(game, state, seat, rng_for(seed, turn, seat))
