"""Ladders and seasons: who is compared with whom, and for how long. Pure."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Self

import msgspec

from services.gamekit.game import Record

SEAT_CLASSES = {1: "1", 2: "2", 3: "3-4", 4: "3-4", 5: "5-6", 6: "5-6"}
"""Seats of a match -> the class that its ladder has."""
SOLO = "1"
VARIANT = ("difficulty", "campaign")
"""The options that a solo ladder is split by, where a game has them."""

RANKED = "ranked"
CASUAL = "casual"

PLAYERS = "players"
BOTS = "bots"


class Ladder(Record, frozen=True):
    """One ranking: `mode` is RANKED or CASUAL, `population` PLAYERS or BOTS; `variant` "normal/3"
    on a solo ladder."""

    game: str
    seats: str
    mode: str
    population: str = PLAYERS
    variant: str = ""

    @property
    def key(self) -> str:
        """Its name in tables: "hadrians_wall/3-4/ranked/players"."""
        parts = (self.game, self.seats, self.mode, self.population)
        return "/".join((*parts, self.variant) if self.variant else parts)

    @classmethod
    def of(cls, key: str) -> Self:
        """The ladder of a key."""
        game, seats, mode, population, *variant = key.split("/", 4)
        return cls(game, seats, mode, population, "/".join(variant))

    @property
    def solo(self) -> bool:
        """Whether it ranks scores of matches played alone."""
        return self.seats == SOLO


def variant_of(options_json: str) -> str:
    """The variant of a solo match: "normal/3", and "/" for a game without such options."""
    options = msgspec.json.decode(options_json or "{}", type=dict[str, object])
    return "/".join(str(options.get(name, "")) for name in VARIANT)


def season_of(time_ms: int) -> str:
    """The quarter that a time lies in, in UTC: "2026-q4"."""
    when = datetime.fromtimestamp(time_ms / 1000, UTC)
    return f"{when.year}-q{(when.month + 2) // 3}"


def seasons_between(earlier: str, later: str) -> int:
    """How many seasons have begun since `earlier`."""
    return _number(later) - _number(earlier)


def _number(season: str) -> int:
    year, quarter = season.split("-q")
    return int(year) * 4 + int(quarter)
