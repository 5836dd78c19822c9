"""What concerns a player in any of his matches, of every game."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING, Any

import grpc

from vallum.client.errors import VallumCallError, call_error
from vallum.notices.v1 import inbox_pb2 as pb
from vallum.notices.v1.inbox_pb2_grpc import InboxServiceStub

if TYPE_CHECKING:
    from vallum.client.client import Client


class Inbox:
    """Made by `Inbox(client)`, of a player.

    `token` is where `watch` goes on: keep it, and give it to the next Inbox.
    """

    def __init__(self, client: Client, token: str = "") -> None:
        self.token = token
        self._client = client
        self._stub: Any = client.stub(InboxServiceStub)

    async def turns(self) -> list[pb.Turn]:
        """Every question that awaits the player."""
        reply = await self._client.call(self._stub.ListMyTurns, pb.ListMyTurnsRequest())
        return list(reply.turns)

    async def invitations(self) -> list[pb.Invited]:
        """The tables and parties that wait for the player: see `Lobby.join`, `Matchmaking.join`."""
        request = pb.ListMyInvitationsRequest()
        reply = await self._client.call(self._stub.ListMyInvitations, request)
        return list(reply.invitations)

    async def watch(self) -> AsyncGenerator[pb.WatchMyMatchesResponse, None]:
        """Notices, for ever: first all that awaits him, then each once and in order. A broken
        stream is opened again where it ended; raises VallumCallError once patience is over."""
        patience = self._client.patience()
        while True:
            failed = VallumCallError("stream_ended", grpc.StatusCode.UNAVAILABLE, answered=False)
            request = pb.WatchMyMatchesRequest(resume_token=self.token)
            call = self._stub.WatchMyMatches(request, metadata=await self._client.metadata())
            try:
                async for notice in call:
                    patience.reset()
                    self.token = notice.resume_token
                    if notice.WhichOneof("notice") != "heartbeat":
                        yield notice
            except grpc.aio.AioRpcError as error:
                failed = call_error(error)
            finally:
                call.cancel()
            await patience.after(failed)
