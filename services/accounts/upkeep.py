"""What the accounts service does in its own time: it says what is to be believed, publishes facts,
renews its signing key."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from time import monotonic

import structlog
from redis.asyncio import Redis
from sqlalchemy import delete, select

from services.accounts.requests import forget
from services.accounts.schema import OUTBOX
from services.accounts.signing import Signing
from services.accounts.statement import raise_version, statement
from services.runtime.bus import Bus
from services.runtime.database import Database
from services.runtime.rows import now_ms
from services.runtime.trust import put
from vallum.events.v1 import events_pb2 as ev

EVERY = 5.0
"""Seconds between two rounds: Redis may have been emptied, another replica may have acted."""
SWEEP = 3600.0
"""Seconds between two looks for what may be forgotten."""
AT_ONCE = 32

log = structlog.get_logger(__name__)


class Upkeep:
    """`tell` after each change of what is believed; `run` does it anyway, and the rest."""

    def __init__(self, database: Database, redis: Redis, bus: Bus, signing: Signing) -> None:
        self._database = database
        self._redis = redis
        self._bus = bus
        self._signing = signing
        self.wanted = asyncio.Event()
        """Set when there is something to do for `run`."""
        self._swept = monotonic()

    async def begin(self) -> None:
        """Before the first call: a signing key, and a statement that is later than all before."""
        async with self._database.begin() as connection:
            await raise_version(connection, now_ms())
        await self.round()

    async def tell(self) -> None:
        """Say what is to be believed. The caller's change stands; if Redis is away it is told
        later, and services go on with what they have heard."""
        self.wanted.set()
        try:
            await self._tell()
        except Exception as error:  # `run` tries again, and says so again
            log.warning("trust_not_told", exc_info=error)

    async def run(self) -> None:
        """Round after round."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(EVERY):
                    await self.wanted.wait()
            self.wanted.clear()
            try:
                await self.round()
            except Exception as error:  # it stumbles, but it never ends
                log.warning("accounts_stumbled", exc_info=error)

    async def round(self) -> None:
        """Everything that is due."""
        if not self._signing.fresh():
            async with self._database.begin() as connection:
                await self._signing.renew(connection)
        await self._tell()
        await self._publish()
        if monotonic() - self._swept >= SWEEP:
            self._swept = monotonic()
            async with self._database.begin() as connection:
                await forget(connection, now_ms())

    async def _tell(self) -> None:
        async with self._database.snapshot() as connection:
            await self._signing.load(connection)
            keys = [one.keys for one in self._signing.held]
            said = await statement(connection, keys, now_ms())
        if not await put(self._redis, said, self._signing.root):
            log.info("trust_told_by_another", version=said.version)

    async def _publish(self) -> None:
        """Publish every fact of the outbox, at least once."""
        while True:
            async with self._database.reading() as connection:
                query = select(OUTBOX).order_by(OUTBOX.c.id).limit(AT_ONCE)
                rows = (await connection.execute(query)).all()
            if not rows:
                return
            for row in rows:
                await self._bus.publish(ev.Event.FromString(row.event))
            async with self._database.begin() as connection:
                gone = [row.id for row in rows]
                await connection.execute(delete(OUTBOX).where(OUTBOX.c.id.in_(gone)))
