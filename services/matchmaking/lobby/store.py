"""Tables as they are stored: read, ruled on, and written unless somebody was first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from services.matchmaking.forming import Formation
from services.matchmaking.invitations import about
from services.matchmaking.lobby.table import OPEN, Table, close
from services.matchmaking.storage import Corner
from services.matchmaking.tickets import Request
from services.runtime.errors import Conflict, NotFound, Refused, Unavailable

ATTEMPTS = 16
IDLE_MS = 30 * 60 * 1000
"""A table where nothing happens for so long is closed."""
NO_REQUEST = Request("", "")

read = msgspec.msgpack.Decoder(Table).decode
write = msgspec.msgpack.Encoder().encode


class Stored(NamedTuple):
    """A table, and how often it has changed."""

    table: Table
    version: int


Rule = Callable[[Table], Table]
Found = Callable[[Table | None], Table]


async def find(corner: Corner, table_id: str) -> Stored | None:
    """A table by its id."""
    (found,) = await find_all(corner, [table_id])
    return found


async def find_all(corner: Corner, ids: list[str]) -> list[Stored | None]:
    """Several tables by their ids."""
    pipeline = corner.redis.pipeline(transaction=False)
    for one in ids:
        pipeline.hmget(corner.key("table", one), "b", "v")
    rows = await pipeline.execute()
    return [Stored(read(body), int(version)) if body else None for body, version in rows]


async def get(corner: Corner, table_id: str) -> Stored:
    """Raises NotFound `table_not_found`."""
    found = await find(corner, table_id)
    if found is None:
        raise NotFound("table_not_found")
    return found


async def change(corner: Corner, table_id: str, rule: Rule, now: int, request: Request) -> Stored:
    """Do what `rule` says to a table. Raises as `put` does, and NotFound `table_not_found`."""

    def there(table: Table | None) -> Table:
        if table is None:
            raise NotFound("table_not_found")
        return rule(table)

    return await put(corner, table_id, there, now, request)


async def put(
    corner: Corner,
    table_id: str,
    rule: Found,
    now: int,
    request: Request,
    formed: Formation | None = None,
) -> Stored:
    """What `rule` makes of a table or of none, written once; ruled on anew when somebody was first.
    `formed` is the match that begins with it. A request that was answered before changes nothing.
    Raises Conflict `request_id_reused`, Refused `already_at_a_table`, `match_offered`."""
    await corner.known()
    for _ in range(ATTEMPTS):
        if await _answered(corner, request):
            return await get(corner, table_id)
        before = await find(corner, table_id)
        after = replace(rule(before.table if before else None), expires=now + IDLE_MS)
        version = before.version if before else 0
        answer = await corner.run(
            "table", *_arguments(before.table if before else None, after, version, request, formed)
        )
        match answer[0]:
            case b"ok":
                return Stored(after, version + 1)
            case b"busy":
                told = {"player": answer[1].decode(), "table": f"tables/{answer[2].decode()}"}
                raise Refused("already_at_a_table", "one table for each player", **told)
            case b"held":
                told = {"player": answer[1].decode()}
                raise Refused("match_offered", "a player is asked to accept a match", **told)
    raise Unavailable("contended")


async def close_idle(corner: Corner, now: int, most: int) -> None:
    """Close the tables whose time is up."""
    due: Any = await corner.redis.zrangebyscore(
        corner.key("tables"), "-inf", now, start=0, num=most
    )

    def idle(table: Table) -> Table:
        return close(table, "idle") if table.state == OPEN and table.expires <= now else table

    for table_id in due:
        await change(corner, table_id.decode(), idle, now, NO_REQUEST)


async def _answered(corner: Corner, request: Request) -> bool:
    if not request.id:
        return False
    known = await corner.redis.get(corner.key("req", request.id))
    if known is not None and known.decode() != request.body:
        raise Conflict("request_id_reused")
    return known is not None


def _arguments(
    before: Table | None, after: Table, version: int, request: Request, formed: Formation | None
) -> list[Any]:
    """As the script takes them."""
    seated, kept = after.people(), after.kept()
    gone = [one for one in (before.people() if before else ()) if one not in seated]
    unkept = [one for one in (before.kept() if before else ()) if one not in kept]
    listed = after.public and any(one.open for one in after.places)
    found: list[Any] = [after.id, version, write(after), after.state, after.expires, after.code]
    found += [" ".join(names) for names in (seated, gone, kept, unkept)]
    found += [after.created if listed else "", *request]
    if formed is None:
        found += ["", after.queue.game, "", ""]
    else:
        found += [formed.match_id, after.queue.game, formed.event, formed.sitting]
    told = about(after.queue.game, after.queue.mode_message(), after.host, after.rematch_of)
    return [*found, told, "expired" if after.reason == "idle" else "withdrawn"]
