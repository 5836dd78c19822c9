"""An edge in front of real services."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

from msgspec.structs import replace

from services.edge.envoy import Envoy
from services.edge.running import edge
from services.gamekit.hosted import Hosted
from services.referee.bind import rules
from services.runtime.app import App
from services.runtime.auth import Keys, Verifier
from services.runtime.settings import Settings
from tests.ambush.hosted import HOSTED
from tests.edge.web import Web
from tests.runtime.echo import SERVICE, EchoService

TENANT = "acme"


class Site(NamedTuple):
    """Services behind an edge."""

    app: App
    echo: EchoService
    envoy: Envoy
    web: Web

    @property
    def target(self) -> str:
        """The edge, for a gRPC client."""
        return self.web.url.partition("://")[2]


@asynccontextmanager
async def site(
    settings: Settings, keys: Keys, hosted: Hosted = HOSTED, **given: Any
) -> AsyncIterator[Site]:
    """The echo service, and a game, behind an edge; `given` are other settings."""
    chosen = replace(settings, edge_port=0, log_level="warning", **given)
    echo = EchoService()

    @asynccontextmanager
    async def bind(app: App) -> AsyncIterator[None]:
        app.serve(SERVICE, echo)
        yield

    binds = [bind, rules(hosted, frozenset({"random"}))]
    async with App(chosen, binds, Verifier(keys)) as app:
        targets = dict.fromkeys(app.services, app.target)
        async with edge(chosen, targets, app.target, keys.jwks()) as front:
            yield Site(app, echo, front.envoy, Web(front.url))
