"""Winter (R12), the endings, scoring and the tie-break (R13)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from services.gamekit.chance import Chance
from services.gamekit.game import NATURE, Seat
from services.gamekit.play import play
from services.great_wall.cards.advisors import Advisor
from services.great_wall.cards.hordes import HordeCard
from services.great_wall.endgame import result, score
from services.great_wall.game import GAME
from services.great_wall.goods import Goods, Zone
from services.great_wall.rules.attacks import Strike
from services.great_wall.rules.killing import DoomSoldier, SaveSoldier
from services.great_wall.rules.shame import PlaceShame
from services.great_wall.rules.winter import Assault, Fatal
from services.great_wall.state import Claim, State
from services.great_wall.tasks.seasons import Aftermath, Assaulting, Begin
from services.great_wall.tasks.task import Phase
from tests.great_wall.table import (
    ARCHER,
    CENTRE,
    HORSEMAN,
    LEFT,
    RIGHT,
    SPEARMAN,
    answered,
    asked,
    done,
    facing,
    own,
    owning,
    question,
    refused,
    run,
    standing,
    table,
)

OUTRIDERS = HordeCard.OUTRIDERS_LEFT


def winter(state: State) -> State:
    """The winter of a year."""
    return run(state, Begin(Phase.WINTER))


def assaulted(state: State) -> State:
    """After the assault that is due."""
    return play(GAME, state, NATURE, Assault.resolve(state, Chance(b"")))


def test_archers_shoot_section_by_section_in_tea_order() -> None:  # R12.1, R18.11
    state = facing(facing(table(tea=(1, 0, 2)), LEFT, "outriders_left"), RIGHT, "vanguard_left")
    state = standing(standing(state, 0, LEFT, firing=1), 1, LEFT, firing=1)
    state = winter(standing(state, 1, RIGHT, firing=1, archer=1))
    order = []
    while asked(state)[0][0] >= 0:
        order += asked(state)
        section = LEFT if len(order) < 3 else RIGHT
        cell = (1, 7, 1)[len(order) - 1]
        state = answered(state, Strike(Zone.FIRING, ARCHER, section, 0, (cell,)))
    assert order == [(1, "forced_attack"), (0, "forced_attack"), (1, "forced_attack")]


def test_winter_begins_with_abilities_and_shooting_ends_with_defeats() -> None:  # R12.1
    state = facing(table(), LEFT, "outriders_left", (1, 7))
    state = owning(standing(state, 0, LEFT, firing=1), active=(Advisor.NIGHT_WATCH,))
    state = winter(state)
    assert asked(state) == [(0, "trigger")]
    state = done(state)  # the only shot is taken without asking, and the horde is defeated
    assert state.horde_discard == (OUTRIDERS,)
    assert own(state).honour == 2


def test_enough_defence_holds() -> None:  # R12.2
    state = facing(table(walls=(1, 0, 0), barricades=(1, 0, 0)), LEFT, "outriders_left")
    state = run(state, Assaulting(LEFT))
    assert (asked(state), question(state).about) == ([(-1, "assault")], LEFT)
    assert Assault.resolve(state, Chance(b"")) == Assault(LEFT, 5, 4, False, (), ())
    after = assaulted(state)
    assert (after.breaches, after.shame_pool, asked(after)) == (0, 30, [])


def test_equal_is_enough_and_no_horde_is_no_assault() -> None:  # R12.2
    state = facing(table(barricades=(2, 0, 0)), LEFT, "outriders_left")
    assert not Assault.resolve(run(state, Assaulting(LEFT)), Chance(b"")).breach
    assert asked(run(table(), Assaulting(LEFT))) == []


def breached() -> State:
    """Seat 0 is on the outriders with a spearman and a horseman, seat 1 has archers above."""
    state = facing(
        table(barricades=(1, 0, 0)),
        LEFT,
        "outriders_left",
        spearmen={0: (8,)},
        horsemen={0: (1, 7)},
    )
    state = facing(state, LEFT, "ram_crew_left")
    state = standing(state, 1, LEFT, firing=2, archer=1)
    return run(state, Assaulting(LEFT))


def test_a_breach_shames_kills_and_leaves_the_hordes() -> None:  # R12.3
    state = assaulted(breached())
    shamed = []
    while asked(state)[0][1] == "shame":
        shamed.append(asked(state)[0][0])
        state = answered(state, PlaceShame(SPEARMAN, None))
    assert shamed == [1, 2, 0, 1, 2]  # nobody else is on the outriders, nobody on the ram crew
    assert asked(state) == [(0, "doom")]
    state = answered(state, DoomSoldier(HORSEMAN))
    state = done(done(state))
    assert own(state).pool == (10, 4, 3)
    assert own(state, 1).firing == (0, 0, 0)
    assert (own(state, 1).pool[1], own(state, 1).rest[1]) == (6, 1)
    assert [state.hordes[0][0].marks[cell] for cell in (1, 7)] == [1, 1]
    assert state.hordes[0][0].marks[8] > 1
    assert (state.breaches, state.shame_pool) == (1, 25)


def test_the_claims_of_an_assault_are_counted_again() -> None:
    state = breached()
    true = Assault.resolve(state, Chance(b""))
    assert true == Assault(
        LEFT,
        1,
        8,
        True,
        (Seat(1), Seat(2), Seat(0), Seat(1), Seat(2)),
        (Fatal(OUTRIDERS, 1), Fatal(HordeCard.RAM_CREW_LEFT, 1)),
    )
    assert refused(state, replace(true, section=RIGHT)) == "wrong_section"
    assert refused(state, replace(true, defence=9)) == "wrong_defence"
    assert refused(state, replace(true, offence=1)) == "wrong_offence"
    assert refused(state, replace(true, breach=False)) == "wrong_breach"
    assert refused(state, replace(true, shamed=())) == "wrong_shamed"
    assert refused(state, replace(true, fatal=())) == "wrong_fatal"


def test_the_rest_zone_is_safe_and_the_saved_go_there() -> None:  # R12.3
    state = standing(facing(table(), CENTRE, "outriders_left"), 0, CENTRE, firing=1, spearman=2)
    state = owning(state, goods=Goods(chi=2), pool=(0, 0, 0))
    for other in (1, 2):
        state = owning(state, other, pool=(0, 0, 0))
    state = assaulted(run(state, Assaulting(CENTRE)))
    state = answered(state, SaveSoldier(None, ARCHER))
    assert own(state).rest[3:6] == (2, 1, 0)
    assert own(state).firing == (0, 0, 0)


def test_barricades_are_discarded_and_spring_comes() -> None:  # R12.4, R3.1
    state = run(table(barricades=(3, 2, 1), back=LEFT, indicator=LEFT), Aftermath())
    assert (state.barricades, state.year, state.phase) == ((0, 0, 0), 2, Phase.SPRING)


@pytest.mark.parametrize(
    ("seats", "walls", "over"),
    [
        (1, (0, 3, 3), True),
        (2, (0, 3, 2), False),
        (3, (3, 0, 3), True),
        (4, (3, 0, 3), False),
        (4, (3, 3, 3), True),
    ],
)
def test_finished_walls_end_the_match(seats: int, walls: tuple[int, ...], over: bool) -> None:
    state = run(table(seats, walls=walls, back=RIGHT, indicator=RIGHT), Aftermath())
    assert (state.phase is Phase.OVER, state.ending) == (over, "walls" if over else "")


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_an_empty_shame_pool_ends_the_match(seats: int) -> None:
    state = run(table(seats, shame_pool=0), Aftermath())
    assert (state.ending, GAME.decisions(state)) == ("shame", ())


@pytest.mark.parametrize(("seats", "last"), [(1, 6), (2, 6), (3, 6), (4, 5)])
def test_the_last_year_ends_the_match(seats: int, last: int) -> None:
    assert run(table(seats, year=last), Aftermath()).ending == "years"
    state = run(table(seats, year=last - 1, back=RIGHT, indicator=RIGHT), Aftermath())
    assert not state.ending


def test_walls_end_it_only_in_winter() -> None:
    state = table(walls=(3, 3, 3))
    assert result(state) is None


def over(state: State) -> State:
    """The match has ended."""
    return replace(state, phase=Phase.OVER, ending="years")


def test_the_lines_of_a_sheet() -> None:
    claimed = (Claim(HordeCard.LEADER_LEFT), Claim(HordeCard.IRON_LANCERS_LEFT, 1))
    state = owning(table(), honour=30, frozen=(1, 1, 0), claimed=claimed)
    sheet = score(over(state))[0]
    assert {line.key: line.points for line in sheet.lines} == {
        "honour": 30,
        "shame": -10,
        "hordes": 5,
    }
    assert sheet.total == 25


def test_shame_stops_at_nought_before_hordes_are_added() -> None:  # R0.6
    claimed = (Claim(HordeCard.LEADER_LEFT),)
    state = owning(table(), honour=7, frozen=(3, 0, 0), claimed=claimed)
    assert score(over(state))[0].total == 5


def test_tea_order_breaks_every_tie() -> None:
    state = table(tea=(2, 0, 1))
    for seat, honour in enumerate((5, 9, 5)):
        state = owning(state, seat, honour=honour)
    outcome = result(over(state))
    assert outcome is not None
    assert [place.seat for place in outcome.places] == [1, 2, 0]
    assert [place.place for place in outcome.places] == [1, 2, 3]
    assert [place.decided_by for place in outcome.places] == ["score", "tea", "tea"]
    assert outcome.outcome == "years"
