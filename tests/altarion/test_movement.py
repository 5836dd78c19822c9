"""Chapter 5: one hero per field, the die, walks that never return, and 2.6 stride."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given as hypothesis_given
from hypothesis import strategies as st

from services.altarion.board import FIELDS, NEIGHBOURS, distance
from services.altarion.goods import Mineral
from services.altarion.rules.arrivals import PlaceHero
from services.altarion.rules.movement import ChooseHero, Move, RollMove, walk
from services.altarion.state import BoardMine, Phase
from services.gamekit.game import NATURE
from tests.altarion.table import (
    AROUND,
    BRAKKA,
    CORE,
    DASHKA,
    FAR,
    MIRREL,
    SAEL,
    TORVIN,
    Table,
    at,
    given,
    player,
)

OTHER = player(at(SAEL, FAR[0]))


def on_core(*others: int, hero: int = BRAKKA) -> Table:
    """A hero on the core, opponents on other fields."""
    heroes = [at(card, field) for card, field in zip(range(6, 18), others, strict=False)]
    return given(player(at(hero, CORE)), player(*heroes, at(SAEL, FAR[0])))


def test_5_3_a_player_takes_each_own_hero_once_in_any_order() -> None:
    table = given(player(at(BRAKKA, CORE), at(TORVIN, 4)), OTHER)
    assert table.answers() == [ChooseHero(BRAKKA), ChooseHero(TORVIN)]
    assert table.refuses(0, ChooseHero(SAEL)) == "not_your_hero"
    table.plays(0, ChooseHero(TORVIN))
    assert table.hero(TORVIN).acted


def test_5_3_a_hero_that_has_acted_has_no_other_turn() -> None:
    table = given(player(at(BRAKKA, CORE), at(TORVIN, 4), at(MIRREL, 0, acted=True)), OTHER)
    assert table.refuses(0, ChooseHero(MIRREL)) == "hero_has_acted"


def test_5_3_the_only_hero_has_its_turn_without_a_question() -> None:
    assert on_core().asks(NATURE, "roll")


@pytest.mark.parametrize(("die", "steps"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3)])
def test_5_4_the_die_says_how_many_fields(die: int, steps: int) -> None:
    table = on_core().rolls(die)
    assert table.asks(0, "move")
    assert max(distance(CORE, field) for field in table.fields()) == steps


def test_5_4_there_is_no_seventh_face() -> None:
    assert on_core().refuses(NATURE, RollMove(7)) == "no_such_roll"
    assert on_core().refuses(NATURE, RollMove(0)) == "no_such_roll"


def test_5_4_one_step_leads_to_the_six_fields_around() -> None:
    assert on_core().rolls(1).fields() == list(AROUND)


def test_5_4_a_walk_does_not_return_to_where_it_started() -> None:
    assert CORE not in on_core().rolls(3).fields()


def test_5_5_two_steps_may_end_next_to_the_start() -> None:
    table = on_core().rolls(3)
    assert set(AROUND) < set(table.fields())
    assert len(table.fields()) == 18


def test_5_5_three_steps_may_bend_and_end_next_to_the_start() -> None:
    table = on_core().rolls(5)
    assert set(AROUND) < set(table.fields())
    assert len(table.fields()) == 36


def test_5_5_the_player_chooses_the_end_field() -> None:
    table = on_core().rolls(2)
    assert table.refuses(0, Move(CORE)) == "not_reachable"
    assert table.refuses(0, Move(FAR[1])) == "not_reachable"
    assert table.plays(0, Move(AROUND[2])).hero(BRAKKA).field == AROUND[2]


def test_5_2_heroes_block_the_way() -> None:
    # One way out, and behind it everything is open.
    table = on_core(*AROUND[1:]).rolls(1)
    assert table.hero(BRAKKA).field == AROUND[0]
    table = on_core(*AROUND[1:]).rolls(3)
    assert set(table.fields()) == set(NEIGHBOURS[AROUND[0]]) - {CORE, *AROUND}


def test_5_2_own_heroes_block_the_way_too() -> None:
    own = [at(card, field) for card, field in zip((TORVIN, MIRREL), AROUND, strict=False)]
    table = given(player(at(BRAKKA, CORE), *own), OTHER).plays(0, ChooseHero(BRAKKA))
    assert table.rolls(1).fields() == list(AROUND[2:])


def test_5_2_mines_do_not_block_the_way() -> None:
    mines = (BoardMine(AROUND[0], Mineral.AURELIN),)
    table = given(player(at(BRAKKA, CORE)), player(at(SAEL, FAR[0]), mines=mines))
    assert AROUND[0] in table.rolls(1).fields()


def test_5_5_without_a_path_of_that_length_the_longest_shorter_one_counts() -> None:
    # From the corner one may step to two fields that do not touch; what is behind them is held.
    corner, first, second = 0, 1, 5
    behind = {one for step in (first, second) for one in NEIGHBOURS[step]}
    held = behind - {corner, first, second}
    table = given(
        player(at(BRAKKA, corner)),
        player(*(at(card, field) for card, field in zip(range(6, 18), sorted(held), strict=False))),
    )
    assert distance(first, second) == 2
    assert table.rolls(6).fields() == [first, second]


def test_5_5_a_hero_with_one_way_to_go_takes_it() -> None:
    table = on_core(*AROUND[1:]).rolls(2)
    assert table.hero(BRAKKA).field == AROUND[0]
    assert table.prompt in ("action", "dispute")


def test_5_5_an_enclosed_hero_stays_and_still_acts() -> None:
    table = on_core(*AROUND).rolls(5)
    assert table.hero(BRAKKA).field == CORE
    assert table.asks(0, "action")


def test_2_6_stride_offers_one_step_more() -> None:
    plain = on_core().rolls(3).fields()
    longer = on_core(hero=DASHKA).rolls(3).fields()
    assert set(plain) < set(longer)
    assert {distance(CORE, field) for field in longer} == {1, 2, 3}


def test_2_6_stride_is_shortened_like_any_walk() -> None:
    table = on_core(*AROUND, hero=DASHKA).rolls(5)
    assert table.hero(DASHKA).field == CORE


def test_14_14_stride_is_optional() -> None:
    table = on_core(hero=DASHKA).rolls(1)
    assert set(AROUND) < set(table.fields())


def paths(field: int, steps: int, occupied: frozenset[int]) -> set[int]:
    """Ends of paths, found by trying every sequence of directions."""
    ends = set()
    where = {(one.q, one.r): number for number, one in enumerate(FIELDS)}
    directions = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
    for path in product(directions, repeat=steps):
        seen, (q, r) = {field}, (FIELDS[field].q, FIELDS[field].r)
        for dq, dr in path:
            q, r = q + dq, r + dr
            here = where.get((q, r))
            if here is None or here in seen or here in occupied:
                break
            seen.add(here)
        else:
            ends.add(where[q, r])
    return ends


@hypothesis_given(
    field=st.integers(0, 60),
    steps=st.integers(1, 4),
    others=st.frozensets(st.integers(0, 60), max_size=17),
    near=st.frozensets(st.integers(0, 5), max_size=6),
)
def test_5_5_walks_are_those_that_every_sequence_of_directions_finds(
    field: int, steps: int, others: frozenset[int], near: frozenset[int]
) -> None:
    around = NEIGHBOURS[field]
    occupied = others | {around[one] for one in near if one < len(around)} | {field}
    expected = next(
        (ends for length in range(steps, 0, -1) if (ends := paths(field, length, occupied))),
        {field},
    )
    assert walk(field, steps, occupied) == tuple(sorted(expected))


def test_5_1_a_newcomer_may_be_placed_beside_an_enemy() -> None:
    table = given(
        player(at(BRAKKA, CORE), arriving=TORVIN),
        player(at(SAEL, 49)),
        phase=Phase.ARRIVALS,
        queue=(0,),
    )
    assert table.plays(0, PlaceHero(55)).hero(TORVIN).field == 55
