"""The client for programs without an event loop: the same calls, each of which waits.

    with Client("127.0.0.1:7410", token) as client:
        game = client.game("hadrians_wall")
        match = game.create_match([player("ada"), bot("random")])
        for update in game.watch(match):
            ...

One thread of each client runs the async client; its methods may be called from any other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Self, TypeVar

import grpc

from vallum.client import client as other
from vallum.client.accounts import Accounts as AsyncAccounts
from vallum.client.game import GameClient as AsyncGame
from vallum.client.game import MatchName
from vallum.client.inbox import Inbox as AsyncInbox
from vallum.client.lobby import Lobby as AsyncLobby
from vallum.client.matchmaking import Matchmaking as AsyncMatchmaking
from vallum.client.retry import Retry
from vallum.client.shapes import End, Update
from vallum.client.tokens import Given
from vallum.client.waiting import Loop, called, iterates, waits
from vallum.client.watch import Watch as AsyncWatch

T = TypeVar("T")


class Watch:
    """`for update in game.watch(match)`, as `vallum.client.Watch` says."""

    def __init__(self, loop: Loop, watch: AsyncWatch) -> None:
        self._loop = loop
        self._async = watch

    @property
    def version(self) -> int:
        """The last version received."""
        return self._async.version

    @property
    def end(self) -> End | None:
        """The end of the match, once it was received."""
        return self._async.end

    def __iter__(self) -> Iterator[Update]:
        return self._loop.each(aiter(self._async))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the call, and the iteration with it."""
        self._loop.run(called(self._async.close))


class GameClient:
    """The matches of one game, as `vallum.client.GameClient` has them."""

    def __init__(self, loop: Loop, game: AsyncGame) -> None:
        self._loop = loop
        self._async = game
        self.package, self.messages, self.Action = game.package, game.messages, game.Action

    create_match = waits(AsyncGame.create_match)
    get_match = waits(AsyncGame.get_match)
    list_matches = iterates(AsyncGame.list_matches)
    view = waits(AsyncGame.view)
    actions = waits(AsyncGame.actions)
    play = waits(AsyncGame.play)
    preview = waits(AsyncGame.preview)
    undo = waits(AsyncGame.undo)
    resign = waits(AsyncGame.resign)
    hand_over = waits(AsyncGame.hand_over)
    come_back = waits(AsyncGame.come_back)
    answer = waits(AsyncGame.answer)
    record = waits(AsyncGame.record)
    position = waits(AsyncGame.position)

    def watch(self, match: MatchName, *, from_version: int = 0, with_view: bool = False) -> Watch:
        """Every update after `from_version`, until the match ends."""
        watch = self._async.watch(match, from_version=from_version, with_view=with_view)
        return Watch(self._loop, watch)


class Matchmaking:
    """Tickets, as `vallum.client.Matchmaking` has them."""

    def __init__(self, client: Client) -> None:
        self._loop = client.loop
        self._async = AsyncMatchmaking(client.behind)

    enter = waits(AsyncMatchmaking.enter)
    get = waits(AsyncMatchmaking.get)
    tickets = waits(AsyncMatchmaking.tickets)
    join = waits(AsyncMatchmaking.join)
    cancel = waits(AsyncMatchmaking.cancel)
    accept = waits(AsyncMatchmaking.accept)
    decline = waits(AsyncMatchmaking.decline)
    watch = iterates(AsyncMatchmaking.watch)
    matched = waits(AsyncMatchmaking.matched)
    policy = waits(AsyncMatchmaking.policy)


class Lobby:
    """Tables, as `vallum.client.Lobby` has them."""

    def __init__(self, client: Client) -> None:
        self._loop = client.loop
        self._async = AsyncLobby(client.behind)

    create = waits(AsyncLobby.create)
    get = waits(AsyncLobby.get)
    tables = iterates(AsyncLobby.tables)
    join = waits(AsyncLobby.join)
    leave = waits(AsyncLobby.leave)
    ready = waits(AsyncLobby.ready)
    set_seat = waits(AsyncLobby.set_seat)
    start = waits(AsyncLobby.start)
    rematch = waits(AsyncLobby.rematch)
    watch = iterates(AsyncLobby.watch)


class Inbox:
    """What concerns a player in any match, as `vallum.client.Inbox` has it."""

    def __init__(self, client: Client, token: str = "") -> None:
        self._loop = client.loop
        self._async = AsyncInbox(client.behind, token)

    @property
    def token(self) -> str:
        """Where `watch` goes on."""
        return self._async.token

    turns = waits(AsyncInbox.turns)
    invitations = waits(AsyncInbox.invitations)
    watch = iterates(AsyncInbox.watch)


class Accounts:
    """A studio's players, as `vallum.client.Accounts` has them."""

    def __init__(self, client: Client) -> None:
        self._loop = client.loop
        self._async = AsyncAccounts(client.behind)

    player_token = waits(AsyncAccounts.player_token)
    ensure_player = waits(AsyncAccounts.ensure_player)
    player = waits(AsyncAccounts.player)
    players = iterates(AsyncAccounts.players)
    rename = waits(AsyncAccounts.rename)
    delete = waits(AsyncAccounts.delete)


class Client:
    """Calls the services at `target`, bearing `token` or as the tenant of `api_key`, as
    `vallum.client.Client` does."""

    def __init__(
        self,
        target: str,
        token: Given = "",
        *,
        api_key: str = "",
        retry: Retry | None = None,
        credentials: grpc.ChannelCredentials | None = None,
    ) -> None:
        given: dict[str, Any] = {"api_key": api_key, "retry": retry, "credentials": credentials}
        self._loop = Loop()
        self._owner = True
        self._async = self._loop.run(called(lambda: other.Client(target, token, **given)))

    def as_player(self, external_id: str, *, display_name: str = "") -> Client:
        """A client in the name of a player of this one's tenant; it ends with this one."""
        found = Client.__new__(Client)
        found._loop, found._owner = self._loop, False
        found._async = self._loop.run(
            called(lambda: self._async.as_player(external_id, display_name=display_name))
        )
        return found

    def game(self, name: str) -> GameClient:
        """The matches of one game, by its key or by the package of its contract."""
        return GameClient(self._loop, self._async.game(name))

    @property
    def loop(self) -> Loop:
        """Where its calls are made."""
        return self._loop

    @property
    def behind(self) -> other.Client:
        """The async client that makes them."""
        return self._async

    def stub(self, kind: Callable[[grpc.aio.Channel], T]) -> T:
        """A generated stub on this connection, for `call`."""
        return self._async.stub(kind)

    call = waits(other.Client.call)

    def close(self) -> None:
        """End every call, the connection and the thread; of `as_player`, nothing."""
        if self._owner:
            self._loop.run(self._async.close())
            self._loop.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
