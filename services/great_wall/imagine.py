"""The same position to a viewer, all that it cannot see drawn anew (R0.7, R18.12)."""

from __future__ import annotations

from msgspec.structs import replace

from services.gamekit.chance import Chance
from services.gamekit.game import Seat
from services.great_wall.cards.tactics import IN_WINDOW, TACTICS, Tactic
from services.great_wall.goods import BUILDING, RESOURCES, Goods
from services.great_wall.pending import hides_commands
from services.great_wall.rules.responses import event_of
from services.great_wall.state import Clan, Leader, State, joined, without
from services.great_wall.tasks.cards import Responding, Response
from services.great_wall.tasks.locations import Paying
from services.great_wall.tasks.task import Phase
from services.great_wall.windows import playable

MOST = 7
"""An imagined seat has 0 to 7 of each resource."""


def imagine(state: State, seat: Seat | None, chance: Chance) -> State:
    """The same for `seat`; others' goods, hands and unseen choices are drawn anew."""
    if state.phase is Phase.OVER:
        return state
    return Imagined(state, seat, chance).state()


class Imagined:
    """One drawing anew of what `viewer` does not see."""

    def __init__(self, state: State, viewer: Seat | None, chance: Chance) -> None:
        self._true, self._viewer, self._chance = state, viewer, chance
        others = [clan for index, clan in enumerate(state.clans) if index != viewer]
        hands = [tactic for clan in others for tactic in clan.tactics]
        self._unseen = joined(state.tactic_deck, hands)

    def state(self) -> State:
        """The imagined position."""
        clans = tuple(
            clan
            if index in (self._viewer, self._true.reed, self._true.qin)
            else self._clan(index, clan)
            for index, clan in enumerate(self._true.clans)
        )
        state = replace(self._true, clans=clans, tactic_deck=self._unseen)
        task = state.stack[-1]
        if isinstance(task, Responding):
            answers = tuple(self._answer(state, task, answer) for answer in task.answers)
            state = replace(state, stack=(*state.stack[:-1], replace(task, answers=answers)))
        return state

    def _clan(self, index: int, clan: Clan) -> Clan:
        tactics = self._chance.deal(f"imagine/{index}/tactic", self._unseen, len(clan.tactics))
        self._unseen = without(self._unseen, *tactics)
        clan = replace(clan, tactics=tuple(sorted(tactics)), goods=self._goods(index, clan))
        if clan.chosen and hides_commands(self._true):
            hand = (*clan.commands, clan.chosen)
            chosen = self._chance.draw(f"imagine/{index}/command", hand)
            clan = replace(clan, commands=without(hand, chosen), chosen=chosen)
        if clan.leader:
            general = self._chance.draw(f"imagine/{index}/general", clan.generals)
            advisor = self._chance.draw(f"imagine/{index}/advisor", clan.advisors)
            clan = replace(clan, leader=Leader(general, advisor))
        return clan

    def _goods(self, index: int, clan: Clan) -> Goods:
        """Goods of a seat that can pay what it has let itself in for."""
        if self._true.phase is Phase.SETUP:
            return clan.goods  # what generals bring is printed on them
        units: dict[str, int] = {}
        for one, two in (RESOURCES[:2], RESOURCES[2:]):
            both = self._chance.draw(f"imagine/{index}/{one}/{two}", range((MOST + 1) ** 2))
            units[one], units[two] = divmod(both, MOST + 1)
        lacking = due(self._true, index) - sum(units[kind] for kind in BUILDING)
        units[BUILDING[0]] += max(0, lacking)
        return Goods(**units)

    def _answer(self, state: State, task: Responding, answer: Response) -> Response:
        """An answer that the imagined hand could have given."""
        if answer.clan == self._viewer:
            return answer
        clan, event = state.clans[answer.clan], event_of(task, answer.clan)
        label = f"imagine/{answer.clan}/answer"
        able = [
            tactic
            for tactic in clan.tactics
            if tactic in IN_WINDOW[task.trigger]
            and playable(state, answer.clan, tactic, task.trigger, event)
        ]
        words = [*able, *(f"{one}+" for one in able if clan.goods.chi >= TACTICS[one].boost)]
        word = self._chance.draw(label, ["", *words])
        tactic = Tactic(word.removesuffix("+")) if word else None
        return Response(answer.clan, tactic, word.endswith("+"))


def due(state: State, clan: int) -> int:
    """Building goods that a clan must still hand over."""
    return sum(task.units for task in state.stack if isinstance(task, Paying) and task.clan == clan)
