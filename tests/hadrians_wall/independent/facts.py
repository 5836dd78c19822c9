"""The printed facts, read from `facts.yaml`: prices as dicts, gains as tuples of icons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import yaml

FACTS: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("facts.yaml").read_text())

NAMES = {
    "So": "soldier", "Bu": "builder", "Se": "servant", "Ci": "civilian", "Re": "resource",
    "R": "renown", "P": "piety", "V": "valour", "D": "discipline",
    "Tr": "traders", "Pe": "performers", "Pr": "priests", "Ap": "apparitores", "Pa": "patricians",
    "Co": "cohort", "H": "production", "Sw": "sword", "Fa": "favours", "Fd": "diplomats_favour",
    "P/D": "small_road", "R/V": "large_road",
}  # fmt: skip
"""What an icon is called on the sheet."""

Price = dict[str, int]
Gain = tuple[str, ...]

GOODS = ("soldier", "builder", "servant", "civilian", "resource")
WORKERS = GOODS[:4]
ATTRIBUTES = ("renown", "piety", "valour", "discipline")
CITIZENS = ("traders", "performers", "priests", "apparitores", "patricians")
COHORTS = ("left", "centre", "right")
YEARS = range(1, 7)


def price(text: str) -> Price:
    """`1 Se 2 Re` as goods."""
    words = text.split()
    return {NAMES[icon]: int(count) for count, icon in zip(words[::2], words[1::2], strict=True)}


def gain(text: str) -> Gain:
    """`R+Co` as names, in the order printed."""
    return () if text == "-" else tuple(NAMES[icon] for icon in text.split("+"))


def boxes(text: str) -> tuple[Gain, ...]:
    """The gains of a row of boxes; borders of fields are left out."""
    return tuple(gain(word) for word in text.split() if word != "|")


def ends(text: str) -> tuple[int, ...]:
    """The number of the last box of each field."""
    fields = [len(field.split()) for field in text.split("|")]
    return tuple(sum(fields[: number + 1]) for number in range(len(fields)))


class Line(NamedTuple):
    """A track of the left sheet that is paid for. `fort[n]` is the fort box that box n hangs on."""

    prices: tuple[Price, ...]
    boxes: tuple[Gain, ...]
    ends: tuple[int, ...]
    fort: tuple[int, ...]


LINES = {
    name: Line(
        tuple(map(price, row["prices"])),
        boxes(row["boxes"]),
        ends(row["boxes"]),
        tuple(row.get("fort", ())),
    )
    for name, row in FACTS["lines"].items()
}
COHORT = boxes(FACTS["cohort"])


def attribute_boxes(row: dict[str, str]) -> tuple[Gain, ...]:
    """The 25 boxes of an attribute."""
    printed = dict.fromkeys(FACTS["worker_boxes"], row["worker"])
    printed |= {17: row["at_17"], 21: row["at_21"], 25: row["at_25"]}
    return tuple(gain(printed.get(box, "-")) for box in range(1, FACTS["attribute_boxes"] + 1))


SCALES = {name: attribute_boxes(row) for name, row in FACTS["attributes"].items()} | {
    name: boxes(row) for name, row in FACTS["citizens"].items()
}
"""The tracks that grow by icons: attributes and citizens."""


class Building(NamedTuple):
    """A building: the `size`th of its family; `track` must have reached `level`."""

    family: str
    size: int
    track: str
    level: int
    price: Price
    gain: Gain


def building(family: str, size: int, needs: str, cost: str, gained: str) -> Building:
    """A line of the table of buildings."""
    track, level = needs.split()
    reached = int(level)
    if track == "infrastructure":
        track, reached = "fort", FACTS["infrastructure"][reached - 1]
    return Building(family, size, track, reached, price(cost), gain(gained))


BUILDINGS = {name: building(*row) for name, row in FACTS["buildings"].items()}
LANDMARKS: dict[str, tuple[str, Gain]] = {
    name: (attribute, gain(gained)) for name, (attribute, gained) in FACTS["landmarks"].items()
}
LANDMARK_PRICE = price(FACTS["landmark_price"])
MARKET = boxes(FACTS["market"]["boxes"])
NEW_GOOD = boxes(FACTS["market"]["nth_new_good"])
THEATRE = boxes(FACTS["theatre"]["boxes"])
SURVIVES = boxes(FACTS["ludus"]["survives"])
DIES = boxes(FACTS["ludus"]["dies"])
TEMPLES = boxes(FACTS["temples"]["boxes"])
MAP = tuple(cell for row in FACTS["map"] for cell in boxes(row))
ROWS, COLUMNS = 4, 5
DIPLOMAT_PRICE = price(FACTS["diplomats"]["price"])
COURTS = [(price(one["price"]), gain(one["gain"]), one["levels"]) for one in FACTS["courthouse"]]


class Card(NamedTuple):
    """A player card."""

    steps: tuple[int, int, int]
    prospect: Price
    good: int
    pattern: str


CARDS = {
    name: Card(tuple(steps), price(prospect), good, pattern)
    for name, (steps, prospect, good, pattern) in FACTS["cards"].items()
}


class Fate(NamedTuple):
    """A card of the fate deck; its number is profile * 4 + place of its good."""

    direction: str
    gladiator: int
    supply: Price
    good: int


FATE = tuple(
    Fate(direction, gladiator, dict(zip(GOODS, map(int, supply.split("/")), strict=True)), good)
    for direction, gladiator, supply, goods in FACTS["fate"]
    for good in goods
)


def fate(**wanted: Any) -> int:
    """The number of the first fate card with all this on it."""
    return next(
        number
        for number, card in enumerate(FATE)
        if all(getattr(card, name) == value for name, value in wanted.items())
    )


def shapes(pattern: str) -> set[frozenset[tuple[int, int]]]:
    """A pattern in all its rotations and mirrors, as (row, column) from the top left."""
    rows: list[str] = FACTS["patterns"][pattern]
    found = set()
    for _ in range(2):
        for _ in range(4):
            rows = ["".join(column) for column in zip(*rows[::-1], strict=True)]
            spots = product(range(len(rows)), range(len(rows[0])))
            found.add(frozenset((y, x) for y, x in spots if rows[y][x] == "#"))
        rows = [row[::-1] for row in rows]
    return found


def lays(pattern: str) -> set[tuple[int, ...]]:
    """Every four cells of the map that a pattern can cover, as cell numbers in order."""
    return {
        tuple(sorted((y + top) * COLUMNS + x + left for y, x in shape))
        for shape in shapes(pattern)
        for top in range(ROWS)
        for left in range(COLUMNS)
        if all(y + top < ROWS and x + left < COLUMNS for y, x in shape)
    }


LAYS = {pattern: lays(pattern) for pattern in FACTS["patterns"]}


def icons(gains: Iterable[Gain]) -> Counter[str]:
    """How often each icon stands in some boxes."""
    return Counter(icon for one in gains for icon in one)
