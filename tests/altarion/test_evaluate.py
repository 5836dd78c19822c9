"""How a position stands, for bots: what they should see at a glance."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from services.altarion.board import Kind
from services.altarion.cards import Special
from services.altarion.evaluate import evaluate
from services.altarion.game import GAME
from services.altarion.goods import Mineral, Stock, each
from services.altarion.odds import EXPLORING_WORTH, MINING_WORTH, winning
from services.altarion.rules.dispute import KeepPeace, StartDispute
from services.altarion.rules.exploration import DrawAgain, Explore
from services.altarion.rules.mines import FoundMine
from services.altarion.rules.mining import Mine, Pick
from services.altarion.rules.trade import AcceptOffer, DeclineOffer, MakeOffer
from services.altarion.rules.tribute import BuildNothing, BuildSpecial
from services.altarion.state import Ending, Phase, Stage, Turn
from services.bots.arena import match
from services.bots.simple import Chancer, Greedy
from services.gamekit.game import Action, Seat
from services.gamekit.play import play
from services.gamekit.testing import playout
from tests.altarion.table import (
    BRAKKA,
    CORE,
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

OTHER = player(at(SAEL, FAR[0]), stock=each(3))


def best(table: Table, seat: int = 0) -> Action[Any]:
    """What somebody would do who looks no further than the next position."""
    return max(
        table.answers(),
        key=lambda move: evaluate(play(GAME, table.state, Seat(seat), move), Seat(seat)),
    )


def test_the_end_outweighs_everything() -> None:
    over = {"phase": Phase.OVER, "ending": Ending.LIMIT, "queue": (), "round": 30}
    table = given(player(at(BRAKKA, 0), specials=(Special.SUN_VAULT,)), OTHER, **over)
    assert evaluate(table.state, Seat(0)) > 500 > -500 > evaluate(table.state, Seat(1))


def test_the_dead_stand_worse_than_anybody() -> None:
    dead = player(died=1)
    table = given(player(at(BRAKKA, 0)), dead, OTHER, deaths=1)
    assert evaluate(table.state, Seat(1)) < evaluate(table.state, Seat(0))
    assert evaluate(table.state, Seat(1)) < -500


def test_a_dead_opponent_is_an_advantage() -> None:
    alive = given(player(at(BRAKKA, 0)), OTHER, player(at(MIRREL, 4), stock=each(3)))
    dead = given(player(at(BRAKKA, 0)), OTHER, player(died=1), deaths=1)
    assert evaluate(dead.state, Seat(0)) > evaluate(alive.state, Seat(0))


@pytest.mark.parametrize("seats", [2, 4])
def test_every_position_can_be_judged_by_everybody(seats: int) -> None:
    for step in playout(GAME, seats, seed=4):
        for seat in range(seats):
            assert abs(evaluate(step.after, Seat(seat))) <= 1100


def test_who_is_about_to_win_builds() -> None:
    four = tuple(Special)[:4]
    rich = player(at(BRAKKA, 0), specials=four, crowns=60, stock=each(12))
    table = given(rich, OTHER, phase=Phase.SPECIALS)
    assert isinstance(best(table), BuildSpecial)


def test_who_is_far_from_winning_does_not_raise_the_tribute() -> None:
    table = given(
        player(at(BRAKKA, 0), crowns=25, stock=each(6)), OTHER, phase=Phase.SPECIALS, round=2
    )
    assert best(table) == BuildNothing()


def test_a_favourable_dispute_is_sought_and_another_one_is_not() -> None:
    strong = player(at(BRAKKA, 29), at(TORVIN, 56, acted=True), stock=each(3))
    weak = player(at(ONDO, 31), at(MIRREL, 4), stock=each(3))
    assert best(given(strong, weak).walks(1, CORE)) == StartDispute(ONDO)
    weak = player(at(ONDO, 29), at(MIRREL, 56, acted=True), stock=each(3))
    strong = player(at(BRAKKA, 31), at(TORVIN, 4), stock=each(3))
    assert best(given(weak, strong).walks(1, CORE)) == KeepPeace()


def test_a_miner_mines_and_a_fighter_explores() -> None:
    for hero, action in ((MIRREL, Mine()), (BRAKKA, Explore())):
        table = given(player(at(hero, 29), stock=each(3)), OTHER, round=1).walks(1, 38)
        assert best(table) == action


def test_a_mine_is_founded_early() -> None:
    finder = at(BRAKKA, CORE, deposits=(Mineral.VERDANE,))
    table = given(player(finder, stock=each(3), crowns=60), OTHER, round=3)
    assert best(table) == FoundMine(Mineral.VERDANE)


def test_what_is_short_for_the_tribute_is_picked_first() -> None:
    short = each(2) - Stock(umbrine=2)
    turn = Turn(BRAKKA, Stage.PICK, die=1, due=1)
    table = given(player(at(BRAKKA, CORE), stock=short), OTHER, turn=turn)
    assert best(table) == Pick(Mineral.UMBRINE)


def test_another_card_is_drawn() -> None:
    turn = Turn(BRAKKA, Stage.MORE, die=1)
    table = given(player(at(BRAKKA, CORE), stock=each(3)), OTHER, turn=turn)
    assert best(table) == DrawAgain()


def test_an_offer_that_helps_is_taken_and_another_one_is_not() -> None:
    def offered(give: Mineral, take: Mineral) -> Table:
        return given(
            player(at(BRAKKA, CORE, acted=True), stock=each(9)),
            player(at(SAEL, 31, acted=True), stock=Stock(cindrite=30, aurelin=1)),
            player(at(TORVIN, 0, acted=True), stock=each(9)),
        ).plays(0, MakeOffer(give, take, 1))

    assert best(offered(Mineral.VERDANE, Mineral.CINDRITE), 1) == AcceptOffer()
    assert best(offered(Mineral.CINDRITE, Mineral.AURELIN), 1) == DeclineOffer()


def test_the_chances_of_a_dispute_are_counted() -> None:
    assert winning(0) == (15 / 36, 15 / 36)
    assert winning(5) == (35 / 36, 0.0)
    assert winning(-6) == (0.0, 1.0)


def test_what_an_action_is_worth_follows_the_cards() -> None:
    # Both cards positive: (36 + 12 * 2/3) / 48 each on plain fields, always on an outcrop.
    deposits = (1 - (36 / 48) ** 2) * 0.8
    assert MINING_WORTH[Kind.PLAIN][MIRREL] == pytest.approx((44 / 48) ** 2 * 4 + deposits)
    assert MINING_WORTH[Kind.OUTCROP][MIRREL] == pytest.approx(4 + deposits)
    assert MINING_WORTH[Kind.PLAIN][ONDO] == pytest.approx(4 + deposits)
    assert EXPLORING_WORTH[BRAKKA][0] == 0
    assert EXPLORING_WORTH[BRAKKA][1] < EXPLORING_WORTH[BRAKKA][2]


def test_a_greedy_bot_beats_a_random_one() -> None:
    rng, won = Random(1), 0
    for number in range(6):
        seat = rng.randrange(2)
        bots = [Greedy() if one == seat else Chancer() for one in range(2)]
        played = match(GAME, GAME.Options(), bots, f"greedy/{number}")
        won += played.result.places[0].seat == seat
    assert won >= 5
