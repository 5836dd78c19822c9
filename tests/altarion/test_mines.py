"""Chapter 8: a turn spent on a mine, paid in phase 5; yields and raids in phase 3."""

from __future__ import annotations

import pytest

from services.altarion.cards import MiningCard, Nation
from services.altarion.goods import Mineral, Stock, each
from services.altarion.rules.arrivals import DrawHero, PlaceHero
from services.altarion.rules.dispute import StartDispute
from services.altarion.rules.mines import FoundMine, RollInstead, cards_left
from services.altarion.rules.mining import Mine
from services.altarion.rules.movement import ChooseHero
from services.altarion.state import BoardMine, Hero, Phase, Sheet
from services.gamekit.game import NATURE
from tests.altarion.table import (
    AUNE,
    BRAKKA,
    CORE,
    FAR,
    MIRREL,
    SAEL,
    TORVIN,
    VARG,
    Table,
    at,
    given,
    player,
)

VERDANE, AURELIN, UMBRINE = Mineral.VERDANE, Mineral.AURELIN, Mineral.UMBRINE
VEIN, ROCK = MiningCard.VEIN_CINDRITE, MiningCard.HARD_ROCK_CINDRITE
PURSE = {"crowns": 20, "stock": Stock(verdane=3, aurelin=1)}
OTHER = player(at(SAEL, FAR[0], acted=True), nation=Nation.HADRUN, stock=each(9))


def finder(
    card: int = BRAKKA, field: int = CORE, deposits: tuple[Mineral, ...] = (VERDANE,)
) -> Hero:
    """A hero that found deposits where it stands in its last turn."""
    return at(card, field, deposits=deposits)


def test_8_1_a_deposit_lets_the_hero_spend_its_next_turn_on_a_mine() -> None:
    table = given(player(finder(), **PURSE), OTHER)
    assert table.asks(0, "spend")
    assert table.answers() == [FoundMine(VERDANE), RollInstead()]
    table.plays(0, FoundMine(VERDANE))
    assert table.sheet(0).mines == (BoardMine(CORE, VERDANE),)
    assert table.hero(BRAKKA).field == CORE


def test_8_1_the_hero_does_nothing_else() -> None:
    table = given(player(finder(), at(TORVIN, 4), **PURSE), OTHER)
    table.plays(0, ChooseHero(BRAKKA), FoundMine(VERDANE))
    # The next hero has its turn at once.
    assert table.asks(NATURE, "roll")
    assert table.state.turn is not None
    assert table.state.turn.hero == TORVIN


def test_8_1_without_a_deposit_there_is_nothing_to_spend_the_turn_on() -> None:
    assert given(player(at(BRAKKA, CORE), **PURSE), OTHER).asks(NATURE, "roll")


def test_8_1_a_deposit_that_is_not_used_lapses() -> None:
    table = given(player(finder(), **PURSE), OTHER).plays(0, RollInstead())
    assert table.asks(NATURE, "roll")
    assert table.hero(BRAKKA).deposits == ()


def test_8_1_a_deposit_lapses_too_when_it_cannot_be_used() -> None:
    table = given(player(finder(), crowns=4, stock=each(3)), OTHER)
    assert table.asks(NATURE, "roll")
    assert table.hero(BRAKKA).deposits == ()


def test_8_1_the_player_must_be_able_to_pay_now() -> None:
    both = (VERDANE, UMBRINE)
    table = given(player(finder(deposits=both), **PURSE), OTHER)
    assert table.answers() == [FoundMine(VERDANE), RollInstead()]
    assert table.refuses(0, FoundMine(UMBRINE)) == "cannot_afford"
    assert table.refuses(0, FoundMine(AURELIN)) == "no_deposit"


def test_8_1_a_mine_card_must_be_left() -> None:
    # Vesk has one mine of verdane on its card; seven more are on the board.
    mines = tuple(BoardMine(field, VERDANE) for field in range(7))
    poor = finder(deposits=(VERDANE, AURELIN))
    table = given(player(poor, mines=mines, crowns=20, stock=each(3)), OTHER)
    assert cards_left(table.state, VERDANE) == 0
    assert table.refuses(0, FoundMine(VERDANE)) == "no_mine_card_left"
    assert table.refuses(0, FoundMine(AURELIN)) == ""


def test_14_7_of_two_deposits_the_player_names_one() -> None:
    both = finder(deposits=(AURELIN, VERDANE))
    table = given(player(both, **PURSE), OTHER)
    assert table.answers() == [FoundMine(AURELIN), FoundMine(VERDANE), RollInstead()]
    table.plays(0, FoundMine(AURELIN))
    assert table.sheet(0).mines == (BoardMine(CORE, AURELIN),)


def test_8_2_a_mine_costs_five_crowns_and_one_of_its_mineral() -> None:
    table = given(player(finder(), **PURSE), OTHER).plays(0, FoundMine(VERDANE))
    # Phase 5 is over, and so is the round: pay of 6 and the harvest of round 6 have come too.
    spent = Stock(verdane=2, aurelin=1)
    assert table.sheet(0).crowns == 20 - 5 + 6
    assert table.stock(0) == spent + Stock(cindrite=1, aurelin=1, verdane=1) + Stock(verdane=2)


def test_2_6_thrift_makes_a_mine_cheaper() -> None:
    table = given(player(finder(AUNE), crowns=0, stock=each(1)), OTHER)
    table.plays(0, FoundMine(VERDANE))
    assert table.sheet(0).mines == (BoardMine(CORE, VERDANE),)
    assert table.sheet(0).crowns == 0 + 6


def founders(**purse: object) -> Table:
    """Two heroes of one player have spent their turns on mines of verdane."""
    first, second = finder(BRAKKA, CORE), finder(TORVIN, 4)
    return given(player(first, second, **purse), OTHER).plays(
        0, ChooseHero(TORVIN), FoundMine(VERDANE), FoundMine(VERDANE)
    )


def test_14_9_two_mines_are_paid_in_order_of_the_heroes_arrival() -> None:
    table = founders(crowns=9, stock=Stock(verdane=5))
    assert table.sheet(0).mines == (BoardMine(CORE, VERDANE),)
    table = founders(crowns=10, stock=Stock(verdane=5))
    assert table.sheet(0).mines == (BoardMine(CORE, VERDANE), BoardMine(4, VERDANE))


def test_8_2_the_turn_is_lost_if_the_player_can_no_longer_pay() -> None:
    table = founders(crowns=50, stock=Stock(verdane=1))
    assert table.sheet(0).mines == (BoardMine(CORE, VERDANE),)
    assert table.hero(TORVIN).founding is None


def test_8_2_the_turn_is_lost_if_the_cards_ran_out() -> None:
    mines = tuple(BoardMine(field, VERDANE) for field in range(5, 11))
    table = given(
        player(finder(BRAKKA), mines=mines, **PURSE),
        player(finder(SAEL, 60), stock=each(2), crowns=9, nation=Nation.KESURAN),
    )
    assert cards_left(table.state, VERDANE) == 1
    table.plays(0, FoundMine(VERDANE)).plays(1, FoundMine(VERDANE))
    assert BoardMine(CORE, VERDANE) in table.sheet(0).mines
    assert table.sheet(1).mines == ()


def round_ends(*players: Sheet) -> Table:
    """Nobody can build in phase 6 of round 5, and so round 6 begins with phases 1 to 3."""
    return given(*players, phase=Phase.SPECIALS)


def test_8_3_mines_yield_one_on_the_nation_card_and_two_on_the_board() -> None:
    mines = (BoardMine(7, UMBRINE), BoardMine(8, UMBRINE))
    table = round_ends(player(at(BRAKKA, CORE), mines=mines), OTHER)
    # Vesk's card has cindrite, aurelin and verdane.
    assert table.stock(0) == Stock(cindrite=1, aurelin=1, verdane=1, umbrine=4)


def test_8_3_a_foreign_hero_on_a_mine_collects_instead() -> None:
    mines = (BoardMine(CORE, UMBRINE),)
    own = player(at(BRAKKA, 7), mines=mines, nation=Nation.VESK)
    raider = player(at(SAEL, CORE), nation=Nation.HADRUN)
    table = round_ends(own, raider)
    assert table.stock(0) == Stock(cindrite=1, aurelin=1, verdane=1)
    assert table.stock(1) == Stock(lazspar=1, umbrine=1, paleglass=1) + Stock(umbrine=2)


def test_8_3_the_own_hero_on_a_mine_changes_nothing() -> None:
    mines = (BoardMine(CORE, UMBRINE),)
    table = round_ends(player(at(BRAKKA, CORE), mines=mines), OTHER)
    assert table.stock(0) == Stock(cindrite=1, aurelin=1, verdane=1, umbrine=2)


def test_14_8_a_raider_may_leave_in_phase_4() -> None:
    mines = (BoardMine(CORE, UMBRINE),)
    own = player(at(BRAKKA, 7), mines=mines)
    raider = player(at(SAEL, CORE), nation=Nation.HADRUN)
    table = round_ends(own, raider)
    assert table.stock(1).umbrine == 3
    table.walks(1, 29)
    assert table.hero(SAEL).field == 29


def test_8_3_a_raid_needs_the_hero_to_stand_there_in_phase_3_of_this_round() -> None:
    mines = (BoardMine(CORE, UMBRINE),)
    own = player(at(BRAKKA, 7), mines=mines)
    table = round_ends(own, player(at(SAEL, 29), nation=Nation.HADRUN))
    assert table.stock(1).umbrine == 1
    assert table.stock(0).umbrine == 2


def test_8_4_mines_have_no_other_limit_than_their_cards() -> None:
    mines = tuple(BoardMine(field, UMBRINE) for field in range(5, 13))
    table = given(player(finder(MIRREL), mines=mines, **PURSE), OTHER)
    assert table.refuses(0, FoundMine(VERDANE)) == ""


def test_3_4_nation_mines_lie_on_the_card_where_nobody_can_raid_them() -> None:
    table = round_ends(player(at(BRAKKA, CORE)), player(at(SAEL, 55), nation=Nation.HADRUN))
    assert table.stock(0) == Stock(cindrite=1, aurelin=1, verdane=1)


def test_14_10_spoils_may_make_the_loser_unable_to_pay_for_a_mine() -> None:
    founder = player(
        finder(), at(MIRREL, 33), crowns=9, stock=Stock(verdane=1, umbrine=1), nation=Nation.HADRUN
    )
    attacker = player(at(VARG, 55), stock=each(9))
    table = given(founder, attacker).plays(0, ChooseHero(BRAKKA), FoundMine(VERDANE))
    table.walks(1, 32).plays(0, Mine()).mines(VEIN, (ROCK, 1))
    # Varg takes all that is left, and with it the piece that the mine would have cost.
    table.walks(3, 41).plays(1, StartDispute(MIRREL)).fights(6, 1)
    assert table.stock(0) == Stock()
    table.plays(1, Mine()).mines(VEIN, (ROCK, 1))
    assert table.state.round == 6
    assert table.sheet(0).mines == ()


def test_8_2_the_turn_is_lost_if_the_hero_has_died() -> None:
    founder = player(finder(), at(MIRREL, 0, acted=True), **PURSE)
    attacker = player(at(VARG, 41), stock=each(9))
    table = given(founder, attacker).plays(0, FoundMine(VERDANE))
    table.walks(3, 31).plays(1, StartDispute(BRAKKA)).fights(6, 1)
    table.plays(1, Mine()).mines(VEIN, (ROCK, 1))
    assert table.state.round == 6
    assert table.sheet(0).mines == ()
    assert table.sheet(0).crowns == 20 + 6


def test_8_1_a_deposit_lapses_with_the_death_of_its_hero() -> None:
    # Brakka died with a deposit, and comes back from the sand.
    table = given(
        player(at(MIRREL, CORE), at(TORVIN, 4)),
        OTHER,
        phase=Phase.ARRIVALS,
        round=7,
        queue=(0,),
        undrawn=(),
        sand=(BRAKKA,),
    )
    table.falls(DrawHero(BRAKKA)).plays(0, PlaceHero(42))
    assert table.hero(BRAKKA).deposits == ()
    assert not table.hero(BRAKKA).seasoned


@pytest.mark.parametrize("round_", [1, 2, 4])
def test_14_12_the_truce_does_not_hinder_raids(round_: int) -> None:
    own = player(at(BRAKKA, 7), stock=each(2), mines=(BoardMine(CORE, UMBRINE),))
    raider = player(at(SAEL, CORE), nation=Nation.HADRUN, stock=each(2))
    fields = {"phase": Phase.ARRIVALS, "queue": ()}
    table = given(own, raider, round=round_, **fields)
    sent = each(1) if round_ > 1 else Stock()
    harvest = Stock(lazspar=1, umbrine=1, paleglass=1) + Stock(umbrine=2)
    assert table.stock(1) == each(2) - sent + harvest


def test_2_3_mine_cards_are_limited_to_eight_of_each_mineral() -> None:
    table = given(player(finder(), **PURSE), OTHER)
    # Vesk has one of verdane on its card, Hadrun one of umbrine.
    assert cards_left(table.state, VERDANE) == 7
    assert cards_left(table.state, UMBRINE) == 7
    assert cards_left(table.plays(0, FoundMine(VERDANE)).state, VERDANE) == 6
