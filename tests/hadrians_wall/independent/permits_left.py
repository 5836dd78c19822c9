"""Reasons for which a move on the tracks of the left sheet is refused, from the rules (3)."""

# Functions of a table have the arguments of the table.
# ruff: noqa: ARG001

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tests.hadrians_wall.independent import facts
from tests.hadrians_wall.independent.world import Page, World, fort, mining_price

FACTS = facts.FACTS
Reasons = Iterator[str]


def poor(page: Page, *prices: facts.Price) -> Reasons:
    """None of the prices can be paid."""
    if not any(all(page[good] >= due for good, due in price.items()) for price in prices):
        yield "cannot_afford"


def field(page: Page, track: str) -> Reasons:
    """The next box of a track, which may lie behind a granary or a box of the fort."""
    line = facts.LINES[track]
    box = page[track] + 1
    if box > len(line.boxes):
        yield "track_complete"
        return
    section = [box <= end for end in line.ends].index(True)
    if section > page["granary"]:
        yield "needs_granary"
    if line.fort and page["fort"] < line.fort[box - 1]:
        yield "needs_fort"


def mining(position: World, page: Page, seat: int, move: Any) -> Reasons:
    yield from poor(page, mining_price(position))
    yield from field(page, "mining")


def guard(position: World, page: Page, seat: int, move: Any) -> Reasons:
    yield from poor(page, {"soldier": 1})
    yield from field(page, "guard")


def training(position: World, page: Page, seat: int, move: Any) -> Reasons:
    yield from poor(page, {"builder": 1})
    yield from field(page, "guard")
    if position.year in page["training"]:
        yield "once_a_year"
    if len(page["training"]) >= FACTS["training"]["boxes"]:
        yield "track_complete"


def stones(track: str) -> Callable[[World, Page, int, Any], Reasons]:
    """Wall and Cippi."""

    def rule(position: World, page: Page, seat: int, move: Any) -> Reasons:
        yield from poor(page, {"resource": 1})
        yield from field(page, track)
        if fort(position, "no_wall_before_year_3") and position.year < 3:
            yield "forbidden_by_campaign"

    return rule


def fortress(position: World, page: Page, seat: int, move: Any) -> Reasons:
    yield from field(page, "fort")
    if move.worker not in ("builder", "soldier"):
        yield "wrong_worker"
    yield from poor(page, {move.worker: 1})


def forum(position: World, page: Page, seat: int, move: Any) -> Reasons:
    paid = {"builder": move.builders, "servant": move.servants, "civilian": move.civilians}
    if sum(paid.values()) != 2 or min(paid.values()) < 0:
        yield "pay_two_workers"
    if move.take == "soldier" or paid.get(move.take):
        yield "wrong_worker"
    yield from poor(page, paid)
    if position.year in page["forum"]:
        yield "once_a_year"
    if len(page["forum"]) >= FACTS["forum"]["boxes"]:
        yield "track_complete"
