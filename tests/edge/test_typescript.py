"""The TypeScript client against the edge: in Node, and in a real browser where there is one."""

from __future__ import annotations

import asyncio
import os
import shutil
from asyncio.subprocess import PIPE, STDOUT
from pathlib import Path

import pytest

from services.games import GAMES
from services.runtime.auth import Keys
from services.runtime.settings import Settings
from tests.conftest import Token
from tests.edge.given import site

ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "clients/typescript"
PATIENCE = 250.0
NOT_INSTALLED = 3

pytestmark = [pytest.mark.timeout(2 * PATIENCE), pytest.mark.xdist_group("web")]


async def ran(*command: str | Path, **variables: str) -> tuple[int, str]:
    """Exit status and output of a command in the client's folder."""
    process = await asyncio.create_subprocess_exec(
        *command, cwd=CLIENT, env=os.environ | variables, stdout=PIPE, stderr=STDOUT
    )
    try:
        output, _ = await asyncio.wait_for(process.communicate(), PATIENCE)
    except BaseException:
        process.kill()
        raise
    assert process.returncode is not None
    return process.returncode, output.decode()


@pytest.fixture(scope="module")
async def built() -> None:
    """The client and its tests as JavaScript."""
    if shutil.which("npm") is None:
        pytest.skip("TypeScript client not run: there is no Node here")
    status, output = await ran(ROOT / "tools/typescript.sh")
    if status == NOT_INSTALLED:
        pytest.skip(f"TypeScript client not run: {output.strip().splitlines()[-1]}")
    assert status == 0, output


@pytest.fixture(scope="module")
async def browser() -> str:
    """A Chromium."""
    status, output = await ran(ROOT / "tools/browser.sh")
    if status:
        pytest.skip(f"browser not run: {output.strip().splitlines()[-1]}")
    return output.strip().splitlines()[-1]


async def node_says(settings: Settings, keys: Keys, token: Token, file: str, **more: str) -> str:
    """What Node's test runner says of one file of tests, against an edge."""
    async with site(settings, keys, GAMES["hadrians_wall"]) as found:
        people = {f"VALLUM_{name.upper()}": token(name) for name in ("ada", "bob")}
        status, output = await ran(
            *("node", "--test", f"dist/test/{file}.test.js"),
            VALLUM_URL=found.web.url,
            **people,
            **more,
        )
    assert status == 0, output
    return output


@pytest.mark.usefixtures("built")
async def test_in_node(settings: Settings, keys: Keys, token: Token) -> None:
    assert "# pass 1" in await node_says(settings, keys, token, "node")


@pytest.mark.usefixtures("built")
async def test_streams_that_break_go_on(settings: Settings, keys: Keys, token: Token) -> None:
    assert "# pass 6" in await node_says(settings, keys, token, "watch")


@pytest.mark.usefixtures("built")
async def test_in_a_browser(settings: Settings, keys: Keys, token: Token, browser: str) -> None:
    told = await node_says(settings, keys, token, "browser", VALLUM_BROWSER=browser)
    assert "# pass 1" in told
    assert "# skipped 0" in told
