"""Whole matches, told twice: ours and the independent one agree after every move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from services.altarion.game import GAME
from services.altarion.state import AltarionOptions, State
from services.bots.arena import match
from services.bots.policy import Policy
from services.bots.simple import Chancer, Greedy
from services.gamekit.chance import digest
from services.gamekit.game import Action, Record, snake
from services.gamekit.play import legal, play, start
from tests.altarion.independent.story import story
from tests.altarion.independent.world import WHEEL, Ask, Story, Word, World


def word(action: Action[Any]) -> Word:
    """An action in plain values: its kind, then its fields."""
    return snake(type(action).__name__), *plain(action)


def plain(value: Any) -> Any:
    """Records as tuples of their fields, names as text."""
    if isinstance(value, Record):
        return tuple(plain(getattr(value, name)) for name in value.__struct_fields__)
    if isinstance(value, tuple):
        return tuple(map(plain, value))
    return str(value) if isinstance(value, str) else value


def asked(state: State) -> Ask | None:
    """What our game asks, with all answers that are legal."""
    open_ = GAME.decisions(state)
    if not open_:
        return None
    (one,) = open_
    options = frozenset(map(word, legal(GAME, state, one.seat)))
    return Ask(one.seat, one.prompt, options)


def table(state: State) -> list[Any]:
    """What lies on our table."""
    return [
        (state.round, state.first, state.deaths, state.ending or ""),
        (state.recruited, list(state.undrawn), list(state.sand)),
        *(
            (
                one.crowns,
                [getattr(one.stock, mineral) for mineral in WHEEL],
                [(hero.card, hero.field, list(hero.deposits)) for hero in one.heroes],
                {mine.field: mine.mineral for mine in one.mines},
                list(one.specials),
                (one.sent, one.misses, one.died),
            )
            for one in state.sheets
        ),
    ]


def table_of(world: World) -> list[Any]:
    """The same of the other."""
    return [
        (world.round, world.first, world.deaths, world.ending),
        (world.recruited, world.unseen, world.sand),
        *(
            (
                one.crowns,
                [one.stock[mineral] for mineral in WHEEL],
                [(hero.card, hero.field, hero.deposits) for hero in one.heroes],
                one.mines,
                one.built,
                (one.sent, one.misses, one.died),
            )
            for one in world.players
        ),
    ]


def places(state: State) -> list[list[int]]:
    """Who shares each place."""
    result = GAME.result(state)
    assert result is not None
    numbers = sorted({one.place for one in result.places})
    return [[one.seat for one in result.places if one.place == number] for number in numbers]


def compare(bots: Sequence[Policy], limit: int, seed: str) -> set[str]:
    """Tell a match twice; the kinds of moves that there were."""
    options = AltarionOptions(limit)
    state, world = start(GAME, len(bots), options), World(len(bots), limit)
    teller, kinds = story(world), set[str]()
    ask = told(teller, None)
    for entry in match(GAME, options, bots, seed).entries:
        assert asked(state) == ask
        assert table(state) == table_of(world)
        world.draws.clear()
        ask = told(teller, word(entry.action))
        drawn = [(label, digest(candidates)) for label, candidates in world.draws]
        assert [(draw.label, draw.digest) for draw in entry.draws] == drawn
        state = play(GAME, state, entry.seat, entry.action)
        kinds.add(type(entry.action).__name__)
    assert ask is asked(state) is None
    assert table(state) == table_of(world)
    assert places(state) == world.places()
    return kinds


def told(teller: Story, said: Word | None) -> Ask | None:
    """What is asked next; None when the story is over."""
    try:
        return next(teller) if said is None else teller.send(said)
    except StopIteration:
        return None


@pytest.mark.parametrize("seats", range(2, 7))
def test_matches_of_random_bots_are_told_alike(seats: int) -> None:
    for number, limit in enumerate((30, 20)):
        compare([Chancer()] * seats, limit, f"told/{seats}/{number}")


@pytest.mark.parametrize("seats", [2, 3])
def test_so_are_matches_of_competent_bots(seats: int) -> None:
    for number in range(2):
        compare([Greedy()] * seats, 30, f"told/{seats}/{number}")


def test_every_kind_of_move_is_among_them() -> None:
    kinds = compare([Greedy(), Greedy(), Chancer(), Chancer()], 30, "told/every/1")
    assert kinds == {kind.__name__ for answers in GAME.moves.values() for kind in answers}
