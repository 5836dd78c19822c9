"""Chapter 3: nations, pay, mines, first heroes; and 5.1, where heroes are placed."""

from __future__ import annotations

import pytest

from services.altarion.board import SIDES
from services.altarion.cards import Nation
from services.altarion.game import GAME
from services.altarion.goods import Mineral, each
from services.altarion.rules.arrivals import DrawFirstPlayer, DrawHero, DrawNations, PlaceHero
from services.altarion.rules.mines import cards_left
from services.altarion.state import Phase
from services.gamekit.chance import Chance
from services.gamekit.game import NATURE, IllegalOptions, Seat
from services.gamekit.play import settle, start
from tests.altarion.table import (
    AROUND,
    BRAKKA,
    CORE,
    DASHKA,
    MIRREL,
    SAEL,
    Table,
    at,
    given,
    player,
)

THREE = DrawNations((Nation.ORVANE, Nation.VESK, Nation.ILMOOR))


def opened(seats: int) -> Table:
    return Table(start(GAME, seats, GAME.Options()))


@pytest.mark.parametrize("seats", range(2, 7))
def test_1_1_two_to_six_players(seats: int) -> None:
    state, _ = settle(GAME, start(GAME, seats, GAME.Options()), Chance(b"players"))
    assert len({sheet.nation for sheet in state.sheets}) == seats


@pytest.mark.parametrize("seats", [1, 7])
def test_1_1_no_fewer_and_no_more(seats: int) -> None:
    with pytest.raises(IllegalOptions, match="bad_seats"):
        start(GAME, seats, GAME.Options())


def test_3_1_nations_are_drawn_seat_by_seat() -> None:
    table = opened(3)
    assert table.asks(NATURE, "nations")
    table.falls(THREE)
    assert [sheet.nation for sheet in table.state.sheets] == list(THREE.nations)


def test_3_1_a_nation_is_drawn_once_and_for_every_player() -> None:
    table = opened(3)
    twice = DrawNations((Nation.VESK, Nation.VESK, Nation.ILMOOR))
    assert table.refuses(NATURE, twice) == "wrong_nations"
    assert table.refuses(NATURE, DrawNations((Nation.VESK,))) == "wrong_nations"


def test_3_3_each_player_starts_with_the_pay_and_three_of_each_mineral() -> None:
    table = opened(3).falls(THREE)
    assert [sheet.crowns for sheet in table.state.sheets] == [70, 60, 60]
    assert all(sheet.stock == each(3) for sheet in table.state.sheets)


def test_3_4_nation_mines_come_from_the_mine_cards() -> None:
    table = opened(3).falls(THREE)
    # Orvane has two of aurelin, Vesk and Ilmoor have one each.
    assert cards_left(table.state, Mineral.AURELIN) == 8 - 4
    assert all(sheet.mine_count() == 3 for sheet in table.state.sheets)


def test_3_5_3_6_first_heroes_are_all_drawn_and_then_placed_in_turn_order() -> None:
    table = opened(3).falls(THREE)
    assert table.asks(NATURE, "first_player")
    table.falls(DrawFirstPlayer(Seat(1)))
    for card in (BRAKKA, SAEL, MIRREL):
        assert table.asks(NATURE, "hero_card")
        table.falls(DrawHero(card))
    assert [sheet.arriving for sheet in table.state.sheets] == [MIRREL, BRAKKA, SAEL]
    for seat, side in ((1, 2), (2, 4), (0, 0)):
        assert table.asks(seat, "place")
        assert table.fields() == sorted(SIDES[side])
        table.plays(seat, table.answers()[0])
    assert table.state.round == 1
    assert table.state.queue == (1, 2, 0)


def test_3_6_the_first_player_is_in_play() -> None:
    table = opened(2).falls(DrawNations((Nation.ORVANE, Nation.VESK)))
    assert table.refuses(NATURE, DrawFirstPlayer(Seat(2))) == "no_such_player"


def test_3_the_setup_draws_under_labels_that_say_what_and_how_many_before() -> None:
    _, entries = settle(GAME, start(GAME, 2, GAME.Options()), Chance(b"setup"))
    labels = [draw.label for entry in entries for draw in entry.draws]
    assert labels == ["nation/0", "nation/1", "first", "hero/0", "hero/1"]


def waiting_for_a_place(*occupied: int) -> Table:
    others = [
        at(card, field) for card, field in zip((SAEL, MIRREL, DASHKA), occupied, strict=False)
    ]
    return given(
        player(at(16, CORE), arriving=BRAKKA),
        player(*others),
        phase=Phase.ARRIVALS,
        queue=(0,),
    )


def test_5_1_a_hero_is_placed_on_a_free_start_field_of_choice() -> None:
    table = waiting_for_a_place(49)
    assert table.asks(0, "place")
    assert table.answers() == [PlaceHero(42), PlaceHero(55)]
    assert table.refuses(0, PlaceHero(49)) == "not_a_free_start_field"
    assert table.refuses(0, PlaceHero(CORE + 1)) == "not_a_free_start_field"
    table.plays(0, PlaceHero(42))
    assert table.hero(BRAKKA).field == 42
    assert not table.hero(BRAKKA).seasoned


def test_5_1_the_last_free_start_field_is_taken_without_a_question() -> None:
    table = waiting_for_a_place(49, 42)
    assert table.hero(BRAKKA).field == 55


def test_5_1_when_all_three_are_occupied_any_nearest_free_field_will_do() -> None:
    table = waiting_for_a_place(55, 49, 42)
    assert table.asks(0, "place")
    # Every free field that touches one of the three.
    assert table.fields() == [33, 34, 41, 48, 54, 60]


def test_4_1_the_top_hero_is_an_undrawn_one_else_the_longest_dead() -> None:
    players = (player(at(BRAKKA, CORE)), player(at(SAEL, AROUND[0])))
    table = given(*players, phase=Phase.ARRIVALS, queue=(0,), undrawn=(3, 4), sand=(9, 5))
    assert table.refuses(NATURE, DrawHero(9)) == "not_in_pile"
    assert table.refuses(NATURE, DrawHero(3)) == ""
    table = given(*players, phase=Phase.ARRIVALS, queue=(0,), undrawn=(), sand=(9, 5))
    assert table.refuses(NATURE, DrawHero(5)) == "not_in_pile"
    assert table.falls(DrawHero(9)).state.sand == (5,)
