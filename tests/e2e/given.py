"""A platform to be called from outside: one that runs, or every service apart on this machine."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import uuid
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

from services.runtime.auth import Caller, Keys, Role
from tests.edge.web import Answer, Web

ROOT = Path(__file__).parents[2]
READY = 200.0
GAME = "hadrians_wall"

URL, KEY = "VALLUM_E2E_URL", "VALLUM_E2E_KEY_FILE"
"""Where a platform runs that is to be tested, and the key file that it believes."""


class Platform(NamedTuple):
    """What the tests know of it."""

    web: Web
    keys: Keys
    processes: dict[str, int]
    """By name; empty for one that we have not started."""

    @property
    def target(self) -> str:
        """For a gRPC client."""
        return self.web.url.partition("://")[2]

    def admin(self) -> str:
        """An operator's token."""
        return self.keys.mint(Caller("e2e", "", Role.ADMIN), 600)


class Studio(NamedTuple):
    """A tenant's backend."""

    web: Web
    tenant: str
    api_key: str
    key_name: str
    token: str

    async def player(self, external_id: str) -> tuple[str, str]:
        """(id, token) of a player, by what the studio calls him."""
        given = await call(
            self.web, "/v1/players:issueToken", {"externalId": external_id}, self.token
        )
        return given["player"]["name"].removeprefix("players/"), given["token"]


async def call(web: Web, path: str, body: dict[str, Any], token: str = "") -> Any:
    """POST what must succeed; its answer."""
    answer: Answer = await web.post(path, body, token)
    assert answer.status == 200, answer
    return answer.json


async def studio(platform: Platform) -> Studio:
    """A new tenant, its key, and a token for the key."""
    tenant, web = f"t{uuid.uuid4().hex[:10]}", platform.web
    wanted = {"tenantId": tenant, "displayName": tenant, "requestId": tenant}
    await call(web, "/v1/tenants", wanted, platform.admin())
    key = {
        "tenant": tenant,
        "displayName": "e2e",
        "scopes": ["SCOPE_MATCHES", "SCOPE_PLAYERS"],
        "requestId": f"{tenant}-key",
    }
    made = await call(web, "/v1/keys", key, platform.admin())
    given = await call(web, "/v1/token", {"apiKey": made["apiKey"]})
    return Studio(web, tenant, made["apiKey"], made["key"]["name"], given["token"])


@asynccontextmanager
async def platform(folder: Path) -> AsyncIterator[Platform]:
    """The one that is named in the environment; else every service apart, until the end."""
    if url := os.environ.get(URL):
        yield Platform(Web(url), Keys.load(Path(os.environ[KEY])), {})
        return
    ours = {key: text for key, text in os.environ.items() if not key.startswith("VALLUM_")}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, str(ROOT / "tools/split.py"), "--data", str(folder)),
        *("--edge-port", "0", "--game", GAME, "--one-worker", "--json", "--attached"),
        env=ours
        | {"VALLUM_BOTS_PROCESSES": "1", "VALLUM_INVASIONS_PROCESSES": "1"}
        | {"VALLUM_WEBHOOK_ALLOW_PRIVATE": "127.0.0.0/8"},
        stdin=PIPE,
        stdout=PIPE,
    )
    assert process.stdout is not None
    assert process.stdin is not None
    try:
        line = await asyncio.wait_for(process.stdout.readline(), READY)
        assert line, "the platform has not started: tools/split.py has said why"
        told = json.loads(line)
        keys = Keys.load(Path(told["key_file"]))
        yield Platform(Web(told["url"]), keys, told["processes"])
    finally:
        process.stdin.close()
        await asyncio.wait_for(process.wait(), READY)
