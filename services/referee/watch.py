"""Streams of a match: every update once, in order, from any version, until the end."""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError

from services.gamekit.game import Seat
from services.referee.contract import Contract
from services.referee.events import TableEvent
from services.referee.folder import Frame, Live
from services.referee.messages import decision_messages, final
from services.referee.store import Store
from services.runtime.errors import InvalidRequest, Stale, Unavailable
from services.runtime.loops import ended

HEARTBEAT_S = 10.0
"""Seconds of silence after which a stream says that it lives, and looks at the log itself."""

PAUSE_S = 0.5
"""Seconds before a lost subscription is made again."""

log = structlog.get_logger(__name__)


class Bell:
    """Wakes the watchers of matches that another replica has moved: one subscription a match.

    A hint only: a message that is lost costs the wait until the next heartbeat. One task alone
    uses the subscription, for two that find it lost would both make it anew; a channel of its
    own tells that task of matches that are newly watched.
    """

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._own = f"bell:{secrets.token_hex(8)}"
        self._watched: Counter[str] = Counter()
        self._lives: dict[str, Live] = {}
        self._task: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def on(self, live: Live) -> AsyncIterator[asyncio.Event]:
        """An event that is set whenever `live` may have moved."""
        event = asyncio.Event()
        channel = live.keys.moved
        live.watchers.add(event)
        self._lives[channel] = live
        self._watched[channel] += 1
        try:
            if self._watched[channel] == 1:
                await self._tell()
            yield event
        finally:
            live.watchers.discard(event)
            self._watched[channel] -= 1
            if not self._watched[channel]:
                del self._watched[channel], self._lives[channel]

    async def close(self) -> None:
        """Stop listening."""
        if self._task:
            await ended([self._task])

    async def _tell(self) -> None:
        self._task = self._task or asyncio.create_task(self._listen())
        try:
            await self._redis.publish(self._own, "")
        except RedisError as error:
            log.warning("bell_lost", error=str(error))

    async def _listen(self) -> None:
        while True:
            try:
                async with self._redis.pubsub() as pubsub:
                    await pubsub.subscribe(self._own)
                    while True:
                        await self._follow(pubsub)
                        self._ring(await pubsub.get_message(timeout=HEARTBEAT_S))
            except (RedisError, OSError) as error:
                log.warning("bell_lost", error=str(error))
            await asyncio.sleep(PAUSE_S)

    async def _follow(self, pubsub: Any) -> None:
        """Subscribe to what is watched, and to nothing else."""
        heard = {channel.decode() for channel in pubsub.channels} - {self._own}
        if new := self._lives.keys() - heard:
            await pubsub.subscribe(*new)
        if old := heard - self._lives.keys():
            await pubsub.unsubscribe(*old)

    def _ring(self, message: Any) -> None:
        live = self._lives.get(message["channel"].decode()) if message else None
        if live is None:
            return
        if message["type"] == "subscribe" or live.version < int(message["data"]):
            live.wake()  # what came before the subscription was not heard


class Watcher:
    """One stream: what one viewer sees of one match."""

    def __init__(
        self, store: Store, contract: Contract, live: Live, viewer: Seat | None, with_view: bool
    ) -> None:
        self.store = store
        self.contract = contract
        self.live = live
        self.viewer = viewer
        self.with_view = with_view

    async def stream(
        self, bell: Bell, from_version: int, stopping: asyncio.Event
    ) -> AsyncIterator[bytes]:
        """The messages, serialised. Raises InvalidRequest `version_ahead`, Stale
        `epoch_changed` where acknowledged versions are gone, Unavailable `shutting_down`."""
        sent = from_version
        async with bell.on(self.live) as moved:
            await self._catch_up()
            if sent > self.live.version:
                raise InvalidRequest("version_ahead", version=self.live.version)
            while True:
                moved.clear()
                last = self.live.version
                for frame in await self.store.frames(self.live, sent, last):
                    yield self._update(frame, last)
                sent = last
                if self.live.version == sent and not self.live.table.open:
                    yield self._end()
                    return
                if self.live.version == sent and not await rung(moved, stopping):
                    yield self._heartbeat()
                if stopping.is_set():
                    raise Unavailable("shutting_down")
                await self._catch_up()

    async def _catch_up(self) -> None:
        if self.live.lost or not await self.store.catch_up(self.live):
            raise Stale("epoch_changed")

    def _update(self, frame: Frame, last: int) -> bytes:
        with_view = self.with_view and frame.entry.version == last
        key = (self.viewer, with_view)
        if key not in frame.sent:
            frame.sent[key] = self._write(frame, with_view).SerializeToString()
        return frame.sent[key]

    def _write(self, frame: Frame, with_view: bool) -> Any:
        contract, move, seat = self.contract, frame.move, frame.entry.seat
        update = contract.WatchResponse.Update(
            version=frame.entry.version, seat=seat, decisions=decision_messages(frame.table)
        )
        if isinstance(move, TableEvent):
            update.event = move.kind
        else:
            update.action.CopyFrom(contract.action_message(move.shown(seat, self.viewer)))
        if with_view:
            seen = self.live.game.view(frame.table.state, self.viewer)
            update.view.CopyFrom(contract.view(seen))
        return contract.WatchResponse(update=update)

    def _end(self) -> bytes:
        response = self.contract.WatchResponse(
            end={"version": self.live.version, "result": final(self.live, self.live.table)}
        )
        return bytes(response.SerializeToString())

    def _heartbeat(self) -> bytes:
        response = self.contract.WatchResponse(heartbeat={"version": self.live.version})
        return bytes(response.SerializeToString())


async def rung(moved: asyncio.Event, stopping: asyncio.Event) -> bool:
    """Wait for either event; False when a heartbeat is due first."""
    waits = [asyncio.ensure_future(one.wait()) for one in (moved, stopping)]
    try:
        done, _ = await asyncio.wait(
            waits, timeout=HEARTBEAT_S, return_when=asyncio.FIRST_COMPLETED
        )
    finally:
        for wait in waits:
            wait.cancel()
    return bool(done)
