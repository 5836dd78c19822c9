"""Two players: the neutral clan (R14)."""

from __future__ import annotations

from msgspec.structs import replace

from services.gamekit.chance import Chance
from services.gamekit.game import NATURE
from services.gamekit.play import play
from services.great_wall.cards.advisors import Advisor
from services.great_wall.cards.commands import Command
from services.great_wall.cards.hordes import HordeCard
from services.great_wall.game import GAME
from services.great_wall.goods import Goods, Location, Zone
from services.great_wall.rules.attacks import Strike
from services.great_wall.rules.building import BuildBarricade
from services.great_wall.rules.choices import PickOption
from services.great_wall.rules.clerks import MoveClerk
from services.great_wall.rules.embassy import DismissAdvisor
from services.great_wall.rules.fall import PlaceCommand
from services.great_wall.rules.production import DonateGood
from services.great_wall.rules.recruiting import RecruitSoldier
from services.great_wall.rules.shame import ReturnShame
from services.great_wall.rules.winter import Assault
from services.great_wall.state import Played, State
from services.great_wall.tasks.locations import Visit
from services.great_wall.tasks.seasons import ActivationStep, Assaulting, Frames, Placing, Turn
from services.great_wall.tasks.war import DefeatCheck
from tests.great_wall.table import (
    CENTRE,
    RIGHT,
    SPEARMAN,
    answered,
    asked,
    clerks,
    done,
    drawn,
    facing,
    own,
    owning,
    perform,
    question,
    refused,
    run,
    table,
)

REED = 2


def visited(state: State, location: Location, active: int = 0) -> State:
    """The neutral clan's clerk and one of seat 0 at a location that activates."""
    state = clerks(clerks(state, REED, lumber_mill=0, quarry=0, gold_mine=0), REED, **{location: 1})
    state = clerks(state, 0, **{location: 1})
    return drawn(run(replace(state, active=active), Visit(location, advanced=True)))


def until(state: State, prompt: str) -> State:
    """Everything is declined until the neutral clan's part comes."""
    while question(state).about != "neutral_clan" and asked(state)[0][1] != prompt:
        state = done(state)
    return state


def test_it_starts_with_three_clerks_and_always_has_three() -> None:  # R14.1
    state = table(2)
    assert own(state, REED).desks[:3] == (1, 1, 1)
    state = clerks(state, 0, quarry=3)
    state = run(replace(state, active=0), ActivationStep())
    while asked(state):
        state = done(state)
    assert (own(state).clerks, own(state, REED).desks[:3]) == (5, (1, 1, 1))


def test_at_most_one_clerk_a_location() -> None:  # R14.1
    state = perform(replace(table(2), active=1), "economy/others", REED)
    assert (asked(state), question(state).about) == ([(1, "clerk")], "neutral_clan")
    move = MoveClerk(Location.QUARRY, Location.GOLD_MINE)
    assert refused(state, move) == "location_closed"
    assert refused(state, MoveClerk(None, Location.TEMPLE)) == "no_clerk_to_move"
    state = answered(state, MoveClerk(Location.QUARRY, Location.TEMPLE))
    assert sum(own(state, REED).desks) == 3


def test_the_active_player_is_its_overlord_in_its_turn_the_top_human() -> None:  # R14.2
    frame = Frames((REED,), "economy/others")
    for active, tea, seat in ((0, (1, 0, 2), 0), (1, (0, 1, 2), 1), (2, (1, 0, 2), 1)):
        state = run(replace(table(2), active=active, tea=tea), frame)
        assert asked(state) == [(seat, "clerk")]


def test_it_resolves_frames_in_its_tea_place() -> None:  # R14.2
    state = replace(table(2), active=1, tea=(2, 0, 1))
    state = run(state, Frames((2, 0), "economy/others"))
    assert question(state).about == "neutral_clan"
    state = done(state)
    assert (asked(state), question(state).about) == ([(0, "clerk")], "")


def test_in_an_attack_frame_it_can_only_move() -> None:  # R14.2
    state = run(replace(table(2), active=1), Frames((REED,), "attack_order/others"))
    assert refused(state, PickOption(1)) == "not_offered"
    state = answered(state, PickOption(0))
    assert asked(state) == [(1, "clerk")]


def placing(tea: tuple[int, ...]) -> State:
    """Both humans have revealed a card."""
    state = owning(owning(table(2, tea=tea), 0, chosen=Command.ECONOMY), 1, chosen=Command.BETRAYAL)
    return run(state, Placing(tea))


def test_it_places_its_card_on_the_first_free_space() -> None:  # R14.3
    assert placing((2, 0, 1)).track[0] == Played(REED, Command.REED_STIRRING)
    state = answered(placing((1, 2, 0)), PlaceCommand(0))
    assert state.track[1] == Played(REED, Command.REED_STIRRING)


def test_its_turn() -> None:  # R14.3
    track = (Played(REED, Command.REED_STIRRING), None, None, None)
    state = run(table(2, track=track, tea=(1, 0, 2)), Turn())
    assert (asked(state), question(state).about) == ([(1, "clerk")], "neutral_clan")
    state = answered(state, MoveClerk(Location.QUARRY, Location.TEMPLE))
    state = done(state)
    assert asked(state) == [(1, "clerk")]
    state = done(state)
    for place in (Location.QUARRY, Location.TEMPLE, Location.WAR_ACADEMY):
        assert asked(state) == [(0, "clerk")]  # the lower human moves three
        state = answered(state, MoveClerk(None, place))
    assert asked(state) == [(1, "build")]
    state = answered(state, BuildBarricade(CENTRE))
    assert (state.barricades, own(state, REED).honour) == ((0, 1, 0), 0)
    assert asked(state) == [(0, "visit")]  # its turn activates the academy


def test_the_mill_the_quarry_and_the_mine_donate() -> None:  # R14.4
    for location in (Location.LUMBER_MILL, Location.QUARRY, Location.GOLD_MINE):
        state = until(visited(table(2), location), "")
        task = state.stack[-1]
        resource = getattr(task, "resource", None)
        assert resource is not None
        after = answered(state, DonateGood(resource))
        assert after.warehouse.of(resource) == 1
        assert own(after, REED).goods == Goods()
        assert not done(state).warehouse


def test_the_temple_frees_the_active_player_of_a_shame() -> None:  # R14.4
    state = until(visited(owning(table(2), frozen=(1, 0, 0)), Location.TEMPLE), "shame_return")
    assert own(answered(state, ReturnShame(SPEARMAN, None))).frozen == (0, 0, 0)
    own_turn = visited(owning(table(2), frozen=(1, 0, 0)), Location.TEMPLE, active=REED)
    while asked(own_turn):
        assert asked(own_turn)[0][1] != "shame_return"
        own_turn = done(own_turn)


def test_at_the_embassy_an_advisor_is_discarded() -> None:  # R14.4
    track = (Advisor.JINSHI, Advisor.WARDEN, Advisor.HERALD, Advisor.EXAMINER)
    state = until(visited(table(2, advisor_track=track), Location.EMPERORS_EMBASSY), "dismissal")
    assert refused(state, DismissAdvisor(Advisor.MAGISTRATE)) == "not_on_the_track"
    state = answered(state, DismissAdvisor(Advisor.WARDEN))
    assert state.advisor_discard == (Advisor.WARDEN,)
    assert len(state.advisor_track) == 4


def test_at_the_encampment_it_builds_a_free_barricade() -> None:  # R14.4
    state = until(visited(table(2), Location.BUILDERS_ENCAMPMENT), "")
    state = answered(state, BuildBarricade(RIGHT))
    assert (state.barricades, own(state, REED).honour) == ((0, 0, 1), 0)


def test_at_the_barracks_a_spearman_attacks_where_the_overlord_says() -> None:  # R14.4, R14.1
    state = facing(table(2), RIGHT, "outriders_right")
    state = until(visited(state, Location.BARRACKS), "")
    free = Goods()
    assert refused(state, RecruitSoldier(SPEARMAN, RIGHT, False, free)) == "cannot_rest"
    assert refused(state, RecruitSoldier(SPEARMAN, CENTRE, True, free)) == "no_target"
    state = answered(state, RecruitSoldier(SPEARMAN, RIGHT, True, free))
    state = answered(state, Strike(Zone.RECRUIT, SPEARMAN, RIGHT, 0, (7,)))
    assert own(state, REED).goods == Goods()
    assert own(state, REED).pool == (9, 0, 0)


def test_academy_and_logistics_give_it_nothing() -> None:  # R14.4
    for location in (Location.WAR_ACADEMY, Location.LOGISTICS_CENTER):
        state = visited(table(2), location)
        while asked(state):
            assert question(state).about != "neutral_clan"
            state = done(state)
        assert own(state, REED).tactics == ()


def test_at_the_tea_house_it_moves_up() -> None:  # R14.4
    state = done(visited(table(2, tea=(0, 1, 2)), Location.TEA_HOUSE))
    assert state.tea == (0, 2, 1)


def test_a_lone_clerk_of_its_does_not_activate_a_special_location() -> None:  # R14.4
    state = clerks(table(2), REED, lumber_mill=1, quarry=1, gold_mine=0, war_academy=1)
    state = run(replace(state, active=0), ActivationStep())
    assert asked(state) == []


def test_what_it_claims_is_discarded_and_its_soldiers_do_not_rest() -> None:  # R14.1
    state = facing(table(2), RIGHT, "outriders_right", spearmen={REED: (1, 7, 8)})
    state = run(owning(state, REED, pool=(7, 0, 0)), DefeatCheck())
    assert state.horde_discard == (HordeCard.OUTRIDERS_RIGHT,)
    assert own(state, REED).pool == (10, 0, 0)
    assert not own(state, REED).claimed


def test_it_takes_no_shame_and_counts_as_a_colour() -> None:  # R14.1
    state = facing(table(2), RIGHT, "outriders_right", spearmen={0: (1,), 1: (7,)})
    state = drawn(run(state, Assaulting(RIGHT)))
    claim = Assault.resolve(state, Chance(b""))
    assert (claim.breach, claim.shamed) == (True, ())
    state = play(GAME, state, NATURE, claim)
    assert asked(state) == [(0, "save")]
