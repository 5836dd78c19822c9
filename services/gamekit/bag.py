"""Costs, gains and stocks as small frozen values."""

from __future__ import annotations

from collections.abc import Iterator
from operator import add, sub
from typing import Self

from msgspec.structs import astuple

from services.gamekit.game import Record


class Bag(Record, frozen=True):
    """Counts of a closed set of goods. A game subclasses it with int fields that default to 0."""

    def __add__(self, other: Self) -> Self:
        return type(self)(*map(add, astuple(self), astuple(other)))

    def __sub__(self, other: Self) -> Self:
        """May go below zero: ask `covers` first."""
        return type(self)(*map(sub, astuple(self), astuple(other)))

    def __mul__(self, times: int) -> Self:
        return type(self)(*(count * times for count in astuple(self)))

    def __bool__(self) -> bool:
        return any(astuple(self))

    def covers(self, price: Self) -> bool:
        """Whether every good of `price` is here at least as often."""
        return all(have >= due for have, due in zip(astuple(self), astuple(price), strict=True))

    def total(self) -> int:
        """How many goods, all kinds together."""
        return sum(astuple(self))

    def items(self) -> Iterator[tuple[str, int]]:
        """(good, count) of every good that is here."""
        for name, count in zip(self.__struct_fields__, astuple(self), strict=True):
            if count:
                yield name, count
