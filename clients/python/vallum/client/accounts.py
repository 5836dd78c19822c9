"""A studio's players, and the tokens that their apps hold."""

from __future__ import annotations

import uuid
from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING, Any

from vallum.accounts.v1 import accounts_pb2 as pb
from vallum.accounts.v1.accounts_pb2_grpc import AccountsServiceStub

if TYPE_CHECKING:
    from vallum.client.client import Client

PlayerName = str | pb.Player
"""A player, his name "players/…", or his id in matches."""


class Accounts:
    """Made by `Accounts(client)`, of a client with an API key.

    An `external_id` is what the studio calls a player. Calls raise VallumCallError.
    """

    def __init__(self, client: Client) -> None:
        self._client = client
        self._stub: Any = client.stub(AccountsServiceStub)

    async def player_token(
        self, external_id: str, *, display_name: str = "", ttl: int | None = None
    ) -> pb.IssuePlayerTokenResponse:
        """A token for a player's app, who is made where he is new, for `ttl` seconds (900)."""
        request = pb.IssuePlayerTokenRequest(external_id=external_id, display_name=display_name)
        if ttl is not None:
            request.ttl.seconds = ttl
        found: pb.IssuePlayerTokenResponse = await self._call("IssuePlayerToken", request)
        return found

    async def ensure_player(self, external_id: str, *, display_name: str = "") -> pb.Player:
        """The player with an external id, made where he is new."""
        request = pb.EnsurePlayerRequest(external_id=external_id, display_name=display_name)
        return player_of(await self._call("EnsurePlayer", request))

    async def player(self, player: PlayerName) -> pb.Player:
        """Who a player is."""
        request = pb.GetPlayerRequest(name=name_of(player))
        return player_of(await self._call("GetPlayer", request))

    async def players(self) -> AsyncGenerator[pb.Player, None]:
        """Every player, newest first, page after page."""
        token: str | None = None
        while token != "":
            request = pb.ListPlayersRequest(page_token=token or "")
            page = await self._call("ListPlayers", request)
            for one in page.players:
                yield one
            token = page.next_page_token

    async def rename(
        self, player: PlayerName, display_name: str, *, request_id: str | None = None
    ) -> pb.Player:
        """Change what other players see."""
        request = pb.UpdatePlayerRequest(
            name=name_of(player),
            display_name=display_name,
            request_id=request_id or uuid.uuid4().hex,
        )
        return player_of(await self._call("UpdatePlayer", request))

    async def delete(self, player: PlayerName, *, request_id: str | None = None) -> pb.Player:
        """Erase what is known of a player; what is left of him. His tokens end."""
        request = pb.DeletePlayerRequest(
            name=name_of(player), request_id=request_id or uuid.uuid4().hex
        )
        return player_of(await self._call("DeletePlayer", request))

    async def _call(self, method: str, request: Any) -> Any:
        return await self._client.call(getattr(self._stub, method), request)


def player_of(reply: Any) -> pb.Player:
    """The player of any reply."""
    found: pb.Player = reply.player
    return found


def name_of(player: PlayerName) -> str:
    """ "players/…"."""
    name = player if isinstance(player, str) else player.name
    return name if "/" in name else f"players/{name}"
