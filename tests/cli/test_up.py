"""`vallum up`: one command starts everything, and the next one goes on with it."""

from __future__ import annotations

import asyncio
import re
import signal
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from pathlib import Path

import psutil
import pytest
from redis import Redis

from services.runtime.auth import Caller, Keys, Role
from services.runtime.redis import EmbeddedRedis
from tests.cli.given import READY, Up, as_json, up, vallum
from vallum.client import Client, VallumCallError, bot, player


@pytest.fixture(scope="module")
async def here(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Up]:
    """A server for the tests that do not mind sharing one."""
    async with up(tmp_path_factory.mktemp("here")) as running:
        yield running


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is refused in this process leaves its logs alone."""
    monkeypatch.setattr("services.runtime.telemetry.setup", lambda *_: None)


async def test_bots_and_nature_move_by_themselves_until_the_end(here: Up) -> None:
    async with Client(here.facts["target"], here.facts["token"]) as client:
        game = client.game("ambush.v1")
        seats = [player("ada"), bot("random"), bot("greedy")]
        match = await game.create_match(seats, options={"rounds": 1})
        watch = game.watch(match)

        async def play() -> None:
            async for update in watch:
                while any(one.seat == 0 for one in update.decisions):
                    listed = await game.actions(match)
                    if not listed.actions:
                        break
                    decision = listed.decision.decision_id
                    await game.play(match, listed.actions[0], expected_decision=decision)

        await asyncio.wait_for(play(), READY)
        assert watch.end is not None
        seats_that_moved = {one.get("seat", 0) for one in (await game.record(match))["entries"]}
        assert seats_that_moved == {-1, 0, 1, 2}


async def test_a_token_of_another_key_is_refused(here: Up) -> None:
    stranger = Keys.generate().mint(Caller("ada", "dev", Role.PLAYER))
    async with Client(here.facts["target"], stranger) as client:
        with pytest.raises(VallumCallError, match="token_invalid"):
            await client.game("ambush.v1").get_match("one")


def test_a_data_directory_has_one_server(here: Up) -> None:
    result = vallum("up", "--data", here.facts["data_dir"], "--port", 0)
    assert result.exit_code == 1
    assert f"{here.facts['data_dir']} is in use" in result.stderr


def test_a_port_that_is_taken_is_named(here: Up, tmp_path: Path) -> None:
    port = here.facts["target"].rpartition(":")[2]
    result = vallum("up", "--data", tmp_path, "--port", port)
    assert result.exit_code == 1
    assert f"127.0.0.1:{port}" in result.stderr
    assert "taken" in result.stderr


@pytest.mark.timeout(300)  # it starts two servers, on a machine that may be busy
async def test_matches_and_keys_outlive_a_restart(tmp_path: Path) -> None:
    async with up(tmp_path) as first:
        assert {"ambush", "hadrians_wall"} <= set(first.facts["games"])
        token = first.facts["token"]
        async with Client(first.facts["target"], token) as client:
            game = client.game("ambush.v1")
            match = await game.create_match([player("ada"), player("bob")])
            await game.play(match, {"forage": {}})
            before = await game.view(match)
        family = psutil.Process(first.facts["pid"]).children(recursive=True)
        assert {"valkey", "envoy"} <= {part for one in family for part in one.name().split("-")}
        assert first.process.stdin is not None
        first.process.stdin.close()  # as when the process that started it has died
        assert await asyncio.wait_for(first.process.wait(), READY) == 0
        assert not [one for one in family if one.is_running()]
    async with up(tmp_path, "--no-edge") as second, Client(second.facts["target"], token) as client:
        assert second.facts["url"] is None
        assert await client.game("ambush.v1").view(match) == before
        minted = as_json(vallum("token", "bob", "--data", tmp_path, "--json"))["token"]
        async with Client(second.facts["target"], minted) as other:
            assert (await other.game("ambush.v1").view(match)).seat == 1
        assert await second.stop(signal.SIGINT) == 0
    assert (tmp_path / "key.pem").stat().st_mode & 0o077 == 0


def test_a_directory_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    result = vallum("up", "--data", tmp_path / "file", "--port", 0)
    assert result.exit_code == 1
    assert f"cannot write to {tmp_path / 'file'}" in result.stderr


@pytest.mark.parametrize(
    ("name", "value"), [("maxmemory-policy", "allkeys-lru"), ("appendonly", "no")]
)
def test_a_storage_that_would_forget_is_refused(name: str, value: str, tmp_path: Path) -> None:
    with EmbeddedRedis(tmp_path / "redis") as server:
        redis = Redis.from_url(server.url)
        redis.config_set(name, value)
        redis.close()
        result = vallum("up", "--data", tmp_path, "--port", 0, redis_url=server.url)
    assert result.exit_code == 1
    assert name in result.stderr


def test_a_storage_that_is_not_there_is_told(tmp_path: Path) -> None:
    result = vallum("up", "--data", tmp_path, redis_url="redis://127.0.0.1:1/0")
    assert result.exit_code == 1
    assert "no Redis server answers" in result.stderr


@pytest.mark.parametrize(
    ("variables", "told"),
    [
        ({"partitions": "0"}, "VALLUM_PARTITIONS=0"),
        ({"extra_games": "tests.nowhere"}, "VALLUM_EXTRA_GAMES: No module named 'tests.nowhere'"),
        ({"extra_games": "tests.cli"}, "VALLUM_EXTRA_GAMES"),
        ({"extra_bots": "tests.nowhere"}, "VALLUM_EXTRA_BOTS"),
    ],
)
def test_a_setting_that_is_wrong_is_named(
    variables: dict[str, str], told: str, tmp_path: Path
) -> None:
    result = vallum("up", "--data", tmp_path, "--port", "0", **variables)
    assert result.exit_code == 1
    assert told in result.stderr


async def test_the_first_example_plays_a_match(here: Up) -> None:
    example = Path(__file__).parents[2] / "examples/first_match.py"
    given = ("--target", here.facts["target"], "--game", "ambush.v1", here.facts["token"])
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(example), *given, stdout=PIPE
    )
    told, _ = await asyncio.wait_for(process.communicate(), READY)
    assert process.returncode == 0
    places = told.decode().splitlines()[-4:]
    assert places[0].startswith("1. seat ")
    assert sorted(re.findall(r"seat (\d)", "".join(places))) == ["0", "1", "2", "3"]
