"""`vallum webhooks`, through a running `vallum up` with its worker."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from services.runtime.auth import Caller, Keys, Role
from tests.cli.given import Up, as_json, up, vallum
from tests.notices.hooks import SOON, receiver
from tests.until import until

pytestmark = pytest.mark.timeout(300)
PAGE = Path(__file__).parents[2] / "docs/webhooks.md"


@pytest.fixture(scope="module")
async def here(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Up]:
    """A server for the tests that do not mind sharing one."""
    async with up(tmp_path_factory.mktemp("here"), webhook_allow_private="127.0.0.0/8") as running:
        yield running


def webhooks(here: Up, *arguments: str) -> Any:
    """The JSON that a command prints."""
    there = ("--data", here.facts["data_dir"], "--target", here.facts["target"])
    result = vallum("webhooks", *arguments, *there, "--json")
    assert result.exit_code == 0, result.output
    return as_json(result)


def the_delivery(here: Up, webhook: str) -> Any:
    """The only delivery of a webhook."""
    (found,) = webhooks(here, "deliveries", webhook)["deliveries"]
    return found


async def test_a_webhook_is_made_tested_and_ended(here: Up) -> None:
    with receiver(500) as studio:
        made = webhooks(here, "create", studio.url, "--kind", "match.finished", "--name", "ours")
        (there,) = webhooks(here, "list", "--tenant", "dev")["webhooks"]
        assert there == {name: value for name, value in made.items() if name != "secret"}
        webhooks(here, "test", made["name"])
        (post,) = await studio.got(1, 2 * SOON)
        assert post.event(made["secret"]).kind == "test"

        async def failed() -> bool:
            return bool(the_delivery(here, made["name"]).get("error") == "status_500")

        await until(failed, SOON)
        webhooks(here, "redeliver", the_delivery(here, made["name"])["name"])

        async def delivered() -> bool:
            return bool(the_delivery(here, made["name"])["state"] == "DELIVERY_STATE_DELIVERED")

        await until(delivered, 2 * SOON)
        assert len(studio.posts) == 2
    assert webhooks(here, "disable", made["name"])["disabled_reason"] == "paused"
    assert webhooks(here, "enable", made["name"])["enabled"]
    assert webhooks(here, "rotate", made["name"])["secret"].startswith("whsec_")
    assert webhooks(here, "delete", made["name"])["disabled_reason"] == "deleted"
    assert webhooks(here, "list", "--tenant", "dev")["webhooks"] == []


def test_the_page_is_right_about_curl_and_commands(here: Up) -> None:
    first, last = re.findall(r"```sh\n(.*?)```", PAGE.read_text(), re.DOTALL)
    token = Keys.load(Path(here.facts["data_dir"]) / "key.pem").mint(
        Caller("dev", "dev", Role.TENANT)
    )
    done = subprocess.run(
        ["bash", "-c", first.replace("localhost:7400", here.facts["url"])],
        env=os.environ | {"TOKEN": token},
        capture_output=True,
        check=True,
        timeout=60,
    )
    made = json.loads(done.stdout)
    assert made["secret"].startswith("whsec_"), made
    assert made["webhook"]["kinds"] == ["match.finished", "turn.opened"]
    webhooks(here, "delete", made["webhook"]["name"])
    (line,) = [one for one in last.splitlines() if one.startswith("vallum webhooks")]
    made = webhooks(here, *shlex.split(line)[2:])
    webhooks(here, "delete", made["name"])


def test_people_are_told_in_words(here: Up) -> None:
    there = ("--data", here.facts["data_dir"], "--target", here.facts["target"])
    made = vallum("webhooks", "create", "https://studio.example/", *there)
    assert any(line.startswith("whsec_") for line in made.output.splitlines())
    name = made.output.split()[0]
    for arguments, words in (
        (("list",), "https://studio.example/"),
        (("kinds",), "match.finished"),
        (("deliveries", name), "delivery"),
        (("redeliver", "--failed", name), "delivery"),
        (("disable", name), "paused since"),
        (("delete", name), "deleted since"),
    ):
        result = vallum("webhooks", *arguments, *there)
        assert result.exit_code == 0, result.output
        assert words in result.output


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("create", "http://10.0.0.1/"), "bad_url"),
        (("create", "https://studio.example/", "--kind", "match.ended"), "unknown_kind"),
        (("delete", "nothere"), "webhook_not_found"),
        (("redeliver", "nothere"), "delivery_not_found"),
        (("redeliver",), "name a delivery"),
        (("list", "--target", "127.0.0.1:1"), "127.0.0.1:1: unavailable"),
    ],
)
def test_what_cannot_be_done_is_told_in_a_line(
    here: Up, arguments: tuple[str, ...], told: str
) -> None:
    target = () if "--target" in arguments else ("--target", here.facts["target"])
    result = vallum("webhooks", *arguments, "--data", here.facts["data_dir"], *target)
    assert result.exit_code != 0
    assert told in result.stderr
    assert "Traceback" not in result.output
