"""What holds in every position of every match, found by random play."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import astuple

from services.altarion.board import FIELDS
from services.altarion.cards import EXPLORATION, HEROES, MINING, Special
from services.altarion.defaults import default
from services.altarion.game import GAME
from services.altarion.goods import WHEEL
from services.altarion.rules.arrivals import PlaceHero
from services.altarion.rules.dispute import Loot, StartDispute
from services.altarion.rules.mines import FoundMine, cards_left, mine_on
from services.altarion.rules.mining import Pick
from services.altarion.rules.movement import ChooseHero, Move
from services.altarion.rules.trade import MakeOffer
from services.altarion.rules.tribute import BuildSpecial
from services.altarion.state import Ending, Phase, State
from services.altarion.tracks import GOAL, MOST_HEROES
from services.gamekit.chance import Chance
from services.gamekit.game import NATURE, Action
from services.gamekit.play import allowed, legal, nature_due, play, sample, start
from services.gamekit.testing import Step, playout, random_options

matches = given(seats=st.integers(2, 6), seed=st.integers(0, 2**32))
few = settings(max_examples=12, deadline=None)


def played(seats: int, seed: int) -> list[Step[State]]:
    """A match of random moves; every other one is played under another round limit."""
    options = random_options(GAME, seats, Random(seed)) if seed % 2 else GAME.Options()
    return playout(GAME, seats, options, seed)


def check_counts(state: State) -> None:
    """Nothing is lost or made up."""
    for sheet in state.sheets:
        assert min(astuple(sheet.stock)) >= 0
        assert sheet.crowns >= 0
        assert len(sheet.specials) == len(set(sheet.specials)) <= GOAL
        assert len(sheet.heroes) + (sheet.arriving is not None) <= MOST_HEROES
        assert 0 <= sheet.misses <= 3
        assert not (sheet.died and sheet.heroes)
    for mineral in WHEEL:
        assert 0 <= cards_left(state, mineral) <= 8


def check_board(state: State) -> None:
    """One hero and one mine per field."""
    fields = [hero.field for _, hero in state.heroes()]
    assert len(set(fields)) == len(fields)
    assert set(fields) <= set(range(len(FIELDS)))
    mines = [mine.field for seat in state.living() for mine in state.sheets[seat].mines]
    assert len(set(mines)) == len(mines)
    assert all(mine_on(state, field) for field in mines)


def check_piles(state: State) -> None:
    """Every card is somewhere."""
    arriving = [sheet.arriving for sheet in state.sheets if sheet.arriving is not None]
    board = [hero.card for _, hero in state.heroes()]
    assert sorted((*state.undrawn, *state.sand, *arriving, *board)) == list(range(len(HEROES)))
    in_play = len(state.turn.drawn) if state.turn else 0
    mining, exploration = state.mining, state.exploration
    assert sum(mining.left) + sum(mining.used) == sum(seam.copies for seam in MINING.values())
    assert sum(exploration.left) + sum(exploration.used) + in_play == sum(
        trial.copies for trial in EXPLORATION.values()
    )
    assert min(*mining.left, *mining.used, *exploration.left, *exploration.used) >= 0


@few
@matches
def test_nothing_is_lost_or_made_up(seats: int, seed: int) -> None:
    steps = played(seats, seed)
    for step in steps:
        check_counts(step.after)
        check_board(step.after)
        check_piles(step.after)


@few
@matches
def test_nothing_is_lost_or_made_up_when_players_leave_in_the_middle_of_anything(
    seats: int, seed: int
) -> None:
    rng, chance = Random(seed), Chance(b"leaving %d" % seed)
    state = start(GAME, seats, GAME.Options())
    while decisions := GAME.decisions(state):
        (decision,) = decisions
        if rng.random() < 0.02:
            state = GAME.advance(GAME.retire(state, rng.choice(state.living())))
        elif kind := nature_due(GAME, state):
            state = play(GAME, state, NATURE, kind.resolve(state, chance))
        else:
            action = sample(GAME, state, decision, rng)
            state = play(GAME, state, decision.seat, action)
        check_counts(state)
        check_board(state)
        check_piles(state)
        assert {one.seat for one in GAME.decisions(state)} <= {NATURE, *state.living()}


@few
@matches
def test_every_match_ends_in_one_of_the_ways_there_are(seats: int, seed: int) -> None:
    end = played(seats, seed)[-1].after
    best = max(len(sheet.specials) for sheet in end.sheets)
    assert end.phase is Phase.OVER
    assert end.round <= end.options.round_limit
    assert (end.ending is Ending.SPECIAL) == (best == GOAL)
    assert (end.ending is Ending.ELIMINATION) == (len(end.living()) < 2)
    if end.ending is Ending.LIMIT:
        assert end.round == end.options.round_limit


@few
@matches
def test_the_dead_stay_dead_and_what_they_had_is_remembered(seats: int, seed: int) -> None:
    for step in played(seats, seed):
        for before, after in zip(step.state.sheets, step.after.sheets, strict=True):
            if before.died:
                assert (after.died, after.stock, after.crowns, after.specials) == (
                    before.died,
                    before.stock,
                    before.crowns,
                    before.specials,
                )


def everything() -> list[Action[State]]:
    """The finite space of moves with arguments."""
    return [
        *(kind(card) for kind in (ChooseHero, StartDispute) for card in range(-1, 19)),
        *(kind(field) for kind in (PlaceHero, Move) for field in range(-1, 62)),
        *(kind(mineral) for kind in (FoundMine, Loot, Pick) for mineral in WHEEL),
        *(MakeOffer(give, take, n) for give in WHEEL for take in WHEEL for n in range(-1, 6)),
        *map(BuildSpecial, Special),
    ]


MOVES = everything()


@settings(max_examples=6, deadline=None)
@matches
def test_legal_lists_exactly_what_check_accepts(seats: int, seed: int) -> None:
    steps = [step for step in played(seats, seed) if step.seat != NATURE]
    for step in Random(seed).sample(steps, min(40, len(steps))):
        (decision,) = GAME.decisions(step.state)
        kinds = GAME.moves[decision.prompt]
        accepted = {
            move
            for move in MOVES
            if type(move) in kinds and allowed(move, step.state, decision.seat)
        }
        listed = set(legal(GAME, step.state, decision.seat))
        assert accepted == {move for move in listed if move.__struct_fields__}
        assert default(step.state, decision.seat) in listed


@pytest.mark.parametrize("seats", range(2, 7))
def test_each_kind_of_move_is_played(seats: int) -> None:
    kinds = {
        type(step.action).__name__ for seed in range(4) for step in playout(GAME, seats, seed=seed)
    }
    every = {kind.__name__ for answers in GAME.moves.values() for kind in answers}
    # Random players rarely can afford a special building.
    assert every - kinds <= {"BuildSpecial", "BuildNothing", "FoundMine"}
