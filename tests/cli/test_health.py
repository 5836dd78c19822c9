"""`vallum health`: for whoever watches processes."""

from __future__ import annotations

import asyncio
from pathlib import Path

from services.runtime.app import App
from services.runtime.auth import Keys
from services.runtime.settings import Settings
from tests.cli.given import as_json, vallum


async def test_a_process_that_serves_is_healthy(tmp_path: Path) -> None:
    Keys.ensure(tmp_path / "key.pem")
    async with App(Settings(port=0, key_file=tmp_path / "key.pem"), []) as app:
        found = await asyncio.to_thread(vallum, "health", app.target, "--json")
        unknown = await asyncio.to_thread(vallum, "health", app.target, "--service", "chess")
    assert found.exit_code == 0
    assert as_json(found) == {"target": app.target, "service": "", "status": "SERVING"}
    assert unknown.exit_code == 1
    assert "NOT_FOUND" in unknown.stdout


def test_one_that_is_not_there_is_not() -> None:
    result = vallum("health", "127.0.0.1:1", "--timeout", 1)
    assert result.exit_code == 1
    assert "127.0.0.1:1: UNAVAILABLE" in result.stdout
