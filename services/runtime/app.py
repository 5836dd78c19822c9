"""A service process: one gRPC server with the guard at its door, health and reflection."""

from __future__ import annotations

import asyncio
import gc
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack

import grpc
import structlog
import uvloop
from google.protobuf.descriptor import ServiceDescriptor
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from services.runtime import guard, telemetry
from services.runtime.auth import Keys, Verifier
from services.runtime.limits import Limits
from services.runtime.settings import Settings, SettingsError

LARGEST_MESSAGE = 4 * 1024 * 1024
EVERYWHERE = ("0.0.0.0", "[::]")  # noqa: S104 # compared with, not bound to
OPTIONS = (
    ("grpc.max_receive_message_length", LARGEST_MESSAGE),
    ("grpc.max_send_message_length", LARGEST_MESSAGE),
    ("grpc.so_reuseport", 0),  # else a second server on the port would share it unnoticed
    ("grpc.keepalive_time_ms", 60_000),
    ("grpc.keepalive_timeout_ms", 20_000),
    ("grpc.http2.min_recv_ping_interval_without_data_ms", 10_000),
)

log = structlog.get_logger(__name__)


class App:
    """Services behind one port. `async with App(settings, binds) as app:` serves until the end."""

    def __init__(
        self, settings: Settings, binds: Sequence[Bind], verifier: Verifier | None = None
    ) -> None:
        self.settings = settings
        self.stopping = asyncio.Event()
        """Set when the server is about to stop: streams end themselves."""
        self.port = settings.port
        """Where it listens; known once started."""
        self._binds = binds
        self._verifier = verifier or _verifier(settings)
        self._limits = Limits(settings)
        self._stack = AsyncExitStack()
        self._server = grpc.aio.server(options=OPTIONS)
        self._health = health.aio.HealthServicer()
        self._names: list[str] = []

    @property
    def target(self) -> str:
        """host:port, for a client on the same machine."""
        host = self.settings.host
        return f"{'127.0.0.1' if host in EVERYWHERE else host}:{self.port}"

    @property
    def services(self) -> tuple[str, ...]:
        """The full names of what is served; known once started."""
        return tuple(self._names)

    def serve(self, service: ServiceDescriptor, servicer: object) -> None:
        """Answer `service` with the methods of `servicer`. Called by a bind, before the start."""
        guarded = guard.handlers(service, servicer, self._verifier, self.settings, self._limits)
        self._server.add_generic_rpc_handlers((guarded,))
        self._names.append(service.full_name)

    async def start(self) -> None:
        """Bind every service and listen. Raises SettingsError when the port is taken."""
        try:
            for bind in self._binds:
                await self._stack.enter_async_context(bind(self))
            self._listen()
            await self._server.start()
        except BaseException:
            await self._stack.aclose()
            raise
        for name in self._names:
            await self._health.set(name, health_pb2.HealthCheckResponse.SERVING)
        log.info("serving", target=self.target, services=self._names)

    async def stop(self, grace: float | None = None) -> None:
        """Say NOT_SERVING, tell streams to end, let calls finish for `grace` seconds, clean up."""
        await self._health.enter_graceful_shutdown()
        self.stopping.set()
        await self._server.stop(self.settings.grace if grace is None else grace)
        await self._stack.aclose()
        log.info("stopped", target=self.target)

    async def __aenter__(self) -> App:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    def _listen(self) -> None:
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        names = (*self._names, health.SERVICE_NAME, reflection.SERVICE_NAME)
        reflection.enable_server_reflection(names, self._server)
        where = f"{self.settings.host}:{self.settings.port}"
        try:
            self.port = self._server.add_insecure_port(where)
        except RuntimeError:
            raise SettingsError(f"cannot listen on {where}: is it taken?") from None


Bind = Callable[[App], AbstractAsyncContextManager[None]]
"""Opens what a service needs, calls `app.serve(...)`, yields, closes it again."""


def run(name: str, *binds: Bind) -> None:
    """The main of a service process: serve until SIGTERM or SIGINT, then stop gracefully.

    Settings that cannot be used end it with a line that says why.
    """
    try:
        settings = Settings.load()
        telemetry.setup(name, settings)
        uvloop.run(serve(settings, binds))
    except SettingsError as error:
        sys.exit(f"vallum {name}: {error}")


async def serve(
    settings: Settings, binds: Sequence[Bind], verifier: Verifier | None = None
) -> None:
    """Serve until the process is asked to end."""
    asked = asyncio.Event()
    loop = asyncio.get_running_loop()
    for signum in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(signum, asked.set)
    async with App(settings, binds, verifier):
        quiet_collector()
        await asked.wait()


def quiet_collector() -> None:
    """For a process that serves from now on: what it is made of is never looked at again, and
    the young are looked at in larger lots. Otherwise the collector took 7 % of every call."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def _verifier(settings: Settings) -> Verifier:
    if settings.key_file is None:
        raise SettingsError("VALLUM_KEY_FILE: name the PEM file of the key that signs tokens")
    return Verifier(Keys.load(settings.key_file))
