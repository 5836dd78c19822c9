"""What a seat sees, built up field by field, and how it imagines the rest."""

from __future__ import annotations

from msgspec.structs import replace

from services.gamekit.chance import Chance
from services.gamekit.game import Record, Seat
from tests.ambush.cards import ATTACKS, NEEDS, Back, Card, Face, Garrison, Goods, Reply
from tests.ambush.moves import targets
from tests.ambush.state import (
    AmbushOptions,
    Attack,
    Camp,
    Given,
    Keep,
    Loss,
    Order,
    Phase,
    Spoils,
    Stage,
    State,
    Trophy,
    joined,
    without,
)


class CampView(Record, frozen=True):
    """A seat's place as others see it. Cards on the agenda and of trophies only where known."""

    seat: Seat
    goods: Goods
    guards: Garrison
    hand_size: int
    ordered: bool
    agenda: tuple[Loss | Spoils | Keep, ...]
    trophies: tuple[Trophy, ...]
    breaches: int
    foraged: bool
    braced: bool
    retired: int


class AttackView(Record, frozen=True):
    """The attack being carried out: who may answer it and who has answered, not how."""

    order: Order
    asked: tuple[Seat, ...]
    answered: tuple[Seat, ...]
    stage: Stage


class View(Record, frozen=True):
    """The position as one seat sees it; `seat` is None for a spectator."""

    seat: Seat | None
    options: AmbushOptions
    round: int
    phase: Phase
    camps: tuple[CampView, ...]
    hand: tuple[Card, ...]
    order: Order | None
    reply: Reply | None
    deck_size: int
    discard: tuple[Card, ...]
    horde: tuple[Face, ...]
    back: Back | None
    face: Face | None
    orders: tuple[Order, ...]
    attack: AttackView | None


def view(state: State, seat: Seat | None) -> View:
    """The position as `seat` sees it."""
    own = None if seat is None else state.camps[seat]
    return View(
        seat=seat,
        options=state.options,
        round=state.round,
        phase=state.phase,
        camps=tuple(camp_view(state, Seat(owner), seat) for owner in range(len(state.camps))),
        hand=own.hand if own else (),
        order=own.order if own else None,
        reply=reply_of(state.attack, seat),
        deck_size=len(state.deck),
        discard=state.discard,
        horde=state.horde,
        back=state.back,
        face=state.face,
        orders=state.orders,
        attack=attack_view(state.attack) if state.attack else None,
    )


def camp_view(state: State, owner: Seat, viewer: Seat | None) -> CampView:
    """A camp as `viewer` sees it."""
    camp = state.camps[owner]
    return CampView(
        seat=owner,
        goods=camp.goods,
        guards=camp.guards,
        hand_size=len(camp.hand),
        ordered=camp.order is not None,
        agenda=camp.agenda if viewer == owner else tuple(map(hidden, camp.agenda)),
        trophies=tuple(
            trophy if knows(state, owner, trophy, viewer) else replace(trophy, card=None)
            for trophy in camp.trophies
        ),
        breaches=camp.breaches,
        foraged=camp.foraged,
        braced=camp.braced,
        retired=camp.retired,
    )


def hidden(pending: Loss | Spoils | Keep) -> Loss | Spoils | Keep:
    """A follow-up choice as others see it."""
    return Keep(()) if isinstance(pending, Keep) else pending


def knows(state: State, owner: Seat, trophy: Trophy, viewer: Seat | None) -> bool:
    """Whether `viewer` knows a trophy: its thief, its victim, and at the end everybody."""
    return state.phase is Phase.OVER or viewer in (owner, trophy.victim)


def reply_of(attack: Attack | None, seat: Seat | None) -> Reply | None:
    """What `seat` has answered to the attack being carried out."""
    replies = attack.replies if attack else ()
    return next((given.reply for given in replies if given.seat == seat), None)


def attack_view(attack: Attack) -> AttackView:
    """An attack without the replies."""
    answered = tuple(given.seat for given in attack.replies)
    return AttackView(attack.order, attack.asked, answered, attack.stage)


def imagine(state: State, seat: Seat | None, chance: Chance) -> State:
    """The same for `seat`; all cards that it does not see are dealt anew."""
    if state.phase is Phase.OVER:
        return state
    return Imagined(state, seat, chance).state()


class Imagined:
    """One dealing anew of the cards that `viewer` does not see."""

    def __init__(self, state: State, viewer: Seat | None, chance: Chance) -> None:
        self._true, self._viewer, self._chance = state, viewer, chance
        self._unseen = joined(state.deck, self._hidden())

    def state(self) -> State:
        """The imagined position."""
        camps = tuple(self._camp(Seat(owner), camp) for owner, camp in enumerate(self._true.camps))
        attack = self._true.attack
        if attack:
            replies = tuple(self._reply(camps, given) for given in attack.replies)
            attack = replace(attack, replies=replies)
        return replace(self._true, camps=camps, deck=self._unseen, attack=attack)

    def _hidden(self) -> list[Card]:
        cards: list[Card] = []
        for owner, camp in enumerate(self._true.camps):
            if owner != self._viewer:
                cards += camp.hand
                cards += [camp.order.card] if camp.order else []
                for pending in camp.agenda:
                    cards += pending.cards if isinstance(pending, Keep) else ()
            for trophy in camp.trophies:
                if not knows(self._true, Seat(owner), trophy, self._viewer) and trophy.card:
                    cards.append(trophy.card)
        return cards

    def _deal(self, label: str, size: int) -> tuple[Card, ...]:
        cards = self._chance.deal(f"imagine/{label}", self._unseen, size)
        self._unseen = without(self._unseen, cards)
        return tuple(sorted(cards))

    def _camp(self, owner: Seat, camp: Camp) -> Camp:
        trophies = tuple(
            trophy
            if knows(self._true, owner, trophy, self._viewer)
            else replace(trophy, card=self._deal(f"{owner}/trophy/{number}", 1)[0])
            for number, trophy in enumerate(camp.trophies)
        )
        if owner == self._viewer:
            return replace(camp, trophies=trophies)
        return replace(
            camp,
            trophies=trophies,
            hand=self._deal(f"{owner}/hand", len(camp.hand)),
            order=self._order(owner, camp.order) if camp.order else None,
            agenda=tuple(
                Keep(self._deal(f"{owner}/keep/{number}", len(pending.cards)))
                if isinstance(pending, Keep)
                else pending
                for number, pending in enumerate(camp.agenda)
            ),
        )

    def _order(self, owner: Seat, order: Order) -> Order:
        (card,) = self._deal(f"{owner}/order", 1)
        if card not in ATTACKS:
            return Order(owner, card)
        target = self._chance.draw(f"imagine/{owner}/target", targets(self._true, owner))
        return Order(owner, card, Seat(target))

    def _reply(self, camps: tuple[Camp, ...], given: Given) -> Given:
        if given.seat == self._viewer:
            return given
        hand = camps[given.seat].hand
        able = [reply for reply in Reply if NEEDS.get(reply) in (None, *hand)]
        return Given(given.seat, self._chance.draw(f"imagine/{given.seat}/reply", able))
