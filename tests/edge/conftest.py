"""One edge for the tests that only call it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from services.runtime.auth import Keys
from services.runtime.settings import Settings
from tests.edge.given import Site
from tests.edge.given import site as running_site
from tests.edge.web import Web
from tests.servers import Server


@pytest.fixture(scope="package")
async def site(
    redis_server: Server, keys: Keys, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Site]:
    """Shared by the tests of this folder."""
    folder: Path = tmp_path_factory.mktemp("edge")
    settings = Settings(
        redis_url=redis_server.database(63), data_dir=folder, port=0, edge_deadline=1.0
    )
    async with running_site(settings, keys) as found:
        yield found


@pytest.fixture
def web(site: Site) -> Web:
    """A client of it."""
    return site.web
