"""A position as plain values, and the chain of gains: the rules said a second time, slowly."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import asdict

from services.hadrians_wall.state import State
from tests.hadrians_wall.independent import facts

Page = dict[str, Any]
"""A seat's sheets: the name of a track -> how far it is filled, and so on."""


@dataclass
class World:
    """What the model knows of a position."""

    year: int
    phase: str
    difficulty: str
    passing: bool
    campaign: int
    pages: list[Page]
    neutral: list[str]
    pieces: int
    pile: set[int]
    discard: list[int]
    draws: list[tuple[int, str, int]] = field(default_factory=list)
    attack: list[int] = field(default_factory=list)


def world(state: State) -> World:
    """The engine's position in plain values."""
    options = state.options
    return World(
        year=state.year,
        phase=str(state.phase),
        difficulty=str(options.difficulty),
        passing=options.resource_passing,
        campaign=options.campaign,
        pages=[asdict(sheet) for sheet in state.sheets],
        neutral=[str(card) for card in state.neutral],
        pieces=state.pieces,
        pile=set(state.pile),
        discard=list(state.discard),
        draws=[(draw.seat, str(draw.use), draw.box) for draw in state.draws],
        attack=list(state.attack),
    )


CHOICES = {
    "cohort": tuple((f"cohort_{side}", 6) for side in facts.COHORTS),
    "small_road": (("piety", 25), ("discipline", 25)),
    "large_road": (("renown", 25), ("valour", 25)),
    "road_income": tuple((attribute, 25) for attribute in facts.ATTRIBUTES),
}
"""What an icon of choice lets one choose from: a track and its last box."""


def open_choice(page: Page, choice: str) -> bool:
    """Whether a choice has any track left that is not full."""
    return any(page[track] < last for track, last in CHOICES[choice])


def give(page: Page, gains: Iterable[str]) -> None:
    """Icons, one after the other, each with all that follows from it (8.1)."""
    for icon in gains:
        if icon in facts.GOODS or icon == "favours":
            page[icon] += 1
        elif icon in facts.SCALES:
            if page[icon] < len(facts.SCALES[icon]):
                page[icon] += 1
                give(page, facts.SCALES[icon][page[icon] - 1])
        elif icon == "production":
            page[icon] = min(page[icon] + 1, facts.FACTS["production"]["circles"])
        elif icon == "sword":
            page["guard"] += 1
            give(page, facts.LINES["guard"].boxes[page["guard"] - 1])
        elif icon in CHOICES:
            if open_choice(page, icon):
                page["agenda"] = (*page["agenda"], icon)
        else:
            raise AssertionError(icon)


def answered(page: Page) -> None:
    """The first open choice was made; others that have become impossible are lost with it."""
    page["agenda"] = tuple(choice for choice in page["agenda"][1:] if open_choice(page, choice))


def pay(page: Page, price: facts.Price) -> None:
    """Goods go back to the supply."""
    for good, count in price.items():
        page[good] -= count


def receive(page: Page, goods: facts.Price) -> None:
    """Goods come from the supply."""
    for good, count in goods.items():
        page[good] += count


def neighbour(position: World, seat: int, source: str) -> int | str | None:
    """Who sits at `source`: a seat, the name of a neutral card, or nobody (8.10, 7)."""
    seats = len(position.pages)
    if seats >= 3:
        return (seat + {"left": 1, "right": -1}[source]) % seats
    if seats == 2 and source == "left":
        return 1 - seat
    spot = 1 if seats == 1 and source == "right" else 0
    return position.neutral[spot] if spot < len(position.neutral) else None


def prospect(position: World, seat: int, source: str) -> str | None:
    """The card at `source`."""
    if source == "own":
        return str(position.pages[seat]["prospects"][-1])
    beside = neighbour(position, seat, source)
    if isinstance(beside, int):
        return str(position.pages[beside]["prospects"][-1])
    return beside


def fort(position: World, rule: str) -> bool:
    """Whether a rule of the campaign is in force."""
    return position.campaign in facts.FACTS["forts"][rule]


def building_price(position: World, name: str) -> facts.Price:
    """What a building costs; at Vindobala a resource more."""
    price = dict(facts.BUILDINGS[name].price)
    if fort(position, "dear_buildings"):
        price["resource"] = price.get("resource", 0) + 1
    return price


def mining_price(position: World) -> facts.Price:
    """What a box of Mining and Foresting costs."""
    return {"servant": 2 if fort(position, "mining_two_servants") else 1}
