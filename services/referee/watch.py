"""Streams of a match: every update once, in order, from any version, until the end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from services.gamekit.game import Seat
from services.referee.contract import Contract
from services.referee.events import TableEvent
from services.referee.folder import Frame, Live
from services.referee.messages import decision_messages, final
from services.referee.store import Store
from services.runtime.bell import Bell, rung
from services.runtime.errors import InvalidRequest, Stale, Unavailable


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
        async with self._moved(bell) as moved:
            await self._catch_up()
            if sent > self.live.version:
                raise InvalidRequest("version_ahead", version=self.live.version)
            while True:
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

    @asynccontextmanager
    async def _moved(self, bell: Bell) -> AsyncIterator[asyncio.Event]:
        """An event that is set whenever the match may have gone on, here or elsewhere."""
        live = self.live

        def news(version: bytes) -> bool:
            return live.version < int(version)

        async with bell.on(live.keys.moved, news) as event:
            live.watchers.add(event)
            try:
                yield event
            finally:
                live.watchers.discard(event)

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
