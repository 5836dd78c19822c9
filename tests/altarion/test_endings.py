"""Chapter 12: deaths, resignation, both ways to end, the round limit, places."""

from __future__ import annotations

from typing import Any

import pytest

from services.altarion.cards import ExplorationCard, Nation, Special
from services.altarion.game import GAME
from services.altarion.goods import Mineral, Stock, each
from services.altarion.rules.dispute import Loot, StartDispute
from services.altarion.rules.exploration import Explore
from services.altarion.rules.mines import cards_left, mine_on
from services.altarion.rules.movement import ChooseHero
from services.altarion.rules.trade import MakeOffer
from services.altarion.rules.tribute import BuildNothing, BuildSpecial
from services.altarion.state import AltarionOptions, BoardMine, Ending, Phase, Sheet
from services.gamekit.game import NATURE, IllegalAction, Seat
from tests.altarion.table import (
    BRAKKA,
    CORE,
    DASHKA,
    FAR,
    MIRREL,
    ONDO,
    SAEL,
    TORVIN,
    Table,
    at,
    given,
    player,
)

FOUR = tuple(Special)[:4]
RICH = {"crowns": 60, "stock": each(20)}


def one(card: int, field: int, **fields: Any) -> Sheet:
    """A player with one hero and enough for any tribute."""
    return player(at(card, field), **{"stock": each(20), **fields})


def duel(*others: Sheet, loser: Sheet | None = None) -> Table:
    """Seat 0's only hero wins against the only hero of seat 1, which has nothing."""
    foe = loser or player(at(SAEL, 31))
    table = given(one(BRAKKA, 29), foe, *others).walks(1, CORE)
    return table.plays(0, StartDispute(SAEL)).fights(6, 1)


def test_1_2_1_3_the_fifth_special_building_ends_the_game_at_once() -> None:
    table = given(
        one(BRAKKA, CORE, specials=FOUR, **RICH),
        one(SAEL, 0, **RICH),
        phase=Phase.SPECIALS,
    )
    table.plays(0, BuildSpecial(Special.NIGHT_OBSERVATORY))
    assert table.prompt == ""
    assert table.state.ending is Ending.SPECIAL
    assert table.state.round == 5
    assert table.places() == [(0,), (1,)]


def test_12_5_who_built_the_fifth_wins_whatever_else_the_others_have() -> None:
    mines = tuple(BoardMine(field, Mineral.CINDRITE) for field in range(3))
    table = given(
        one(BRAKKA, CORE, specials=FOUR, **RICH),
        one(SAEL, 0, specials=FOUR, crowns=999, stock=each(99), mines=mines),
        phase=Phase.SPECIALS,
    ).plays(0, BuildSpecial(Special.GLASS_BEACON))
    assert table.places() == [(0,), (1,)]


def test_1_3_12_1_a_player_dies_with_the_last_hero_and_the_last_player_wins() -> None:
    table = duel()
    assert table.sheet(1).died == 1
    assert table.state.ending is Ending.ELIMINATION
    assert table.places() == [(0,), (1,)]


def test_14_3_the_action_is_skipped_when_the_game_ends() -> None:
    assert duel().prompt == ""


def test_12_2_with_others_left_the_attacker_acts() -> None:
    table = duel(one(MIRREL, FAR[0]))
    assert table.asks(0, "action")
    assert table.state.queue == (0, 2)


def test_12_2_one_dies_in_ones_own_turn_too() -> None:
    table = given(player(at(BRAKKA, 29)), one(SAEL, 31), one(MIRREL, FAR[0])).walks(1, CORE)
    table.plays(0, StartDispute(SAEL)).fights(1, 6)
    assert table.sheet(0).died == 1
    assert table.state.queue == (1, 2)
    assert table.asks(NATURE, "roll")


def test_14_11_spoils_are_taken_from_a_player_who_dies_by_it() -> None:
    loser = player(at(SAEL, 31), stock=Stock(lazspar=4, umbrine=1))
    table = duel(one(MIRREL, FAR[0]), loser=loser)
    assert table.asks(0, "loot")
    assert table.sheet(1).died == 0
    table.plays(0, Loot(Mineral.LAZSPAR), Loot(Mineral.LAZSPAR))
    assert table.stock(0).lazspar == 22
    # What is left is remembered for the ranking.
    assert table.stock(1) == Stock(lazspar=2, umbrine=1)
    assert table.sheet(1).died == 1


def test_12_2_mine_cards_return_and_board_mines_leave_their_fields() -> None:
    loser = player(at(SAEL, 31), mines=(BoardMine(7, Mineral.UMBRINE),), nation=Nation.KESURAN)
    before = given(one(BRAKKA, 29), loser, one(MIRREL, FAR[0])).state
    assert (cards_left(before, Mineral.UMBRINE), mine_on(before, 7)) == (5, Mineral.UMBRINE)
    table = duel(one(MIRREL, FAR[0]), loser=loser)
    assert cards_left(table.state, Mineral.UMBRINE) == 8
    assert mine_on(table.state, 7) is None


def test_12_1_12_2_the_third_miss_in_a_row_kills_with_all_heroes() -> None:
    starving = player(at(BRAKKA, CORE), at(TORVIN, 7), misses=2)
    table = given(starving, one(SAEL, 0), one(MIRREL, 4), phase=Phase.SPECIALS, sand=(ONDO,))
    assert table.sheet(0).died == 1
    assert table.state.sand == (ONDO, BRAKKA, TORVIN)
    assert table.state.order() == (1, 2)


def test_12_2_tribute_kills_at_once_for_all() -> None:
    starving = [player(at(card, field), misses=2) for card, field in ((BRAKKA, 30), (SAEL, 0))]
    table = given(*starving, one(MIRREL, 4), phase=Phase.SPECIALS)
    assert [sheet.died for sheet in table.state.sheets] == [1, 1, 0]
    assert table.state.ending is Ending.ELIMINATION


def test_12_6_if_all_die_together_the_best_by_the_keys_wins() -> None:
    rich = player(at(BRAKKA, CORE), misses=2, specials=FOUR[:1], stock=Stock(umbrine=1))
    poor = player(at(SAEL, 0), misses=2, stock=Stock(umbrine=40))
    table = given(poor, rich, phase=Phase.SPECIALS)
    assert table.state.living() == ()
    assert table.state.ending is Ending.ELIMINATION
    assert table.places() == [(1,), (0,)]


def test_12_3_the_game_ends_after_the_round_limit() -> None:
    def last(round_: int) -> Table:
        return given(
            one(BRAKKA, CORE, crowns=1),
            one(SAEL, 0, crowns=2),
            options=AltarionOptions(round_limit=20),
            round=round_,
            phase=Phase.SPECIALS,
        )

    assert last(19).state.round == 20
    assert last(19).prompt != ""
    assert last(20).state.ending is Ending.LIMIT
    assert last(20).places() == [(1,), (0,)]


def test_12_3_the_last_round_is_played_to_its_end() -> None:
    table = given(
        one(BRAKKA, CORE, **RICH),
        one(SAEL, 0, **RICH),
        round=30,
        phase=Phase.SPECIALS,
    )
    table.plays(0, BuildNothing()).plays(1, BuildSpecial(Special.SUN_VAULT))
    assert table.places() == [(1,), (0,)]


def finished(*sheets: Sheet, deaths: int = 0) -> Table:
    """The round limit was reached."""
    return given(*sheets, phase=Phase.OVER, ending=Ending.LIMIT, queue=(), round=30, deaths=deaths)


MINE = (BoardMine(7, Mineral.UMBRINE),)


@pytest.mark.parametrize(
    ("better", "worse", "key"),
    [
        ({"specials": FOUR[:2]}, {"specials": FOUR[:1], "mines": MINE}, "score"),
        ({"mines": MINE}, {"stock": each(21)}, "mines"),
        ({"stock": Stock(umbrine=3)}, {"stock": Stock(umbrine=2), "crowns": 9}, "minerals"),
        ({"crowns": 4}, {"crowns": 3}, "crowns"),
    ],
)
def test_12_4_the_ranking_keys_in_their_order(
    better: dict[str, Any], worse: dict[str, Any], key: str
) -> None:
    empty = {"stock": Stock()}
    table = finished(one(BRAKKA, CORE, **{**empty, **worse}), one(SAEL, 0, **{**empty, **better}))
    assert table.places() == [(1,), (0,)]
    result = GAME.result(table.state)
    assert result is not None
    assert {place.decided_by for place in result.places} == {key}


def test_12_4_equal_in_all_four_shares_the_place() -> None:
    table = finished(one(BRAKKA, CORE), one(SAEL, 0), one(MIRREL, 4, crowns=1))
    assert table.places() == [(2,), (0, 1)]


def test_12_5_the_dead_come_after_the_living_the_later_death_first() -> None:
    table = finished(
        player(died=1, specials=FOUR),
        player(at(SAEL, 0)),
        player(died=2),
        player(at(MIRREL, 4), crowns=1),
        deaths=2,
    )
    assert table.places() == [(3,), (1,), (2,), (0,)]


def test_12_5_deaths_together_rank_by_the_values_at_death() -> None:
    table = finished(
        player(died=1, crowns=1), player(died=1, crowns=2), player(at(SAEL, 0)), deaths=1
    )
    assert table.places() == [(2,), (1,), (0,)]


def test_12_2_mines_of_the_dead_are_remembered_too() -> None:
    table = finished(
        player(died=1, crowns=9),
        player(died=1, mines=MINE),
        player(at(SAEL, 0)),
        deaths=1,
    )
    assert table.places() == [(2,), (1,), (0,)]


def test_the_score_sheet_counts_special_buildings_and_tells_the_other_keys() -> None:
    sheet = GAME.score(finished(one(BRAKKA, CORE, specials=FOUR[:2]), one(SAEL, 0)).state)[0]
    assert sheet.total == 2
    assert [(line.key, line.points, line.detail) for line in sheet.lines] == [
        ("special_buildings", 2, "ember_spire, sun_vault"),
        ("mines", 0, "3"),
        ("minerals", 0, "120"),
        ("crowns", 0, "0"),
    ]


def resign(table: Table, seat: int) -> Table:
    """A player leaves."""
    table.state = GAME.advance(GAME.retire(table.state, Seat(seat)))
    return table


def test_12_2_who_resigns_dies_and_the_others_play_on() -> None:
    table = given(one(BRAKKA, CORE), one(SAEL, 0), one(MIRREL, 4))
    resign(table, 1)
    assert table.sheet(1).died == 1
    assert table.state.sand == (SAEL,)
    assert table.state.queue == (0, 2)


def test_12_2_of_two_players_the_other_wins() -> None:
    table = resign(given(one(BRAKKA, CORE), one(SAEL, 0)), 0)
    assert table.state.ending is Ending.ELIMINATION
    assert table.places() == [(1,), (0,)]


def test_12_2_nobody_resigns_twice_or_when_it_is_over() -> None:
    table = resign(given(one(BRAKKA, CORE), one(SAEL, 0), one(MIRREL, 4)), 1)
    with pytest.raises(IllegalAction, match="already_dead"):
        GAME.retire(table.state, Seat(1))
    resign(table, 0)
    with pytest.raises(IllegalAction, match="game_over"):
        GAME.retire(table.state, Seat(2))


def test_12_2_resigning_in_ones_own_turn_passes_it_on() -> None:
    table = given(one(BRAKKA, CORE), one(SAEL, 0), one(MIRREL, 4)).rolls(3)
    assert resign(table, 0).asks(NATURE, "roll")
    assert table.state.queue == (1, 2)


def test_12_2_an_offer_to_or_from_who_resigns_is_off() -> None:
    def market() -> Table:
        table = given(
            one(BRAKKA, CORE), one(SAEL, 31), one(MIRREL, 4), queue=(), phase=Phase.HEROES
        )
        return table.plays(0, MakeOffer(Mineral.CINDRITE, Mineral.AURELIN, 1))

    for seat in (0, 1):
        table = resign(market(), seat)
        assert table.state.offer is None
        assert table.state.talks == ()
    assert resign(market(), 2).asks(1, "answer")


def dispute(won: bool) -> Table:
    """Seat 0 attacked seat 1, and the winner has spoils to choose."""
    table = given(
        player(at(BRAKKA, 29), at(TORVIN, 56), stock=each(3)),
        player(at(SAEL, 31), at(DASHKA, 4), stock=each(3)),
        one(MIRREL, 60),
    )
    table.plays(0, ChooseHero(BRAKKA)).walks(1, CORE).plays(0, StartDispute(SAEL))
    return table.fights(*((6, 1) if won else (1, 6)))


def heroes(table: Table) -> set[int]:
    """Who is on the board."""
    return {hero.card for _, hero in table.state.heroes()}


def test_12_2_a_dispute_that_was_won_stays_won_when_the_winner_resigns() -> None:
    table = resign(dispute(won=True), 0)
    assert heroes(table) == {DASHKA, MIRREL}
    assert table.stock(1) == each(3)
    table = resign(dispute(won=False), 1)
    assert heroes(table) == {TORVIN, MIRREL}
    assert table.stock(0) == each(3)


def test_12_2_when_the_loser_resigns_there_are_no_spoils_and_the_winner_plays_on() -> None:
    table = resign(dispute(won=True), 1)
    assert table.asks(0, "action")
    assert heroes(table) == {BRAKKA, TORVIN, MIRREL}
    table = resign(dispute(won=False), 0)
    assert heroes(table) == {SAEL, DASHKA, MIRREL}
    assert table.state.queue == (1, 2)


def test_12_2_cards_of_an_exploration_in_progress_are_discarded_when_its_player_resigns() -> None:
    table = given(one(BRAKKA, CORE), one(SAEL, 0), one(MIRREL, 4)).walks(1, 31)
    table.plays(0, Explore()).explores(ExplorationCard.FIND, gained=(Mineral.CINDRITE,) * 2)
    assert sum(resign(table, 0).state.exploration.used) == 1
    # So they are when that ends the match.
    table = given(one(BRAKKA, CORE), one(SAEL, 0)).walks(1, 31)
    table.plays(0, Explore()).explores(ExplorationCard.FIND, gained=(Mineral.CINDRITE,) * 2)
    assert sum(resign(table, 0).state.exploration.used) == 1


def test_12_2_who_resigns_before_the_first_hero_leaves_a_table_that_can_be_set_up() -> None:
    table = given(Sheet(), Sheet(), Sheet(), phase=Phase.NATIONS, round=0, queue=())
    resign(table, 1)
    assert table.asks(NATURE, "nations")
    assert table.state.living() == (0, 2)
