"""What a command says when it was called wrongly, or cannot do what it is asked for."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

import pytest

from services.runtime.auth import Keys
from tests.cli.given import READY, as_json, started, vallum
from tests.servers import Server


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("rules", "chess"), "'chess' is not hosted here"),
        (("simulate", "ambush", "--games", "many"), "'many' is not a valid integer"),
        (("verify",), "Missing argument 'RECORDS...'"),
        (("games", "--loud"), "No such option '--loud'"),
        (("gamble",), "No such command 'gamble'"),
    ],
)
def test_wrong_usage_is_told_as_json_where_json_is_asked_for(
    arguments: tuple[str, ...], told: str
) -> None:
    result = vallum(*arguments, "--json")
    answer = as_json(result)
    assert result.exit_code == 2
    assert (answer["ok"], answer["code"]) == (False, "bad_usage")
    assert told in answer["message"]
    assert told in result.stderr
    assert vallum(*arguments).stdout == ""


def test_what_cannot_be_done_is_told_as_json_too(tmp_path: Path) -> None:
    result = vallum("token", "ann", "--data", tmp_path, "--json")
    answer = as_json(result)
    assert result.exit_code == 1
    assert (answer["ok"], answer["code"]) == (False, "failed")
    assert "there is no key" in answer["message"]


@pytest.mark.parametrize("name", ["", "two words", "a" * 65, "ann\n"])
def test_a_token_is_for_somebody_whom_the_contract_knows(name: str, tmp_path: Path) -> None:
    Keys.ensure(tmp_path / "key.pem")
    assert vallum("token", name, "--data", tmp_path).exit_code == 2
    assert vallum("token", "ann", "--tenant", name, "--data", tmp_path).exit_code == 2


async def test_a_taken_port_is_told_in_one_line(redis_server: Server, tmp_path: Path) -> None:
    Keys.ensure(tmp_path / "key.pem")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        process = await started(
            "serve",
            "ambush",
            redis_url=redis_server.database(60),
            key_file=str(tmp_path / "key.pem"),
            log_level="warning",
            port=str(port),
        )
        _, said = await asyncio.wait_for(process.communicate(), READY)
    assert process.returncode == 1
    assert said.decode().splitlines() == [f"Error: cannot listen on 127.0.0.1:{port}: is it taken?"]
