"""Chapter 10: offers to neighbours in phase 4b."""

from __future__ import annotations

import pytest

from services.altarion.cards import MiningCard
from services.altarion.game import GAME
from services.altarion.goods import Mineral, Stock
from services.altarion.rules.mining import Mine
from services.altarion.rules.trade import AcceptOffer, DeclineOffer, MakeOffer, OfferNothing
from services.altarion.state import Phase
from services.gamekit.game import Decision, Seat
from tests.altarion.table import (
    BRAKKA,
    CORE,
    FAR,
    MIRREL,
    SAEL,
    TORVIN,
    Table,
    at,
    given,
    player,
)

CINDRITE, AURELIN, VERDANE = Mineral.CINDRITE, Mineral.AURELIN, Mineral.VERDANE
OFFER = MakeOffer(CINDRITE, AURELIN, 2)


def met(own: Stock, other: Stock) -> Table:
    """Phase 4b: the heroes of seats 0 and 1 stand side by side, seat 2 is far away."""
    return given(
        player(at(BRAKKA, CORE, acted=True), stock=own),
        player(at(SAEL, 31, acted=True), stock=other),
        player(at(TORVIN, FAR[0], acted=True), stock=Stock(umbrine=9)),
    )


def market() -> Table:
    return met(Stock(cindrite=3), Stock(aurelin=2, verdane=1))


def test_10_1_only_players_with_touching_heroes_trade() -> None:
    table = market()
    assert GAME.decisions(table.state) == (Decision(Seat(0), "offer", about="1"),)
    table.plays(0, OfferNothing())
    assert GAME.decisions(table.state) == (Decision(Seat(1), "offer", about="0"),)
    # Seat 2 has no neighbour: the window is over.
    assert table.plays(1, OfferNothing()).state.phase is not Phase.TRADE


def test_14_4_without_a_touching_hero_no_trade_is_offered() -> None:
    table = given(
        player(at(BRAKKA, CORE, acted=True), stock=Stock(cindrite=3)),
        player(at(SAEL, 33, acted=True), stock=Stock(aurelin=3)),
    )
    assert table.state.phase is not Phase.TRADE


def test_10_2_n_of_one_kind_for_n_of_another_both_able_to_pay() -> None:
    assert market().answers() == [
        MakeOffer(CINDRITE, AURELIN, 1),
        MakeOffer(CINDRITE, AURELIN, 2),
        MakeOffer(CINDRITE, VERDANE, 1),
        OfferNothing(),
    ]


@pytest.mark.parametrize(
    ("offer", "code"),
    [
        (MakeOffer(CINDRITE, CINDRITE, 1), "same_mineral"),
        (MakeOffer(CINDRITE, AURELIN, 0), "bad_amount"),
        (MakeOffer(CINDRITE, AURELIN, 4), "bad_amount"),
        (MakeOffer(CINDRITE, AURELIN, -1), "bad_amount"),
        (MakeOffer(VERDANE, AURELIN, 1), "cannot_afford"),
        (MakeOffer(CINDRITE, VERDANE, 2), "partner_cannot_afford"),
    ],
)
def test_10_2_other_offers_are_refused(offer: MakeOffer, code: str) -> None:
    assert market().refuses(0, offer) == code


def test_10_2_at_most_three_are_traded() -> None:
    table = met(Stock(cindrite=9), Stock(aurelin=9))
    assert table.answers() == [
        *(MakeOffer(CINDRITE, AURELIN, n) for n in (1, 2, 3)),
        OfferNothing(),
    ]


def test_10_3_the_addressee_answers_at_once_and_nobody_else_is_asked() -> None:
    table = market().plays(0, OFFER)
    assert GAME.decisions(table.state) == (Decision(Seat(1), "answer", about="0"),)
    assert table.answers() == [AcceptOffer(), DeclineOffer()]
    assert table.refuses(0, OfferNothing()) == "not_your_turn"


def test_10_3_an_accepted_exchange_is_immediate() -> None:
    table = market().plays(0, OFFER).plays(1, AcceptOffer())
    assert table.stock(0) == Stock(cindrite=1, aurelin=2)
    assert table.stock(1) == Stock(cindrite=2, verdane=1)


def test_10_3_a_declined_offer_changes_nothing() -> None:
    before = market()
    table = market().plays(0, OFFER).plays(1, DeclineOffer())
    assert [sheet.stock for sheet in table.state.sheets] == [
        sheet.stock for sheet in before.state.sheets
    ]


def test_10_2_there_is_one_offer_to_each_neighbour_and_then_the_addressees_own_window() -> None:
    table = market().plays(0, OFFER).plays(1, DeclineOffer())
    assert table.asks(1, "offer")
    counter = MakeOffer(AURELIN, CINDRITE, 1)
    table.plays(1, counter).plays(0, AcceptOffer())
    harvest = Stock(cindrite=1, aurelin=1, verdane=1)  # of round 6, which has begun
    assert table.stock(1) == Stock(aurelin=1, verdane=1, cindrite=1) + harvest


def test_10_2_neighbours_are_asked_in_seat_order_players_in_turn_order() -> None:
    table = given(
        player(at(BRAKKA, 31, acted=True), stock=Stock(cindrite=3)),
        player(at(SAEL, CORE, acted=True), stock=Stock(aurelin=3)),
        player(at(MIRREL, 29, acted=True), stock=Stock(verdane=3)),
        first=Seat(1),
    )
    asked = []
    while table.prompt == "offer":
        (decision,) = GAME.decisions(table.state)
        asked.append((decision.seat, decision.about))
        table.plays(decision.seat, OfferNothing())
    assert asked == [(1, "0"), (1, "2"), (2, "1"), (0, "1")]


@pytest.mark.parametrize(
    ("own", "other"),
    [
        (Stock(), Stock(aurelin=3)),
        (Stock(cindrite=3), Stock()),
        (Stock(cindrite=3), Stock(cindrite=2)),
    ],
)
def test_4_3_who_has_nothing_to_exchange_is_not_asked(own: Stock, other: Stock) -> None:
    assert met(own, other).state.phase is not Phase.TRADE


def test_10_2_the_stocks_of_the_moment_count() -> None:
    # Seat 0 gives away what it has; seat 1 then has nothing that seat 0 lacks to ask for.
    table = met(Stock(cindrite=1), Stock(aurelin=1))
    table.plays(0, MakeOffer(CINDRITE, AURELIN, 1)).plays(1, AcceptOffer())
    assert table.answers() == [MakeOffer(CINDRITE, AURELIN, 1), OfferNothing()]


def test_14_12_the_truce_does_not_hinder_trading() -> None:
    table = given(
        player(at(BRAKKA, CORE, acted=True), stock=Stock(cindrite=3)),
        player(at(SAEL, 31, acted=True), stock=Stock(aurelin=3)),
        round=1,
    )
    assert table.asks(0, "offer")


def test_4_2_trade_comes_when_all_heroes_have_acted() -> None:
    table = given(
        player(at(BRAKKA, CORE, acted=True), stock=Stock(cindrite=3)),
        player(at(SAEL, FAR[0]), stock=Stock(aurelin=3)),
        round=1,
    )
    table.walks(1, 1).plays(1, Mine()).mines(
        MiningCard.VEIN_CINDRITE, (MiningCard.HARD_ROCK_CINDRITE, 1)
    )
    assert table.state.round == 2
