"""Another player takes a seat that was left to a bot."""

from __future__ import annotations

import pytest

from services.gamekit.game import IllegalAction, Seat
from services.referee.events import HandOver, Resign, TakeOver
from services.referee.table import Chair, Table
from tests.ambush.hosted import HOSTED

GAME = HOSTED.game


def table(*players: str) -> Table:
    """A fresh table of these players."""
    state = GAME.setup(len(players), GAME.Options())
    chairs = tuple(Chair(player=one) for one in players)
    return Table(state, chairs, GAME.decisions(state), (0,) * (len(players) + 1))


def refused(there: Table, taking: TakeOver) -> str:
    with pytest.raises(IllegalAction) as found:
        taking.apply(GAME, there, 0)
    return found.value.code


def test_who_takes_a_seat_is_its_player_from_now_on() -> None:
    left = HandOver(Seat(0)).apply(GAME, table("ann", "bob"), 0)
    taken = TakeOver(Seat(0), "cat").apply(GAME, left, 0)
    assert taken.chairs == (Chair(player="cat"), Chair(player="bob"))
    assert taken.state == left.state


def test_a_seat_whose_player_is_there_is_kept() -> None:
    assert refused(table("ann", "bob"), TakeOver(Seat(0), "cat")) == "seat_not_left"


def test_a_bot_s_own_seat_is_kept() -> None:
    there = table("ann", "bob").with_chair(Seat(1), Chair(bot="random"))
    assert refused(there, TakeOver(Seat(1), "cat")) == "seat_not_left"


def test_a_seat_that_the_game_has_retired_is_kept() -> None:
    gone = Resign(Seat(0)).apply(GAME, table("ann", "bob", "dan"), 0)
    assert refused(gone, TakeOver(Seat(0), "cat")) == "seat_not_left"


def test_nobody_gets_a_second_seat() -> None:
    left = HandOver(Seat(0)).apply(GAME, table("ann", "bob"), 0)
    assert refused(left, TakeOver(Seat(0), "bob")) == "seated_already"
