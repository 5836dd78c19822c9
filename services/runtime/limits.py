"""How many calls a player and a tenant may make: token buckets in the memory of this process."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable

from services.runtime.callers import Caller, Role
from services.runtime.errors import RateLimited
from services.runtime.settings import Settings

SECOND = 1_000_000_000
"""In nanoseconds: whole numbers, so that a bucket holds just what it should."""
REMEMBERED = 50_000
"""Callers whose buckets are kept; that of a quiet one is full, and need not be."""

Buckets = dict[Hashable, int]


class Limits:
    """Counts the calls of players, and those of tenants: backend and players together.

    A bucket is one number: the time at which it will be full again. The platform's own parts and
    its operators are not counted, nor is who has no token.
    """

    def __init__(self, settings: Settings, clock: Callable[[], int] = time.monotonic_ns) -> None:
        self._player = _step(settings.rate_player)
        self._tenant = _step(settings.rate_tenant)
        self._burst = round(settings.rate_burst * SECOND)
        self._clock = clock
        self._players: Buckets = {}
        self._tenants: Buckets = {}

    def spend(self, caller: Caller) -> Caller:
        """Count one call of `caller`. Raises RateLimited, which says when to try again."""
        role = caller.role
        if role is Role.PLAYER:
            now = self._clock()
            self._take(self._players, (caller.tenant, caller.subject), self._player, now)
        elif role is Role.TENANT:
            now = self._clock()
        else:
            return caller
        self._take(self._tenants, caller.tenant, self._tenant, now)
        return caller

    def _take(self, buckets: Buckets, key: Hashable, step: int, now: int) -> None:
        full = buckets.get(key, 0)
        if full < now:
            if not full and len(buckets) >= REMEMBERED:
                _forget(buckets, now)
            full = now
        full += step
        if full - now > self._burst:
            raise RateLimited((full - now - self._burst) / SECOND)
        buckets[key] = full


def _step(rate: float) -> int:
    """Nanoseconds that a call costs; nothing where the rate is not limited."""
    return int(SECOND / rate) if rate else 0


def _forget(buckets: Buckets, now: int) -> None:
    """Drop every full bucket; if all callers are busy, the older half."""
    busy = [entry for entry in buckets.items() if entry[1] > now]
    buckets.clear()
    buckets.update(busy[-REMEMBERED // 2 :])
