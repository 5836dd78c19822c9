"""`vallum serve`: a service as a process of its own."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from services.runtime.auth import Caller, Keys, Role
from tests.cli.given import READY, started, vallum
from tests.servers import Server
from vallum.client import Client, player


async def test_a_game_is_served_alone(redis_server: Server, tmp_path: Path) -> None:
    keys = Keys.ensure(tmp_path / "key.pem")
    process = await started(
        "serve",
        "ambush",
        redis_url=redis_server.database(60),
        key_file=str(tmp_path / "key.pem"),
        port="0",
    )
    assert process.stderr is not None
    try:
        said = await asyncio.wait_for(process.stderr.readline(), READY)
        told = json.loads(said)
        assert (told["event"], told["services"]) == ("serving", ["ambush.v1.RulesService"])
        token = keys.mint(Caller("ann", "north", Role.PLAYER))
        async with Client(told["target"], token) as client:
            match = await client.game("ambush.v1").create_match([player("ann"), player("bob")])
            assert match.version > 0
    finally:
        process.terminate()
    assert await asyncio.wait_for(process.wait(), READY) == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("chess",), "'chess' is no service; there is altarion, ambush, "),
        (("workers", "ambush"), "workers run apart"),
        (("ambush", "--queue", "bots"), "workers run apart"),
        (("edge", "ambush"), "the edge runs apart"),
        (("workers", "--queue", "errands"), "errands"),
        ((), "Missing argument"),
    ],
)
def test_what_cannot_be_served_is_refused(arguments: tuple[str, ...], told: str) -> None:
    result = vallum("serve", *arguments)
    assert result.exit_code == 2
    assert told in result.stderr


def test_a_service_needs_a_key(redis_server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.runtime.telemetry.setup", lambda *_: None)
    result = vallum("serve", "ambush", redis_url=redis_server.url, port="0")
    assert result.exit_code == 1
    assert "VALLUM_KEY_FILE" in result.stderr
