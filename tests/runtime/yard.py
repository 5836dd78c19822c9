"""Records of every shape, twins of the messages of tests/proto/echo."""

from __future__ import annotations

from enum import StrEnum

from services.gamekit.bag import Bag
from services.gamekit.game import Options, Record, Seat, snake


class Metal(StrEnum):
    """A closed set of words."""

    IRON = "iron"
    OLD_GOLD = "old_gold"


class Purse(Bag, frozen=True):
    """A bag."""

    coins: int = 0
    stones: int = 0


class Labour(Record, frozen=True, tag_field="kind", tag=snake):
    """One kind of work."""


class Forge(Labour, frozen=True):
    """Work with fields."""

    metal: Metal
    target: Seat | None = None
    times: int = 1


class Rest(Labour, frozen=True):
    """Work without fields."""


class Trade(Labour, frozen=True):
    """Work with a bag and a word that may be hidden."""

    price: Purse
    hidden: Metal | None = None


Work = Forge | Rest | Trade
KINDS: dict[str, type[Labour]] = {"forge": Forge, "rest": Rest, "trade": Trade}


class Yard(Record, frozen=True):
    """Every shape that a record may have."""

    round: int
    title: str
    open: bool
    metal: Metal
    purse: Purse
    pending: Forge | None
    tracks: tuple[int, ...]
    pile: tuple[Metal, ...]
    grid: tuple[tuple[int, ...], ...]
    forges: tuple[Forge, ...]
    agenda: tuple[Work, ...]
    note: str | None
    spot: tuple[int, int]
    next: Work | None


class Setting(Options, frozen=True):
    """A match's options."""

    rounds: int = 3
    hard: bool = False


def yard(seats: int = 4) -> Yard:
    """A yard of about the size of a full view."""
    return Yard(
        round=3,
        title="the yard",
        open=True,
        metal=Metal.IRON,
        purse=Purse(coins=2),
        pending=Forge(Metal.OLD_GOLD, Seat(0), 0),
        tracks=tuple(range(12 * seats)),
        pile=(Metal.IRON, Metal.OLD_GOLD) * 10,
        grid=tuple(tuple(range(12)) for _ in range(seats)),
        forges=tuple(Forge(Metal.IRON, Seat(seat)) for seat in range(seats)),
        agenda=(Forge(Metal.IRON), Rest(), Trade(Purse(1, 2), Metal.IRON)),
        note="",
        spot=(4, -2),
        next=Rest(),
    )
