"""LobbyService's calls: the contract on one side, the stored tables on the other."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import AsyncIterator
from typing import Any

from services.matchmaking.entering import digest, request_of
from services.matchmaking.forming import formation, histories, new_match_id, seated
from services.matchmaking.games import Games
from services.matchmaking.lobby import store
from services.matchmaking.lobby import table as tables
from services.matchmaking.lobby.messages import place_of, table_message
from services.matchmaking.lobby.rematch import rematch_table
from services.matchmaking.lobby.store import Stored
from services.matchmaking.lobby.table import OPEN, Table
from services.matchmaking.relay import Relay
from services.matchmaking.storage import Corner, Storage
from services.matchmaking.times import now_ms
from services.runtime.app import App
from services.runtime.auth import Caller, Role, caller
from services.runtime.bell import Bell, rung
from services.runtime.errors import Forbidden, InvalidRequest, NotFound, Unavailable
from services.runtime.offsets import offset_of, token_of
from vallum.match.v1 import match_pb2 as pb
from vallum.matchmaking.v1 import lobby_pb2 as lb

CODE = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
CODE_LENGTH = 8
PAGE = 50


class LobbyService:
    """Answers LobbyService. Method names are the contract's."""

    def __init__(self, app: App, storage: Storage, games: Games, relay: Relay, bell: Bell) -> None:
        self._app = app
        self._storage = storage
        self._games = games
        self._relay = relay
        self._bell = bell

    async def CreateTable(self, request: Any, _: Any) -> Any:
        """See the contract. Codes: `ranked_by_tenant_only`, `not_at_the_table`, `unknown_game`,
        `unknown_bot`, `seated_already`, `already_at_a_table`, those of the game's options."""
        who, now = caller(), now_ms()
        opened = self._opened(who, request, now)

        def rule(there: Table | None) -> Table:
            return there or opened

        made = await store.put(self._corner(), opened.id, rule, now, request_of(who, request))
        return lb.CreateTableResponse(table=shown(made, who))

    async def GetTable(self, request: Any, _: Any) -> Any:
        """See the contract. Code: `table_not_found`."""
        return lb.GetTableResponse(table=shown(await self._seen(request.name), caller()))

    async def ListTables(self, request: Any, _: Any) -> Any:
        """See the contract. Code: `bad_page_token`."""
        who, corner = caller(), self._corner()
        if request.mine:
            return lb.ListTablesResponse(
                tables=[shown(one, who) for one in await self._own(corner, who.subject)]
            )
        size, start = request.page_size or PAGE, offset_of(request.page_token)
        rows = await corner.redis.zrevrange(corner.key("public"), start, start + size)
        found = await store.find_all(corner, [row.decode() for row in rows[:size]])
        return lb.ListTablesResponse(
            tables=[
                shown(one, who)
                for one in found
                if one and one.table.state == OPEN and request.game in ("", one.table.queue.game)
            ],
            next_page_token=token_of(start + size) if len(rows) > size else "",
        )

    async def JoinTable(self, request: Any, _: Any) -> Any:
        """See the contract. Codes: `table_not_found`, `table_full`, `table_over`,
        `already_at_a_table`."""
        who, corner, code = caller(), self._corner(), request.invite_code.upper()
        table_id = request.name.removeprefix("tables/")
        if table_id == "-":
            known = await corner.redis.get(corner.key("code", code)) if code else None
            if known is None:
                raise NotFound("table_not_found")
            table_id = known.decode()
        after = await store.change(
            corner,
            table_id,
            lambda table: tables.join(table, who.subject, code),
            now_ms(),
            request_of(who, request),
        )
        return lb.JoinTableResponse(table=shown(after, who))

    async def LeaveTable(self, request: Any, _: Any) -> Any:
        """See the contract. Codes: `not_seated`, `table_over`."""
        who = caller()
        after = await self._change(request, lambda table: tables.leave(table, who.subject))
        return lb.LeaveTableResponse(table=shown(after, who))

    async def SetReady(self, request: Any, _: Any) -> Any:
        """See the contract. Codes: `not_seated`, `table_over`."""
        who = caller()
        after = await self._change(
            request, lambda table: tables.set_ready(table, who.subject, request.ready)
        )
        return lb.SetReadyResponse(table=shown(after, who))

    async def SetSeat(self, request: Any, _: Any) -> Any:
        """See the contract. Codes: `host_only`, `no_such_seat`, `host_stays`, `seated_already`,
        `unknown_bot`, `table_over`."""
        who = caller()
        if request.HasField("bot"):
            self._games.check_bot(request.bot, "bot")
        place = place_of(request, "")
        after = await self._change(
            request, lambda table: tables.set_place(table, actor(who), request.seat, place)
        )
        return lb.SetSeatResponse(table=shown(after, who))

    async def StartTable(self, request: Any, _: Any) -> Any:
        """See the contract. Codes: `host_only`, `seats_open`, `not_ready`, `table_over`,
        `match_offered`."""
        who, corner, now = caller(), self._corner(), now_ms()
        ready, asked = await self._seen(request.name), request_of(who, request)
        match_id, order = new_match_id(), []
        if ready.table.state == OPEN:  # else it is repeated, or refused by `rule`
            tables.may_start(ready.table, actor(who))
            order = await self._order(corner, match_id, ready.table)
        formed = formation(who.tenant, ready.table.queue, match_id, order, now, ready.table.id)

        def rule(there: Table | None) -> Table:
            assert there is not None
            tables.may_start(there, actor(who))
            if there != ready.table:
                raise Unavailable("contended")
            return tables.started(there, match_id)

        after = await store.put(corner, ready.table.id, rule, now, asked, formed)
        self._relay.nudge(corner)
        return lb.StartTableResponse(table=shown(after, who))

    async def Rematch(self, request: Any, _: Any) -> Any:
        """See the contract. Codes: `match_not_found`, `already_at_a_table`."""
        who, corner, now = caller(), self._corner(), now_ms()
        match_id = request.match.removeprefix("matches/")
        event = await corner.redis.get(corner.key("formed", match_id))
        fresh = rematch_table(event, who.subject, rematch_id(who.tenant, match_id), now, new_code())

        def rule(there: Table | None) -> Table:
            if there is None or there.state == tables.CLOSED:
                return fresh
            return tables.join(there, who.subject, "") if there.state == OPEN else there

        after = await store.put(corner, fresh.id, rule, now, request_of(who, request))
        return lb.RematchResponse(table=shown(after, who))

    async def WatchTable(self, request: Any, _: Any) -> AsyncIterator[Any]:
        """See the contract. Codes: `table_not_found` once the caller may see it no more,
        `shutting_down`."""
        who, corner = caller(), self._corner()
        found = await self._seen(request.name)
        async with self._bell.on(corner.key("table", found.table.id)) as changed:
            sent, alive = -1, False
            while True:
                found = await self._seen(request.name)
                if found.version != sent or alive:
                    heartbeat = found.version == sent
                    yield lb.WatchTableResponse(table=shown(found, who), heartbeat=heartbeat)
                    sent = found.version
                if found.table.state != OPEN:
                    return
                if self._app.stopping.is_set():
                    raise Unavailable("shutting_down")
                alive = not await rung(changed, self._app.stopping)

    def _corner(self) -> Corner:
        return self._storage.of(caller().tenant)

    async def _seen(self, name: str) -> Stored:
        """A table that the caller may know of. Raises NotFound `table_not_found`."""
        found = await store.get(self._corner(), name.removeprefix("tables/"))
        who = caller()
        if who.role == Role.PLAYER and not tables.visible(found.table, who.subject):
            raise NotFound("table_not_found")
        return found

    async def _change(self, request: Any, rule: store.Rule) -> Stored:
        """Change a table that the caller may know of."""
        who = caller()

        def seen(table: Table) -> Table:
            if who.role == Role.PLAYER and not tables.visible(table, who.subject):
                raise NotFound("table_not_found")
            return rule(table)

        table_id = request.name.removeprefix("tables/")
        return await store.change(
            self._corner(), table_id, seen, now_ms(), request_of(who, request)
        )

    async def _own(self, corner: Corner, player: str) -> list[Stored]:
        pipeline = corner.redis.pipeline(transaction=False)
        pipeline.get(corner.key("seated", player))
        pipeline.smembers(corner.key("kept", player))
        seat, kept = await pipeline.execute()
        ids = sorted({one.decode() for one in (*kept, *([seat] if seat else []))})
        found = [one for one in await store.find_all(corner, ids) if one]
        return sorted(found, key=lambda one: -one.table.created)

    async def _order(self, corner: Corner, match_id: str, table: Table) -> list[pb.Occupant]:
        people = table.people()
        past = await histories(corner, table.queue.game, people)
        drawn = seated(match_id, people, len(table.places), past)
        return [
            pb.Occupant(player=one.player) if one.player else pb.Occupant(bot=one.bot)
            for one in tables.seat_order(table, drawn)
        ]

    def _opened(self, who: Caller, request: Any, now: int) -> Table:
        """The table that a request asks for."""
        is_player = who.role == Role.PLAYER
        if is_player and request.mode == pb.MODE_RANKED:
            raise Forbidden("ranked_by_tenant_only")
        queue = self._games.queue(request)
        self._games.check(queue, len(request.seats))
        for number, seat in enumerate(request.seats):
            if seat.HasField("bot"):
                self._games.check_bot(seat.bot, f"seats[{number}].bot")
        places = tuple(place_of(one, who.subject if is_player else "") for one in request.seats)
        if is_player and all(one.player != who.subject for one in places):
            raise Forbidden("not_at_the_table")
        names = [one.player or one.kept_for for one in places if one.player or one.kept_for]
        if len(set(names)) < len(names):
            raise InvalidRequest("seated_already", fields=[("seats", "somebody has two")])
        return Table(
            id=digest("table", who, request.request_id)[:20],
            queue=queue,
            places=places,
            host=who.subject if is_player else "",
            keep_seats=request.keep_seats,
            public=request.visibility == lb.VISIBILITY_PUBLIC,
            code=new_code(),
            created=now,
        )


def shown(stored: Stored, who: Caller) -> lb.Table:
    """A table as a caller may see it."""
    with_code = who.role != Role.PLAYER or who.subject in stored.table.people()
    return table_message(stored, with_code=with_code)


def actor(who: Caller) -> str:
    """In whose name a caller acts at a table: "" for its tenant."""
    return who.subject if who.role == Role.PLAYER else ""


def rematch_id(tenant: str, match_id: str) -> str:
    """The one table of a match's rematch."""
    return hashlib.sha256(f"rematch\0{tenant}\0{match_id}".encode()).hexdigest()[:20]


def new_code() -> str:
    """An invite code that nobody guesses, of letters that nobody confuses."""
    return "".join(secrets.choice(CODE) for _ in range(CODE_LENGTH))
