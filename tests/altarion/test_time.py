"""Time-outs as the host deals with them (10.3, 13.4): the rules' own answer, then a bot."""

from __future__ import annotations

from services.altarion.game import GAME
from services.altarion.goods import Mineral, Stock
from services.altarion.rules.movement import Move
from services.altarion.rules.trade import DeclineOffer, MakeOffer
from services.altarion.state import State
from services.gamekit.chance import Chance
from services.gamekit.game import NATURE, Seat
from services.referee.clocks import Expiry, TimeControl
from services.referee.events import ClockExpired
from services.referee.table import Chair, laid
from services.referee.turn import Step, event
from tests.altarion.table import AROUND, BRAKKA, CORE, FAR, SAEL, TORVIN, at, given, player

BEGAN, TIME = 1_000, 60_000


def timed_out(state: State, seat: int, expiry: Expiry = "substitute") -> list[Step]:
    """What is logged when the time of the seat that is asked has run out."""
    chairs = tuple(Chair(player=name) for name in ("ada", "bea", "cem"))
    control = TimeControl(expiry, per_question_ms=TIME)
    table = laid(GAME, state, chairs, control, BEGAN)
    return event(GAME, table, ClockExpired(Seat(seat)), Chance(b"late"), BEGAN + TIME)


def market() -> State:
    """Seat 0 has made seat 1 an offer that would ruin nobody."""
    own = player(at(BRAKKA, CORE, acted=True), stock=Stock(cindrite=3))
    other = player(at(SAEL, 31, acted=True), stock=Stock(aurelin=3))
    third = player(at(TORVIN, FAR[0], acted=True))
    return given(own, other, third).plays(0, MakeOffer(Mineral.CINDRITE, Mineral.AURELIN, 2)).state


def test_10_3_a_time_out_declines() -> None:
    expired, declined, *_ = timed_out(market(), 1)
    assert expired.move == ClockExpired(Seat(1))
    assert (declined.seat, declined.move) == (1, DeclineOffer())
    assert [sheet.stock for sheet in declined.table.state.sheets[:2]] == [
        Stock(cindrite=3),
        Stock(aurelin=3),
    ]
    # From then on a bot plays the seat, until its player returns.
    assert declined.table.chairs[1] == Chair(player="bea", bot="easy")


def test_13_4_nature_goes_on_after_the_answer_of_a_time_out() -> None:
    others = (player(at(SAEL, FAR[0])), player(at(TORVIN, FAR[1])))
    state = given(player(at(BRAKKA, CORE)), *others).rolls(1).state
    assert [step.move for step in timed_out(state, 0)] == [ClockExpired(Seat(0)), Move(AROUND[0])]
    state = given(player(at(BRAKKA, CORE)), *others).walks(1, AROUND[0]).state
    _, _, drawn, *_ = timed_out(state, 0)
    assert drawn.seat == NATURE
    assert drawn.draws


def test_12_2_where_time_forfeits_the_player_dies_and_answers_nothing() -> None:
    expired, *_ = timed_out(market(), 1, "forfeit")
    assert expired.table.state.sheets[1].died == 1
    assert expired.table.state.offer is None
    assert not any(step.seat == 1 for step in timed_out(market(), 1, "forfeit")[1:])
