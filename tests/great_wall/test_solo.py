"""Solo against the automated general (R15)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from services.gamekit.game import NATURE
from services.gamekit.play import play
from services.great_wall.cards.advisors import Advisor
from services.great_wall.cards.artifacts import Artifact
from services.great_wall.cards.commands import Command
from services.great_wall.cards.hordes import HordeCard
from services.great_wall.endgame import general_score, outcome, result
from services.great_wall.game import GAME
from services.great_wall.goods import AT, Goods, Location
from services.great_wall.rules.fall import DrawSolo
from services.great_wall.rules.locations import ActivateLocation
from services.great_wall.state import Claim, Played, State
from services.great_wall.tasks.locations import Visit
from services.great_wall.tasks.seasons import ActivationStep, Aftermath, Frames, Placing, Shooting
from services.great_wall.tasks.task import Phase
from services.great_wall.tasks.war import DefeatCheck
from tests.great_wall.table import (
    CENTRE,
    RIGHT,
    answers,
    asked,
    clerks,
    done,
    drawn,
    facing,
    own,
    owning,
    perform,
    refused,
    run,
    standing,
    table,
)

REED, QIN = 1, 2
MILL, QUARRY, MINE, TEMPLE = (*Location,)[:4]
BARRACKS = Location.BARRACKS
TRACK = (BARRACKS, TEMPLE, MILL, QUARRY, MINE)
"""His highest entry is the barracks, his lowest the gold mine."""


def solo(**changes: object) -> State:
    """A solo match."""
    fresh = {"location_track": TRACK, "indicator": RIGHT, "tea": (0, 2, 1)}
    return table(1, **(fresh | changes))


def at_work(state: State) -> dict[Location, int]:
    """Where his clerks are."""
    desks = own(state, QIN).desks
    return {place: desks[AT[place]] for place in TRACK if desks[AT[place]]}


def test_his_card_is_drawn_when_it_is_his_place() -> None:  # R15.2
    state = owning(solo(solo_deck=(Command.ECONOMY, Command.BETRAYAL)), chosen=Command.DESPOTISM)
    state = run(replace(state, tea=(2, 0, 1)), Placing((2, 0, 1)))
    assert asked(state) == [(-1, "solo_draw")]
    assert refused(state, DrawSolo(Command.DESPOTISM)) == "not_in_deck"
    state = play(GAME, state, NATURE, DrawSolo(Command.BETRAYAL))
    assert state.track[0] == Played(QIN, Command.BETRAYAL)
    assert state.solo_deck == (Command.ECONOMY,)
    assert asked(state) == [(0, "space")]


def test_after_six_cards_his_deck_is_shuffled_again() -> None:  # R15.2
    state = run(solo(solo_deck=()), Placing((2,)))
    state = play(GAME, state, NATURE, DrawSolo(Command.ECONOMY))
    assert len(state.solo_deck) == 5


def test_his_card_counts_for_others() -> None:  # R6.2
    track = (Played(QIN, Command.ECONOMY), None, None, None)
    state = perform(solo(track=track, active=0), "despotism/top")
    assert getattr(state.stack[-1], "left", 0) == 6


def test_in_others_turns_he_moves_two_clerks_to_his_two_lowest_entries() -> None:  # R15.3
    state = run(solo(active=0), Frames((QIN,), "betrayal/others"))
    assert at_work(state) == {MINE: 1, QUARRY: 1}
    full = clerks(solo(active=0), 0, gold_mine=3)
    state = run(full, Frames((QIN,), "economy/others"))
    assert at_work(state) == {QUARRY: 1, MILL: 1}


def test_without_a_clerk_in_the_pool_one_comes_from_his_highest_location() -> None:  # R15.3
    state = owning(solo(active=0), QIN, clerks=0)
    state = clerks(state, QIN, barracks=2, lumber_mill=2)
    state = run(owning(state, QIN, clerks=0), Frames((QIN,), "economy/others"))
    assert at_work(state) == {MILL: 2, MINE: 1, QUARRY: 1}
    stuck = owning(clerks(solo(active=0), QIN, barracks=3), QIN, clerks=0)
    state = run(stuck, Frames((QIN,), "economy/others"))
    assert at_work(state) == {BARRACKS: 3}


def test_on_his_own_card_they_go_one_by_one_to_the_lowest_free_entry() -> None:  # R15.3
    assert at_work(perform(solo(active=2), "qin_economy/top", QIN)) == {MINE: 2}


def test_in_production_he_scores_his_overseers_level_a_clerk() -> None:  # R15.4
    state = owning(clerks(solo(active=0), QIN, quarry=2), QIN, overseers=(1, 3, 1, 1))
    state = done(run(state, Visit(QUARRY, advanced=True)))  # the neutral clan donates nothing
    assert (own(state, QIN).honour, own(state, QIN).goods) == (6, Goods())
    assert state.location_track == (QUARRY, BARRACKS, TEMPLE, MILL, MINE)
    assert own(state, QIN).clerks == 8
    assert asked(state) == []


def test_in_the_barracks_he_recruits_a_spearman_a_clerk() -> None:  # R15.4, R15.5
    state = facing(clerks(solo(active=0), QIN, barracks=2), RIGHT, "outriders_right")
    state = run(state, Visit(BARRACKS, advanced=True))
    assert own(state, QIN).pool == (6, 4, 0)
    assert own(state, QIN).honour == 4
    assert [cell for cell, mark in enumerate(state.hordes[2][0].marks) if mark] == [1, 7]


def test_in_his_turn_his_locations_come_first_from_the_highest_down() -> None:  # R15.4
    state = clerks(solo(active=2), QIN, temple=3, gold_mine=3)
    state = clerks(state, 0, war_academy=1, tea_house=2)
    state = run(state, ActivationStep())
    assert own(state, QIN).honour == 3 + 3
    assert state.location_track[:2] == (MINE, TEMPLE)
    left = {move.location for move in answers(state) if isinstance(move, ActivateLocation)}
    assert left == {Location.WAR_ACADEMY, Location.TEA_HOUSE}
    assert asked(state) == [(0, "activation")]


def test_his_spearman_goes_where_the_indicator_says_column_by_column() -> None:  # R15.5
    state = facing(facing(solo(), CENTRE, "vanguard_left"), RIGHT, "vanguard_right")
    for cells in ((1,), (1, 7), (1, 7, 2)):
        state = perform(state, "qin_attack_order/bottom", QIN) if cells == (1,) else state
    assert [cell for cell, mark in enumerate(state.hordes[2][0].marks) if mark] == [1, 7]
    assert not any(state.hordes[1][0].marks)


def test_else_to_the_other_section_else_he_is_not_recruited() -> None:  # R15.5
    state = facing(solo(), CENTRE, "iron_lancers_centre")
    state = perform(state, "qin_attack_order/bottom", QIN)
    marks = state.hordes[1][0].marks
    assert [cell for cell, mark in enumerate(marks) if mark] == [7, 8]  # never the upper row
    assert own(perform(solo(), "qin_attack_order/bottom", QIN), QIN).pool == (8, 4, 0)


def test_his_archer_needs_a_firing_spot_of_the_indicated_section() -> None:  # R15.5
    state = perform(solo(walls=(0, 1, 0)), "qin_raise_banners/bottom", QIN)
    assert own(state, QIN).firing == (0, 0, 0)
    state = perform(solo(walls=(0, 0, 1)), "qin_raise_banners/bottom", QIN)
    assert (own(state, QIN).firing, own(state, QIN).honour) == ((0, 0, 1), 0)


def test_his_archers_shoot_in_winter_for_two_honour_a_wound() -> None:  # R15.5
    state = facing(standing(solo(), QIN, RIGHT, firing=2), RIGHT, "outriders_right", (1, 7))
    state = run(state, Shooting(QIN, RIGHT))
    assert own(state, QIN).honour == 2


def test_he_scores_defeats_and_claims_and_his_soldiers_go_home() -> None:  # R15.5
    state = facing(solo(), RIGHT, "outriders_right", (1,), spearmen={QIN: (7, 8)})
    state = run(owning(state, QIN, pool=(6, 4, 0)), DefeatCheck())
    assert own(state, QIN).honour == 2
    assert own(state, QIN).claimed == (Claim(HordeCard.OUTRIDERS_RIGHT),)
    assert own(state, QIN).pool == (8, 4, 0)


def test_his_lowest_wall_is_raised_the_indicated_one_on_a_tie() -> None:  # R15.6
    lowest = perform(solo(walls=(0, 1, 2)), "qin_work_harder/bottom", QIN)
    assert (lowest.walls, own(lowest, QIN).honour) == ((0, 2, 2), 10)
    tie = perform(solo(warehouse=Goods(wood=4, stone=4)), "qin_work_harder/bottom", QIN)
    assert (tie.walls, tie.warehouse) == ((0, 0, 1), Goods(stone=3))


def test_as_overlord_he_sends_clerks_to_his_lowest_entries_without_one() -> None:  # R15.7
    state = run(solo(active=2), Frames((REED,), "qin_economy/others"))
    desks = own(state, REED).desks
    assert [desks[AT[place]] for place in (MILL, QUARRY, MINE)] == [1, 1, 1]
    state = clerks(solo(active=2), REED, lumber_mill=1, quarry=1, gold_mine=0, temple=1)
    state = run(state, Frames((REED,), "qin_economy/others"))
    desks = own(state, REED).desks
    assert [desks[AT[place]] for place in (TEMPLE, MILL, QUARRY, MINE)] == [0, 1, 1, 1]


def test_as_overlord_he_builds_in_the_indicated_section() -> None:  # R15.7
    state = clerks(solo(active=2), REED, lumber_mill=1, quarry=1, gold_mine=0)
    state = clerks(clerks(state, REED, builders_encampment=1), 0, builders_encampment=1)
    state = done(run(state, Visit(Location.BUILDERS_ENCAMPMENT, advanced=True)))
    assert (state.barricades, own(state, QIN).honour) == ((0, 0, 1), 0)


def test_as_overlord_he_donates_and_discards_the_leftmost_advisor() -> None:  # R15.7
    state = clerks(solo(active=2), 0, quarry=1)
    state = done(done(run(state, Visit(QUARRY, advanced=True))))
    assert state.warehouse == Goods(stone=1)
    track = (Advisor.JINSHI, Advisor.WARDEN, Advisor.HERALD, Advisor.EXAMINER)
    state = clerks(solo(active=2, advisor_track=track), REED, emperors_embassy=1)
    state = drawn(run(state, Visit(Location.EMPERORS_EMBASSY, advanced=True)))
    assert state.advisor_discard == (Advisor.JINSHI,)


def finished(mine: int, his: int, ending: str = "years") -> State:
    """The end of a match without artifacts."""
    state = owning(owning(solo(), honour=mine), QIN, honour=his)
    return replace(state, phase=Phase.OVER, ending=ending)


@pytest.mark.parametrize(
    ("mine", "his", "ending", "word"),
    [(50, 49, "years", "won"), (50, 50, "years", "lost"), (90, 10, "shame", "lost")],
)
def test_you_win_only_with_more_honour(mine: int, his: int, ending: str, word: str) -> None:
    state = finished(mine, his, ending)
    assert outcome(state) == f"{word} {mine}:{his}, {ending}"
    places = result(state)
    assert places is not None
    assert [place.score for place in places.places] == [mine]


def test_what_he_scores_at_the_end() -> None:  # R15.6
    claimed = (Claim(HordeCard.LEADER_RIGHT),)
    state = owning(solo(), QIN, honour=10, claimed=claimed, supporting=tuple(Advisor)[:5])
    state = replace(state, artifacts=tuple(Artifact)[:3])
    assert general_score(state) == 10 + 5 + 60 + 2


def test_an_empty_pool_at_the_check_is_a_loss() -> None:  # R15.1
    state = run(owning(solo(shame_pool=0), honour=200), Aftermath())
    assert outcome(state).startswith("lost")
