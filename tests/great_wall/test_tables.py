"""The tables say what the house set says, read from its own file by code of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from services.great_wall.amounts import Counter
from services.great_wall.cards.advisors import ADVISORS
from services.great_wall.cards.artifacts import ARTIFACTS
from services.great_wall.cards.board import (
    PLACES,
    QIN_TRACK,
    REED_START,
    SETUPS,
    SOLDIER_COST,
    WALL,
)
from services.great_wall.cards.commands import COMMANDS, REED_CARD, REED_SOLO_BOTTOM, SOLO, Command
from services.great_wall.cards.generals import GENERALS
from services.great_wall.cards.hordes import FACES, HordeCard
from services.great_wall.cards.tactics import TACTICS
from services.great_wall.effects import Reach, Where
from services.great_wall.goods import Goods, Location, Soldier
from services.great_wall.triggers import Trigger

HOUSE: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "house.yaml").read_text())
RESOURCES = ("wood", "stone", "gold", "chi")
EVERY = ["spearman", "archer", "horseman"]


def amount(value: Any) -> tuple[int, tuple[str, ...], int, int | None]:
    """An amount of the house set: plus, counters, times, most."""
    if value == "all":
        return (99, (), 1, None)
    if isinstance(value, int):
        return (value, (), 1, None)
    per = value["per"] if isinstance(value["per"], list) else [value["per"]]
    counters = tuple(one.replace(":", "_") for one in per)
    return (value.get("plus", 0), counters, value.get("times", 1), value.get("max"))


def written(one: Any) -> tuple[int, tuple[str, ...], int, int | None]:
    """An amount of ours in the same form."""
    return (one.plus, tuple(str(counter) for counter in one.per), one.times, one.most)


def expected(step: dict[str, Any]) -> dict[str, Any]:
    """A step of the house set in a common form."""
    ((name, arguments),) = step.items()
    if not isinstance(arguments, dict) or "per" in arguments:
        arguments = {"count": arguments}
    if name == "choose":
        return {"name": name, "options": [[expected(one) for one in part] for part in step[name]]}
    form: dict[str, Any] = {"name": name.replace("_", "")}
    form |= {key: value for key, value in arguments.items() if key != "own_clerk"}
    if "count" in form:
        form["count"] = amount(form["count"])
    return form


def goods(some: Goods) -> dict[str, int]:
    """Goods that are there."""
    return dict(some.items())


def ours(effect: Any) -> dict[str, Any]:  # noqa: C901, PLR0912, PLR0915  # one case a primitive
    """An effect of ours in the common form."""
    name = type(effect).__name__.lower()
    form: dict[str, Any] = {"name": name}
    if hasattr(effect, "count"):
        form["count"] = written(effect.count)
    if name == "choose":
        form["options"] = [[ours(one) for one in part] for part in effect.options]
    elif name == "gain":
        form |= goods(effect.goods)
        word = {4: "any", 3: "not_gold"}[len(effect.kinds)]
        wild = "each_different" if effect.different else word
        for key, value in ((wild, effect.wild), ("honour", effect.honour)):
            if written(value) != (0, (), 1, None):
                form[key] = written(value)
    elif name == "pay":
        form |= goods(effect.goods)
    elif name == "moveclerks":
        form["to"] = str(effect.to)
    elif name == "advancedactivation":
        form["pick"] = "lowest_qin" if effect.lowest_qin else "owner"
    elif name == "recruit":
        form["types"] = [str(kind) for kind in effect.types]
        if effect.discount:
            form["discount"] = effect.discount
        if effect.price is not None:
            form |= {"cost": {"any": effect.price}} if effect.price else {"free": True}
    elif name == "attack":
        form |= {"from": [str(zone) for zone in effect.zones]}
        form["types"] = [str(kind) for kind in effect.types]
        if effect.per_section < 99:
            form["per_section"] = effect.per_section
        if effect.mandatory:
            form["mandatory"] = True
    elif name == "wound":
        form["where"] = str(effect.where)
    elif name == "upgradeoverseer":
        form["where"] = str(effect.where or "any")
        if effect.discount:
            form["discount"] = effect.discount
    elif name == "build":
        form |= {"what": str(effect.what), "section": str(effect.site)}
        if effect.free:
            form["free"] = True
    elif name == "hire":
        form["what"] = str(effect.what)
    elif name == "donate":
        form["of"] = str(effect.of)
    elif name == "movetea":
        form |= {"steps": effect.steps} if effect.steps else {"to": "top"}
    elif name == "modifycost":
        form |= {"what": str(effect.what), "of": str(effect.of or "any"), "by": effect.by}
    elif name == "modifyvalue":
        form |= {"what": str(effect.what), "op": str(effect.op)}
        if effect.op != "halve_down":
            form["by"] = written(effect.by)
    elif name == "forbid":
        form |= {"type": str(effect.type), "row": "upper"}
    return form


def same(steps: Any, printed: list[dict[str, Any]]) -> None:
    """Our list of effects is the printed one."""
    mine = [ours(step) for step in steps]
    theirs = [expected(step) for step in printed]
    for form in theirs:
        tidy(form)
    assert mine == theirs


def tidy(form: dict[str, Any]) -> None:
    """The house set's ways to say the same."""
    for key in ("any", "not_gold", "each_different", "honour"):
        if form["name"] == "gain" and key in form:
            form[key] = amount(form[key])
    if form["name"] == "modifyvalue" and "by" in form:
        form["by"] = amount(form["by"])
    if form["name"] == "reclaim" or form["name"] == "copycard":
        form.setdefault("count", None)
        if form["name"] == "copycard":
            del form["count"]
    for part in form.get("options", []):
        for one in part:
            tidy(one)


def ability(mine: Any, printed: dict[str, Any]) -> None:
    """An ability: trigger, filters, whether it must, effects."""
    assert mine.trigger == printed["trigger"]
    assert mine.must == printed.get("must", False)
    filters = {}
    for key, value in printed.get("when", {}).items():
        if key == "location_kind":
            filters["special"] = value == "special"
        elif key == "on_card":
            filters[key] = tuple(EVERY) if value == "soldier" else (value,)
        else:
            filters[key] = value
    for key in mine.when.__struct_fields__:
        assert getattr(mine.when, key) == filters.get(key, getattr(type(mine.when)(), key))
    same(mine.do, printed["do"])


GENERAL_ROWS = {row["id"]: row for row in HOUSE["generals"]}
ADVISOR_ROWS = {row["id"]: row for row in HOUSE["advisors"]}
TACTIC_ROWS = {row["id"]: row for row in HOUSE["tactics"]}


def test_no_card_is_missing() -> None:
    assert set(GENERALS) == set(GENERAL_ROWS)
    assert set(ADVISORS) == set(ADVISOR_ROWS)
    assert set(TACTICS) == set(TACTIC_ROWS)
    assert set(ARTIFACTS) == {row["id"] for row in HOUSE["artifacts"]}
    assert set(COMMANDS) == set(HOUSE["command_cards"])
    assert {f"qin_{name}" for name in SOLO} == {row["id"] for row in HOUSE["solo"]["command_cards"]}
    assert set(HordeCard) == {row["id"] for row in HOUSE["horde_deck"]}
    assert set(PLACES) | {Location.WAREHOUSE} == set(HOUSE["locations"])


def test_the_vocabulary_is_the_house_sets() -> None:
    words = HOUSE["vocabulary"]
    assert set(Trigger) == set(words["triggers"])
    counters = {name for name in words["counters"] if not name.startswith("track")}
    assert {one for one in Counter if not one.startswith("track")} == counters
    assert set(Where) == {"attacked", "event_section", "own_archer_section"}
    assert set(Reach) == {"any", "distinct", "lowest_qin"}
    assert len(words["primitives"]) == 24


@pytest.mark.parametrize("name", GENERAL_ROWS)
def test_a_general(name: str) -> None:
    card = next(card for general, card in GENERALS.items() if general == name)
    row = GENERAL_ROWS[name]
    assert [*goods_of(card.goods), card.tactics, card.tea] == row["setup"]
    ability(card.ability, row["ability"])


def goods_of(some: Goods) -> list[int]:
    """Wood, stone, gold, chi."""
    return [some.wood, some.stone, some.gold, some.chi]


@pytest.mark.parametrize("name", ADVISOR_ROWS)
def test_an_advisor(name: str) -> None:
    mine = next(one for advisor, one in ADVISORS.items() if advisor == name)
    ability(mine, ADVISOR_ROWS[name]["ability"])


@pytest.mark.parametrize("name", TACTIC_ROWS)
def test_a_tactic(name: str) -> None:
    card, row = next(one for tactic, one in TACTICS.items() if tactic == name), TACTIC_ROWS[name]
    assert (card.window, card.boost) == (row["window"], row["boost_cost"])
    same(card.basic, row["basic"])
    same(card.boosted, row["boosted"])
    when = row.get("when", {})
    assert card.when.in_firing == when.get("in_firing", False)
    assert card.when.type == when.get("type")
    on_card = {None: (), "soldier": tuple(EVERY)}
    assert card.when.on_card == on_card.get(when.get("on_card"), (when.get("on_card"),))


@pytest.mark.parametrize("name", HOUSE["command_cards"])
def test_a_command(name: str) -> None:
    card, row = COMMANDS[Command(name)], HOUSE["command_cards"][name]
    same(card.top, row["owner_top"])
    same(card.others, row["others"])
    same(card.bottom, row["owner_bottom"])


@pytest.mark.parametrize("number", range(6))
def test_a_solo_card(number: int) -> None:
    row = HOUSE["solo"]["command_cards"][number]
    card = SOLO[Command(row["id"].removeprefix("qin_"))]
    same(card.top, row["owner_top"])
    same(card.others, row["others"])
    same(card.bottom, row["owner_bottom"])


def test_the_neutral_clans_card() -> None:
    row = HOUSE["reed_clan"]["command_card"]
    same(REED_CARD.top, row["owner_top"])
    same(REED_CARD.others, row["others"])
    same(REED_CARD.bottom, row["owner_bottom"])
    same(REED_SOLO_BOTTOM, row["solo_owner_bottom"])
    assert list(REED_START) == HOUSE["reed_clan"]["clerks_start"]
    assert list(QIN_TRACK) == HOUSE["solo"]["location_track"]


def test_hordes() -> None:
    for kind, face in FACES.items():
        row = HOUSE["horde_types"][kind]
        assert (face.power, face.honour, face.grid) == (
            row["power"],
            row["honour"],
            "".join(row["grid"]),
        )
        if row["ability"] is None:
            assert face.ability is None
        else:
            ability(face.ability, row["ability"])


def test_artifacts() -> None:
    for row in HOUSE["artifacts"]:
        mine = next(one for artifact, one in ARTIFACTS.items() if artifact == row["id"])
        assert written(mine) == amount(row["score"])


def test_locations() -> None:
    for location, place in PLACES.items():
        row = HOUSE["locations"][location]
        slots = row.get("slots")
        assert place.slots == (tuple(slots.values()) if slots else None)
        assert place.shame_icon == row["shame_icon"]
        assert place.resource == row.get("resource")
        costs = row.get("overseer_cost", {})
        assert [goods(cost) for cost in place.overseer_cost] == list(costs.values())
        if not place.resource:
            same(place.each, row["effect"].get("per_clerk", []))
            same(place.together, row["effect"].get("together", []))


def test_setups_walls_and_costs() -> None:
    for seats, setup in SETUPS.items():
        row = HOUSE["setup_by_players"][seats]
        assert list(setup.sections) == row["sections"]
        names = ("shame_pool", "initial_hordes", "barricades", "walls_to_end", "neutral_clan")
        for name in (*names, "automated_general"):
            assert getattr(setup, name) == row[name]
        years = HOUSE["time_track"][row["board"]]
        assert [tuple(year) for year in setup.years] == [
            (year["new_hordes"], year["lethality"]) for year in years
        ]
        assert len(years) == row["years"]
    for level, numbers in enumerate(WALL):
        row = HOUSE["wall"]["levels"][level]
        assert (numbers.defence, numbers.firing_spots) == (row["defence"], row["firing_spots"])
        assert (numbers.cost, numbers.honour) == (row.get("cost", 0), row.get("honour", 0))
    for soldier, cost in SOLDIER_COST.items():
        assert goods(cost) == HOUSE["recruit_cost"][soldier]
    assert set(SOLDIER_COST) == set(Soldier)
