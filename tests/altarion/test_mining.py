"""Chapter 6: two cards, hard rock, minerals of choice, deposits."""

from __future__ import annotations

from typing import Any

import pytest

from services.altarion.board import NEIGHBOURS
from services.altarion.cards import MiningCard
from services.altarion.goods import WHEEL, Mineral, Stock
from services.altarion.piles import MINING_PILE, Pile
from services.altarion.rules.exploration import Explore
from services.altarion.rules.mining import DrawMining, Mine, Pick, Struck
from services.altarion.state import BoardMine
from services.gamekit.chance import Chance
from services.gamekit.game import NATURE
from tests.altarion.table import (
    BRAKKA,
    CORE,
    FAR,
    HATHE,
    MIRREL,
    ONDO,
    OUTCROP,
    PLAIN,
    SAEL,
    Table,
    at,
    given,
    player,
)

VEIN, VEIN_TOO = MiningCard.VEIN_CINDRITE, MiningCard.VEIN_AURELIN
ROCK, ROCK_TOO = MiningCard.HARD_ROCK_UMBRINE, MiningCard.HARD_ROCK_AURELIN
DEPOSIT, DEPOSIT_TOO = MiningCard.DEPOSIT_VERDANE, MiningCard.DEPOSIT_PALEGLASS


def mining_on(field: int, hero: int = MIRREL, **fields: Any) -> Table:
    """A hero moved to a field next to its own and mines there."""
    start = NEIGHBOURS[field][0]
    table = given(player(at(hero, start)), player(at(SAEL, FAR[0])), round=1, **fields)
    return table.walks(1, field).plays(0, Mine())


def test_5_6_after_the_move_a_hero_mines_or_explores() -> None:
    table = given(player(at(MIRREL, CORE)), player(at(SAEL, FAR[0]))).walks(1, PLAIN)
    assert table.asks(0, "action")
    assert table.answers() == [Mine(), Explore()]


def test_6_1_two_positive_cards_are_a_success() -> None:
    assert mining_on(PLAIN).mines(VEIN, DEPOSIT).asks(0, "pick")


@pytest.mark.parametrize("roll", [1, 2])
def test_6_1_hard_rock_needs_a_3(roll: int) -> None:
    assert mining_on(PLAIN).mines(VEIN, (ROCK, roll)).prompt != "pick"
    assert mining_on(PLAIN).mines((ROCK, roll), VEIN).prompt != "pick"
    assert mining_on(PLAIN).mines((ROCK, roll), (ROCK_TOO, 6)).prompt != "pick"


@pytest.mark.parametrize("roll", [3, 4, 5, 6])
def test_6_1_hard_rock_is_positive_from_3(roll: int) -> None:
    assert mining_on(PLAIN).mines((ROCK, roll), (ROCK_TOO, 3)).asks(0, "pick")


def test_2_2_no_rock_is_hard_on_an_outcrop() -> None:
    table = mining_on(OUTCROP)
    assert table.refuses(NATURE, DrawMining((Struck(ROCK, 1), Struck(VEIN)))) == "wrong_roll"
    assert table.mines(ROCK, ROCK_TOO).asks(0, "pick")


def test_2_6_no_rock_is_hard_for_the_sure() -> None:
    assert mining_on(PLAIN, ONDO).mines(ROCK, ROCK_TOO).asks(0, "pick")


def test_6_1_every_hard_rock_is_rolled_for_and_nothing_else() -> None:
    table = mining_on(PLAIN)
    assert table.refuses(NATURE, DrawMining((Struck(ROCK), Struck(VEIN)))) == "wrong_roll"
    assert table.refuses(NATURE, DrawMining((Struck(VEIN, 4), Struck(VEIN)))) == "wrong_roll"
    assert table.refuses(NATURE, DrawMining((Struck(ROCK, 7), Struck(VEIN)))) == "wrong_roll"
    assert table.refuses(NATURE, DrawMining((Struck(VEIN),))) == "wrong_size"


def test_6_2_a_success_brings_minerals_of_choice_by_mining() -> None:
    table = mining_on(PLAIN, MIRREL).mines(VEIN, VEIN_TOO)
    assert table.answers() == [Pick(mineral) for mineral in WHEEL]
    picks = (Mineral.LAZSPAR, Mineral.LAZSPAR, Mineral.UMBRINE)
    table.plays(0, *map(Pick, picks))
    assert table.asks(0, "pick")
    table.plays(0, Pick(Mineral.CINDRITE))
    assert table.stock(0) == Stock(lazspar=2, umbrine=1, cindrite=1)
    assert table.prompt != "pick"


def test_2_6_ore_brings_one_mineral_more() -> None:
    table = mining_on(PLAIN, HATHE).mines(VEIN, VEIN_TOO)
    table.plays(0, *[Pick(Mineral.VERDANE)] * 3)
    assert table.stock(0) == Stock(verdane=3)
    assert table.prompt != "pick"


def test_6_2_a_failure_brings_nothing() -> None:
    table = mining_on(PLAIN, BRAKKA).mines((ROCK, 1), VEIN)
    assert table.stock(0) == Stock()


def test_6_3_a_deposit_allows_a_mine_next_turn() -> None:
    table = mining_on(PLAIN).mines(VEIN, DEPOSIT)
    assert table.hero(MIRREL).deposits == (Mineral.VERDANE,)


def test_6_3_it_does_so_even_if_the_mining_failed() -> None:
    table = mining_on(PLAIN).mines((ROCK, 1), DEPOSIT)
    assert table.hero(MIRREL).deposits == (Mineral.VERDANE,)


def test_14_5_mining_is_possible_on_a_field_with_a_mine() -> None:
    mine = BoardMine(PLAIN, Mineral.AURELIN)
    players = (player(at(MIRREL, CORE)), player(at(SAEL, FAR[0]), mines=(mine,)))
    table = given(*players).walks(1, PLAIN)
    assert table.plays(0, Mine()).mines(VEIN, VEIN).asks(0, "pick")


def test_14_6_a_deposit_under_a_mine_cannot_be_used() -> None:
    mine = BoardMine(PLAIN, Mineral.AURELIN)
    players = (player(at(MIRREL, CORE)), player(at(SAEL, FAR[0]), mines=(mine,)))
    table = given(*players).walks(1, PLAIN).plays(0, Mine()).mines(DEPOSIT, DEPOSIT_TOO)
    assert table.hero(MIRREL).deposits == ()


def test_14_7_two_deposits_leave_the_choice_for_the_next_turn() -> None:
    table = mining_on(PLAIN).mines(DEPOSIT_TOO, DEPOSIT)
    assert table.hero(MIRREL).deposits == (Mineral.VERDANE, Mineral.PALEGLASS)
    table = mining_on(PLAIN).mines(DEPOSIT, DEPOSIT)
    assert table.hero(MIRREL).deposits == (Mineral.VERDANE,)


def only(**cards: int) -> tuple[int, ...]:
    """Counts of a mining pile that holds nothing else."""
    return tuple(cards.get(card.value, 0) for card in MiningCard)


def test_6_4_used_cards_are_discarded_after_the_action() -> None:
    pile = mining_on(PLAIN).mines(VEIN, DEPOSIT).state.mining
    assert pile.used == only(vein_cindrite=1, deposit_verdane=1)
    assert sum(pile.left) == 46
    assert pile.drawn == 2


def test_6_4_an_empty_pile_is_refilled_from_its_discard_in_the_middle_of_a_mining() -> None:
    pile = Pile(only(vein_cindrite=1), only(deposit_verdane=3))
    table = mining_on(PLAIN, mining=pile)
    assert table.refuses(NATURE, DrawMining((Struck(VEIN), Struck(VEIN)))) == "not_in_pile"
    table.mines(VEIN, DEPOSIT)
    assert table.state.mining == Pile(
        only(deposit_verdane=2), only(vein_cindrite=1, deposit_verdane=1), drawn=2
    )


def test_6_4_a_pile_is_refilled_when_a_card_is_needed_not_before() -> None:
    pile = Pile(only(vein_cindrite=2), only(deposit_verdane=3))
    after = mining_on(PLAIN, mining=pile).mines(VEIN, VEIN).state.mining
    assert sum(after.left) == 0
    assert after.used == only(vein_cindrite=2, deposit_verdane=3)


def test_13_1_cards_and_dice_are_drawn_one_after_the_other() -> None:
    pile = Pile(only(hard_rock_umbrine=2), only(), drawn=7)
    table = mining_on(PLAIN, mining=pile)
    chance = Chance(b"labels")
    DrawMining.resolve(table.state, chance)
    assert [draw.label for draw in chance.taken()] == [
        "mining/7",
        f"die/1/0/{MIRREL}/rock/1",
        "mining/8",
        f"die/1/0/{MIRREL}/rock/2",
    ]
    assert sum(MINING_PILE.left) == 48
