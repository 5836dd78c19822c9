"""A connection that can be broken: between a client and a server, on real sockets."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Proxy:
    """Passes bytes to `target` and back, until it is told otherwise."""

    def __init__(self, target: str) -> None:
        self._host, _, port = target.rpartition(":")
        self._port = int(port)
        self._open: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self.connections = 0
        self.deaf = False
        """Answers are dropped: what is asked still reaches the server."""
        self.target = ""

    def cut(self) -> None:
        """Break every connection at once; new ones are taken."""
        for writer in self._open:
            writer.transport.abort()
        self._open.clear()

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection."""
        self.connections += 1
        answers, server = await asyncio.open_connection(self._host, self._port)
        self._open |= {writer, server}
        for source, sink, back in ((reader, server, False), (answers, writer, True)):
            task = asyncio.create_task(self._pass(source, sink, back=back))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _pass(
        self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, *, back: bool
    ) -> None:
        try:
            while data := await source.read(65536):
                if not (back and self.deaf):
                    sink.write(data)
                    await sink.drain()
        except ConnectionError:
            pass
        finally:
            sink.transport.abort()
            self._open.discard(sink)


@asynccontextmanager
async def proxy(target: str, port: int = 0) -> AsyncIterator[Proxy]:
    """A proxy before `target`, on a free port unless one is named."""
    between = Proxy(target)
    server = await asyncio.start_server(between.take, "127.0.0.1", port)
    between.target = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with server:
        try:
            yield between
        finally:
            between.cut()
