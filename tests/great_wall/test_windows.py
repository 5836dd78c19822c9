"""Every window opened, used, declined and closed (R0.4, R18); several seats answer at once."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from services.gamekit.game import Seat
from services.gamekit.play import play
from services.great_wall.cards.advisors import ADVISORS, Advisor
from services.great_wall.cards.commands import Command
from services.great_wall.cards.generals import General
from services.great_wall.cards.hordes import HordeCard
from services.great_wall.cards.scripts import ABILITIES, BY_TRIGGER
from services.great_wall.cards.tactics import IN_WINDOW, Tactic
from services.great_wall.game import GAME
from services.great_wall.goods import Goods, Location, Work
from services.great_wall.rules.overseers import RaiseOverseer
from services.great_wall.rules.responses import Respond, RevealResponses, Shown
from services.great_wall.rules.tactics import PlayTactic, UseAbility
from services.great_wall.state import Doomed, State, Toll
from services.great_wall.tasks.cards import Perform
from services.great_wall.tasks.task import Event
from services.great_wall.tasks.war import Defeat, DefeatCheck, Killing
from services.great_wall.triggers import Trigger
from services.great_wall.windows import might_play
from tests.great_wall.table import (
    LEFT,
    SPEARMAN,
    answered,
    asked,
    clerks,
    done,
    drawn,
    facing,
    gained,
    opened,
    own,
    owning,
    refused,
    run,
    standing,
    table,
)

OUTRIDERS = HordeCard.OUTRIDERS_LEFT
SEAT_TRIGGERS = [
    trigger
    for trigger in Trigger
    if trigger not in (Trigger.PASSIVE, Trigger.ASSAULT_START, Trigger.GAME_END)
]


def busy() -> State:
    """Seat 0 has something of everything, so that any window may offer something."""
    state = facing(table(), LEFT, "outriders_left", spearmen={0: (7,)})
    state = clerks(standing(state, 0, LEFT, spearman=2, firing=1), 0, barracks=2, quarry=1)
    state = owning(
        state,
        overseers=(1, 1, 1, 1),
        frozen=(1, 0, 0),
        goods=Goods(9, 9, 9, 9),
        discard=(Command.ECONOMY,),
        supporting=(Advisor.HERALD,),
    )
    return replace(state, toll=Toll(LEFT, (Doomed(0, OUTRIDERS, SPEARMAN, 1),)), tea=(1, 0, 2))


def event_for(name: str) -> Event:
    """An event that an ability's filters accept."""
    when = ABILITIES[name].when
    return Event(
        location=when.location or (Location.WAR_ACADEMY if when.special else Location.QUARRY),
        types=(when.type or SPEARMAN,),
        sections=(LEFT,),
        hordes=(OUTRIDERS,),
        each=1,
        what=when.what or Work.WALL,
    )


@pytest.mark.parametrize("trigger", SEAT_TRIGGERS)
def test_a_window_is_used_refused_and_declined(trigger: Trigger) -> None:
    for name in sorted(BY_TRIGGER[trigger]):
        owner = {"active": (Advisor(name),)} if name in ADVISORS else {"general": General(name)}
        state = clerks(busy(), 0, war_academy=2, barracks=1)
        state = opened(owning(state, **owner), trigger, event_for(name))
        assert asked(state) == [(0, "trigger")], name
        assert refused(state, UseAbility("nobody")) == "not_triggered"
        used = answered(state, UseAbility(name))
        assert used != state
        assert name not in getattr(used.stack[-1] if used.stack else None, "abilities", ())
        assert asked(done(state)) == []


@pytest.mark.parametrize("trigger", sorted(IN_WINDOW))
def test_a_window_for_tactic_cards_opens_for_whoever_might_hold_one(trigger: Trigger) -> None:
    event = replace(event_for("jinshi"), types=tuple(SPEARMAN.__class__))
    stranger = next(one for one in Tactic if one not in IN_WINDOW[trigger])
    state = opened(owning(busy(), tactics=(stranger,)), trigger, event)
    assert asked(state) == [(0, "tactic")]  # others cannot know that the card does not fit
    assert refused(state, PlayTactic(stranger, False)) == "wrong_window"
    assert asked(done(state)) == []


@pytest.mark.parametrize("trigger", sorted(IN_WINDOW))
def test_it_is_skipped_without_a_card_or_when_all_that_fit_are_discarded(
    trigger: Trigger,
) -> None:
    event = replace(event_for("jinshi"), types=tuple(SPEARMAN.__class__))
    assert asked(opened(busy(), trigger, event)) == []
    seen = replace(owning(busy(), tactics=tuple(Tactic)[:1]), tactic_discard=IN_WINDOW[trigger])
    assert asked(opened(seen, trigger, event)) == []


def test_a_window_without_a_soldier_of_the_seat_on_the_horde_is_skipped() -> None:
    state = facing(owning(table(), tactics=(Tactic.RANSOM,)), LEFT, "outriders_left")
    event = Event(hordes=(OUTRIDERS,), sections=(LEFT,))
    assert not might_play(state, Trigger.ON_HORDE_DEFEATED, 0, event)


def test_abilities_are_used_in_the_order_of_their_owner() -> None:
    state = owning(table(), active=(Advisor.TOLL_COLLECTOR, Advisor.TIMBER_STEWARD))
    state = opened(state, Trigger.INCOME)
    first = answered(state, UseAbility(Advisor.TIMBER_STEWARD))
    assert own(first).goods == Goods(wood=2)
    assert asked(first) == [(0, "trigger")]
    assert own(answered(first, UseAbility(Advisor.TOLL_COLLECTOR))).goods == Goods(wood=2, gold=2)


def test_an_ability_does_not_trigger_while_it_is_being_resolved() -> None:
    """The manufacturer's own upgrade triggers the stone mason, but not the manufacturer."""
    state = owning(
        table(),
        active=(Advisor.MANUFACTURER, Advisor.STONE_MASON),
        overseers=(1, 1, 0, 0),
        goods=Goods(9, 9, 9, 9),
    )
    state = opened(state, Trigger.ON_OVERSEER_UPGRADE, Event(each=1))
    state = answered(state, UseAbility(Advisor.MANUFACTURER))
    state = answered(state, RaiseOverseer(Location.LUMBER_MILL, None))
    assert asked(state) == [(0, "trigger")]
    assert refused(state, UseAbility(Advisor.MANUFACTURER)) == "not_triggered"
    state = answered(state, UseAbility(Advisor.STONE_MASON))
    assert any(isinstance(task, Perform) for task in state.stack)


def fallen() -> State:
    """The outriders are about to be defeated; seats 0 and 1 are on them and hold cards."""
    state = facing(table(), LEFT, "outriders_left", (1,), spearmen={0: (7,), 1: (8,)})
    state = owning(state, 0, tactics=(Tactic.RANSOM, Tactic.SHARED_HONOURS))
    state = owning(state, 1, tactics=(Tactic.HEROIC_FIGHT,), goods=Goods(chi=2))
    return run(standing(state, 1, LEFT, firing=1), DefeatCheck())


def test_several_seats_answer_at_once_and_unseen() -> None:
    state = fallen()
    assert asked(state) == [(0, "response"), (1, "response")]
    assert {decision.about for decision in GAME.decisions(state)} == {Trigger.ON_HORDE_DEFEATED}
    move = Respond(Tactic.HEROIC_FIGHT, True)
    assert move.shown(Seat(1), Seat(0)) == Respond(None, False)
    state = play(GAME, state, Seat(1), move)
    assert asked(state) == [(0, "response")]
    view = GAME.view(state, Seat(0))
    assert isinstance(view, GAME.View)
    assert [clan.ready for clan in view.clans] == [False, True, False]
    assert own(state, 1).tactics == (Tactic.HEROIC_FIGHT,)


def test_the_answers_are_shown_together_and_resolved_in_tea_order() -> None:
    state = play(GAME, fallen(), Seat(1), Respond(Tactic.HEROIC_FIGHT, True))
    state = play(GAME, state, Seat(0), Respond(Tactic.SHARED_HONOURS, False))
    assert asked(state) == [(-1, "show_responses")]
    before = state
    due = RevealResponses(
        (
            Shown(Seat(0), Tactic.SHARED_HONOURS, False),
            Shown(Seat(1), Tactic.HEROIC_FIGHT, True),
        )
    )
    state = play(GAME, state, Seat(-1), due)
    assert own(state).honour == 2
    assert own(state, 1).honour == 8
    assert gained(before, state, 1)[0] == Goods(chi=-2)
    assert state.tactic_discard == (Tactic.HEROIC_FIGHT, Tactic.SHARED_HONOURS)


def test_an_answer_must_fit() -> None:
    state = fallen()
    assert refused(state, Respond(Tactic.RANSOM, False), 0) == "wrong_window"
    assert refused(state, Respond(Tactic.HEROIC_FIGHT, False), 0) == "not_in_hand"
    assert refused(state, Respond(Tactic.SHARED_HONOURS, True), 0) == "cannot_afford"
    assert refused(state, Respond(None, True), 0) == "nothing_to_boost"
    false = RevealResponses((Shown(Seat(0), Tactic.SHARED_HONOURS, False),))
    passed = play(
        GAME, play(GAME, state, Seat(0), Respond(None, False)), Seat(1), Respond(None, False)
    )
    assert refused(passed, false) == "wrong_answers"


def test_passing_ends_the_window() -> None:
    state = play(GAME, fallen(), Seat(0), Respond(None, False))
    state = drawn(play(GAME, state, Seat(1), Respond(None, False)))
    assert asked(state) == [(0, "tactic")]  # seat 0 has the majority: on_you_defeat
    assert isinstance(state.stack[-2], Defeat)


def test_one_tactic_card_a_player_and_kill_event() -> None:
    """Whoever has saved a soldier with a card may not play another one for the killed."""
    state = facing(table(), LEFT, "outriders_left", spearmen={0: (1, 7, 8)})
    state = owning(state, tactics=(Tactic.LAST_VOW, Tactic.WITHDRAWAL))
    toll = Toll(LEFT, (Doomed(0, OUTRIDERS, SPEARMAN, 3),))
    state = run(replace(state, toll=toll), Killing())
    used = answered(state, PlayTactic(Tactic.WITHDRAWAL, False))
    used = done(done(used))
    assert (asked(used), used.toll) == ([], None)
    passed = done(done(state))
    assert asked(passed) == [(0, "tactic")]
    passed = answered(passed, PlayTactic(Tactic.LAST_VOW, False))
    assert own(passed).honour == 6


def test_a_tactic_card_triggers_once_it_is_resolved() -> None:
    state = owning(table(), active=(Advisor.FOREST_GUIDE,), frozen=(1, 0, 0))
    state = owning(state, tactics=(Tactic.TROPHY_BANNERS,))
    state = opened(state, Trigger.ON_YOU_DEFEAT)
    state = answered(state, PlayTactic(Tactic.TROPHY_BANNERS, False))
    assert asked(state) == [(0, "trigger")]
    assert own(state).honour == 2


def test_windows_are_for_seats_only() -> None:
    state = opened(table(2), Trigger.INCOME, clan=2)
    assert asked(state) == []
    assert asked(answered(opened(busy(), Trigger.AFTER_COMMAND_STEP))) == []
