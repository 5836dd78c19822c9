"""Chapter 9: who may attack whom, two dice, spoils and the sand."""

from __future__ import annotations

from typing import Any

import pytest

from services.altarion.cards import MiningCard
from services.altarion.goods import Mineral, Stock, each
from services.altarion.rules.dispute import KeepPeace, Loot, RollDispute, StartDispute
from services.altarion.rules.mining import Mine
from services.altarion.rules.movement import ChooseHero
from services.altarion.rules.rounds import next_round
from services.altarion.state import Hero, Sheet
from services.gamekit.chance import Chance
from services.gamekit.game import NATURE
from tests.altarion.table import (
    BRAKKA,
    CORE,
    DASHKA,
    FAR,
    KASPAR,
    MIRREL,
    ONDO,
    SAEL,
    TORVIN,
    VARG,
    Table,
    at,
    given,
    player,
)

BESIDE, START = 31, 29
"""A field that touches the core, and one from which the core is one step away."""

VEIN, ROCK = MiningCard.VEIN_CINDRITE, MiningCard.HARD_ROCK_CINDRITE
OWN = Stock(cindrite=5)
RICH = Stock(aurelin=2, umbrine=3)


def enemy(*heroes: Hero, stock: Stock = RICH, **fields: Any) -> Sheet:
    """A player with another hero far away, who survives a lost dispute."""
    return player(*heroes, at(ONDO, FAR[0]), stock=stock, **fields)


def arrived(attacker: int, *others: Sheet, die: int = 1, **fields: Any) -> Table:
    """Seat 0's hero has moved to the core; it has another one far away, which has acted."""
    own = player(at(attacker, START), at(KASPAR, FAR[5], acted=True), stock=OWN)
    return given(own, *others, **fields).walks(die, CORE)


def attacked(attacker: int, defender: int, **fields: Any) -> Table:
    """Seat 0's hero attacks one of seat 1."""
    return arrived(attacker, enemy(at(defender, BESIDE)), **fields).plays(0, StartDispute(defender))


def test_9_1_a_dispute_is_between_heroes_on_touching_fields() -> None:
    table = arrived(BRAKKA, enemy(at(SAEL, BESIDE), at(MIRREL, 33)))
    assert table.asks(0, "dispute")
    assert table.answers() == [StartDispute(SAEL), KeepPeace()]
    assert table.refuses(0, StartDispute(MIRREL)) == "no_dispute_possible"


def test_14_4_without_a_hero_in_reach_none_is_offered() -> None:
    assert arrived(BRAKKA, enemy(at(SAEL, 33))).asks(0, "action")


def test_9_2_a_dispute_comes_after_the_move_and_does_not_replace_the_action() -> None:
    table = arrived(BRAKKA, enemy(at(SAEL, BESIDE)))
    assert table.plays(0, KeepPeace()).asks(0, "action")
    table = attacked(BRAKKA, SAEL).fights(6, 1)
    table.plays(0, Loot(Mineral.AURELIN), Loot(Mineral.AURELIN))
    assert table.asks(0, "action")


def test_9_2_heroes_of_the_same_player_never_dispute() -> None:
    own = player(at(BRAKKA, START), at(TORVIN, BESIDE, acted=True))
    table = given(own, enemy(at(SAEL, 55))).walks(1, CORE)
    assert table.asks(0, "action")


@pytest.mark.parametrize(
    ("attacker", "defender", "dice", "winner"),
    [
        (DASHKA, SAEL, (1, 2), DASHKA),  # 5 against 4
        (DASHKA, SAEL, (1, 4), SAEL),  # 5 against 6
        (BRAKKA, SAEL, (1, 3), BRAKKA),  # 6 (attack 1) against 5
        (BRAKKA, SAEL, (1, 4), None),  # 6 against 6
        (SAEL, DASHKA, (2, 1), SAEL),  # 6 (attack 2) against 5
        (SAEL, TORVIN, (1, 1), None),  # 5 (attack 2) against 5 (defend 1)
        (DASHKA, TORVIN, (1, 1), None),  # 5 against 5 (defend 1)
        (TORVIN, DASHKA, (2, 1), None),  # 5 against 5: Torvin's defend does not help him attack
        (DASHKA, BRAKKA, (2, 1), DASHKA),  # 6 against 5: Brakka's attack does not help him defend
    ],
)
def test_9_1_9_3_the_higher_total_wins_and_the_loser_dies(
    attacker: int, defender: int, dice: tuple[int, int], winner: int | None
) -> None:
    table = attacked(attacker, defender).fights(*dice)
    while table.prompt == "loot":
        table.plays(table.seat, table.answers()[0])
    alive = {hero.card for _, hero in table.state.heroes()}
    both = {attacker, defender}
    assert both & alive == ({winner} if winner is not None else both)


def test_9_3_on_equal_totals_nobody_dies_and_the_attacker_acts() -> None:
    table = attacked(BRAKKA, SAEL).fights(1, 4)
    assert table.asks(0, "action")
    assert table.stock(1) == RICH
    assert table.hero(SAEL).disputed
    assert table.hero(BRAKKA).disputed


@pytest.mark.parametrize("round_", [1, 4])
def test_9_4_there_is_no_dispute_before_round_five(round_: int) -> None:
    assert arrived(BRAKKA, enemy(at(SAEL, BESIDE)), round=round_).asks(0, "action")


@pytest.mark.parametrize("die", [5, 6])
def test_9_5_who_has_run_is_out_of_breath(die: int) -> None:
    own = player(at(BRAKKA, 12), stock=OWN)
    table = given(own, enemy(at(SAEL, BESIDE))).walks(die, CORE)
    assert table.hero(BRAKKA).field == CORE
    assert table.asks(0, "action")


def test_14_14_a_third_step_by_stride_does_not_cost_the_breath() -> None:
    table = given(player(at(DASHKA, 12)), enemy(at(SAEL, BESIDE))).walks(4, CORE)
    assert table.hero(DASHKA).field == CORE
    assert table.asks(0, "dispute")


def test_9_5_a_hero_that_has_not_had_its_first_turn_is_left_alone() -> None:
    table = arrived(BRAKKA, enemy(at(SAEL, BESIDE, seasoned=False)))
    assert table.asks(0, "action")


def test_9_5_a_hero_in_its_first_turn_may_attack() -> None:
    own = player(at(BRAKKA, START, seasoned=False))
    assert given(own, enemy(at(SAEL, BESIDE))).walks(1, CORE).asks(0, "dispute")


def test_9_5_a_hero_has_one_dispute_a_round() -> None:
    table = arrived(BRAKKA, enemy(at(SAEL, BESIDE, disputed=True)))
    assert table.asks(0, "action")
    own = player(at(BRAKKA, START, disputed=True))
    assert given(own, enemy(at(SAEL, BESIDE))).walks(1, CORE).asks(0, "action")


def two_attackers(dice: tuple[int, int]) -> Table:
    """Seat 0 attacks seat 1, then walks with its other hero beside another hero of seat 1."""
    own = player(at(BRAKKA, START), at(TORVIN, 10), stock=OWN)
    foe = enemy(at(SAEL, BESIDE), at(MIRREL, 24))
    third = player(at(VARG, 25), stock=RICH)
    table = given(own, foe, third).plays(0, ChooseHero(BRAKKA)).walks(1, CORE)
    table.plays(0, StartDispute(SAEL)).fights(*dice)
    while table.prompt == "loot":
        table.plays(0, table.answers()[0])
    return table.plays(0, Mine()).mines(VEIN, (ROCK, 1)).walks(1, 17)


@pytest.mark.parametrize("dice", [(6, 1), (1, 4)])
def test_9_5_14_18_a_player_starts_one_dispute_a_round_against_each_opponent(
    dice: tuple[int, int],
) -> None:
    table = two_attackers(dice)
    assert table.sheet(0).challenged == (1,)
    # Mirrel of seat 1 is in reach, but only Varg of seat 2 may be attacked.
    assert table.answers() == [StartDispute(VARG), KeepPeace()]


def test_9_5_what_a_round_used_up_is_free_again_in_the_next() -> None:
    state = attacked(BRAKKA, SAEL).fights(1, 4).state
    after = next_round(state, state.first)
    assert all(sheet.challenged == () for sheet in after.sheets)
    assert not any(hero.disputed or hero.acted for _, hero in after.heroes())


def test_9_6_the_winner_takes_two_minerals_of_choice() -> None:
    table = attacked(BRAKKA, SAEL).fights(6, 1)
    assert table.asks(0, "loot")
    assert table.answers() == [Loot(Mineral.AURELIN), Loot(Mineral.UMBRINE)]
    assert table.refuses(0, Loot(Mineral.CINDRITE)) == "not_in_stock"
    table.plays(0, Loot(Mineral.UMBRINE), Loot(Mineral.AURELIN))
    assert table.stock(0) == OWN + Stock(umbrine=1, aurelin=1)
    assert table.stock(1) == Stock(umbrine=2, aurelin=1)


def test_9_6_so_does_a_defender_who_wins() -> None:
    own = player(at(BRAKKA, START), at(KASPAR, FAR[5], acted=True), stock=each(2))
    table = given(own, enemy(at(SAEL, BESIDE))).walks(1, CORE).plays(0, StartDispute(SAEL))
    table.fights(1, 6)
    assert table.asks(1, "loot")
    table.plays(1, Loot(Mineral.LAZSPAR), Loot(Mineral.LAZSPAR))
    assert table.stock(1) == RICH + Stock(lazspar=2)
    assert BRAKKA not in {hero.card for _, hero in table.state.heroes()}


def test_2_6_plunder_takes_two_minerals_more() -> None:
    table = attacked(VARG, SAEL).fights(6, 1)
    table.plays(0, *[Loot(Mineral.UMBRINE)] * 3)
    # One is due, and only aurelin is left: it is taken without a question.
    assert table.stock(0) == OWN + Stock(umbrine=3, aurelin=1)
    assert table.asks(0, "action")


def test_2_6_plunder_helps_its_hero_alone() -> None:
    own = player(at(BRAKKA, START), at(KASPAR, FAR[5], acted=True), stock=each(2))
    table = given(own, enemy(at(VARG, BESIDE))).walks(1, CORE).plays(0, StartDispute(VARG))
    table.fights(1, 6)
    assert table.state.turn is not None
    assert table.state.turn.due == 4


@pytest.mark.parametrize("stock", [Stock(), Stock(verdane=1), Stock(verdane=1, umbrine=1)])
def test_9_6_all_is_taken_without_a_question_where_there_is_no_more(stock: Stock) -> None:
    table = arrived(BRAKKA, enemy(at(SAEL, BESIDE), stock=stock)).plays(0, StartDispute(SAEL))
    table.fights(6, 1)
    assert table.asks(0, "action")
    assert table.stock(0) == OWN + stock
    assert table.stock(1) == Stock()


def test_9_7_the_beaten_hero_goes_to_the_bottom_of_the_pile() -> None:
    table = attacked(BRAKKA, SAEL, sand=(7,)).fights(6, 1)
    table.plays(0, Loot(Mineral.UMBRINE), Loot(Mineral.UMBRINE))
    assert table.state.sand == (7, SAEL)


def test_14_2_a_hero_killed_in_its_own_attack_does_not_act() -> None:
    own = player(at(BRAKKA, START), at(KASPAR, FAR[5]))
    table = given(own, enemy(at(SAEL, BESIDE))).plays(0, ChooseHero(BRAKKA)).walks(1, CORE)
    table.plays(0, StartDispute(SAEL)).fights(1, 6)
    # The other hero of the same player is next.
    assert table.asks(NATURE, "roll")
    assert table.state.turn is not None
    assert table.state.turn.hero == KASPAR


def test_13_1_the_attackers_die_falls_first() -> None:
    chance = Chance(b"labels")
    RollDispute.resolve(attacked(BRAKKA, SAEL).state, chance)
    assert [draw.label for draw in chance.taken()] == [
        f"die/5/0/{BRAKKA}/attack/1",
        f"die/5/1/{SAEL}/defend/1",
    ]


def test_9_1_dice_have_six_faces() -> None:
    table = attacked(BRAKKA, SAEL)
    assert table.refuses(NATURE, RollDispute(7, 1)) == "no_such_roll"
    assert table.refuses(NATURE, RollDispute(1, 0)) == "no_such_roll"
