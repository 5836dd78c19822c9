"""The inbox's calls."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from redis.asyncio import Redis

from services.notices.inbox import Box
from services.notices.turns import MOST, Turns
from services.runtime.app import App
from services.runtime.auth import caller
from services.runtime.bell import Bell, rung
from services.runtime.errors import Unavailable
from vallum.notices.v1 import inbox_pb2 as pb


class InboxService:
    """Answers InboxService. Method names are the contract's."""

    def __init__(self, app: App, redis: Redis, turns: Turns, bell: Bell) -> None:
        self._app = app
        self._redis = redis
        self._turns = turns
        self._bell = bell

    async def ListMyTurns(self, _request: Any, _: Any) -> Any:
        """See the contract."""
        listed = await self._turns.of(self._box(), caller().subject)
        return pb.ListMyTurnsResponse(turns=listed.turns, matches=listed.matches)

    async def ListMyInvitations(self, _request: Any, _: Any) -> Any:
        """See the contract."""
        return pb.ListMyInvitationsResponse(invitations=await self._box().invitations(MOST))

    async def WatchMyMatches(self, request: Any, _: Any) -> AsyncIterator[Any]:
        """See the contract. Code: `shutting_down`."""
        box, player, token = self._box(), caller().subject, request.resume_token
        async with self._bell.on(box.stream) as told:
            if not token or not await box.knows(token):
                token = await box.latest()  # before the turns: what comes between is told twice
                invitations = await box.invitations(MOST)
                turns = (await self._turns.of(box, player)).turns
                all_of_them = pb.Turns(turns=turns, invitations=invitations)
                yield pb.WatchMyMatchesResponse(resume_token=token, turns=all_of_them)
            while True:
                while notices := await box.since(token):
                    for notice in notices:
                        token = notice.resume_token
                        yield notice
                if self._app.stopping.is_set():
                    raise Unavailable("shutting_down")
                if not await rung(told, self._app.stopping):
                    yield pb.WatchMyMatchesResponse(resume_token=token, heartbeat=pb.Heartbeat())

    def _box(self) -> Box:
        who = caller()
        return Box(self._redis, self._app.settings.partitions, who.tenant, who.subject)
