"""The archive: the record of every finished match, fetched from the rules service that has it."""

from __future__ import annotations

import time
import zlib
from collections.abc import AsyncIterator
from typing import Protocol

import structlog
from sqlalchemy import and_, or_, select, update

from services.runtime.errors import Unavailable, VallumError
from services.scoring import results
from services.scoring.database import Database
from services.scoring.schema import RECORDS, RESULTS
from services.scoring.upsert import insert_new
from vallum.events.v1 import events_pb2 as ev
from vallum.match.v1 import match_pb2 as pb

AT_ONCE = 50

log = structlog.get_logger(__name__)


class Source(Protocol):
    """Where records come from."""

    async def record(self, game: str, name: str) -> pb.Record:
        """The record of a finished match. Raises VallumError."""
        ...


class Nowhere:
    """No rules service can be asked."""

    async def record(self, game: str, name: str) -> pb.Record:
        """Raises Unavailable."""
        raise Unavailable("no_rules_service")


class Archive:
    """Keeps records, and says so."""

    def __init__(self, database: Database, source: Source) -> None:
        self._database = database
        self._source = source

    async def sweep(self) -> int:
        """Archive every match that is not; how many were. What cannot be had now is left."""
        done, after = 0, ""
        while waiting := await self._waiting(after):
            for game, match_id in waiting:
                done += await self.keep(game, match_id)
            after = waiting[-1][1]
        return done

    async def keep(self, game: str, match_id: str) -> bool:
        """Archive one match. False where it is archived, or cannot be had now."""
        if await self._kept(match_id):
            return False
        try:
            record = await self._source.record(game, f"matches/{match_id}")
        except VallumError as error:
            log.warning("not_archived", match=match_id, code=error.code)
            return False
        return await self.put(record)

    async def put(self, record: pb.Record, match_id: str = "") -> bool:
        """Write a record down with the fact that tells of it. False where there is one."""
        match_id = match_id or results.id_of(record.name)
        now = time.time_ns() // 1_000_000
        async with self._database.begin() as connection:
            query = select(RESULTS.c.tenant, RESULTS.c.finished_ms, RESULTS.c.imported)
            found = (await connection.execute(query.where(RESULTS.c.match_id == match_id))).one()
            row = {
                "match_id": match_id,
                "tenant": found.tenant,
                "game": record.game,
                "finished_ms": found.finished_ms,
                "archived_ms": now,
                "body": zlib.compress(record.SerializeToString()),
            }
            if not await insert_new(connection, RECORDS, [row]):
                return False
            await connection.execute(
                update(RESULTS)
                .where(RESULTS.c.match_id == match_id)
                .values(archived=True, options_json=record.options_json)
            )
            if found.imported:
                return True
            told = (await results.load(connection, [match_id]))[match_id]
            if len(told.seats) == 1:  # only now is it known what a solo match is compared with
                await results.enter(connection, [told])
            await results.tell(connection, archived(record, found.tenant, now))
        return True

    async def get(self, match_id: str) -> tuple[str, pb.Record] | None:
        """(tenant, record) of an archived match."""
        async with self._database.reading() as connection:
            query = select(RECORDS.c.tenant, RECORDS.c.body)
            row = (
                await connection.execute(query.where(RECORDS.c.match_id == match_id))
            ).one_or_none()
        return (row.tenant, inflated(row.body)) if row else None

    async def export(
        self, game: str = "", tenant: str | None = None, since_ms: int = 0
    ) -> AsyncIterator[pb.Record]:
        """Records in the order in which their matches ended; `tenant` None is everybody's."""
        after = (since_ms, "")
        chosen = [RECORDS.c.game == game] if game else []
        if tenant is not None:
            chosen.append(RECORDS.c.tenant == tenant)
        while True:
            later = or_(
                RECORDS.c.finished_ms > after[0],
                and_(RECORDS.c.finished_ms == after[0], RECORDS.c.match_id > after[1]),
            )
            query = select(RECORDS.c.finished_ms, RECORDS.c.match_id, RECORDS.c.body)
            query = query.where(later, *chosen).order_by(RECORDS.c.finished_ms, RECORDS.c.match_id)
            async with self._database.reading() as connection:
                rows = (await connection.execute(query.limit(AT_ONCE))).all()
            if not rows:
                return
            for row in rows:
                yield inflated(row.body)
            after = (rows[-1].finished_ms, rows[-1].match_id)

    async def _waiting(self, after: str) -> list[tuple[str, str]]:
        query = (
            select(RESULTS.c.game, RESULTS.c.match_id)
            .where(RESULTS.c.archived.is_(False), RESULTS.c.match_id > after)
            .order_by(RESULTS.c.match_id)
            .limit(AT_ONCE)
        )
        async with self._database.reading() as connection:
            return [(row.game, row.match_id) for row in await connection.execute(query)]

    async def _kept(self, match_id: str) -> bool:
        query = select(RESULTS.c.archived).where(RESULTS.c.match_id == match_id)
        async with self._database.reading() as connection:
            return bool((await connection.execute(query)).scalar_one_or_none())


def inflated(body: bytes) -> pb.Record:
    """A record as it lies in the archive."""
    return pb.Record.FromString(zlib.decompress(body))


def archived(record: pb.Record, tenant: str, now_ms: int) -> ev.Event:
    """The fact that a record is safe."""
    return ev.Event(
        id=f"{results.id_of(record.name)}/archived",
        subject=record.name,
        version=len(record.entries),
        occurred_at=results.timestamp(now_ms),
        tenant=tenant,
        record_archived=ev.RecordArchived(game=record.game),
    )
