"""Every horde: its numbers, its spots with their rewards, its ability."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from services.great_wall.cards.hordes import (
    FACE_OF,
    FACES,
    PAIRS,
    SECTION_OF,
    SPEAR_SPOTS,
    SPOTS,
    TYPE_OF,
    HordeCard,
    HordeType,
)
from services.great_wall.effects import Lose
from services.great_wall.field import targets
from services.great_wall.goods import Goods, Resource, Zone
from services.great_wall.rules.assault import defence, lethality, offence
from services.great_wall.rules.attacks import Strike
from services.great_wall.rules.shame import ReturnShame
from services.great_wall.rules.taking import LoseGood, TakeGood
from services.great_wall.state import Horde, State
from services.great_wall.tasks.seasons import Assaulting
from services.great_wall.tasks.war import Attacking, Unit
from services.great_wall.triggers import Trigger
from tests.great_wall.table import (
    HORSEMAN,
    LEFT,
    SPEARMAN,
    answered,
    asked,
    facing,
    gained,
    own,
    owning,
    perform,
    run,
    standing,
    table,
)

REWARDS = {
    HordeType.LEADER: "whcat",
    HordeType.OUTRIDERS: "wgs",
    HordeType.PLUNDERERS: "ggao",
    HordeType.RAM_CREW: "sowo",
    HordeType.VANGUARD: "hcoht",
    HordeType.IRON_LANCERS: "HHogo",
    HordeType.EXECUTIONERS: "hooch",
    HordeType.WAR_DRUMS: "atdo",
}


def section(*cards: str) -> State:
    """The left section, with these hordes."""
    state = table(walls=(2, 0, 0), barricades=(2, 0, 0))
    for card in cards:
        state = facing(state, LEFT, card)
    return state


def test_eight_types_of_three_cards() -> None:
    assert len(HordeCard) == 24
    assert {(TYPE_OF[card], SECTION_OF[card]) for card in HordeCard} == {
        (kind, part) for kind in HordeType for part in SECTION_OF.values()
    }


@pytest.mark.parametrize("card", HordeCard)
def test_a_spearman_takes_the_printed_reward_of_each_spot(card: HordeCard) -> None:
    codes = REWARDS[TYPE_OF[card]]
    assert "".join(FACE_OF[card].grid[spot] for spot in SPOTS[card]) == codes
    for spot in SPEAR_SPOTS[card]:
        state = facing(standing(table(), 0, LEFT, spearman=1), LEFT, card)
        state = perform(owning(state, frozen=(1, 0, 0)), "attack_order/bottom")
        after = answered(state, Strike(Zone.REST, SPEARMAN, LEFT, 0, (spot,)))
        check_reward(FACE_OF[card].grid[spot], state, after)


def check_reward(code: str, before: State, after: State) -> None:
    """What a spot gives; `d` and `a` ask first."""
    if code == "a":
        after = answered(after, TakeGood(Resource.CHI))
        assert gained(before, after) == (Goods(chi=1), 0)
    elif code == "t":
        assert len(own(after).tactics) == 1
    elif code == "d":
        assert own(answered(after, ReturnShame(SPEARMAN, None))).frozen == (0, 0, 0)
    else:
        goods = {"w": Goods(wood=1), "s": Goods(stone=1), "g": Goods(gold=1), "c": Goods(chi=1)}
        honour = {"h": 1, "H": 2}
        assert gained(before, after) == (goods.get(code, Goods()), honour.get(code, 0))


@pytest.mark.parametrize("card", HordeCard)
def test_a_horseman_takes_both_rewards_of_two_adjacent_spots(card: HordeCard) -> None:
    for one, two in PAIRS[card]:
        assert abs(one - two) in (1, 6)
        state = facing(standing(table(), 0, LEFT, horseman=1), LEFT, card)
        state = run(state, horsemen_attack())
        state = answered(state, Strike(Zone.REST, HORSEMAN, LEFT, 0, (one, two)))
        assert sum(1 for mark in state.hordes[0][0].marks if mark) == 2


def horsemen_attack() -> Attacking:
    """A horseman of seat 0 may attack."""
    return Attacking(0, 1, (Unit(Zone.REST, HORSEMAN, LEFT, 1),), mandatory=False, full=())


def test_leader() -> None:
    """Halves the defence, rounded down, once for each leader, after barricades."""
    assert defence(section("outriders_left"), LEFT) == 6 + 4
    assert defence(section("leader_left"), LEFT) == 5
    assert defence(section("leader_left", "leader_right"), LEFT) == 2
    assert offence(section("leader_left", "leader_right"), LEFT) == 4


def test_outriders() -> None:
    assert FACES[HordeType.OUTRIDERS].ability is None
    assert offence(section("outriders_left"), LEFT) == 4


def test_plunderers() -> None:
    """At the start of the assault everybody without a soldier on the card loses a resource."""
    state = facing(table(walls=(3, 0, 0)), LEFT, "plunderers_left", spearmen={1: (7,)})
    state = owning(state, goods=Goods(gold=1))
    state = run(state, Assaulting(LEFT))
    assert asked(state) == [(0, "loss")]
    state = answered(state, LoseGood(Resource.GOLD))
    assert asked(state) == [(2, "loss")]
    state = answered(state, LoseGood(None))
    assert asked(state) == [(-1, "assault")]
    assert not own(state).goods
    ability = FACES[HordeType.PLUNDERERS].ability
    assert ability is not None
    assert (ability.trigger, type(ability.do[0])) == (Trigger.ASSAULT_START, Lose)


def test_ram_crew() -> None:
    """A barricade of its section defends for one."""
    assert defence(section("ram_crew_left"), LEFT) == 6 + 2
    assert defence(section("ram_crew_left", "leader_left"), LEFT) == 4


def test_vanguard() -> None:
    """Two more power in row 1 only."""
    assert offence(section("vanguard_left"), LEFT) == 6
    assert offence(section("outriders_left", "vanguard_left"), LEFT) == 4 + 4


def test_iron_lancers() -> None:
    """No spearman in the upper row; horsemen and archers may."""
    state = section("iron_lancers_left")
    assert [spots for _, spots in targets(state, SPEARMAN, LEFT)] == [(7,), (8,), (9,)]
    assert (0, (2, 3)) in targets(state, HORSEMAN, LEFT)
    assert offence(state, LEFT) == 6


def test_executioners() -> None:
    """One more dies on this card than the year says."""
    state = table()
    assert lethality(state, Horde(HordeCard.EXECUTIONERS_LEFT)) == 2
    assert lethality(state, Horde(HordeCard.OUTRIDERS_LEFT)) == 1
    late = replace(state, year=6)
    assert lethality(late, Horde(HordeCard.EXECUTIONERS_LEFT)) == 4


def test_war_drums() -> None:
    """One more power to every other horde of the section; several add up."""
    assert offence(section("war_drums_left"), LEFT) == 3
    assert offence(section("war_drums_left", "outriders_left"), LEFT) == 3 + 5
    assert offence(section("war_drums_left", "war_drums_right", "leader_left"), LEFT) == 4 + 4 + 4


def test_every_type_has_its_test() -> None:
    assert not [kind for kind in HordeType if f"test_{kind}" not in globals()]
