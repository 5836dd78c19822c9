"""Chapter 7: cards one at a time, tests, random minerals, losses."""

from __future__ import annotations

from typing import Any

import pytest

from services.altarion.board import NEIGHBOURS
from services.altarion.cards import ExplorationCard
from services.altarion.goods import Mineral, Stock
from services.altarion.piles import Pile
from services.altarion.rules.exploration import (
    DrawAgain,
    DrawExploration,
    Explore,
    StopExploring,
    pieces,
)
from services.gamekit.chance import Chance
from services.gamekit.game import NATURE
from tests.altarion.table import (
    BRAKKA,
    CORE,
    ELOWET,
    FAR,
    JORM,
    KASPAR,
    MIRREL,
    OUTCROP,
    PLAIN,
    RUINS,
    SAEL,
    Table,
    at,
    given,
    player,
)

FIND, MIGHT, CRAFT, LUCK, PERIL = ExplorationCard
WON = (Mineral.CINDRITE, Mineral.UMBRINE)
OWN = Stock(aurelin=2, paleglass=1)


def exploring_on(field: int, hero: int = BRAKKA, stock: Stock = OWN, **fields: Any) -> Table:
    """A hero moved to a field next to its own and explores there."""
    start = NEIGHBOURS[field][0]
    players = (player(at(hero, start), stock=stock), player(at(SAEL, FAR[0])))
    return given(*players, round=1, **fields).walks(1, field).plays(0, Explore())


def passes(hero: int, card: ExplorationCard, roll: int) -> bool:
    """Whether a hero passes the test of a card with this die."""
    table = exploring_on(PLAIN, hero)
    return not table.refuses(NATURE, DrawExploration(card, roll, gained=WON))


def test_7_2_a_positive_card_gives_two_random_minerals() -> None:
    table = exploring_on(PLAIN).explores(FIND, gained=WON)
    assert table.stock(0) == OWN + Stock(cindrite=1, umbrine=1)
    assert exploring_on(PLAIN).refuses(NATURE, DrawExploration(FIND, None)) == "wrong_minerals"
    one = DrawExploration(FIND, None, gained=WON[:1])
    assert exploring_on(PLAIN).refuses(NATURE, one) == "wrong_minerals"


def test_7_1_after_a_positive_card_the_player_draws_again_or_stops() -> None:
    table = exploring_on(PLAIN).explores(FIND, gained=WON)
    assert table.asks(0, "more")
    assert table.answers() == [DrawAgain(), StopExploring()]
    assert table.plays(0, DrawAgain()).asks(NATURE, "exploration")
    table = exploring_on(PLAIN).explores(FIND, gained=WON).plays(0, StopExploring())
    assert table.state.turn is None or table.state.turn.hero != BRAKKA


@pytest.mark.parametrize(
    ("field", "hero", "limit"),
    [
        (PLAIN, BRAKKA, 2),
        (OUTCROP, BRAKKA, 2),
        (RUINS, BRAKKA, 3),
        (CORE, BRAKKA, 4),
        (PLAIN, JORM, 3),
        (CORE, JORM, 5),
    ],
)
def test_2_2_2_6_the_field_and_deep_limit_the_cards(field: int, hero: int, limit: int) -> None:
    table = exploring_on(field, hero)
    for number in range(1, limit + 1):
        assert table.asks(NATURE, "exploration")
        table.explores(FIND, gained=WON)
        if number < limit:
            table.plays(0, DrawAgain())
    assert table.prompt != "more"
    assert table.stock(0).total() == OWN.total() + 2 * limit


def test_7_1_the_first_card_that_is_not_positive_ends_the_exploration() -> None:
    table = exploring_on(CORE).explores(LUCK, 3)
    assert table.prompt not in ("more", "exploration")
    assert table.stock(0) == OWN


def test_7_3_what_was_won_stays_won() -> None:
    table = exploring_on(CORE).explores(FIND, gained=WON).plays(0, DrawAgain()).explores(MIGHT, 1)
    assert table.stock(0) == OWN + Stock(cindrite=1, umbrine=1)


@pytest.mark.parametrize(
    ("card", "hero", "least"),
    [
        (MIGHT, BRAKKA, 2),  # strength 4: 2 + 4 = 6
        (MIGHT, MIRREL, 5),  # strength 1
        (CRAFT, BRAKKA, 5),  # mining 1
        (CRAFT, MIRREL, 2),  # mining 4
        (LUCK, BRAKKA, 4),
        (LUCK, MIRREL, 4),
        (PERIL, BRAKKA, 3),  # strength 4: 3 + 4 = 7
        (PERIL, MIRREL, 6),
        (MIGHT, KASPAR, 1),  # lore 1, strength 4
        (CRAFT, KASPAR, 4),  # lore 1, mining 1
        (LUCK, KASPAR, 3),
        (PERIL, KASPAR, 2),
        (PERIL, ELOWET, 5),  # lore 1, strength 1
    ],
)
def test_2_8_2_6_tests_are_passed_from_this_roll_on(
    card: ExplorationCard, hero: int, least: int
) -> None:
    assert [roll for roll in range(1, 7) if passes(hero, card, roll)] == list(range(least, 7))


def test_2_8_a_find_is_not_rolled_for_and_a_test_is() -> None:
    table = exploring_on(PLAIN)
    assert table.refuses(NATURE, DrawExploration(FIND, 3, gained=WON)) == "wrong_roll"
    assert table.refuses(NATURE, DrawExploration(MIGHT, None, gained=WON)) == "wrong_roll"
    assert table.refuses(NATURE, DrawExploration(MIGHT, 7, gained=WON)) == "wrong_roll"


def test_7_3_a_failed_peril_costs_two_random_pieces() -> None:
    table = exploring_on(PLAIN).explores(PERIL, 1, lost=(Mineral.AURELIN, Mineral.PALEGLASS))
    assert table.stock(0) == Stock(aurelin=1)
    table = exploring_on(PLAIN).explores(PERIL, 1, lost=(Mineral.AURELIN, Mineral.AURELIN))
    assert table.stock(0) == Stock(paleglass=1)


def test_7_3_only_pieces_that_the_player_owns_are_lost() -> None:
    table = exploring_on(PLAIN)
    twice = DrawExploration(PERIL, 1, lost=(Mineral.PALEGLASS, Mineral.PALEGLASS))
    assert table.refuses(NATURE, twice) == "wrong_minerals"
    none = DrawExploration(PERIL, 1)
    assert table.refuses(NATURE, none) == "wrong_minerals"


@pytest.mark.parametrize("stock", [Stock(), Stock(verdane=1)])
def test_7_3_fewer_are_lost_if_there_are_fewer(stock: Stock) -> None:
    table = exploring_on(PLAIN, stock=stock)
    assert table.explores(PERIL, 1, lost=stock.kinds()).stock(0) == Stock()


def test_2_8_other_tests_cost_nothing_when_failed() -> None:
    for card in (MIGHT, CRAFT, LUCK):
        assert exploring_on(PLAIN).explores(card, 1).stock(0) == OWN


def only(**cards: int) -> tuple[int, ...]:
    """Counts of an exploration pile that holds nothing else."""
    return tuple(cards.get(card.value, 0) for card in ExplorationCard)


def test_6_4_cards_in_play_are_not_shuffled_into_the_pile() -> None:
    pile = Pile(only(find=1), only(luck=1))
    table = exploring_on(CORE, exploration=pile).explores(FIND, gained=WON).plays(0, DrawAgain())
    assert table.refuses(NATURE, DrawExploration(FIND, None, gained=WON)) == "not_in_pile"
    table.explores(LUCK, 2)
    assert table.state.exploration == Pile(only(), only(find=1, luck=1), drawn=2)


def labels(table: Table) -> list[str]:
    """What is drawn for the exploration that is due."""
    chance = Chance(b"labels")
    DrawExploration.resolve(table.state, chance)
    return [draw.label for draw in chance.taken()]


def test_13_1_per_card_the_test_die_then_its_minerals() -> None:
    table = exploring_on(CORE, exploration=Pile(only(find=9), only(), drawn=4))
    die = f"die/1/0/{BRAKKA}"
    assert labels(table) == ["exploration/4", f"{die}/mineral/1", f"{die}/mineral/2"]
    table.explores(FIND, gained=WON).plays(0, DrawAgain())
    assert labels(table) == ["exploration/5", f"{die}/mineral/3", f"{die}/mineral/4"]


def test_13_1_or_its_two_losses() -> None:
    table = exploring_on(CORE, MIRREL, exploration=Pile(only(peril=9), only()))
    for seed in range(20):
        chance = Chance(b"%d" % seed)
        move = DrawExploration.resolve(table.state, chance)
        if move.lost:
            draws = chance.taken()
            loss = f"loss/1/0/{MIRREL}"
            assert [draw.label for draw in draws] == [
                "exploration/0",
                f"die/1/0/{MIRREL}/trial/1",
                f"{loss}/1",
                f"{loss}/2",
            ]
            return
    raise AssertionError("no peril was failed")


def test_13_2_a_random_own_mineral_is_any_piece_in_wheel_order() -> None:
    # Pieces are drawn by their number on the wheel: the kernel lists numbers by size.
    assert pieces(OWN) == {2: 2, 6: 1}
