"""Chapter 4: turn order, arrivals, phases."""

from __future__ import annotations

from typing import Any

from services.altarion.cards import ExplorationCard
from services.altarion.goods import each
from services.altarion.rules.arrivals import DrawHero, PlaceHero
from services.altarion.state import Phase, Sheet
from services.gamekit.game import NATURE, Seat
from tests.altarion.table import (
    BRAKKA,
    CORE,
    DASHKA,
    FAR,
    MIRREL,
    PIP,
    SAEL,
    TORVIN,
    Table,
    at,
    given,
    player,
)


def one(card: int, field: int, **fields: Any) -> Sheet:
    """A player with one hero and enough for any tribute."""
    return player(at(card, field), stock=each(20), **fields)


def four(**fields: Any) -> Table:
    """Four players, the last one at the end of phase 6."""
    cards = (BRAKKA, SAEL, TORVIN, MIRREL)
    sheets = [one(card, field) for card, field in zip(cards, FAR, strict=False)]
    return given(*sheets, **{"phase": Phase.SPECIALS, "queue": (), "round": 3, **fields})


def test_4_0_turn_order_is_clockwise_from_the_first_player() -> None:
    assert four(first=Seat(2)).state.order() == (3, 0, 1, 2)
    # The marker has moved on, for round 4 has begun.
    assert four(first=Seat(2)).state.first == 3


def test_4_0_the_marker_moves_to_the_next_living_seat() -> None:
    cards = (BRAKKA, SAEL, TORVIN)
    sheets = [one(card, field) for card, field in zip(cards, FAR, strict=False)]
    dead = player(died=1)
    table = given(sheets[0], dead, sheets[1], sheets[2], deaths=1, phase=Phase.SPECIALS)
    assert table.state.round == 6
    assert table.state.first == 2
    assert table.state.order() == (2, 3, 0)


def test_4_0_a_first_player_who_has_died_leaves_the_order_as_it_was() -> None:
    dead = player(died=1)
    table = given(one(BRAKKA, FAR[0]), dead, one(SAEL, FAR[1]), first=Seat(1), deaths=1)
    assert table.state.order() == (2, 0)


def test_4_1_in_odd_rounds_each_player_gets_a_hero_in_turn_order() -> None:
    table = four(round=4, first=Seat(3))
    assert table.state.round == 5
    for seat, card in ((0, DASHKA), (1, PIP)):
        assert table.asks(NATURE, "hero_card")
        table.falls(DrawHero(card))
        # Each hero is placed before the next one is drawn.
        assert table.asks(seat, "place")
        table.plays(seat, PlaceHero(table.fields()[0]))
    assert table.asks(NATURE, "hero_card")
    assert [len(sheet.heroes) for sheet in table.state.sheets] == [2, 2, 1, 1]


def test_4_1_not_in_even_rounds() -> None:
    table = four(round=3)
    assert table.state.round == 4
    assert table.state.phase is Phase.HEROES


def test_4_1_a_player_with_three_heroes_gets_none() -> None:
    full = player(at(BRAKKA, 0), at(SAEL, 4), at(TORVIN, 26), stock=each(9))
    table = given(full, one(MIRREL, 60), phase=Phase.SPECIALS, round=6)
    assert table.asks(NATURE, "hero_card")
    assert table.state.queue == (1,)


def test_14_13_a_hero_enters_before_the_tribute_that_kills_its_player() -> None:
    # Two misses, nothing in stock: the hero is placed, then tribute is due.
    doomed = player(at(BRAKKA, CORE), misses=2)
    others = (one(SAEL, 0), one(MIRREL, 4))
    table = given(doomed, *others, phase=Phase.SPECIALS, round=6, first=Seat(2))
    table.falls(DrawHero(DASHKA))
    assert table.asks(0, "place")
    table.plays(0, PlaceHero(table.fields()[0]))
    for seat, card in ((1, PIP), (2, TORVIN)):
        table.falls(DrawHero(card)).plays(seat, PlaceHero(table.fields()[0]))
    assert table.sheet(0).died == 1
    assert table.state.sand == (BRAKKA, DASHKA)


def test_4_2_4_3_a_phase_ends_for_all_before_the_next_begins() -> None:
    table = given(one(BRAKKA, CORE), one(SAEL, 0), one(TORVIN, 4))
    phases = []
    for seat in (0, 1, 2):
        assert table.state.queue[0] == seat
        phases.append(table.state.phase)
        table.rolls(1)
        table.plays(seat, table.answers()[0])
        table.plays(seat, table.answers()[1]).explores(ExplorationCard.LUCK, 1)
    assert phases == [Phase.HEROES] * 3
    assert table.state.round == 6


def test_14_16_six_players_with_three_heroes_use_all_cards_and_nobody_needs_one() -> None:
    fields = iter(range(61))
    sheets = [
        player(*(at(3 * seat + number, next(fields)) for number in range(3)), stock=each(9))
        for seat in range(6)
    ]
    table = given(*sheets, phase=Phase.SPECIALS, round=6)
    assert table.state.undrawn == ()
    assert table.state.round == 7
    assert table.state.phase is Phase.HEROES
