"""The tables say what the content data of the rules document says (chapter 2)."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

from services.altarion import board, cards, tracks
from services.altarion.cards import Ability, ExplorationCard, MiningCard, Nation, Parameter, Special
from services.altarion.goods import WHEEL, Stock, each, rolled
from services.altarion.state import AltarionOptions
from services.gamekit.game import IllegalOptions

DATA: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "rules.yaml").read_text())


def test_2_1_the_board_is_a_hexagon_of_61_fields() -> None:
    fields = {number: [f.q, f.r, f.kind.value] for number, f in enumerate(board.FIELDS)}
    assert fields == DATA["board"]["fields"]
    assert len(fields) == 61


def test_2_1_fields_touch_along_the_six_directions() -> None:
    where = {(field.q, field.r): number for number, field in enumerate(board.FIELDS)}
    for number, field in enumerate(board.FIELDS):
        touching = {
            where[field.q + q, field.r + r]
            for q, r in DATA["board"]["directions"]
            if (field.q + q, field.r + r) in where
        }
        assert set(board.NEIGHBOURS[number]) == touching


def test_2_2_kinds_of_fields_are_counted_and_limited() -> None:
    counts = Counter(field.kind.value for field in board.FIELDS)
    assert counts == {"plain": 42, "outcrop": 12, "ruins": 6, "core": 1}
    limits = {kind: data["explore_limit"] for kind, data in DATA["board"]["field_kinds"].items()}
    assert {kind.value: limit for kind, limit in board.EXPLORATION_LIMIT.items()} == limits


def test_2_2_the_board_looks_the_same_from_every_side() -> None:
    where = {(field.q, field.r): field.kind for field in board.FIELDS}
    assert where == {(-r, q + r): kind for (q, r), kind in where.items()}


def test_2_3_minerals_stand_on_a_wheel_by_the_faces_of_a_die() -> None:
    for data in DATA["minerals"]:
        assert WHEEL[data["wheel"]] == data["id"]
        assert rolled(data["die"]) == data["id"]
        assert data["mine_cards"] == tracks.MINE_CARDS


@pytest.mark.parametrize("data", DATA["nations"], ids=lambda data: data["id"])
def test_2_4_a_nation_card(data: dict[str, Any]) -> None:
    card = cards.NATIONS[Nation(data["id"])]
    assert card.favours == data["favours"]
    assert (card.start_pay, card.income) == (data["start_pay"], data["income"])
    assert card.income == card.start_pay // 10
    assert list(card.mines) == data["mines"]


@pytest.mark.parametrize("data", DATA["heroes"], ids=lambda data: data["name"])
def test_2_5_a_hero_card(data: dict[str, Any]) -> None:
    card = cards.HEROES[data["id"]]
    assert card.name == data["name"]
    assert (card.strength, card.mining) == (data["strength"], data["mining"])
    assert card.strength + card.mining == 5
    assert (card.ability, card.n) == (data["ability"], data["n"])


def test_2_6_each_kind_of_ability_is_on_two_heroes() -> None:
    assert set(Ability) == set(DATA["ability_kinds"])
    assert set(Counter(card.ability for card in cards.HEROES).values()) == {2}


def test_2_7_the_mining_pile() -> None:
    deck = DATA["mining_deck"]
    assert sum(seam.copies for seam in cards.MINING.values()) == deck["total"]
    for kind in deck["per_mineral"]:
        for mineral in WHEEL:
            seam = cards.MINING[MiningCard(f"{kind['kind']}_{mineral}")]
            assert seam.copies == kind["count"]
            assert ("always" if not seam.least else f"d6 >= {seam.least}") == kind["positive"]
            assert seam.deposit == (mineral if kind["kind"] == "deposit" else None)


def test_2_8_the_exploration_pile() -> None:
    deck = DATA["exploration_deck"]
    assert sum(trial.copies for trial in cards.EXPLORATION.values()) == deck["total"]
    for data in deck["cards"]:
        trial = cards.EXPLORATION[ExplorationCard(data["kind"])]
        added = "" if trial.parameter is Parameter.NOTHING else f" + {trial.parameter}"
        assert trial.copies == data["count"]
        assert (f"d6{added} >= {trial.least}" if trial.least else "always") == data["positive"]
        lost = data.get("failure", {}).get("lose_random_minerals", 0)
        assert trial.losses == lost
    assert deck["reward_per_positive"]["random_minerals"] == tracks.GAINS


@pytest.mark.parametrize("data", DATA["special_buildings"], ids=lambda data: data["id"])
def test_2_9_a_special_building(data: dict[str, Any]) -> None:
    price = dict(cards.SPECIALS[Special(data["id"])].items())
    assert {"crowns": tracks.SPECIAL_CROWNS, **price} == data["cost"]


def test_2_9_costs_go_along_the_wheel() -> None:
    for start, price in enumerate(cards.SPECIALS.values()):
        kinds = [WHEEL[(start + step) % len(WHEEL)] for step in range(3)]
        assert price == Stock(**dict(zip(kinds, (6, 4, 2), strict=True)))


def test_3_2_sides_and_who_sits_at_them() -> None:
    sides = {number: list(fields) for number, fields in enumerate(board.SIDES)}
    assert sides == DATA["board"]["sides"]
    assert {seats: list(sides) for seats, sides in board.SEAT_SIDES.items()} == (
        DATA["board"]["seat_sides"]
    )


def test_11_1_tribute_rises_with_special_buildings() -> None:
    for specials, total in DATA["tribute"]["by_special_buildings"].items():
        assert tracks.tribute(specials) == each(1 + specials)
        assert tracks.tribute(specials).total() == total


def test_numbers_that_stand_on_no_card() -> None:
    assert DATA["start_minerals_each"] == tracks.START_EACH
    assert DATA["mines"] == {
        "nation_mine_yield": tracks.NATION_YIELD,
        "board_mine_yield": tracks.BOARD_YIELD,
        "cost": {"crowns": tracks.MINE_CROWNS, "own_mineral": tracks.MINE_MINERALS},
        "per_field": 1,
    }
    assert DATA["movement"]["steps_by_die"] == tracks.STEPS
    assert tuple(DATA["movement"]["no_dispute_on_die"]) == tracks.BREATHLESS
    assert DATA["heroes_rule"]["max"] == tracks.MOST_HEROES
    assert DATA["dispute"]["first_round"] == tracks.TRUCE_ENDS
    assert DATA["dispute"]["spoils"] == tracks.SPOILS
    assert DATA["trade"]["amount"] == {"min": 1, "max": tracks.TRADE_MOST}
    assert DATA["mining_deck"]["drawn_per_mining"] == tracks.CARDS_A_MINING
    assert DATA["tribute"]["first_round"] == tracks.FIRST_TRIBUTE
    assert DATA["tribute"]["deadly_misses_in_a_row"] == tracks.DEADLY_MISSES
    assert DATA["special_goal"] == tracks.GOAL


def test_4_1_heroes_arrive_in_rounds_3_5_7() -> None:
    assert [round_ for round_ in range(1, 10) if tracks.recruits(round_)] == [3, 5, 7, 9]


def test_1_4_the_round_limit_is_30_or_chosen_from_20_to_60() -> None:
    assert DATA["round_limit"] == {
        "default": AltarionOptions().round_limit,
        "min": tracks.LEAST_ROUNDS,
        "max": tracks.MOST_ROUNDS,
    }
    for limit in (20, 60):
        AltarionOptions(limit).check(2)
    for limit in (19, 61, -1):
        with pytest.raises(IllegalOptions, match="bad_round_limit"):
            AltarionOptions(limit).check(2)
