"""A worker with those who feed and watch it: the dispatcher and the canary."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import uuid
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress

import structlog
import uvloop
from msgspec.structs import replace
from redis.asyncio import Redis
from redis.exceptions import RedisError

from services.runtime import telemetry
from services.runtime.consumer import Consumer
from services.runtime.redis import check_server, connect
from services.runtime.settings import PREFIX, Settings
from services.workers.canary import Canary
from services.workers.claims import Waiting
from services.workers.dispatcher import GROUP, Dispatcher
from services.workers.metrics import WORKER_STARTS, measure
from services.workers.post import Post
from services.workers.queues import QUEUES, canary_queue
from services.workers.tasks import begun_key

FIRST_PAUSE = 0.2
LONGEST_PAUSE = 15.0
HEALTHY_S = 60.0
"""A worker that lived so long is started again at once."""

log = structlog.get_logger(__name__)


def serve(settings: Settings, queues: Sequence[str] = QUEUES) -> None:
    """The main of a worker process: until SIGTERM or SIGINT."""
    telemetry.setup("workers", settings)
    uvloop.run(_serve(settings, queues))


async def _serve(settings: Settings, queues: Sequence[str]) -> None:
    asked = asyncio.Event()
    loop = asyncio.get_running_loop()
    for signum in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(signum, asked.set)
    async with crew(settings, queues):
        await asked.wait()


@asynccontextmanager
async def crew(settings: Settings, queues: Sequence[str] = QUEUES) -> AsyncIterator[Worker]:
    """Queue automatic turns and run a worker of `queues`, until the end of the block.

    `settings` name the storage, the broker, the private key and the rules services. Raises
    SettingsError for a broker that will not do.
    """
    worker = Worker(settings, queues)
    async with connect(settings.broker_url) as broker, connect(settings.redis_url) as redis:
        await check_server(broker, need_aof=False)
        post = Post(settings, worker.name)
        canary = Canary(broker, post, worker.name, settings.worker_silence)
        dispatcher = Dispatcher(post, Waiting(broker))
        tasks = [
            asyncio.create_task(worker.keep(canary, broker)),
            asyncio.create_task(measure(broker, queues)),
        ]
        try:
            async with Consumer(redis, settings, GROUP, dispatcher.handlers):
                yield worker
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await worker.stop()
            await post.close()


class Worker:
    """A Celery worker in a process of its own, started again when it ends or falls silent."""

    def __init__(self, settings: Settings, queues: Sequence[str]) -> None:
        self.name = f"{settings.replica}-{uuid.uuid4().hex[:8]}"
        self.process: Process | None = None
        self._settings = settings
        self._queues = queues

    async def keep(self, canary: Canary, broker: Redis) -> None:
        """Run it for ever."""
        pause, loop, after = FIRST_PAUSE, asyncio.get_running_loop(), "start"
        while True:
            began = loop.time()
            WORKER_STARTS.labels(after).inc()
            after = await self._run(canary)
            log.error("worker_lost", worker=self.name, why=after)
            await self._forget(broker)
            pause = FIRST_PAUSE if loop.time() - began > HEALTHY_S else pause
            await asyncio.sleep(pause)
            pause = min(LONGEST_PAUSE, pause * 2)

    async def stop(self) -> None:
        """Let it finish what it has in hand, within the grace period."""
        if self.process is None or self.process.returncode is not None:
            return
        with suppress(ProcessLookupError):
            self.process.terminate()
        try:
            await asyncio.wait_for(self.process.wait(), self._settings.grace)
        except TimeoutError:
            await self._kill()

    async def _run(self, canary: Canary) -> str:
        """Start it and wait for its end: "exit" or "silence"."""
        self.process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "services.workers", str(os.getpid()), self.name, *self._queues),
            env=self._environ(),
            stdin=DEVNULL,
            stdout=DEVNULL,  # Celery says good-bye there
            start_new_session=True,  # Ctrl-C is for us: we tell it when to end
        )
        ended = asyncio.create_task(self.process.wait())
        silent = asyncio.create_task(canary.died())
        try:
            await asyncio.wait((ended, silent), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (ended, silent):
                task.cancel()
        if self.process.returncode is not None:
            return "exit"
        await self._kill()
        return "silence"

    async def _kill(self) -> None:
        """End it with the processes that it has started."""
        assert self.process is not None
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        await self.process.wait()

    async def _forget(self, broker: Redis) -> None:
        """Throw away what was only for the worker that is gone."""
        with suppress(RedisError):
            await broker.delete(canary_queue(self.name), begun_key(self.name))

    def _environ(self) -> dict[str, str]:
        """Ours, with our settings in it. The port for metrics is ours alone."""
        given = {name: text for name, text in os.environ.items() if not name.startswith(PREFIX)}
        ours = replace(self._settings, metrics_port=None).environ()
        paths = os.pathsep.join(path or "." for path in sys.path)
        return given | ours | {"PYTHONPATH": paths}
