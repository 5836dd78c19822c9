"""How often, how long and how many: every figure of webhooks in one table."""

from __future__ import annotations

import random
from collections.abc import Callable

import msgspec

SECOND_MS = 1000
MINUTE_MS = 60 * SECOND_MS
HOUR_MS = 60 * MINUTE_MS
DAY_MS = 24 * HOUR_MS

Clock = Callable[[], int]
"""Milliseconds since the epoch."""


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """Times are milliseconds."""

    pauses: tuple[int, ...] = (
        10 * SECOND_MS,
        MINUTE_MS,
        5 * MINUTE_MS,
        30 * MINUTE_MS,
        2 * HOUR_MS,
        6 * HOUR_MS,
        12 * HOUR_MS,
        DAY_MS,
    )
    """Before the second attempt, the third, and so on; after the last one a delivery is given
    up."""
    jitter: float = 0.2
    """A pause is that much shorter or longer, at random: those that failed together come apart."""
    failures: int = 5
    """A webhook with so many failed attempts in a row..."""
    failing: int = 3 * DAY_MS
    """...the first of them so long ago, is disabled."""
    at_once: int = 4
    """Deliveries of one webhook that wait for a worker or are with one."""
    rest: int = MINUTE_MS
    """A webhook that fails is tried with one delivery at a time, and left alone in between: for a
    second after the first failure, twice as long after each further one, so long at most. A
    backend that hangs must not hold up the others."""
    hint: int = 15 * SECOND_MS
    """A worker was told of a delivery; if none has taken it by then, they are told again."""
    lease: int = 20 * SECOND_MS
    """A worker that has taken a delivery has so long to say what came of it."""
    overlap: int = DAY_MS
    """A secret that was replaced goes on signing for so long."""
    kept: int = 30 * DAY_MS
    """Deliveries, and deleted webhooks, are kept for so long."""
    webhooks: int = 20
    """The most that a tenant may have."""
    look: int = SECOND_MS
    """Between two looks for what is due."""

    @property
    def attempts(self) -> int:
        """How often a delivery is tried."""
        return len(self.pauses) + 1

    def pause(self, attempts: int) -> int:
        """How long to wait after so many attempts."""
        most = self.pauses[attempts - 1]
        return round(most * random.uniform(1 - self.jitter, 1 + self.jitter))  # noqa: S311 # spreads

    def resting(self, failures: int) -> int:
        """How long a webhook is left alone after so many failures in a row."""
        return min(self.rest, SECOND_MS << min(failures - 1, 30))


FIGURES = Figures()
