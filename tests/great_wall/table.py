"""Positions for tests: a table in fall with nothing to do, and what is put on it."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from services.gamekit.chance import Chance
from services.gamekit.game import Action, Decision, IllegalAction, Seat
from services.gamekit.play import legal, play, settle
from services.great_wall.cards.hordes import HordeCard
from services.great_wall.cards.tactics import TACTICS, Tactic
from services.great_wall.field import mark, with_marks, with_rows
from services.great_wall.flow import advance, decisions
from services.great_wall.game import GAME
from services.great_wall.goods import AT, Goods, Location, Section, Soldier
from services.great_wall.options import GreatWallOptions
from services.great_wall.rules.choices import Done
from services.great_wall.rules.setup import opening
from services.great_wall.rules.tactics import PlayTactic, UseAbility
from services.great_wall.state import WOUND, Horde, State, push, with_clan
from services.great_wall.tasks import AnyTask
from services.great_wall.tasks.cards import Fire, Perform, Window
from services.great_wall.tasks.task import Event, Phase
from services.great_wall.triggers import Trigger

LEFT, CENTRE, RIGHT = Section
SPEARMAN, ARCHER, HORSEMAN = Soldier
NOTHING = Event()
RICH = Goods(9, 9, 9, 9)


def table(seats: int = 3, **changes: Any) -> State:
    """Fall of the first year; nobody owns anything yet, nothing is to be done."""
    state = opening(seats, GreatWallOptions())
    fresh = {"stack": (), "phase": Phase.FALL, "barricades": (0, 0, 0)}
    return replace(state, **(fresh | changes))


def owning(state: State, clan: int = 0, **changes: Any) -> State:
    """A clan with other possessions."""
    return with_clan(state, clan, replace(state.clans[clan], **changes))


def clerks(state: State, clan: int, **places: int) -> State:
    """Clerks of a clan at locations, taken from its pool: `clerks(state, 0, quarry=2)`."""
    one = state.clans[clan]
    desks = list(one.desks)
    for name, count in places.items():
        desks[AT[Location(name)]] = count
    left = max(0, one.clerks - sum(places.values()))
    return owning(state, clan, desks=tuple(desks), clerks=left)


def standing(state: State, clan: int, section: Section, **ranks: int) -> State:
    """Soldiers of a clan in a Rest Zone (`spearman=2`), archers also `firing=1`."""
    one, at = state.clans[clan], AT[section]
    rest, firing = list(one.rest), list(one.firing)
    firing[at] = ranks.pop("firing", firing[at])
    for name, count in ranks.items():
        rest[at * 3 + AT[Soldier(name)]] = count
    return owning(state, clan, rest=tuple(rest), firing=tuple(firing))


def facing(
    state: State, section: Section, card: str, wounds: tuple[int, ...] = (), **spots: Any
) -> State:
    """A horde behind those of a section; `spearmen={0: (7, 8)}` and `horsemen={1: (2, 3)}` name
    the cells that each clan's soldiers cover."""
    horde = with_marks(Horde(HordeCard(card)), wounds, WOUND)
    for clan, cells in spots.get("spearmen", {}).items():
        horde = with_marks(horde, cells, mark(clan, 0))
    for clan, cells in spots.get("horsemen", {}).items():
        horde = with_marks(horde, cells, mark(clan, 1))
    rows = state.hordes[AT[section]]
    return with_rows(state, AT[section], (*rows, horde))


def run(state: State, *tasks: AnyTask) -> State:
    """What comes of these tasks, until somebody is asked."""
    return advance(push(state, *tasks))


def perform(state: State, script: str, clan: int = 0, event: Event = NOTHING) -> State:
    """What comes of a card's list of effects."""
    return run(state, Perform(clan, script, event))


def asked(state: State) -> list[tuple[int, str]]:
    """The open questions: (seat, prompt)."""
    return [(decision.seat, decision.prompt) for decision in decisions(state)]


def question(state: State) -> Decision:
    """The one open question."""
    (decision,) = decisions(state)
    return decision


def answered(state: State, *actions: Action[Any]) -> State:
    """The seats that are asked play these moves, one after the other; NATURE draws between."""
    for action in actions:
        state = drawn(state)
        state = play(GAME, state, decisions(state)[0].seat, action)
    return drawn(state)


def drawn(state: State) -> State:
    """After NATURE's moves, but not an assault."""
    return settle(GAME, state, Chance(b"test"))[0]


def refused(state: State, action: Action[Any], seat: int | None = None) -> str:
    """The code with which a move is refused."""
    who = decisions(state)[0].seat if seat is None else Seat(seat)
    with pytest.raises(IllegalAction) as refusal:
        play(GAME, state, who, action)
    return refusal.value.code


def answers(state: State) -> list[Action[Any]]:
    """All legal answers to the first question."""
    return list(legal(GAME, state, decisions(state)[0].seat))


def opened(state: State, trigger: Trigger, event: Event = NOTHING, clan: int = 0) -> State:
    """After a trigger."""
    return run(state, Fire(trigger, clan, event))


def used(state: State, trigger: Trigger, card: str, event: Event = NOTHING, clan: int = 0) -> State:
    """After a trigger whose window offers this card's ability, and its use."""
    state = opened(state, trigger, event, clan)
    window = state.stack[-1]
    assert isinstance(window, Window)
    assert card in window.abilities
    return answered(state, UseAbility(card))


def offers(state: State, trigger: Trigger, card: str, event: Event = NOTHING) -> bool:
    """Whether a trigger offers this card's ability to seat 0."""
    state = opened(state, trigger, event)
    return bool(state.stack) and card in getattr(state.stack[-1], "abilities", ())


def played(
    state: State, tactic: Tactic, event: Event = NOTHING, *, boosted: bool = False, clan: int = 0
) -> State:
    """After a tactic card was played in its window, which no other seat may answer."""
    state = owning(state, clan, tactics=(tactic,))
    state = opened(state, TACTICS[tactic].window, event, clan)
    assert asked(state) == [(clan, "tactic")]
    return answered(state, PlayTactic(tactic, boosted))


def done(state: State) -> State:
    """Whoever is asked is done."""
    return answered(state, Done())


def own(state: State, clan: int = 0) -> Any:
    """A clan."""
    return state.clans[clan]


def gained(before: State, after: State, clan: int = 0) -> tuple[Goods, int]:
    """Goods and honour that a clan has more."""
    old, new = before.clans[clan], after.clans[clan]
    return new.goods - old.goods, new.honour - old.honour
