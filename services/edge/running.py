"""An edge in front of services that run, from its start to its end."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import structlog
from google.protobuf import descriptor_pool
from msgspec.structs import replace

from services.edge.config import Edge, Service, rendered
from services.edge.contract import descriptor_set
from services.edge.envoy import Envoy, binary
from services.edge.metrics import measured
from services.edge.openapi import document
from services.runtime.settings import Settings, SettingsError

WATCH_S = 0.5
"""Seconds between two looks at whether Envoy is still there."""
PAUSE_S = 1.0
"""Seconds before it is started again."""
JSON_TO_BINARY = 4
"""How much longer a message may be as JSON."""

log = structlog.get_logger(__name__)


class Front(NamedTuple):
    """An edge that runs."""

    url: str
    envoy: Envoy


@asynccontextmanager
async def edge(
    settings: Settings,
    targets: Mapping[str, str],
    describing: str,
    jwks: Mapping[str, Any],
    grace: float = 0.0,
) -> AsyncIterator[Front]:
    """Run one until the end of the block. `targets` says where each service of the contract is, by
    its full name, `describing` where health and reflection are. Calls that are under way get
    `grace` seconds to finish. Raises SettingsError.
    """
    binary()
    _check_free(settings.host, settings.edge_port)
    with TemporaryDirectory(prefix="vallum-edge-") as folder:
        config = configured(settings, targets, describing, jwks, Path(folder))
        write(config)
        envoy = Envoy(config.folder)
        try:
            await asyncio.to_thread(envoy.start)
            config = replace(config, port=envoy.port)
            watch = asyncio.create_task(keep(envoy, config))
            try:
                with measured(envoy):
                    yield Front(url(config), envoy)
            finally:
                watch.cancel()
                await asyncio.gather(watch, return_exceptions=True)
            await asyncio.to_thread(envoy.drain, grace)
        finally:
            await asyncio.to_thread(envoy.stop)


def configured(
    settings: Settings,
    targets: Mapping[str, str],
    describing: str,
    jwks: Mapping[str, Any],
    folder: Path,
) -> Edge:
    """The configuration that the settings ask for. Raises SettingsError."""
    if bool(settings.edge_certificate) != bool(settings.edge_private_key):
        raise SettingsError("VALLUM_EDGE_CERTIFICATE and VALLUM_EDGE_PRIVATE_KEY go together")
    for file in (settings.edge_certificate, settings.edge_private_key):
        if file and not file.is_file():
            raise SettingsError(f"the edge's certificate: there is no file {file}")
    find = descriptor_pool.Default().FindServiceByName
    return Edge(
        folder=folder,
        services=tuple(Service.at(find(name), target) for name, target in targets.items()),
        describing=describing,
        jwks=jwks,
        host=settings.host.strip("[]"),
        port=settings.edge_port,
        certificate=settings.edge_certificate and settings.edge_certificate.absolute(),
        private_key=settings.edge_private_key and settings.edge_private_key.absolute(),
        origins=settings.edge_origins,
        deadline=settings.edge_deadline,
        request_limit=JSON_TO_BINARY * settings.request_limit,
        flood=settings.edge_flood,
        trusted_proxies=settings.edge_proxies,
    )


def write(config: Edge) -> None:
    """Put all that Envoy reads into its folder."""
    find = descriptor_pool.Default().FindServiceByName
    services = [find(service.name) for service in config.services]
    (config.folder / "contract.binpb").write_bytes(descriptor_set(services))
    (config.folder / "openapi.json").write_text(json.dumps(document(services)))
    (config.folder / "envoy.yaml").write_text(rendered(config))


async def keep(envoy: Envoy, config: Edge) -> None:
    """Start it again whenever it has ended."""
    while True:
        await asyncio.sleep(WATCH_S)
        if envoy.alive:
            continue
        log.error("edge_lost", said=envoy.last_words())
        write(config)
        await asyncio.sleep(PAUSE_S)
        try:
            await asyncio.to_thread(envoy.start)
        except SettingsError as error:
            log.error("edge_not_started", why=str(error))


def url(config: Edge) -> str:
    """Its address, for somebody on this machine."""
    host = "127.0.0.1" if config.host in {"0.0.0.0", "[::]", "::"} else config.host  # noqa: S104 # compared with
    return f"{'https' if config.certificate else 'http'}://{host}:{config.port}"


def _check_free(host: str, port: int) -> None:
    """Raises SettingsError when somebody listens there."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host.strip("[]"), port))
        except OSError as error:
            raise SettingsError(
                f"the edge cannot listen on {host}:{port} (VALLUM_EDGE_PORT): {error.strerror}"
            ) from None
