"""The weights of the bots' evaluation, worked out for a number of years to come."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import NamedTuple

from services.hadrians_wall.cards import FACES, PlayerCard
from services.hadrians_wall.goods import EVERY_ATTRIBUTE
from services.hadrians_wall.tracks import ATTRIBUTE_BOXES, ATTRIBUTES, YEARS
from services.hadrians_wall.weights import Weights

MOST = 20
"""No path counts further than this."""

STEPS = 3
"""Points of a path."""


class Lasting(NamedTuple):
    """What boxes, levels and buildings are worth. See `weights.LASTING`."""

    production: float
    hotel: float
    workshop: float
    road: float
    medium_granary: float
    large_granary: float
    fort: float
    fort_ahead: float
    wall: float
    guard: float
    mining: float
    cippi: float
    traders: float
    performers: float
    priests: float
    apparitores: float
    patricians: float
    theatre: float
    stage: float
    market: float
    courthouse: float
    ludus: float
    gladiators: float
    temples: float
    temple_boxes: float
    gardens: float
    precinct: float
    baths: float
    bathable: float
    diplomats: float
    cells: float
    rows: float
    landmark: float
    near: float


class Goods(NamedTuple):
    """What goods in hand are worth."""

    soldier: float
    builder: float
    servant: float
    civilian: float
    resource: float


class Scale(NamedTuple):
    """Points of everything that may be on a sheet."""

    marks: tuple[float, ...]
    """By the boxes of an attribute."""
    paths: Mapping[PlayerCard, tuple[float, ...]]
    """By what the card counts."""
    goods: Goods
    lasting: Lasting | None
    """None when no year is to come."""


def nearness() -> tuple[float, ...]:
    """How much of the way to its next gain each box of an attribute is; all of them are alike."""
    gains = next(tuple(ATTRIBUTES[attribute]) for attribute in EVERY_ATTRIBUTE)
    stops = sorted({0, *gains})
    found = [0.0] * (ATTRIBUTE_BOXES + 1)
    for start, end in pairwise(stops):
        for box in range(start, end):
            found[box] = (box - start) / (end - start)
    return tuple(found)


NEARNESS = nearness()


class Mind:
    """Weights, worked out for every number of years to come: how a bot judges."""

    def __init__(self, weights: Weights) -> None:
        every = range(YEARS + 1)
        self.acting = tuple(scale(weights, years, True) for years in every)
        self.done = tuple(scale(weights, years, False) for years in every)
        """For who has stopped: goods in hand are lost."""
        self.nerve = weights.nerve


def scale(w: Weights, years: int, live: bool) -> Scale:
    """The scale of `w` when so many years are to come."""
    some = min(years, 1)
    near = w.lasting["near"]
    nearer = near[0] * years + near[1] if years else w.near * live
    lasting = {name: each * years + once for name, (each, once) in w.lasting.items()}
    goods = {
        good: (now + more * years if some else last) * live
        for good, (now, more, last) in w.goods.items()
    }
    return Scale(
        tuple(box + nearer * NEARNESS[box] for box in range(ATTRIBUTE_BOXES + 1)),
        {card: path(w, card, years, live) for card in FACES},
        Goods(**goods),
        Lasting(**lasting) if years else None,
    )


def path(w: Weights, card: PlayerCard, years: int, live: bool) -> tuple[float, ...]:
    """What a path is worth by what it counts: its points, and a hope of those that are missing."""
    if card is PlayerCard.ARISTOCRAT:
        base, each, yearly = w.aristocrat
        return tuple(
            max(0.0, min(STEPS, base - each * count - yearly * years)) for count in range(MOST)
        )
    part = years / (YEARS - 1)
    on_the_way = w.step[0] * part if years else w.step[1] * live
    values = []
    for count in range(MOST):
        reached = [step for step in FACES[card].steps if step <= count]
        value = float(len(reached))
        if len(reached) < STEPS:
            below, above = max(reached, default=0), FACES[card].steps[len(reached)]
            value += on_the_way * (count - below) / (above - below)
            value += w.paths[card] * part * (STEPS - len(reached))
        values.append(value)
    return tuple(values)
