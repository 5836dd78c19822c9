"""The facts add up as the printed sheets do."""

from __future__ import annotations

from collections import Counter
from itertools import chain

from services.hadrians_wall.state import Sheet
from tests.hadrians_wall.independent import facts
from tests.hadrians_wall.independent.facts import FACTS, gain, icons


def both_sheets() -> Counter[str]:
    """All one-off icons of both sheets, without courthouse, gladiators, income and defence."""
    diplomats = [gain(FACTS["diplomats"]["gain"])] * len(FACTS["diplomats"]["levels"])
    return icons(
        chain(
            *(line.boxes for line in facts.LINES.values()),
            facts.COHORT * 3,
            *facts.SCALES.values(),
            (plan.gain for plan in facts.BUILDINGS.values()),
            (gained for _, gained in facts.LANDMARKS.values()),
            [gain(FACTS["training"]["gain"])] * FACTS["training"]["boxes"],
            facts.MARKET,
            facts.NEW_GOOD,
            facts.THEATRE,
            facts.TEMPLES,
            diplomats,
            facts.MAP,
            [gain(FACTS["scouts"]["row"])] * facts.ROWS,
        )
    )


def test_the_icons_of_both_sheets_add_up() -> None:
    printed = {facts.NAMES[icon]: count for icon, count in FACTS["icon_totals"].items()}
    assert dict(both_sheets()) == printed


def test_eighteen_cohort_icons_fill_eighteen_cohort_boxes() -> None:
    assert both_sheets()["cohort"] == 3 * len(facts.COHORT) == 18


def test_eight_hammers_and_a_filled_circle_make_nine() -> None:
    production = FACTS["production"]
    assert both_sheets()["production"] + production["filled_at_start"] == production["circles"]


def test_five_scouts_fill_the_map() -> None:
    assert len(FACTS["scouts"]["levels"]) * 4 == len(facts.MAP) == 20
    assert all(len(shape) == 4 for name in FACTS["patterns"] for shape in facts.shapes(name))


def test_the_potentials_fill_the_circles_of_disdain() -> None:
    assert sum(FACTS["attack"]["potential"]) == FACTS["disdain_circles"] == 15


def test_the_attacks_of_a_game_add_up() -> None:
    sums = {name: sum(FACTS["attack"][name]) for name in ("easy", "normal", "hard")}
    assert sums == {"easy": 24, "normal": 31, "hard": 37}


def test_the_fate_deck_is_even() -> None:
    assert len(facts.FATE) == 48
    assert all(sum(card.supply.values()) == 8 for card in facts.FATE)
    assert Counter(card.direction for card in facts.FATE) == {"left": 16, "centre": 16, "right": 16}
    assert Counter(card.gladiator for card in facts.FATE) == {1: 16, 2: 20, 3: 12}
    assert Counter(card.good for card in facts.FATE) == {1: 12, 2: 12, 3: 8, 4: 8, 5: 4, 6: 4}


def test_the_goods_of_the_player_cards() -> None:
    assert len(facts.CARDS) == 12
    goods = Counter(card.good for card in facts.CARDS.values())
    assert goods == {1: 3, 2: 4, 3: 1, 4: 2, 5: 1, 6: 1}


def test_seven_large_buildings() -> None:
    large = [name for name in facts.BUILDINGS if name.startswith("large_")]
    assert [facts.BUILDINGS[name].family for name in large] == FACTS["large_buildings"]


def test_the_model_knows_every_field_of_the_sheet() -> None:
    tracks = {*facts.LINES, *facts.SCALES, *facts.GOODS}
    tracks |= {f"cohort_{one}" for one in facts.COHORTS}
    tracks |= {plan.family for plan in facts.BUILDINGS.values()} | {*facts.LANDMARKS}
    assert tracks < set(Sheet.__struct_fields__)
