"""docs/quickstart.md, run as it is written."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
import threading
from asyncio.subprocess import PIPE, STDOUT
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.cli.given import Up, up
from tests.edge.test_typescript import ROOT, browser, built

QUICKSTART = (ROOT / "docs/quickstart.md").read_text()
PATIENCE = 250.0

__all__ = ["browser", "built"]
pytestmark = [pytest.mark.timeout(2 * PATIENCE), pytest.mark.xdist_group("web")]


def blocks(language: str) -> list[str]:
    """The code of the page in one language, in its order."""
    return re.findall(rf"^```{language}\n(.*?)^```$", QUICKSTART, re.DOTALL | re.MULTILINE)


async def ran(*command: str, cwd: Path, **variables: str) -> str:
    """What a command prints; it must succeed."""
    process = await asyncio.create_subprocess_exec(
        *command, cwd=cwd, env=os.environ | variables, stdout=PIPE, stderr=STDOUT
    )
    try:
        output, _ = await asyncio.wait_for(process.communicate(), PATIENCE)
    except BaseException:
        process.kill()
        raise
    assert process.returncode == 0, output.decode()
    return output.decode()


@pytest.fixture(scope="module")
async def here(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Up]:
    """What `make run` starts."""
    async with up(tmp_path_factory.mktemp("run")) as running:
        yield running


@pytest.fixture(scope="module")
async def told(here: Up, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What the curl part printed, and the variables that it leaves to the other parts."""
    script = "set -euo pipefail\n" + "\n".join([*blocks("sh"), 'echo "$TOKEN $PLAYER"'])
    given = {"VALLUM": here.facts["url"], "API_KEY": here.facts["api_key"]}
    output = await ran("bash", "-c", script, cwd=tmp_path_factory.mktemp("sh"), **given)
    token, player = output.splitlines()[-1].split()
    return {"VALLUM": here.facts["url"], "TOKEN": token, "PLAYER": player, "output": output}


async def test_with_curl_alone(told: dict[str, str]) -> None:
    output = told["output"]
    assert "stale_decision" in output.splitlines()
    places = [json.loads(line) for line in output.splitlines() if line.startswith('{"seat"')]
    assert sorted(place["seat"] for place in places) == [0, 1]
    assert places[0]["place"] == 1


async def test_with_a_python_script(told: dict[str, str], tmp_path: Path) -> None:
    (code,) = blocks("python")
    (tmp_path / "first_match.py").write_text(code)
    given = {name: value for name, value in told.items() if name.isupper()}
    output = await ran(sys.executable, "first_match.py", cwd=tmp_path, **given)
    assert re.fullmatch(r"1\. seat \d with -?\d+\n[12]\. seat \d with -?\d+\n", output)


@contextmanager
def pages(folder: Path) -> Iterator[str]:
    """The files of a folder over HTTP, as `python3 -m http.server` serves them."""
    handler = partial(SimpleHTTPRequestHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.usefixtures("built")
async def test_with_a_web_page(told: dict[str, str], browser: str, tmp_path: Path) -> None:
    (code,) = blocks("html")
    (tmp_path / "index.html").write_text(code)
    with pages(tmp_path) as url:
        given = f"token={told['TOKEN']}&player={told['PLAYER']}&vallum={told['VALLUM']}"
        script = str(ROOT / "tests/docs/page.mjs")
        output = await ran("node", script, f"{url}/#{given}", browser, cwd=tmp_path)
    said = json.loads(output.splitlines()[-1])
    assert re.fullmatch(r"Over: seat [01] wins with -?\d+", said["state"])
    assert said["errors"] == []
