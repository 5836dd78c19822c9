"""The defeat of hordes (R10) and kill events (R11)."""

from __future__ import annotations

from msgspec.structs import replace

from services.great_wall.cards.advisors import Advisor
from services.great_wall.cards.hordes import HordeCard
from services.great_wall.goods import NO_GOODS, Goods
from services.great_wall.rules.defeat import majority
from services.great_wall.rules.killing import DoomSoldier, SaveSoldier, begin_kill
from services.great_wall.rules.tactics import UseAbility
from services.great_wall.state import Claim, State
from services.great_wall.tasks.cards import Window
from services.great_wall.tasks.war import DefeatCheck
from services.great_wall.triggers import Trigger
from tests.great_wall.table import (
    ARCHER,
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
    refused,
    run,
    standing,
    table,
)

OUTRIDERS = HordeCard.OUTRIDERS_LEFT


def defeated(state: State) -> State:
    """The horde defeat check."""
    return run(state, DefeatCheck())


def test_a_horde_with_a_free_spot_stands() -> None:
    state = facing(table(), LEFT, "outriders_left", (1, 7))
    assert defeated(state) == state


def test_sections_from_left_to_right_and_row_one_to_three() -> None:  # R10.1
    """Chroniclers tell the order: each horde is resolved before the next one."""
    state = facing(table(), RIGHT, "outriders_right", spearmen={0: (1, 7, 8)})
    state = facing(state, LEFT, "vanguard_left")
    state = facing(state, LEFT, "outriders_left", spearmen={0: (1, 7, 8)})
    state = facing(state, LEFT, "outriders_centre", spearmen={0: (1, 7, 8)})
    state = owning(state, active=(Advisor.CHRONICLER,))
    state = defeated(state)
    order = []
    while asked(state):
        task = state.stack[-1]
        if isinstance(task, Window):
            order.append(task.event.hordes[0])
        state = done(state)
    assert order == [OUTRIDERS, HordeCard.OUTRIDERS_CENTRE, HordeCard.OUTRIDERS_RIGHT]
    assert [len(rows) for rows in state.hordes] == [1, 0, 0]


def test_the_majority_counts_spots_and_tea_breaks_a_tie() -> None:  # R10.2
    state = facing(
        table(tea=(2, 1, 0)),
        LEFT,
        "vanguard_left",
        (9,),
        horsemen={0: (1, 7)},
        spearmen={2: (2, 8)},
    )
    horde = state.hordes[0][0]
    assert majority(state, horde) == 2
    assert majority(replace(state, tea=(0, 1, 2)), horde) == 0
    wounds = facing(table(), LEFT, "outriders_left", (1, 7, 8)).hordes[0][0]
    assert majority(state, wounds) == -1


def test_a_defeat_step_by_step() -> None:  # R10.2
    """Honour for soldiers and archers, lethality, survivors rest, the card is claimed."""
    state = facing(table(), LEFT, "outriders_left", spearmen={0: (1, 7), 1: (8,)})
    state = facing(state, LEFT, "ram_crew_left")
    state = standing(standing(state, 1, LEFT, firing=2), 2, LEFT, firing=1)
    state = owning(state, active=(Advisor.CHRONICLER,))
    state = owning(state, 1, goods=Goods(chi=2))
    state = defeated(state)
    assert asked(state) == [(0, "trigger")]
    state = answered(state, UseAbility(Advisor.CHRONICLER))
    assert own(state).honour == 2 + 2
    assert own(state, 1).honour == 2 + 4
    assert own(state, 2).honour == 2
    assert asked(state) == [(0, "save")]
    state = answered(done(state), SaveSoldier(OUTRIDERS, SPEARMAN))
    assert (own(state).pool[0], own(state).rest[0]) == (11, 1)
    assert (own(state, 1).pool[0], own(state, 1).rest[0]) == (10, 1)
    assert own(state).claimed == (Claim(OUTRIDERS),)
    assert [horde.card for horde in state.hordes[0]] == [HordeCard.RAM_CREW_LEFT]


def test_without_soldiers_on_it_a_horde_is_discarded() -> None:  # R10.2
    state = defeated(facing(table(), LEFT, "outriders_left", (1, 7, 8)))
    assert state.horde_discard == (OUTRIDERS,)
    assert not state.hordes[0]


def test_the_majoritys_window_comes_before_the_steps() -> None:  # R10.2
    state = facing(table(), LEFT, "outriders_left", (1, 7), spearmen={1: (8,)})
    state = defeated(owning(state, 1, active=(Advisor.SPOILS_OFFICER,)))
    task = state.stack[-1]
    assert isinstance(task, Window)
    assert (task.clan, task.trigger) == (1, Trigger.ON_YOU_DEFEAT)
    assert own(state, 1).honour == 0


def battle(goods: Goods = NO_GOODS) -> State:
    """Seat 0 has two spearmen and a horseman on the vanguard; two of the three die."""
    state = facing(table(), LEFT, "vanguard_left", spearmen={0: (1, 2)}, horsemen={0: (7, 8)})
    state = owning(state, goods=goods)
    return run(begin_kill(state, LEFT, [(HordeCard.VANGUARD_LEFT, 2)], archers=False))


def test_the_owner_chooses_who_dies() -> None:  # R11.1
    state = battle()
    assert asked(state) == [(0, "doom")]
    state = answered(state, DoomSoldier(HORSEMAN))
    assert refused(state, DoomSoldier(HORSEMAN)) == "no_soldier_there"
    assert refused(state, DoomSoldier(ARCHER)) == "no_soldier_there"
    state = answered(state, DoomSoldier(SPEARMAN))
    assert asked(state) == [(0, "save")]
    state = done(state)
    assert own(state).pool == (11, 4, 3)
    assert asked(state) == []


def test_saving_costs_two_chi_a_soldier() -> None:  # R11.2
    card = HordeCard.VANGUARD_LEFT
    state = answered(battle(Goods(chi=3)), DoomSoldier(SPEARMAN), DoomSoldier(SPEARMAN))
    assert refused(state, SaveSoldier(card, HORSEMAN)) == "not_dying"
    state = answered(state, SaveSoldier(card, SPEARMAN))
    assert own(state).goods == Goods(chi=1)
    assert refused(state, SaveSoldier(card, SPEARMAN)) == "cannot_afford"
    state = done(state)
    assert (own(state).rest[0], own(state).pool[0]) == (1, 11)
    assert state.hordes[0][0].marks.count(1) == 2


def test_abilities_come_before_saving_and_after_killing() -> None:  # R11.2
    state = facing(table(), LEFT, "outriders_left", spearmen={0: (1, 7, 8)})
    state = owning(state, active=(Advisor.SURVIVALIST, Advisor.GRAVEDIGGER))
    state = run(begin_kill(state, LEFT, [(OUTRIDERS, 3)], archers=False))
    assert asked(state) == [(0, "trigger")]
    state = answered(state, UseAbility(Advisor.SURVIVALIST), SaveSoldier(OUTRIDERS, SPEARMAN))
    assert asked(state) == [(0, "save")]
    state = done(state)
    assert asked(state) == [(0, "trigger")]
    state = answered(state, UseAbility(Advisor.GRAVEDIGGER))
    assert (own(state).honour, own(state).rest[0], own(state).pool[0]) == (4, 1, 12)


def test_players_lose_soldiers_each_and_in_tea_order() -> None:  # R11.1, R11.2
    state = facing(table(tea=(1, 0, 2)), LEFT, "outriders_left", spearmen={0: (1, 7), 1: (8,)})
    state = run(begin_kill(state, LEFT, [(OUTRIDERS, 1)], archers=False))
    assert asked(state) == [(1, "save")]
    state = done(state)
    assert asked(state) == [(0, "save")]
    state = done(state)
    assert (own(state).pool[0], own(state, 1).pool[0]) == (11, 11)
    assert state.hordes[0][0].marks.count(1) == 2
