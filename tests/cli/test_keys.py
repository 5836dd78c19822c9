"""`vallum keys`, and the key that `vallum up` shows."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import urllib.request
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from services.runtime.auth import Caller, Keys, Role
from tests.accounts.given import Clerk
from tests.cli.given import Up, as_json, up, vallum
from tests.referee.given import Refused

PAGE = Path(__file__).parents[2] / "docs/accounts.md"


@pytest.fixture(scope="module")
async def here(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Up]:
    """A server for the tests that do not mind sharing one."""
    async with up(tmp_path_factory.mktemp("here")) as running:
        yield running


def keys(here: Up, *arguments: str) -> Any:
    """The JSON that a command prints."""
    there = ("--data", here.facts["data_dir"], "--target", here.facts["target"])
    result = vallum("keys", *arguments, *there, "--json")
    assert result.exit_code == 0, result.output
    return as_json(result)


async def exchanged(here: Up, api_key: str) -> str:
    """The code that an exchange is refused with, or the tenant whose token it gives."""
    async with grpc.aio.insecure_channel(here.facts["target"]) as channel:
        try:
            answer = await Clerk(channel).call("ExchangeKey", api_key=api_key)
        except Refused as error:
            return error.code
        return str(answer.tenant)


async def test_the_first_start_shows_a_key_of_the_development_tenant(here: Up) -> None:
    assert await exchanged(here, here.facts["api_key"]) == "dev"
    (key,) = keys(here, "list", "--tenant", "dev")["keys"]
    assert here.facts["api_key"].startswith(key["prefix"])
    assert key["scopes"] == ["matches", "players", "manage"]
    assert key["display_name"] == "development"


async def test_a_key_is_made_listed_replaced_and_revoked(here: Up) -> None:
    made = keys(here, "create", "--tenant", "acme", "--new-tenant", "--scope", "players")
    assert (made["tenant"], made["scopes"], made["state"]) == ("acme", ["players"], "active")
    assert await exchanged(here, made["api_key"]) == "acme"
    new = keys(here, "rotate", made["prefix"], "--overlap", "1h")
    assert new["replaces"] == made["name"]
    assert await exchanged(here, made["api_key"]) == await exchanged(here, new["api_key"]) == "acme"
    ended = keys(here, "revoke", made["name"], "--reason", "old")
    assert ended["state"].startswith("revoked ")
    assert await exchanged(here, made["api_key"]) == "key_invalid"
    states = {one["name"]: one["state"] for one in keys(here, "list", "--tenant", "acme")["keys"]}
    assert states == {new["name"]: "active", made["name"]: ended["state"]}
    assert "api_key" not in str(keys(here, "list"))


def test_people_are_told_in_words(here: Up) -> None:
    there = ("--data", here.facts["data_dir"], "--target", here.facts["target"])
    listed = vallum("keys", "list", *there)
    assert listed.exit_code == 0
    assert "development" in listed.output
    made = vallum("keys", "create", "--name", "ci", "--expires", "90d", *there)
    assert any(line.startswith("vallum_") for line in made.output.splitlines())
    assert "until " in vallum("keys", "list", *there).output.replace("\n", " ")
    ended = vallum("keys", "rotate", "--now", made.output.split()[0], *there)
    assert ended.exit_code == 0, ended.output


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("revoke", "keys/nothere"), "key_not_found"),
        (("create", "--tenant", "nobody"), "tenant_not_found"),
        (("create", "--tenant", "dev", "--new-tenant"), "tenant_exists"),
        (("revoke", "No Key"), "invalid_request"),
        (("create", "--scope", "all"), "'all' is not one of"),
        (("list", "--target", "127.0.0.1:1"), "127.0.0.1:1: unavailable"),
    ],
)
def test_what_cannot_be_done_is_told_in_a_line(
    here: Up, arguments: tuple[str, ...], told: str
) -> None:
    target = () if "--target" in arguments else ("--target", here.facts["target"])
    result = vallum("keys", *arguments, "--data", here.facts["data_dir"], *target)
    assert result.exit_code != 0
    assert told in result.stderr
    assert "Traceback" not in result.output


def test_the_key_set_is_at_the_edge_with_every_key_that_signs(here: Up) -> None:
    with urllib.request.urlopen(f"{here.facts['url']}/.well-known/jwks.json") as found:
        keys = json.load(found)["keys"]
    assert {key["kty"] for key in keys} == {"OKP"}
    assert len(keys) == 2  # the platform's own, and the first of accounts
    root = Keys.load(Path(here.facts["data_dir"]) / "key.pem")
    assert root.jwk() in keys


def shell(number: int) -> str:
    """A block of commands of the page on accounts."""
    found = re.findall(r"```sh\n(.*?)```", PAGE.read_text(), re.DOTALL)
    return str(found[number])


def test_the_page_on_accounts_is_right_about_curl(here: Up) -> None:
    first, second = shell(0).replace("localhost:7400", here.facts["url"]).split("# 2.")
    exchanged = answer(first, KEY=here.facts["api_key"])
    assert exchanged["tenant"] == "dev"
    issued = answer(f"# {second}", TOKEN=exchanged["token"])
    assert issued["player"]["displayName"] == "Ann"
    assert issued["token"].count(".") == 2


def answer(commands: str, **variables: str) -> Any:
    """What some commands print, as JSON."""
    done = subprocess.run(
        ["bash", "-c", commands], env=os.environ | variables, capture_output=True, check=True
    )
    return json.loads(done.stdout)


def test_the_page_on_accounts_is_right_about_commands(here: Up) -> None:
    there = ("--data", here.facts["data_dir"], "--target", here.facts["target"])
    prefix = ""
    for line in shell(1).splitlines():
        _, *arguments = shlex.split(line.replace("acme", "studio"))
        given = [prefix if one.startswith("vallum_") else one for one in arguments]
        result = vallum(*given, *there, "--json")
        assert result.exit_code == 0, (line, result.output)
        prefix = as_json(result).get("prefix", prefix)


@pytest.mark.timeout(300)  # it starts a server twice, on a machine that may be busy
async def test_a_second_start_goes_on_with_the_key_and_cannot_show_it(tmp_path: Path) -> None:
    async with up(tmp_path) as first:
        key = first.facts["api_key"]
    async with up(tmp_path) as second:
        assert second.facts["api_key"] is None
        assert await exchanged(second, key) == "dev"
        token = Keys.load(tmp_path / "key.pem").mint(Caller("root", "", Role.ADMIN))
        async with grpc.aio.insecure_channel(second.facts["target"]) as channel:
            page = await Clerk(channel, token).call("ListAuditEntries", tenant="dev")
        assert [one.actor for one in page.entries] == ["admin:vallum-up"] * 2
    assert key.rpartition("_")[2].encode() not in everything_in(tmp_path)


def everything_in(folder: Path) -> bytes:
    """Whatever was kept."""
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
