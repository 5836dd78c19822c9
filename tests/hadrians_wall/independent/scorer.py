"""The score, from what everyone sees at the end of a game and from the printed facts alone (7)."""

from __future__ import annotations

from typing import Any, cast

import msgspec

from services.hadrians_wall.game import GAME
from services.hadrians_wall.state import State
from tests.hadrians_wall.independent import facts
from tests.hadrians_wall.independent.facts import CARDS, FACTS

Sheet = dict[str, Any]


def seen(state: State) -> dict[str, Any]:
    """What a spectator sees, in plain values."""
    return cast("dict[str, Any]", msgspec.to_builtins(GAME.view(state, None)))


def sections(sheet: Sheet, track: str) -> int:
    """Complete fields of a track."""
    return len([end for end in facts.LINES[track].ends if sheet[track] >= end])


def columns(sheet: Sheet) -> int:
    """Complete columns of the map."""
    filled = [[sheet["map"] >> (row * 5 + column) & 1 for row in range(4)] for column in range(5)]
    return len([column for column in filled if all(column)])


def count(sheet: Sheet, card: str) -> int:
    """What a path card counts."""
    counts: dict[str, int] = {
        "architect": sum(sheet[name] for name in facts.LANDMARKS),
        "aristocrat": sheet["disdain"],
        "defender": sections(sheet, "wall"),
        "engineer": len([f for f, size in FACTS["largest"].items() if sheet[f] == size]),
        "fighter": len([side for side in facts.COHORTS if sheet[f"cohort_{side}"] == 6]),
        "forager": sheet["production"],
        "merchant": len([good for good in sheet["goods"] if good]),
        "planner": len([track for track in facts.CITIZENS if sheet[track] == 9]),
        "pontiff": len([end for end in FACTS["temples"]["ends"] if sheet["temple_boxes"] >= end]),
        "ranger": columns(sheet),
        "trainer": sheet["red"] + sheet["blue"],
        "vanguard": sections(sheet, "guard"),
    }
    return counts[card]


def points(sheet: Sheet, card: str) -> int:
    """What a path is worth: the highest condition that is met."""
    found, have = 0, count(sheet, card)
    for worth, step in enumerate(CARDS[card].steps, 1):
        if have <= step if card == "aristocrat" else have >= step:
            found = worth
    return found


def loss(disdain: int) -> int:
    """What disdain costs."""
    table: list[int] = FACTS["disdain_loss"]
    return table[disdain] if disdain < 9 else table[9]


def lines(sheet: Sheet) -> list[tuple[str, int]]:
    """A score sheet line by line."""
    return [
        *((attribute, sheet[attribute]) for attribute in facts.ATTRIBUTES),
        *((card, points(sheet, card)) for card in sheet["paths"]),
        ("disdain", -loss(sheet["disdain"])),
    ]


def total(sheet: Sheet) -> int:
    """The score."""
    return sum(worth for _, worth in lines(sheet))


def path_points(sheet: Sheet) -> int:
    """What all paths are worth together."""
    return sum(points(sheet, card) for card in sheet["paths"])


def ranking(sheets: list[Sheet]) -> list[list[int]]:
    """Seats by place, best first; those of one list share theirs (7)."""

    def key(seat: int) -> tuple[int, int, int]:
        sheet = sheets[seat]
        return -total(sheet), sheet["disdain"], -path_points(sheet)

    return [
        [seat for seat in range(len(sheets)) if key(seat) == place]
        for place in sorted({key(seat) for seat in range(len(sheets))})
    ]


def title(score: int) -> str:
    """What a player alone may call himself."""
    titles = {70: "Legatus Legionis", 60: "Praefectus Castrorum", 50: "Primus Pilus",
              40: "Centurion"}  # fmt: skip
    for least, name in titles.items():
        if score >= least:
            return name
    return "Miles"
