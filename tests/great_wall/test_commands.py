"""Every command card, part by part; the neutral clan's and the automated general's too."""

from __future__ import annotations

from msgspec.structs import replace

from services.great_wall.cards.commands import COMMANDS, SOLO, Command
from services.great_wall.goods import AT, Goods, Location, Resource, Zone
from services.great_wall.rules.attacks import Strike
from services.great_wall.rules.building import BuildBarricade
from services.great_wall.rules.choices import CopyCommand, Done, PickOption
from services.great_wall.rules.clerks import ActivateAdvanced, MoveClerk
from services.great_wall.rules.overseers import RaiseOverseer, TakeIncome
from services.great_wall.rules.recruiting import RecruitSoldier
from services.great_wall.rules.taking import TakeGood
from services.great_wall.state import Played, State
from services.great_wall.tasks.locations import Moving
from services.great_wall.tasks.seasons import Frames
from tests.great_wall.table import (
    ARCHER,
    HORSEMAN,
    LEFT,
    RIGHT,
    SPEARMAN,
    answered,
    answers,
    asked,
    clerks,
    done,
    facing,
    own,
    owning,
    perform,
    refused,
    run,
    standing,
    table,
)

SPECIAL = Location.WAR_ACADEMY


def track(state: State, *cards: tuple[int, Command] | None) -> State:
    """Cards on the command track."""
    spaces = [Played(*card) if card else None for card in cards]
    return replace(state, track=(*spaces, *[None] * (4 - len(spaces))))


def moves(state: State) -> int:
    """How many clerks the seat may still move."""
    task = state.stack[-1]
    assert isinstance(task, Moving)
    return task.left


def test_every_card_has_three_parts_with_a_test() -> None:
    names = {f"test_{card}_{part}" for card in COMMANDS for part in ("top", "others", "bottom")}
    names |= {f"test_qin_{card}" for card in SOLO}
    assert not names - globals().keys()


def test_despotism_top() -> None:
    """Four clerks and two more for each Economy on the track, whoever owns it."""
    state = track(table(), (1, Command.ECONOMY), (2, Command.ECONOMY), (0, Command.DESPOTISM))
    assert moves(perform(state, "despotism/top")) == 8
    assert moves(perform(table(), "despotism/top")) == 4


def two_apart(script: str) -> None:
    """The frame: up to two clerks to different locations."""
    state = answered(perform(table(), script, 1), MoveClerk(None, SPECIAL))
    assert refused(state, MoveClerk(None, SPECIAL)) == "location_closed"
    state = answered(state, MoveClerk(None, Location.QUARRY))
    assert asked(state) == []


def test_despotism_others() -> None:
    two_apart("despotism/others")


def test_work_harder_others() -> None:
    two_apart("work_harder/others")


def test_economy_others() -> None:
    two_apart("economy/others")


def test_raise_banners_others() -> None:
    two_apart("raise_banners/others")


def test_despotism_bottom() -> None:
    state = clerks(table(), 0, quarry=2)
    state = answered(perform(state, "despotism/bottom"), ActivateAdvanced(Location.QUARRY))
    assert own(state).goods == Goods(stone=2)
    state = done(done(state))  # no overseer, no donation
    assert (asked(state), own(state).clerks) == ([], 5)


def test_work_harder_top() -> None:
    """All clerks, each once."""
    state = clerks(table(), 0, temple=1)
    state = perform(state, "work_harder/top")
    state = answered(state, *[MoveClerk(None, SPECIAL)] * 4)
    state = answered(state, MoveClerk(Location.TEMPLE, SPECIAL))
    assert own(state).desks[AT[SPECIAL]] == 5
    assert asked(state) == []


def test_work_harder_bottom() -> None:
    """One advanced activation for each Attack Order on the track."""
    assert asked(perform(clerks(table(), 0, quarry=1), "work_harder/bottom")) == []
    state = track(clerks(table(), 0, quarry=1, temple=1), (1, Command.ATTACK_ORDER))
    state = track(state, (1, Command.ATTACK_ORDER), (2, Command.ATTACK_ORDER))
    state = answered(perform(state, "work_harder/bottom"), ActivateAdvanced(Location.QUARRY))
    state = answered(state, Done(), Done(), ActivateAdvanced(Location.TEMPLE))
    assert own(state).goods == Goods(stone=1, chi=1)


def test_economy_top() -> None:
    assert moves(perform(table(), "economy/top")) == 3


def test_economy_bottom() -> None:
    """An overseer is upgraded for one less; then the income of one."""
    state = owning(table(), goods=Goods(wood=2), overseers=(1, 1, 0, 0))
    state = answered(perform(state, "economy/bottom"), RaiseOverseer(Location.QUARRY, None))
    assert not own(state).goods
    state = answered(state, TakeIncome(Location.QUARRY))
    assert own(state).goods == Goods(stone=2)
    assert asked(state) == []


def test_attack_order_top() -> None:
    """All own archers in firing spots must shoot."""
    state = facing(standing(table(), 0, LEFT, firing=2, spearman=1), LEFT, "outriders_left")
    state = perform(state, "attack_order/top")
    assert asked(state) == [(0, "forced_attack")]
    strikes = [Strike(Zone.FIRING, ARCHER, LEFT, 0, (cell,)) for cell in (1, 7)]
    state = answered(state, *strikes)
    assert sum(state.hordes[0][0].marks) == 2
    assert (asked(state), own(state).rest[0]) == ([], 1)


def test_attack_order_others() -> None:
    """A clerk, or two attacks from Rest Zones."""
    state = facing(standing(table(), 1, LEFT, spearman=3), LEFT, "outriders_left")
    state = perform(state, "attack_order/others", 1)
    moved = answered(state, PickOption(0), MoveClerk(None, SPECIAL))
    assert asked(moved) == []
    state = answered(state, PickOption(1))
    strikes = [Strike(Zone.REST, SPEARMAN, LEFT, 0, (cell,)) for cell in (7, 8)]
    state = answered(state, *strikes)
    assert (asked(state), own(state, 1).rest[0]) == ([], 1)


def test_attack_order_bottom() -> None:
    """All own soldiers in Rest Zones must attack; those without a target stay."""
    state = facing(standing(table(), 0, LEFT, spearman=1), LEFT, "outriders_left")
    state = standing(state, 0, RIGHT, horseman=1)
    state = perform(state, "attack_order/bottom")
    assert asked(state) == [(0, "forced_attack")]
    state = answered(state, Strike(Zone.REST, SPEARMAN, LEFT, 0, (8,)))
    assert own(state).rest == (0, 0, 0, 0, 0, 0, 0, 0, 1)
    assert asked(state) == []


def test_betrayal_top() -> None:
    """Another's owner parts; or two clerks."""
    state = track(table(), (1, Command.ECONOMY), (0, Command.BETRAYAL), (2, Command.BETRAYAL))
    state = perform(state, "betrayal/top")
    assert moves(answered(state, PickOption(1))) == 2
    state = answered(state, PickOption(0))
    assert refused(state, CopyCommand(1)) == refused(state, CopyCommand(2)) == "cannot_copy"
    state = answered(state, CopyCommand(0))
    assert moves(state) == 3
    assert asked(done(state)) == [(0, "overseer")]


def test_betrayal_others() -> None:
    state = perform(table(), "betrayal/others", 1)
    assert asked(answered(state, MoveClerk(None, SPECIAL))) == []


def test_betrayal_bottom() -> None:
    assert perform(table(), "betrayal/bottom") == table()


def test_raise_banners_top() -> None:
    assert moves(perform(table(), "raise_banners/top")) == 2


def test_raise_banners_bottom() -> None:
    """Two cheaper recruits, or two goods, or two tactic cards."""
    state = perform(owning(table(), goods=Goods(gold=3, wood=3)), "raise_banners/bottom")
    recruiting = answered(state, PickOption(0))
    hired = RecruitSoldier(HORSEMAN, LEFT, False, Goods(gold=3))
    assert own(answered(recruiting, hired)).pool == (10, 4, 1)
    goods = answered(state, PickOption(1), *[TakeGood(Resource.CHI)] * 2)
    assert own(goods).goods == Goods(gold=3, wood=3, chi=2)
    assert len(own(answered(state, PickOption(2))).tactics) == 2
    assert refused(state, PickOption(3)) == "not_offered"


def test_reed_stirring() -> None:
    """The overlord moves two clerks of the clan; the lower human moves three; a barricade."""
    state = replace(table(2), active=2)
    state = perform(state, "reed_stirring/top", 2)
    assert asked(state) == [(0, "clerk")]
    state = answered(state, MoveClerk(Location.QUARRY, Location.TEMPLE))
    assert refused(state, MoveClerk(Location.GOLD_MINE, Location.TEMPLE)) == "location_closed"
    assert moves(perform(replace(table(2), active=2), "reed_stirring/others", 0)) == 2
    assert moves(perform(replace(table(2), active=2), "reed_stirring/others", 1)) == 3
    state = perform(replace(table(2), active=2), "reed_stirring/bottom", 2)
    state = answered(state, BuildBarricade(RIGHT))
    assert (state.barricades, own(state, 2).honour) == ((0, 0, 1), 0)


def solo() -> State:
    """A solo match; the general's lowest entries are the gold mine and the quarry."""
    entries = (
        Location.BARRACKS,
        Location.TEMPLE,
        Location.LUMBER_MILL,
        Location.QUARRY,
        Location.GOLD_MINE,
    )
    return replace(table(1), location_track=entries, active=2, indicator=RIGHT)


def test_qin_despotism() -> None:
    """Two clerks to his lowest entry; it is activated in an advanced way, without shame."""
    state = perform(solo(), "qin_despotism/top", 2)
    assert own(state, 2).desks[AT[Location.GOLD_MINE]] == 2
    state = perform(state, "qin_despotism/bottom", 2)
    assert own(state, 2).honour == 2
    assert state.location_track[0] is Location.GOLD_MINE


def test_qin_work_harder() -> None:
    """His lowest wall, for whatever the warehouse has."""
    state = replace(solo(), walls=(0, 1, 0), warehouse=Goods(wood=3, stone=1))
    state = perform(state, "qin_work_harder/bottom", 2)
    assert (state.walls, own(state, 2).honour) == ((0, 1, 1), 5)
    assert not state.warehouse
    assert own(perform(solo(), "qin_work_harder/top", 2), 2).clerks == 6


def test_qin_economy() -> None:
    state = perform(solo(), "qin_economy/bottom", 2)
    assert (state.barricades, own(state, 2).honour) == ((0, 0, 1), 2)
    full = replace(solo(), barricades=(0, 0, 3))
    assert perform(full, "qin_economy/bottom", 2).barricades == (0, 1, 3)


def test_qin_attack_order() -> None:
    state = facing(standing(solo(), 2, RIGHT, firing=1), RIGHT, "outriders_right")
    state = perform(state, "qin_attack_order/top", 2)
    assert state.hordes[2][0].marks[1] == 1
    before = own(state, 2)
    state = perform(state, "qin_attack_order/bottom", 2)
    assert own(state, 2).honour == before.honour + 4
    assert own(state, 2).pool == (6, 4, 0)
    frame = run(state, Frames((0,), "qin_attack_order/others"))
    assert asked(frame) == [(0, "choice")]


def test_qin_betrayal() -> None:
    assert own(perform(solo(), "qin_betrayal/top", 2), 2).clerks == 7
    assert perform(solo(), "qin_betrayal/bottom", 2).barricades == (0, 0, 1)


def test_qin_raise_banners() -> None:
    """An archer in the indicated section, then a spearman."""
    state = facing(replace(solo(), walls=(0, 0, 1)), RIGHT, "outriders_right")
    state = perform(state, "qin_raise_banners/bottom", 2)
    assert own(state, 2).firing == (0, 0, 1)
    assert own(state, 2).honour == 4
    assert sum(1 for mark in state.hordes[2][0].marks if mark) == 2


def test_a_solo_card_is_copied_as_the_human_card_of_its_name() -> None:
    state = track(solo(), (2, Command.ATTACK_ORDER), (0, Command.BETRAYAL), (1, Command.ECONOMY))
    state = facing(standing(state, 0, RIGHT, spearman=1), RIGHT, "outriders_right")
    state = answered(perform(replace(state, active=0), "betrayal/top"), PickOption(0))
    assert {move.space for move in answers(state) if isinstance(move, CopyCommand)} == {0}
    assert asked(answered(state, CopyCommand(0))) == [(0, "forced_attack")]


def test_frames_are_resolved_in_tea_order_by_everybody_else() -> None:
    state = run(replace(table(), active=1, tea=(2, 1, 0)), Frames((2, 0), "economy/others"))
    assert asked(state) == [(2, "clerk")]
    assert asked(done(state)) == [(0, "clerk")]
    assert asked(done(done(state))) == []
