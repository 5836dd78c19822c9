"""How a position stands, for bots: what they should see at a glance."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from services.bots.arena import match
from services.bots.simple import Chancer, Greedy
from services.gamekit.chance import Chance
from services.gamekit.game import Action, Seat
from services.gamekit.play import legal, play
from services.gamekit.testing import playout
from services.great_wall.cards.artifacts import Artifact
from services.great_wall.cards.board import SETUPS
from services.great_wall.effects import Site, Where
from services.great_wall.endgame import score
from services.great_wall.evaluate import evaluate, kept
from services.great_wall.flow import decisions
from services.great_wall.fronts import survey, turns_to_come
from services.great_wall.game import GAME
from services.great_wall.goods import Goods, Location, Resource, Work
from services.great_wall.options import GreatWallOptions
from services.great_wall.rules.building import BuildWall
from services.great_wall.rules.choices import Done
from services.great_wall.rules.embassy import HireClerk
from services.great_wall.rules.locations import Accept
from services.great_wall.rules.overseers import RaiseOverseer
from services.great_wall.rules.production import DonateGood
from services.great_wall.rules.shame import ReturnShame
from services.great_wall.rules.summer import ScoreDiscard
from services.great_wall.rules.wounds import PlaceWound
from services.great_wall.state import Claim, State
from services.great_wall.tasks.locations import (
    Accepting,
    Building,
    Donating,
    Hiring,
    Moving,
    Upgrading,
)
from services.great_wall.tasks.seasons import Counting
from services.great_wall.tasks.task import Phase
from services.great_wall.tasks.war import Returning, Wounding
from services.great_wall.threats import breaches, chance
from services.great_wall.weights import WEIGHTS
from tests.great_wall.table import (
    CENTRE,
    LEFT,
    NOTHING,
    RICH,
    RIGHT,
    clerks,
    facing,
    own,
    owning,
    run,
    standing,
    table,
)

NO_ARRIVALS = (0,) * 11
W = WEIGHTS[2]


def worth(state: State, seat: int = 0) -> float:
    """How a seat stands."""
    return evaluate(state, Seat(seat))


def best(state: State) -> Action[Any]:
    """What somebody would do who looks no further than the next position."""
    seat = decisions(state)[0].seat
    return max(
        legal(GAME, state, seat), key=lambda move: evaluate(play(GAME, state, seat, move), seat)
    )


def test_at_the_end_it_is_the_score_less_a_share_of_the_best_rivals() -> None:
    state = table(2, phase=Phase.OVER)
    state = owning(owning(state, honour=50, frozen=(2, 0, 0)), 1, honour=30)
    assert worth(state) == score(state)[0].total - W.rival * 30


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_every_position_can_be_judged_by_everybody(seats: int) -> None:
    for step in playout(GAME, seats, seed=4):
        for seat in range(seats):
            assert abs(evaluate(step.after, Seat(seat))) <= 400


@pytest.mark.parametrize(
    "more",
    [
        {"honour": 30},
        {"goods": Goods(wood=1)},
        {"goods": Goods(chi=1)},
        {"overseers": (1, 0, 0, 0)},
        {"reserve": 2, "clerks": 6},
        {"rest": (1, *(0,) * 8)},
        {"firing": (1, 0, 0)},
    ],
)
def test_more_of_anything_useful_is_worth_more(more: dict[str, Any]) -> None:
    state = owning(table(), honour=20)
    assert worth(owning(state, **more)) > worth(state)


def test_shame_is_worth_less_and_so_is_a_rivals_honour() -> None:
    state = owning(table(2), honour=40)
    assert worth(owning(state, frozen=(1, 0, 0))) < worth(state) - 2
    assert worth(owning(state, 1, honour=40)) < worth(state)


def test_honour_that_shame_will_take_hardly_counts_but_claimed_hordes_do() -> None:
    doomed = owning(table(2), honour=5, frozen=(7, 4, 2))
    richer = owning(doomed, honour=10)
    assert 0 < worth(richer) - worth(doomed) < 2
    (card,) = survey(facing(table(), LEFT, "leader_left"))[0].rows
    assert worth(owning(doomed, claimed=(Claim(card.card),))) - worth(doomed) >= 5


def test_a_marker_above_nought_counts_in_full_and_one_below_a_little() -> None:
    assert kept(60, W) - kept(50, W) == 10
    assert kept(-50, W) - kept(-60, W) == pytest.approx(10 * W.below)
    values = [kept(marker, W) for marker in range(-60, 61)]
    assert values == sorted(values)


def test_artifacts_in_play_count() -> None:
    state = owning(table(2), overseers=(2, 0, 0, 0))
    assert worth(replace(state, artifacts=(Artifact.JADE_SEAL,))) == pytest.approx(worth(state) + 2)


def test_it_looks_at_nothing_that_the_seat_cannot_see() -> None:
    for step in playout(GAME, 3, seed=7)[40:400:40]:
        other = GAME.imagine(step.after, Seat(0), Chance(b"another world"))
        assert evaluate(other, Seat(0)) == evaluate(step.after, Seat(0))


def test_nothing_is_invested_when_shame_or_walls_end_the_match() -> None:
    early = table(2)
    early = replace(early, shame_pool=20)
    walls = replace(early, walls=(0, 3, 3))
    level = (1, 0, 0, 0)
    assert SETUPS[2].walls_to_end == 2
    assert worth(owning(walls, overseers=level)) - worth(walls) < 1
    assert worth(owning(early, overseers=level)) - worth(early) > 3


def test_a_breach_is_certain_only_when_nothing_is_to_come() -> None:
    assert (chance(1, 0), chance(0, 0)) == (1, 0)
    assert 0.5 < chance(2, 3) < 1
    fall = facing(table(2), RIGHT, "iron_lancers_right")
    winter = replace(fall, phase=Phase.WINTER)
    assert turns_to_come(winter) == 0
    assert breaches(survey(winter), 0, W) == [0, 1]
    assert 0 < breaches(survey(fall), turns_to_come(fall), W)[1] < 1


def test_a_full_horde_is_as_good_as_defeated() -> None:
    state = facing(table(2, phase=Phase.WINTER), RIGHT, "outriders_right", wounds=(1, 6, 7))
    assert survey(state)[1].parts == (1.0,)
    assert breaches(survey(state), 0, W) == [0, 0]


def test_a_soldier_on_a_horde_is_worth_more_where_the_wall_may_fall() -> None:
    threatened = facing(table(2), RIGHT, "iron_lancers_right")
    fought = facing(table(2), RIGHT, "iron_lancers_right", spearmen={0: (7,)})
    safe = replace(threatened, walls=(0, 3, 3)), replace(fought, walls=(0, 3, 3))
    assert worth(fought) - worth(threatened) > worth(safe[1]) - worth(safe[0])


def test_clerks_go_where_they_will_be_at_work() -> None:
    state = clerks(owning(table(2), goods=Goods(0, 4, 2)), 0, quarry=2)
    state = clerks(state, 1, quarry=1)
    task = Moving(0, 1, False, NO_ARRIVALS)
    assert getattr(best(run(state, task)), "target", None) in (
        Location.LUMBER_MILL,  # where the neutral clan is
        Location.GOLD_MINE,
        Location.BUILDERS_ENCAMPMENT,
    )
    alone = clerks(table(2), 0, temple=2)
    assert getattr(best(run(alone, task)), "target", None) is not Location.TEMPLE


def test_good_walls_are_built_and_good_offers_taken() -> None:
    rich = owning(table(2), goods=RICH, honour=10)
    wall = Building(0, 1, Work.WALL, False, Site.ANY)
    assert isinstance(best(run(rich, wall)), BuildWall)
    assert best(run(rich, Donating(0, 1, Resource.WOOD))) == DonateGood(Resource.WOOD)
    assert isinstance(best(run(rich, Upgrading(0, 1, None, 0))), RaiseOverseer)
    assert best(run(rich, Hiring(0, 1, Work.CLERK))) == HireClerk()
    academy = clerks(rich, 0, war_academy=1)
    accept = Accepting(0, "war_academy/together", replace(NOTHING, location=Location.WAR_ACADEMY))
    assert best(run(academy, accept)) == Accept()


def test_nothing_is_built_that_cannot_be_paid() -> None:
    poor = owning(table(2), goods=Goods(wood=4))
    assert best(run(poor, Building(0, 1, Work.WALL, False, Site.ANY))) == Done()


def test_shame_is_returned_in_the_last_summer_if_there_is_chi() -> None:
    last = replace(table(2), year=len(SETUPS[2].years))
    state = owning(last, honour=30, frozen=(2, 0, 0), goods=Goods(chi=4))
    assert isinstance(best(run(state, Returning(0, 9, price=2))), ReturnShame)


def test_discarded_cards_are_scored_while_there_is_a_hand() -> None:
    full = own(table(2)).commands
    state = owning(table(2), commands=full[:4], discard=full[4:])
    assert best(run(state, Counting((0,)))) == ScoreDiscard()


def test_a_wound_goes_where_it_finishes_a_horde() -> None:
    state = facing(table(2), RIGHT, "outriders_right", wounds=(1, 6))
    state = facing(state, CENTRE, "outriders_centre")
    hordes = tuple(horde.card for front in survey(state) for horde in front.rows)
    move = best(run(standing(state, 0, RIGHT, firing=1), Wounding(0, 1, Where.ATTACKED, hordes)))
    assert move == PlaceWound(hordes[1], 7)


def test_a_greedy_bot_beats_a_random_one() -> None:
    won = 0
    for number in range(10):
        seat = number % 2
        bots = [Greedy() if one == seat else Chancer() for one in range(2)]
        played = match(GAME, GreatWallOptions(), bots, f"greedy/{number}")
        won += played.result.places[0].seat == seat
    assert won >= 7
