"""Shame (R9, R4.2): taken at once under a soldier or on a claimed horde, and returned."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from msgspec.structs import replace

from services.gamekit.game import Action, IllegalAction, Seat
from services.great_wall.cards.board import SHAME_PENALTY, SHAME_SLOTS
from services.great_wall.cards.hordes import HordeCard
from services.great_wall.field import available
from services.great_wall.goods import AT, SOLDIERS, Goods, Soldier, added
from services.great_wall.state import Claim, Clan, State, honoured, instead, paid, top, with_clan
from services.great_wall.tasks.war import Returning, Shaming


def take_shame(state: State, task: Shaming) -> State:
    """Ask where the token goes; without a place, or without a token, it costs honour."""
    if not state.shame_pool:
        return honoured(instead(state), task.clan, -SHAME_PENALTY)
    places = list(PlaceShame.candidates(state, Seat(task.clan)))
    if not places:
        state = replace(instead(state), shame_pool=state.shame_pool - 1)
        return honoured(state, task.clan, -SHAME_PENALTY)
    return places[0].apply(state, Seat(task.clan)) if len(places) == 1 else state


def with_claim(clan: Clan, card: HordeCard, shame: int) -> Clan:
    """A claimed horde gets or loses a token."""
    claimed = tuple(
        Claim(card, claim.shame + shame) if claim.card is card else claim for claim in clan.claimed
    )
    return replace(clan, claimed=claimed)


class PlaceShame(Action[State], frozen=True):
    """Put a token under a soldier of the pool, which is frozen, or on a claimed horde."""

    soldier: Soldier | None
    horde: HordeCard | None

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        task = top(state, Shaming)
        for soldier in SOLDIERS:
            if available(state, task.clan, AT[soldier]):
                yield cls(soldier, None)
        for claim in state.clans[task.clan].claimed:
            if claim.shame < SHAME_SLOTS:
                yield cls(None, claim.card)

    def check(self, state: State, seat: Seat) -> None:
        clan = top(state, Shaming).clan
        if (self.soldier is None) == (self.horde is None):
            raise IllegalAction("one_place_only")
        if self.soldier and not available(state, clan, AT[self.soldier]):
            raise IllegalAction("no_soldier_left", soldier=self.soldier)
        free = {one.card for one in state.clans[clan].claimed if one.shame < SHAME_SLOTS}
        if self.horde and self.horde not in free:
            raise IllegalAction("no_free_slot", horde=self.horde)

    def apply(self, state: State, seat: Seat) -> State:
        index = top(state, Shaming).clan
        clan = state.clans[index]
        if self.soldier:
            clan = replace(clan, frozen=added(clan.frozen, AT[self.soldier], 1))
        elif self.horde:
            clan = with_claim(clan, self.horde, 1)
        state = replace(instead(state), shame_pool=state.shame_pool - 1)
        return with_clan(state, index, clan)


def return_shame(state: State, task: Returning) -> State:
    """Ask on while the clan has shame."""
    clan = state.clans[task.clan]
    shamed = any(clan.frozen) or any(claim.shame for claim in clan.claimed)
    return state if task.left > 0 and shamed else instead(state)


class ReturnShame(Action[State], frozen=True):
    """Return a token to the pool, from under a soldier or from a claimed horde (R9.2)."""

    soldier: Soldier | None
    horde: HordeCard | None

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        clan = state.clans[top(state, Returning).clan]
        for soldier in SOLDIERS:
            if clan.frozen[AT[soldier]]:
                yield cls(soldier, None)
        for claim in clan.claimed:
            if claim.shame:
                yield cls(None, claim.card)

    def check(self, state: State, seat: Seat) -> None:
        task = top(state, Returning)
        clan = state.clans[task.clan]
        if (self.soldier is None) == (self.horde is None):
            raise IllegalAction("one_place_only")
        shamed = {one.card for one in clan.claimed if one.shame}
        if (self.soldier and not clan.frozen[AT[self.soldier]]) or (
            self.horde and self.horde not in shamed
        ):
            raise IllegalAction("no_shame_there")
        if clan.goods.chi < task.price:
            raise IllegalAction("cannot_afford", chi=task.price)

    def apply(self, state: State, seat: Seat) -> State:
        task = top(state, Returning)
        clan = state.clans[task.clan]
        if self.soldier:
            clan = replace(clan, frozen=added(clan.frozen, AT[self.soldier], -1))
        elif self.horde:
            clan = with_claim(clan, self.horde, -1)
        state = replace(
            instead(state, replace(task, left=task.left - 1)), shame_pool=state.shame_pool + 1
        )
        state = with_clan(state, task.clan, clan)
        return paid(state, task.clan, Goods(chi=task.price))
