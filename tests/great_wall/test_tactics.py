"""Every tactic card has a test of its basic and of its boosted effect."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from services.great_wall.cards.commands import Command
from services.great_wall.cards.hordes import HordeCard
from services.great_wall.cards.tactics import TACTICS, Tactic
from services.great_wall.goods import Goods, Location, Resource, Zone
from services.great_wall.rules.attacks import Strike
from services.great_wall.rules.building import BuildBarricade
from services.great_wall.rules.choices import Done, ReclaimCard
from services.great_wall.rules.clerks import ActivateAdvanced, MoveClerk
from services.great_wall.rules.killing import SaveSoldier
from services.great_wall.rules.logistics import MoveSoldier
from services.great_wall.rules.overseers import RaiseOverseer
from services.great_wall.rules.recruiting import RecruitSoldier
from services.great_wall.rules.shame import ReturnShame
from services.great_wall.rules.tactics import PlayTactic
from services.great_wall.rules.taking import TakeGood
from services.great_wall.rules.wounds import PlaceWound
from services.great_wall.state import Doomed, State, Toll
from services.great_wall.tasks.task import Event
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
    gained,
    opened,
    own,
    owning,
    played,
    refused,
    standing,
    table,
)

OUTRIDERS = HordeCard.OUTRIDERS_LEFT
AT_OUTRIDERS = Event(sections=(LEFT,), hordes=(OUTRIDERS,))
both = pytest.mark.parametrize("boosted", [False, True])


def ready(state: State | None = None) -> State:
    """Seat 0 has the chi for any boost, and an archer over the outriders, a spearman on them."""
    state = facing(state or table(), LEFT, "outriders_left", spearmen={0: (7,)})
    return standing(owning(state, goods=Goods(chi=2)), 0, LEFT, firing=1)


def bare() -> State:
    """Seat 0 has the chi for any boost."""
    return owning(table(), goods=Goods(chi=2))


def price(tactic: Tactic, boosted: bool) -> Goods:
    """What is left of the two chi."""
    return Goods(chi=2 - TACTICS[tactic].boost * boosted)


def doomed_spearmen(count: int) -> State:
    """Spearmen of seat 0 about to die on the outriders."""
    state = facing(bare(), LEFT, "outriders_left", spearmen={0: (1, 7, 8)[:count]})
    return replace(state, toll=Toll(LEFT, (Doomed(0, OUTRIDERS, SPEARMAN, count),)))


def test_every_tactic_has_its_test() -> None:
    assert not [tactic for tactic in Tactic if f"test_{tactic}" not in globals()]


@pytest.mark.parametrize(
    ("tactic", "basic", "boosted", "event"),
    [
        (Tactic.HEROIC_FIGHT, (Goods(), 4), (Goods(), 8), AT_OUTRIDERS),
        (Tactic.ROB_THE_DEAD, (Goods(gold=2), 0), (Goods(gold=5), 0), Event(each=1)),
        (Tactic.TROPHY_BANNERS, (Goods(), 2), (Goods(), 5), AT_OUTRIDERS),
        (Tactic.LAST_VOW, (Goods(), 6), (Goods(), 12), Event(each=3)),
    ],
)
def test_a_plain_gain(
    tactic: Tactic, basic: tuple[Goods, int], boosted: tuple[Goods, int], event: Event
) -> None:
    state = ready()
    assert gained(state, played(state, tactic, event)) == basic
    cost = Goods(chi=-TACTICS[tactic].boost)
    after = played(state, tactic, event, boosted=True)
    assert gained(state, after) == (boosted[0] + cost, boosted[1])


test_heroic_fight = test_a_plain_gain
test_rob_the_dead = test_a_plain_gain
test_trophy_banners = test_a_plain_gain
test_last_vow = test_a_plain_gain


def test_heroic_fight_needs_both_units() -> None:
    lonely = standing(ready(), 0, LEFT, firing=0)
    state = owning(lonely, tactics=(Tactic.HEROIC_FIGHT,))
    state = opened(state, Trigger.ON_HORDE_DEFEATED, AT_OUTRIDERS)
    assert refused(state, PlayTactic(Tactic.HEROIC_FIGHT, False)) == "wrong_window"


@pytest.mark.parametrize(
    ("tactic", "basic", "boosted", "event"),
    [
        (Tactic.RANSOM, 3, 5, AT_OUTRIDERS),
        (Tactic.IMPERIAL_DISPATCH, 2, 2, Event()),
        (Tactic.FLANK_RIDE, 2, 2, Event(types=(HORSEMAN,))),
        (Tactic.RALLY_POINT, 1, 0, Event(types=(SPEARMAN,))),
    ],
)
def test_goods_of_choice(tactic: Tactic, basic: int, boosted: int, event: Event) -> None:
    for count, boost in ((basic, False), (boosted, True)):
        state = played(bare(), tactic, event, boosted=boost)
        state = answered(state, *[TakeGood(Resource.WOOD)] * count)
        assert own(state).goods == price(tactic, boost) + Goods(wood=count)


test_ransom = test_goods_of_choice


def test_imperial_dispatch() -> None:
    state = owning(bare(), discard=(Command.ECONOMY, Command.BETRAYAL), commands=())
    state = played(state, Tactic.IMPERIAL_DISPATCH, boosted=True)
    state = answered(state, *[TakeGood(Resource.GOLD)] * 2, ReclaimCard(Command.BETRAYAL))
    assert own(state).commands == (Command.BETRAYAL,)
    assert own(state).goods == Goods(gold=2, chi=1)


def test_flank_ride() -> None:
    state = facing(bare(), LEFT, "outriders_left")
    event = replace(AT_OUTRIDERS, types=(HORSEMAN,))
    state = played(state, Tactic.FLANK_RIDE, event, boosted=True)
    state = answered(state, *[TakeGood(Resource.GOLD)] * 2)
    state = answered(state, PlaceWound(OUTRIDERS, 7), PlaceWound(OUTRIDERS, 8))
    assert sum(state.hordes[0][0].marks) == 2
    assert own(state).goods == Goods(gold=2, chi=1)


def test_rally_point() -> None:
    event = Event(types=(SPEARMAN,), sections=(LEFT,), each=1)
    state = played(bare(), Tactic.RALLY_POINT, event, boosted=True)
    state = answered(state, RecruitSoldier(SPEARMAN, RIGHT, False, Goods()))
    assert own(state).rest[6] == 1
    assert not own(state).goods


def test_withdrawal() -> None:
    state = played(doomed_spearmen(3), Tactic.WITHDRAWAL)
    state = answered(state, SaveSoldier(OUTRIDERS, SPEARMAN))
    assert (own(state).rest[0], asked(state)) == (1, [])
    state = played(doomed_spearmen(3), Tactic.WITHDRAWAL, boosted=True)
    assert (own(state).rest[0], asked(state)) == (3, [])
    assert not own(state).goods


def test_stretcher_bearers() -> None:
    state = played(doomed_spearmen(3), Tactic.STRETCHER_BEARERS)
    state = answered(state, SaveSoldier(OUTRIDERS, SPEARMAN))
    assert (own(state).rest[0], asked(state)) == (1, [])
    state = played(doomed_spearmen(3), Tactic.STRETCHER_BEARERS, boosted=True)
    state = answered(state, *[SaveSoldier(OUTRIDERS, SPEARMAN)] * 2)
    assert (own(state).rest[0], asked(state)) == (2, [])


def test_restless() -> None:
    """Each upgrade costs one less; two are of two different overseers."""
    goods = Goods(wood=2, chi=4)
    state = owning(table(), goods=goods, overseers=(1, 1, 0, 0))
    state = played(state, Tactic.RESTLESS)
    state = answered(state, RaiseOverseer(Location.LUMBER_MILL, None))
    assert own(state).goods == Goods(wood=2, chi=2)
    assert asked(state) == []
    state = owning(table(), goods=goods, overseers=(1, 1, 0, 0))
    state = played(state, Tactic.RESTLESS, boosted=True)
    state = answered(state, RaiseOverseer(Location.LUMBER_MILL, None))
    assert refused(state, RaiseOverseer(Location.LUMBER_MILL, None)) == "cannot_upgrade"
    state = answered(state, RaiseOverseer(Location.QUARRY, None))
    assert own(state).overseers == (2, 2, 0, 0)
    assert not own(state).goods


def test_forced_march() -> None:
    march = MoveSoldier(SPEARMAN, LEFT, Zone.REST, RIGHT, Zone.REST)
    state = standing(bare(), 0, LEFT, spearman=2)
    state = answered(played(state, Tactic.FORCED_MARCH), march, march)
    assert (own(state).rest[6], asked(state)) == (2, [])
    state = facing(standing(bare(), 0, LEFT, spearman=2), RIGHT, "outriders_left")
    state = answered(played(state, Tactic.FORCED_MARCH, boosted=True), march, Done())
    state = answered(state, Strike(Zone.REST, SPEARMAN, RIGHT, 0, (7,)))
    assert own(state).goods == Goods(gold=1)


def test_night_shift() -> None:
    state = played(bare(), Tactic.NIGHT_SHIFT)
    state = answered(state, *[MoveClerk(None, Location.WAR_ACADEMY)] * 2)
    assert asked(state) == []
    state = played(bare(), Tactic.NIGHT_SHIFT, boosted=True)
    state = answered(state, MoveClerk(None, Location.QUARRY), Done())
    state = answered(state, ActivateAdvanced(Location.QUARRY))
    assert own(state).goods == Goods(stone=1)
    assert own(state).clerks == 5 - 1  # still at work: the location is being resolved


def test_emergency_levy() -> None:
    """Each recruit costs one less, of any kind."""
    for boosted, count in ((False, 1), (True, 2)):
        state = owning(table(), goods=Goods(gold=6, wood=2, chi=1))
        state = played(state, Tactic.EMERGENCY_LEVY, boosted=boosted)
        for _ in range(count):
            state = answered(state, RecruitSoldier(HORSEMAN, LEFT, False, Goods(gold=3)))
        assert (own(state).rest[2], asked(state)) == (count, [])


def test_stakes_and_pits() -> None:
    for boosted, count in ((False, 1), (True, 2)):
        before = bare()
        state = played(before, Tactic.STAKES_AND_PITS, boosted=boosted)
        state = answered(state, *[BuildBarricade(LEFT)] * count)
        assert state.barricades == (count, 0, 0)
        assert gained(before, state)[1] == 2 * count
        assert asked(state) == []


def test_tribute_tea() -> None:
    before = owning(table(), 2, goods=Goods(chi=1))
    state = played(before, Tactic.TRIBUTE_TEA, clan=2)
    assert (state.tea, own(state, 2).honour) == ((0, 2, 1), 1)
    state = played(before, Tactic.TRIBUTE_TEA, boosted=True, clan=2)
    assert (state.tea, own(state, 2).honour) == ((2, 0, 1), 3)


def test_volley() -> None:
    """Wounds on any horde of the sections where archers shot."""
    event = Event(types=(ARCHER,), sections=(LEFT,), hordes=(OUTRIDERS,))
    field = facing(facing(bare(), LEFT, "outriders_left"), LEFT, "ram_crew_left")
    state = played(field, Tactic.VOLLEY, event)
    state = answered(state, PlaceWound(HordeCard.RAM_CREW_LEFT, 2))
    assert asked(state) == []
    state = played(field, Tactic.VOLLEY, event, boosted=True)
    state = answered(state, *[PlaceWound(OUTRIDERS, cell) for cell in (1, 7, 8)])
    assert asked(state) == []


def test_locked_shields() -> None:
    event = replace(AT_OUTRIDERS, types=(SPEARMAN,))
    field = facing(facing(bare(), LEFT, "outriders_left"), LEFT, "ram_crew_left")
    assert gained(field, played(field, Tactic.LOCKED_SHIELDS, event)) == (Goods(), 2)
    state = played(field, Tactic.LOCKED_SHIELDS, event, boosted=True)
    assert refused(state, PlaceWound(HordeCard.RAM_CREW_LEFT, 2)) == "wrong_horde"
    state = answered(state, PlaceWound(OUTRIDERS, 1), PlaceWound(OUTRIDERS, 7))
    assert asked(state) == []


def test_shared_honours() -> None:
    state = owning(ready(), frozen=(3, 0, 0))
    assert gained(state, played(state, Tactic.SHARED_HONOURS, AT_OUTRIDERS)) == (Goods(), 2)
    after = played(state, Tactic.SHARED_HONOURS, AT_OUTRIDERS, boosted=True)
    after = answered(after, *[ReturnShame(SPEARMAN, None)] * 2)
    assert own(after).frozen == (1, 0, 0)
    assert own(after).goods == Goods(chi=1)


def test_covering_fire() -> None:
    event = Event(sections=(LEFT,), types=(SPEARMAN,), each=1)
    state = played(ready(), Tactic.COVERING_FIRE, event)
    state = answered(state, PlaceWound(OUTRIDERS, 1))
    assert asked(state) == []
    state = played(ready(), Tactic.COVERING_FIRE, event, boosted=True)
    state = answered(state, PlaceWound(OUTRIDERS, 1), PlaceWound(OUTRIDERS, 8))
    assert asked(state) == []


@pytest.mark.parametrize("tactic", Tactic)
def test_a_boost_has_to_be_paid(tactic: Tactic) -> None:
    event = Event(location=Location.TEMPLE, types=(SPEARMAN, ARCHER, HORSEMAN), each=1)
    event = replace(event, sections=(LEFT,), hordes=(OUTRIDERS,))
    state = owning(ready(), goods=Goods(), tactics=(tactic,))
    toll = Toll(LEFT, (Doomed(0, OUTRIDERS, SPEARMAN, 1),))
    state = opened(replace(state, toll=toll), TACTICS[tactic].window, event)
    assert refused(state, PlayTactic(tactic, True)) == "cannot_afford"


@pytest.mark.parametrize("tactic", Tactic)
def test_a_card_is_refused_in_another_window(tactic: Tactic) -> None:
    other = next(
        one
        for one in (Tactic.TRIBUTE_TEA, Tactic.RANSOM)
        if one is not tactic and TACTICS[one].window is not TACTICS[tactic].window
    )
    state = owning(bare(), tactics=(tactic,))
    state = opened(state, TACTICS[other].window)
    assert refused(state, PlayTactic(tactic, False)) == "wrong_window"
    assert asked(done(state)) == []


def test_a_card_that_is_not_in_hand_is_refused() -> None:
    state = owning(bare(), tactics=(Tactic.RANSOM,))
    state = opened(state, Trigger.ON_YOU_DEFEAT)
    assert refused(state, PlayTactic(Tactic.TROPHY_BANNERS, False)) == "not_in_hand"


def test_one_tactic_card_a_window() -> None:
    state = owning(bare(), tactics=(Tactic.RANSOM, Tactic.TROPHY_BANNERS))
    state = opened(state, Trigger.ON_YOU_DEFEAT)
    state = answered(state, PlayTactic(Tactic.TROPHY_BANNERS, False))
    assert asked(state) == []
    assert own(state).tactics == (Tactic.RANSOM,)
    assert state.tactic_discard == (Tactic.TROPHY_BANNERS,)
