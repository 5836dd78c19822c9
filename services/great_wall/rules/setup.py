"""The setup (R1): what is laid out, what is dealt, generals and advisors chosen unseen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from msgspec.structs import replace

from services.gamekit.chance import Chance
from services.gamekit.game import Action, IllegalAction, NatureMove, Record, Seat
from services.great_wall.cards.advisors import Advisor
from services.great_wall.cards.board import (
    QIN_CLERKS,
    QIN_SOLDIERS,
    REED_SPEARMEN,
    REED_START,
    SETUPS,
)
from services.great_wall.cards.commands import Command
from services.great_wall.cards.generals import GENERALS, General
from services.great_wall.cards.hordes import SECTION_OF, HordeCard
from services.great_wall.cards.tactics import Tactic
from services.great_wall.goods import AT, Location, Section, added
from services.great_wall.options import START_HONOUR, GreatWallOptions
from services.great_wall.rules.tea import humans
from services.great_wall.state import (
    Clan,
    Leader,
    State,
    instead,
    with_clan,
    without,
)
from services.great_wall.tasks import AnyTask
from services.great_wall.tasks.cards import Drawing
from services.great_wall.tasks.seasons import Begin, Invading, Leading, SettingOut, Unveiling
from services.great_wall.tasks.task import Phase

SIX = tuple(Command)[:6]


def opening(seats: int, options: GreatWallOptions) -> State:
    """The position before anything is drawn; tea order is the seats' until generals are chosen."""
    setup = SETUPS[seats]
    mine, his = START_HONOUR[options.difficulty]
    clans = [Clan(commands=SIX, honour=mine) for _ in range(seats)]
    if setup.neutral_clan:
        clans.append(reed())
    if setup.automated_general:
        clans.append(qin(his))
    barricades = tuple(3 if section in setup.sections else 0 for section in Section)
    tasks: tuple[AnyTask, ...] = (
        SettingOut(),
        *[Invading()] * setup.initial_hordes,
        Leading(),
        Unveiling(),
        Begin(Phase.FALL),
    )
    return State(
        options=options,
        seats=seats,
        clans=tuple(clans),
        tea=tuple(range(len(clans))),
        stack=tasks[::-1],
        horde_deck=tuple(sorted(card for card in HordeCard if SECTION_OF[card] in setup.sections)),
        advisor_deck=tuple(sorted(Advisor)),
        tactic_deck=tuple(sorted(Tactic)),
        shame_pool=setup.shame_pool,
        barricades=barricades,
        solo_deck=tuple(sorted(SIX)) if setup.automated_general else (),
    )


def reed() -> Clan:
    """The neutral clan (R14.1)."""
    desks = (0,) * len(Location)
    for location in REED_START:
        desks = added(desks, AT[location], 1)
    return Clan(pool=(REED_SPEARMEN, 0, 0), clerks=0, reserve=0, desks=desks)


def qin(honour: int) -> Clan:
    """The automated general (R15.1)."""
    return Clan(
        honour=honour, pool=QIN_SOLDIERS, clerks=QIN_CLERKS, reserve=0, overseers=(1, 1, 1, 1)
    )


class ChooseLeader(Action[State], frozen=True):
    """Keep a general, and make one of the advisors active; the other one supports.

    Others see neither until everybody has chosen.
    """

    general: General | None
    advisor: Advisor | None

    @classmethod
    def candidates(cls, state: State, seat: Seat) -> Iterator[Self]:
        clan = state.clans[seat]
        return (cls(general, card) for general in clan.generals for card in clan.advisors)

    def check(self, state: State, seat: Seat) -> None:
        clan = state.clans[seat]
        if self.general not in clan.generals:
            raise IllegalAction("not_dealt", card=self.general or "")
        if self.advisor not in clan.advisors:
            raise IllegalAction("not_dealt", card=self.advisor or "")

    def apply(self, state: State, seat: Seat) -> State:
        assert self.general
        assert self.advisor
        leader = Leader(self.general, self.advisor)
        return with_clan(state, seat, replace(state.clans[seat], leader=leader))

    def shown(self, actor: Seat, viewer: Seat | None) -> ChooseLeader:
        return self if viewer == actor else ChooseLeader(None, None)


class Led(Record, frozen=True):
    """Who leads a seat."""

    seat: Seat
    general: General
    advisor: Advisor


class RevealLeaders(NatureMove[State], frozen=True):
    """Show all generals and active advisors: goods are taken, tea markers stacked (R1.5)."""

    leaders: tuple[Led, ...]

    @classmethod
    def resolve(cls, state: State, chance: Chance) -> Self:
        chosen = [(Seat(seat), state.clans[seat].leader) for seat in range(state.seats)]
        return cls(tuple(Led(seat, one.general, one.advisor) for seat, one in chosen if one))

    def check(self, state: State, seat: Seat) -> None:
        if self != self.resolve(state, Chance(b"")):
            raise IllegalAction("wrong_choices")

    def apply(self, state: State, seat: Seat) -> State:
        for led in self.leaders:
            clan = state.clans[led.seat]
            clan = replace(
                clan,
                goods=GENERALS[led.general].goods,
                general=led.general,
                active=(led.advisor,),
                supporting=without(clan.advisors, led.advisor),
                generals=(),
                advisors=(),
                leader=None,
            )
            state = with_clan(state, led.seat, clan)
        values = {led.seat: GENERALS[led.general].tea for led in self.leaders}
        people = sorted(values, key=lambda one: -values[one])
        rest = [clan for clan in (state.qin, state.reed) if clan >= 0]
        state = replace(state, tea=(*people, *rest))
        draws = [Drawing(clan, tactics_of(state.clans[clan])) for clan in humans(state)]
        return instead(state, *draws)


def tactics_of(clan: Clan) -> int:
    """Tactic cards that a general brings."""
    return GENERALS[clan.general].tactics if clan.general else 0


def lead(state: State, _task: Leading) -> State:
    """Ask until everybody has chosen."""
    waiting = any(state.clans[seat].leader is None for seat in range(state.seats))
    return state if waiting else instead(state)
