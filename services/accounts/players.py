"""Players: a tenant's own id for somebody, and the id that matches and tokens have."""

from __future__ import annotations

from typing import Any

from sqlalchemy import insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from services.accounts.audit import actor, note
from services.accounts.requests import repeated
from services.accounts.schema import OUTBOX, PLAYERS
from services.accounts.statement import raise_version
from services.runtime.auth import Role, caller
from services.runtime.errors import NotFound
from services.runtime.rows import insert_new, letters, now_ms, one, timestamp
from services.runtime.tenancy import sees
from vallum.accounts.v1 import accounts_pb2 as pb
from vallum.events.v1 import events_pb2 as ev

ID_BYTES = 10


async def found(connection: AsyncConnection, name: str, *, hold: bool = False) -> Any:
    """A player that the caller may know of. Raises NotFound `player_not_found`."""
    row = await one(connection, PLAYERS, name.removeprefix("players/"), hold=hold)
    if row is None or not sees(row.tenant):
        raise NotFound("player_not_found")
    return row


async def living(connection: AsyncConnection, name: str, *, hold: bool = False) -> Any:
    """One who was not deleted. Raises NotFound `player_not_found`."""
    row = await found(connection, name, hold=hold)
    if row.deleted_ms is not None:
        raise NotFound("player_not_found")
    return row


async def known(connection: AsyncConnection, tenant: str, external_id: str) -> Any:
    """The player with a tenant's own id, or None."""
    query = select(PLAYERS).where(PLAYERS.c.tenant == tenant, PLAYERS.c.external_id == external_id)
    return (await connection.execute(query)).one_or_none()


async def ensure(
    connection: AsyncConnection, tenant: str, external_id: str, display_name: str
) -> tuple[Any, bool]:
    """The player with a tenant's own id, made where he is new; and whether he was. Two who ask at
    once get the same."""
    row = {
        "id": f"p{letters(ID_BYTES)}",
        "tenant": tenant,
        "external_id": external_id,
        "display_name": display_name,
        "created_ms": now_ms(),
    }
    created = await insert_new(connection, PLAYERS, row)
    player = await known(connection, tenant, external_id)
    if player is None:  # deleted between the two
        return await ensure(connection, tenant, external_id, display_name)
    return player, created


async def change(connection: AsyncConnection, request: pb.UpdatePlayerRequest) -> Any:
    """Rename a player. Raises NotFound, Conflict."""
    row = await living(connection, request.name, hold=True)
    if await repeated(connection, request, request.name, now_ms()) is None:
        await connection.execute(
            update(PLAYERS).where(PLAYERS.c.id == row.id).values(display_name=request.display_name)
        )
        await note(connection, "UpdatePlayer", row.tenant, request.name)
    return await found(connection, request.name)


async def delete(connection: AsyncConnection, request: pb.DeletePlayerRequest) -> Any:
    """Erase what is known of a player; who is deleted stays so. Raises NotFound, Conflict."""
    row, now = await found(connection, request.name, hold=True), now_ms()
    if await repeated(connection, request, request.name, now) is None and row.deleted_ms is None:
        nothing = {"external_id": None, "display_name": "", "deleted_ms": now}
        await connection.execute(update(PLAYERS).where(PLAYERS.c.id == row.id).values(nothing))
        await raise_version(connection, now)
        fact = ev.Event(
            id=f"{request.name}/deleted",
            subject=request.name,
            occurred_at=timestamp(now),
            cause=request.request_id,
            tenant=row.tenant,
            player_deleted=ev.PlayerDeleted(by=actor()),
        )
        await connection.execute(insert(OUTBOX), [{"event": fact.SerializeToString()}])
        await note(connection, "DeletePlayer", row.tenant, request.name)
    return await found(connection, request.name)


def message(row: Any) -> pb.Player:
    """A player as the caller sees him: what his tenant calls him is for himself and the tenant."""
    who = caller()
    known = who.role != Role.PLAYER or who.subject == row.id
    return pb.Player(
        name=f"players/{row.id}",
        tenant=row.tenant,
        external_id=(row.external_id or "") if known else "",
        display_name=row.display_name,
        create_time=timestamp(row.created_ms),
        delete_time=timestamp(row.deleted_ms),
    )
