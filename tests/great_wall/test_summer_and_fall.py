"""Summer (R4), fall (R5) and the command effects (R6)."""

from __future__ import annotations

from msgspec.structs import replace

from services.gamekit.game import Seat
from services.gamekit.play import play
from services.great_wall.cards.advisors import Advisor
from services.great_wall.cards.commands import Command
from services.great_wall.cards.hordes import HordeCard
from services.great_wall.cards.tactics import Tactic
from services.great_wall.game import GAME
from services.great_wall.goods import AT, Goods, Location
from services.great_wall.rules.choices import PickOption
from services.great_wall.rules.clerks import ActivateAdvanced, MoveClerk
from services.great_wall.rules.fall import ChooseCommand, PlaceCommand, RevealCommands, Revealed
from services.great_wall.rules.shame import PlaceShame, ReturnShame
from services.great_wall.rules.summer import ScoreDiscard, TakeBack
from services.great_wall.state import Claim, Played, State
from services.great_wall.tasks.locations import Advancing
from services.great_wall.tasks.seasons import Begin, Placing, Turn
from services.great_wall.tasks.task import Phase
from services.great_wall.tasks.war import Shaming
from tests.great_wall.table import (
    ARCHER,
    SPEARMAN,
    answered,
    asked,
    clerks,
    done,
    drawn,
    own,
    owning,
    perform,
    refused,
    run,
    table,
)

LEADER = HordeCard.LEADER_LEFT


def summer(state: State) -> State:
    """The summer of a year."""
    return run(state, Begin(Phase.SUMMER))


def test_overseers_yield_their_level() -> None:  # R4.1
    state = summer(owning(table(), overseers=(1, 2, 0, 3)))
    assert own(state).goods == Goods(wood=1, stone=2, chi=3)


def test_then_income_abilities_come_in_tea_order() -> None:  # R4.1
    state = owning(table(tea=(1, 0, 2)), 0, active=(Advisor.TOLL_COLLECTOR,))
    state = summer(owning(state, 1, active=(Advisor.MAGISTRATE,), frozen=(1, 0, 0)))
    assert asked(state) == [(1, "trigger")]
    assert asked(done(state)) == [(0, "trigger")]


def test_shame_is_returned_for_two_chi_each() -> None:  # R4.2, R9.2
    claimed = (Claim(LEADER, 1), Claim(HordeCard.RAM_CREW_LEFT))
    state = owning(table(), goods=Goods(chi=5), frozen=(2, 0, 0), claimed=claimed)
    state = summer(state)
    assert asked(state) == [(0, "shame_return")]
    assert refused(state, ReturnShame(ARCHER, None)) == "no_shame_there"
    assert refused(state, ReturnShame(None, HordeCard.RAM_CREW_LEFT)) == "no_shame_there"
    assert refused(state, ReturnShame(SPEARMAN, LEADER)) == "one_place_only"
    state = answered(state, ReturnShame(SPEARMAN, None), ReturnShame(None, LEADER))
    assert refused(state, ReturnShame(SPEARMAN, None)) == "cannot_afford"
    assert (own(state).frozen, own(state).claimed[0].shame) == ((1, 0, 0), 0)
    assert (own(state).goods.chi, state.shame_pool) == (1, 32)


def test_the_track_is_cleared() -> None:  # R4.3
    track = (Played(0, Command.ECONOMY), Played(1, Command.BETRAYAL), None, None)
    state = owning(table(track=track), commands=(Command.DESPOTISM,))
    state = summer(state)
    assert state.track == (None,) * 4
    assert own(state).discard == (Command.ECONOMY,)
    assert asked(state) == [(0, "command_cards")]


def test_cards_are_taken_back_or_scored() -> None:  # R4.4
    state = owning(
        table(),
        commands=(Command.DESPOTISM,),
        discard=(Command.ECONOMY, Command.BETRAYAL, Command.RAISE_BANNERS),
        active=(Advisor.VETERAN_RUNNER,),
    )
    state = summer(state)
    back = answered(state, TakeBack())
    assert (len(own(back).commands), own(back).discard, own(back).honour) == (4, (), 0)
    scored = answered(state, ScoreDiscard())
    assert (len(own(scored).commands), own(scored).honour) == (1, 6)
    assert asked(scored) == [(0, "trigger")]


def test_an_empty_hand_takes_its_cards_back() -> None:  # R4.4
    state = summer(owning(table(), commands=(), discard=tuple(Command)[:6]))
    assert len(own(state).commands) == 6
    assert asked(state) == [(1, "command_cards")]


def fall(state: State) -> State:
    """The fall of a year."""
    return run(state, Begin(Phase.FALL))


def test_command_cards_are_chosen_unseen_and_revealed_together() -> None:  # R5.1
    state = fall(table(2))
    assert asked(state) == [(0, "command"), (1, "command")]
    move = ChooseCommand(Command.ECONOMY)
    assert move.shown(Seat(0), Seat(1)) == ChooseCommand(None)
    state = play(GAME, state, Seat(0), move)
    other = GAME.view(state, Seat(1))
    assert isinstance(other, GAME.View)
    assert (other.clans[0].command, other.clans[0].commands) == (None, 6)
    assert refused(state, ChooseCommand(None), 1) == "not_in_hand"
    state = play(GAME, state, Seat(1), ChooseCommand(Command.ECONOMY))
    assert asked(state) == [(-1, "reveal")]
    false = RevealCommands((Revealed(Seat(0), Command.ECONOMY),))
    assert refused(state, false) == "wrong_cards"
    assert drawn(state).stack[-1] == Placing((0, 1, 2))


def test_a_discarded_card_is_not_in_hand() -> None:
    state = fall(owning(table(), commands=(Command.BETRAYAL,)))
    assert refused(state, ChooseCommand(Command.ECONOMY)) == "not_in_hand"


def placing(seats: int, *cards: Command) -> State:
    """Cards that are revealed and not yet placed."""
    state = table(seats)
    for seat, card in enumerate(cards):
        state = owning(state, seat, chosen=card)
    return run(state, Placing(state.tea))


def test_cards_go_to_any_free_space_in_tea_order() -> None:  # R5.2
    state = placing(3, Command.ECONOMY, Command.DESPOTISM, Command.BETRAYAL)
    state = answered(state, PlaceCommand(2))
    assert asked(state) == [(1, "space")]
    assert refused(state, PlaceCommand(2)) == "space_taken"
    assert refused(state, PlaceCommand(4)) == refused(state, PlaceCommand(-1)) == "space_taken"
    state = answered(state, PlaceCommand(0), PlaceCommand(3))
    assert [one.clan if one else None for one in state.track] == [1, None, 0, 2]


def test_the_last_of_four_has_no_choice() -> None:
    four = (Command.ECONOMY, Command.DESPOTISM, Command.BETRAYAL, Command.ECONOMY)
    state = answered(placing(4, *four), PlaceCommand(3), PlaceCommand(2), PlaceCommand(1))
    assert state.track[0] == Played(3, Command.ECONOMY)
    assert asked(state) == []


def test_a_turn_has_its_steps_in_order_and_gaps_are_skipped() -> None:  # R5.3
    track = (None, Played(1, Command.RAISE_BANNERS), None, Played(0, Command.ECONOMY))
    state = clerks(table(track=track), 1, war_academy=1)
    state = owning(state, 1, active=(Advisor.JINSHI, Advisor.STRATEGIST))
    state = run(state, Turn())
    order = []
    while state.active == 1:
        order += asked(state)
        state = answered(state, PickOption(2)) if asked(state)[0][1] == "choice" else done(state)
    assert order == [
        (1, "clerk"),  # above
        (0, "clerk"),  # the frame, in tea order
        (2, "clerk"),
        (1, "choice"),  # below
        (1, "trigger"),  # after the command step
        (1, "visit"),  # activation
        (1, "trigger"),  # after the activation step
    ]
    assert asked(state) == [(0, "clerk")]
    assert state.active == 0


def test_one_tactic_card_after_the_command_step() -> None:  # R5.3a
    state = owning(table(), tactics=(Tactic.RANSOM,), commands=())
    state = replace(state, track=(Played(0, Command.BETRAYAL), None, None, None))
    state = done(done(done(run(state, Turn()))))
    assert asked(state) == [(0, "tactic")]
    assert asked(done(state)) == []


# R6.1


def test_a_clerk_leaves_no_full_regular_location_and_enters_none() -> None:
    state = clerks(clerks(table(), 0, quarry=3, temple=1), 1, quarry=1)
    state = perform(state, "economy/top")
    gone = MoveClerk(Location.QUARRY, Location.WAR_ACADEMY)
    assert refused(state, gone) == "no_clerk_to_move"
    assert refused(state, MoveClerk(None, Location.QUARRY)) == "location_closed"
    state = answered(state, MoveClerk(Location.TEMPLE, Location.WAR_ACADEMY))
    assert own(state).desks[AT[Location.WAR_ACADEMY]] == 1


def test_a_clerk_moves_once_an_effect() -> None:
    state = answered(perform(table(), "economy/top"), MoveClerk(None, Location.TEMPLE))
    again = MoveClerk(Location.TEMPLE, Location.QUARRY)
    assert refused(state, again) == "no_clerk_to_move"
    assert refused(state, MoveClerk(Location.TEMPLE, Location.TEMPLE)) == "location_closed"


def test_clerks_already_there_do_not_matter_to_different_locations() -> None:
    state = clerks(table(), 0, war_academy=1)
    state = answered(perform(state, "economy/others"), MoveClerk(None, Location.WAR_ACADEMY))
    assert own(state).desks[AT[Location.WAR_ACADEMY]] == 2


def test_moving_is_optional() -> None:
    assert asked(done(perform(table(), "work_harder/top"))) == []


# R6.3


def test_an_advanced_activation_needs_a_clerk_of_anybody() -> None:
    state = run(clerks(table(active=0), 1, barracks=1), Advancing(0, 1))
    assert refused(state, ActivateAdvanced(Location.TEMPLE)) == "no_clerk_there"
    assert refused(state, ActivateAdvanced(Location.WAREHOUSE)) == "no_clerk_there"
    state = answered(state, ActivateAdvanced(Location.BARRACKS))
    assert asked(state) == [(1, "recruit")]


# R9.1


def test_shame_goes_under_a_soldier_or_on_a_claimed_horde() -> None:
    state = owning(table(), pool=(1, 0, 0), claimed=(Claim(LEADER, 1),))
    state = run(state, Shaming(0))
    assert asked(state) == [(0, "shame")]
    assert refused(state, PlaceShame(ARCHER, None)) == "no_soldier_left"
    assert refused(state, PlaceShame(None, HordeCard.RAM_CREW_LEFT)) == "no_free_slot"
    assert refused(state, PlaceShame(None, None)) == "one_place_only"
    on_card = answered(state, PlaceShame(None, LEADER))
    assert (own(on_card).claimed, on_card.shame_pool) == ((Claim(LEADER, 2),), 29)
    assert own(answered(state, PlaceShame(SPEARMAN, None))).frozen == (1, 0, 0)


def test_a_single_place_is_not_asked_about() -> None:
    state = run(owning(table(), pool=(0, 0, 1)), Shaming(0))
    assert (asked(state), own(state).frozen) == ([], (0, 0, 1))


def test_without_a_place_the_token_leaves_the_game_and_costs_five() -> None:
    state = run(owning(table(), pool=(1, 0, 0), frozen=(1, 0, 0), honour=7), Shaming(0))
    assert (own(state).honour, state.shame_pool) == (2, 29)


def test_an_empty_pool_costs_five_and_honour_stops_at_nought() -> None:  # R0.6
    state = run(owning(table(shame_pool=0), honour=3), Shaming(0))
    assert (own(state).honour, own(state).frozen) == (0, (0, 0, 0))


def test_a_frozen_soldier_is_not_recruited() -> None:
    state = owning(table(), pool=(0, 0, 1), frozen=(0, 0, 1), goods=Goods(9, 9, 9, 9))
    assert asked(perform(state, "raise_banners/bottom/0.0")) == []
