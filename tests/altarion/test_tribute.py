"""Chapter 11: tribute sent and missed, special buildings and what they need."""

from __future__ import annotations

from typing import Any

import pytest

from services.altarion.cards import SPECIALS, Special
from services.altarion.goods import Stock, each
from services.altarion.rules.tribute import BuildNothing, BuildSpecial
from services.altarion.state import Phase, Sheet
from tests.altarion.table import BRAKKA, CORE, FAR, SAEL, Table, at, given, player

OTHER = player(at(SAEL, FAR[0]), stock=each(9))
HARVEST = Stock(cindrite=1, aurelin=1, verdane=1)
"""Of Vesk's nation card."""

SPIRE, VAULT, DOME, ARCHIVE, OBSERVATORY, BEACON = Special


def after_phase_1(sheet: Sheet, round_: int = 6) -> Table:
    """The round before is over: tribute is due, and phases 2 and 3 follow."""
    return given(sheet, OTHER, phase=Phase.SPECIALS, round=round_ - 1)


def vesk(**fields: Any) -> Sheet:
    """A player of Vesk with one hero."""
    return player(at(BRAKKA, CORE), **fields)


def builder(**fields: Any) -> Table:
    """Phase 6 of round 5, and seat 0 can pay for whatever it likes."""
    rich = {"crowns": 60, "stock": each(12), **fields}
    return given(vesk(**rich), OTHER, phase=Phase.SPECIALS)


@pytest.mark.parametrize("specials", range(5))
def test_11_1_tribute_is_one_of_each_and_one_more_per_special_building(specials: int) -> None:
    table = after_phase_1(vesk(stock=each(7), specials=tuple(Special)[:specials]))
    assert table.stock(0) == each(7 - 1 - specials) + HARVEST
    assert table.sheet(0).sent


def test_11_1_there_is_no_tribute_in_round_one() -> None:
    table = given(vesk(stock=each(3)), OTHER, phase=Phase.FIRST_PLACES, round=0, queue=())
    assert table.state.round == 1
    assert table.stock(0) == each(3) + HARVEST
    assert table.sheet(0).sent


def test_4_2_tribute_comes_before_pay_and_harvest() -> None:
    # The harvest would have brought the missing cindrite.
    short = each(1) - Stock(cindrite=1)
    table = after_phase_1(vesk(stock=short, crowns=11))
    assert not table.sheet(0).sent
    assert table.sheet(0).crowns == 11 + 6


def test_11_2_who_lacks_one_piece_keeps_everything() -> None:
    short = each(5) - Stock(paleglass=5)
    table = after_phase_1(vesk(stock=short))
    assert table.stock(0) == short + HARVEST
    assert table.sheet(0).misses == 1


def test_11_2_misses_in_a_row_are_counted_until_one_is_sent() -> None:
    assert after_phase_1(vesk(misses=1)).sheet(0).misses == 2
    assert after_phase_1(vesk(misses=2, stock=each(1))).sheet(0).misses == 0


def test_14_15_crowns_never_replace_minerals() -> None:
    table = after_phase_1(vesk(crowns=500))
    assert not table.sheet(0).sent
    assert table.sheet(0).crowns == 500 + 6


def test_11_3_a_special_building_costs_crowns_and_minerals() -> None:
    table = builder().plays(0, BuildSpecial(SPIRE))
    assert table.sheet(0).specials == (SPIRE,)
    # Round 6 has begun: 2 of each were sent, 6 crowns and the harvest came in.
    assert table.sheet(0).crowns == 60 - 25 + 6
    assert table.stock(0) == each(12) - SPECIALS[SPIRE] - each(2) + HARVEST


def test_11_3_building_is_optional() -> None:
    table = builder()
    assert table.asks(0, "special")
    assert table.answers() == [*map(BuildSpecial, Special), BuildNothing()]
    assert table.plays(0, BuildNothing()).sheet(0).specials == ()


def test_11_3_one_is_built_a_round() -> None:
    table = builder().plays(0, BuildSpecial(SPIRE))
    assert table.state.round == 6


def test_2_9_each_is_built_once_by_each_player_and_not_competed_for() -> None:
    table = given(
        vesk(crowns=60, stock=each(12), specials=(SPIRE,)),
        player(at(SAEL, FAR[0]), crowns=60, stock=each(12)),
        phase=Phase.SPECIALS,
    )
    assert table.refuses(0, BuildSpecial(SPIRE)) == "already_built"
    table.plays(0, BuildSpecial(VAULT))
    assert table.refuses(1, BuildSpecial(SPIRE)) == ""
    assert table.refuses(1, BuildSpecial(VAULT)) == ""


def test_11_3_it_must_be_paid_for() -> None:
    assert builder(stock=SPECIALS[DOME]).answers() == [BuildSpecial(DOME), BuildNothing()]
    assert builder(stock=SPECIALS[DOME]).refuses(0, BuildSpecial(VAULT)) == "cannot_afford"
    poor = given(
        vesk(crowns=24, stock=each(12)),
        player(at(SAEL, FAR[0]), crowns=25, stock=each(12)),
        phase=Phase.SPECIALS,
    )
    # Seat 0 is not even asked (4.3).
    assert poor.asks(1, "special")


def test_11_3_the_tribute_of_this_round_must_have_been_sent() -> None:
    sheet = vesk(crowns=60, stock=each(12), sent=False, misses=1)
    other = player(at(SAEL, FAR[0]), crowns=60, stock=each(12))
    table = given(sheet, other, phase=Phase.SPECIALS)
    assert table.asks(1, "special")


def test_11_3_the_refusal_says_so() -> None:
    table = builder()
    state = table.state
    with_miss = vesk(crowns=60, stock=each(12), sent=False, misses=2)
    table.state = type(state)(
        options=state.options,
        sheets=(with_miss, OTHER),
        round=5,
        phase=Phase.SPECIALS,
        queue=state.queue,
    )
    assert table.refuses(0, BuildSpecial(SPIRE)) == "tribute_not_sent"


def test_14_17_after_a_miss_a_tribute_must_be_sent_first() -> None:
    table = after_phase_1(vesk(crowns=24, stock=each(12) - Stock(umbrine=12)))
    missed = table.sheet(0)
    assert missed.crowns >= 25
    assert not missed.sent
    # Phase 6 passes it by, until with umbrine in stock a tribute is sent.
    richer = given(missed, OTHER, phase=Phase.SPECIALS, round=6)
    assert richer.state.round == 7
    again = after_phase_1(vesk(crowns=24, stock=each(12), sent=False, misses=1), round_=8)
    assert (again.sheet(0).sent, again.sheet(0).misses) == (True, 0)


def test_11_4_a_player_in_arrears_may_do_everything_else() -> None:
    table = given(vesk(sent=False, misses=2, stock=each(3)), OTHER)
    assert table.walks(1, 31).asks(0, "action")


def test_14_1_a_special_building_may_be_built_in_round_one() -> None:
    table = given(vesk(crowns=60, stock=each(12)), OTHER, phase=Phase.SPECIALS, round=1)
    assert table.asks(0, "special")
