"""Sitting down with others before a match: tables."""

from __future__ import annotations

import json
import uuid
from collections.abc import AsyncGenerator, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from vallum.client.matchmaking import states
from vallum.match.v1 import match_pb2 as pb
from vallum.matchmaking.v1 import lobby_pb2 as lb
from vallum.matchmaking.v1 import lobby_pb2_grpc as stubs

if TYPE_CHECKING:
    from vallum.client.client import Client

TableName = str | lb.Table
"""A table, or its name "tables/…"."""

OPEN = lb.TableSeat()
"""A seat for whoever comes."""


class Lobby:
    """The tables of whom a client speaks for: `Lobby(client)`. Methods as of `Matchmaking`."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._stub: Any = client.stub(stubs.LobbyServiceStub)

    async def create(  # noqa: PLR0913 # all of it may be asked for
        self,
        game: str,
        seats: Iterable[lb.TableSeat],
        *,
        options: Mapping[str, Any] | None = None,
        mode: pb.Mode.ValueType = pb.MODE_CASUAL,
        clock: pb.Clock | None = None,
        public: bool = False,
        keep_seats: bool = False,
        request_id: str | None = None,
    ) -> lb.Table:
        """Open a table: `[sits("ada"), sits("bob"), sits_bot("hard"), OPEN]`."""
        return await self._call(
            "CreateTable",
            request_id,
            game=game,
            seats=seats,
            options_json=json.dumps(dict(options)) if options else "",
            mode=mode,
            clock=clock,
            keep_seats=keep_seats,
            visibility=lb.VISIBILITY_PUBLIC if public else lb.VISIBILITY_PRIVATE,
        )

    async def get(self, table: TableName) -> lb.Table:
        """A table as it is now."""
        request = lb.GetTableRequest(name=name_of(table))
        return table_of(await self._client.call(self._stub.GetTable, request))

    async def tables(self, game: str = "", *, mine: bool = False) -> AsyncGenerator[lb.Table, None]:
        """Public tables with a seat open, or the caller's own, page after page."""
        token: str | None = None
        while token != "":
            request = lb.ListTablesRequest(game=game, mine=mine, page_token=token or "")
            page = await self._client.call(self._stub.ListTables, request)
            for table in page.tables:
                yield table
            token = page.next_page_token

    async def join(
        self, table: TableName = "tables/-", *, code: str = "", request_id: str | None = None
    ) -> lb.Table:
        """Sit down at a table, or at the one of an invite code."""
        fields = {"name": name_of(table), "invite_code": code}
        return await self._call("JoinTable", request_id, **fields)

    async def leave(self, table: TableName, *, request_id: str | None = None) -> lb.Table:
        """Give the seat up."""
        return await self._call("LeaveTable", request_id, name=name_of(table))

    async def ready(
        self, table: TableName, ready: bool = True, *, request_id: str | None = None
    ) -> lb.Table:
        """Say that the caller is ready, or not any more."""
        return await self._call("SetReady", request_id, name=name_of(table), ready=ready)

    async def set_seat(
        self,
        table: TableName,
        seat: int,
        *,
        bot: str | None = None,
        kept_for: str | None = None,
        request_id: str | None = None,
    ) -> lb.Table:
        """Give a seat to a bot, keep it for a player, or open it."""
        fields = {"name": name_of(table), "seat": seat, "bot": bot, "kept_for": kept_for}
        return await self._call("SetSeat", request_id, **fields)

    async def start(self, table: TableName, *, request_id: str | None = None) -> lb.Table:
        """Begin the match; its name is in the table."""
        return await self._call("StartTable", request_id, name=name_of(table))

    async def rematch(self, match: str, *, request_id: str | None = None) -> lb.Table:
        """Sit down with the same people again."""
        return await self._call("Rematch", request_id, match=match)

    def watch(self, table: TableName) -> AsyncGenerator[lb.Table, None]:
        """The table after each change, and every ten seconds, until it has started or closed."""
        request = lb.WatchTableRequest(name=name_of(table))

        def over(found: lb.Table) -> bool:
            return found.state != lb.TABLE_STATE_OPEN

        return states(self._client, self._stub.WatchTable, request, "table", over)

    async def _call(self, method: str, request_id: str | None, **fields: Any) -> lb.Table:
        given = {key: value for key, value in fields.items() if value is not None}
        given["request_id"] = request_id or uuid.uuid4().hex
        request = getattr(lb, f"{method}Request")(**given)
        return table_of(await self._client.call(getattr(self._stub, method), request))


def sits(player: str) -> lb.TableSeat:
    """A seat for a player: the caller's own, or kept for a friend."""
    return lb.TableSeat(player=player)


def sits_bot(policy: str) -> lb.TableSeat:
    """A seat for a bot, by its policy."""
    return lb.TableSeat(bot=policy)


def table_of(reply: Any) -> lb.Table:
    """The table of any reply."""
    found: lb.Table = reply.table
    return found


def name_of(table: TableName) -> str:
    """ "tables/…"."""
    return table if isinstance(table, str) else table.name
