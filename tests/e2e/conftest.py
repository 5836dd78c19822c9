"""One platform for all of these tests: starting it takes most of the time."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.e2e.given import Platform, Studio, studio
from tests.e2e.given import platform as running_platform


@pytest.fixture(scope="package")
async def platform(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Platform]:
    """Shared by the tests of this folder."""
    async with running_platform(tmp_path_factory.mktemp("split")) as found:
        yield found


@pytest.fixture(scope="package")
async def acme(platform: Platform) -> Studio:
    """A studio."""
    return await studio(platform)
