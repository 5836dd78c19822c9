"""The client for programs without an event loop: the same calls, each of which waits.

    with Client("127.0.0.1:7410", token) as client:
        game = client.game("hadrians_wall")
        match = game.create_match([player("ada"), bot("random")])
        for update in game.watch(match):
            ...

One thread of each client runs the async client; its methods may be called from any other.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Iterator
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, Self, TypeVar

import grpc

from vallum.client import client as other
from vallum.client.game import GameClient as AsyncGame
from vallum.client.game import MatchName
from vallum.client.inbox import Inbox as AsyncInbox
from vallum.client.lobby import Lobby as AsyncLobby
from vallum.client.matchmaking import Matchmaking as AsyncMatchmaking
from vallum.client.retry import Retry
from vallum.client.shapes import End, Update
from vallum.client.watch import Watch as AsyncWatch

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")
A = TypeVar("A")


class Loop:
    """An event loop in a thread of its own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Wait for `work`; Ctrl-C ends it."""
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def each(self, items: AsyncIterator[T]) -> Iterator[T]:
        """One after the other; leaving the loop early ends the iteration there, too."""
        nothing: Any = object()
        try:
            while (item := self.run(_next(items, nothing))) is not nothing:
                yield item
        finally:
            if isinstance(items, AsyncGenerator):
                self.run(_close(items))

    @property
    def alive(self) -> bool:
        """Whether calls can be made."""
        return self._thread.is_alive()

    def close(self) -> None:
        """End the thread."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()


class Facade(Protocol):
    """An async object behind a façade, and the loop that it lives on."""

    _loop: Loop
    _async: Any


def waits(
    method: Callable[Concatenate[A, P], Coroutine[Any, Any, R]],
) -> Callable[Concatenate[Facade, P], R]:
    """The method that does the same and waits for it."""

    @wraps(method)
    def call(self: Facade, /, *args: P.args, **kwargs: P.kwargs) -> R:
        return self._loop.run(method(self._async, *args, **kwargs))

    return call


def iterates(
    method: Callable[Concatenate[A, P], AsyncIterator[R]],
) -> Callable[Concatenate[Facade, P], Iterator[R]]:
    """The method that gives the same, one after the other."""

    @wraps(method)
    def call(self: Facade, /, *args: P.args, **kwargs: P.kwargs) -> Iterator[R]:
        return self._loop.each(method(self._async, *args, **kwargs))

    return call


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
        self._loop.run(_called(self._async.close))


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
    watch = iterates(AsyncInbox.watch)


class Client:
    """Calls the services at `target`, bearing `token`, as `vallum.client.Client` does."""

    def __init__(
        self,
        target: str,
        token: str | Callable[[], str],
        *,
        retry: Retry | None = None,
        credentials: grpc.ChannelCredentials | None = None,
    ) -> None:
        self._loop = Loop()
        self._async = self._loop.run(
            _called(lambda: other.Client(target, token, retry=retry, credentials=credentials))
        )

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
        """End every call, the connection and the thread."""
        self._loop.run(self._async.close())
        self._loop.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


async def _next(items: AsyncIterator[T], nothing: T) -> T:
    return await anext(items, nothing)


async def _close(items: AsyncGenerator[Any, None]) -> None:
    await items.aclose()


async def _called(function: Callable[[], T]) -> T:
    return function()
