"""The archive: the record of every finished match, fetched from the rules service that has it."""

from __future__ import annotations

import asyncio
import time
import zlib
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import structlog
from sqlalchemy import and_, bindparam, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from services.runtime.database import Database
from services.runtime.errors import Unavailable, VallumError
from services.scoring import results
from services.scoring.schema import RECORDS, RESULTS
from services.scoring.upsert import insert_new
from vallum.events.v1 import events_pb2 as ev
from vallum.match.v1 import match_pb2 as pb

AT_ONCE = 32
"""Records that are fetched, or read, at a time."""

log = structlog.get_logger(__name__)


class Name(NamedTuple):
    """Which match of which game."""

    game: str
    match_id: str


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
            done += await self._fetched(waiting)
            after = waiting[-1].match_id
        return done

    async def keep(self, names: Sequence[Name]) -> int:
        """Archive these; how many were. Those that are archived, or cannot be had now, are left."""
        done = 0
        for start in range(0, len(names), AT_ONCE):
            some = names[start : start + AT_ONCE]
            query = select(RESULTS.c.match_id).where(
                RESULTS.c.match_id.in_([one.match_id for one in some]), RESULTS.c.archived
            )
            async with self._database.reading() as connection:
                kept = set((await connection.execute(query)).scalars())
            done += await self._fetched([one for one in some if one.match_id not in kept])
        return done

    async def put(self, records: Mapping[str, pb.Record]) -> int:
        """Write records down, by the ids of their matches, with the facts that tell of them; how
        many were new."""
        now = time.time_ns() // 1_000_000
        query = select(
            RESULTS.c.match_id, RESULTS.c.tenant, RESULTS.c.finished_ms, RESULTS.c.imported
        ).where(RESULTS.c.match_id.in_(list(records)))
        async with self._database.begin() as connection:
            found = {row.match_id: row for row in await connection.execute(query)}
            rows = [record_row(row, records[key], now) for key, row in sorted(found.items())]
            new = sorted(await insert_new(connection, RECORDS, rows))
            await self._known(connection, {key: records[key] for key in new})
            told = [key for key in new if not found[key].imported]
            await self._enter_solo(connection, told)
            await results.tell(
                connection, [archived(records[key], found[key].tenant, now) for key in told]
            )
        return len(new)

    async def _known(self, connection: AsyncConnection, records: Mapping[str, pb.Record]) -> None:
        """Note that results have their records, and with what options they were played."""
        if records:
            statement = (
                update(RESULTS)
                .where(RESULTS.c.match_id == bindparam("id"))
                .values(archived=True, options_json=bindparam("options"))
            )
            options = [
                {"id": key, "options": record.options_json} for key, record in records.items()
            ]
            await connection.execute(statement, options)

    async def _enter_solo(self, connection: AsyncConnection, match_ids: Sequence[str]) -> None:
        """Only now is it known what a solo match is compared with."""
        if match_ids:
            matches = (await results.load(connection, match_ids)).values()
            await results.enter(connection, [one for one in matches if len(one.seats) == 1])

    async def _fetched(self, names: Sequence[Name]) -> int:
        """Fetch records side by side, and keep them together."""
        found = await asyncio.gather(*(self._record(one) for one in names))
        records = {
            one.match_id: record
            for one, record in zip(names, found, strict=True)
            if record is not None
        }
        return await self.put(records) if records else 0

    async def _record(self, name: Name) -> pb.Record | None:
        try:
            return await self._source.record(name.game, f"matches/{name.match_id}")
        except VallumError as error:
            log.warning("not_archived", match=name.match_id, code=error.code)
            return None

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

    async def _waiting(self, after: str) -> list[Name]:
        query = (
            select(RESULTS.c.game, RESULTS.c.match_id)
            .where(RESULTS.c.archived.is_(False), RESULTS.c.match_id > after)
            .order_by(RESULTS.c.match_id)
            .limit(AT_ONCE)
        )
        async with self._database.reading() as connection:
            return [Name(*row) for row in await connection.execute(query)]


def record_row(row: Any, record: pb.Record, now_ms: int) -> dict[str, Any]:
    """A record as it lies in the archive."""
    return {
        "match_id": row.match_id,
        "tenant": row.tenant,
        "game": record.game,
        "finished_ms": row.finished_ms,
        "archived_ms": now_ms,
        "body": zlib.compress(record.SerializeToString()),
    }


def inflated(body: bytes) -> pb.Record:
    """A record out of the archive."""
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
