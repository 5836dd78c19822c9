"""Keys, tokens and seeds never appear in logs: everything is run at its most talkative, and what
it has said is searched."""

from __future__ import annotations

import asyncio
import json
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration

from tests.accounts.given import ALL, Clerk
from tests.cli.given import READY, started
from tests.notices.hooks import Clerk as Webhooks
from tests.referee.given import Refused
from tests.until import until
from vallum.client import Client, VallumCallError, bot, player


@asynccontextmanager
async def talkative(data: Path) -> AsyncIterator[tuple[dict[str, Any], bytearray]]:
    """`vallum up` at debug level: what it says of itself, and all that it logs."""
    options = ("--json", "--attached", "--data", str(data), "--port", "0")
    process = await started("up", *options, log_level="debug")
    assert process.stdout is not None
    assert process.stderr is not None
    said = bytearray()

    async def listen(stream: asyncio.StreamReader) -> None:
        while block := await stream.read(65536):
            said.extend(block)

    listening = asyncio.create_task(listen(process.stderr))
    try:
        line = await asyncio.wait_for(process.stdout.readline(), READY)
        assert line, said.decode()
        yield json.loads(line), said
    finally:
        if process.returncode is None:
            process.terminate()
        await asyncio.wait_for(process.wait(), READY)
        await listening


async def lives(facts: dict[str, Any], secrets: list[str]) -> None:
    """What a studio does in a day, and what it does wrong; every secret that comes up is noted."""
    async with grpc.aio.insecure_channel(facts["target"]) as channel:
        backend = await exchanged(Clerk(channel), facts["api_key"], secrets)
        made = await backend.call("CreateKey", scopes=ALL, display_name="ci")
        other = await exchanged(Clerk(channel), made.api_key, secrets)
        rotated = await other.call("RotateKey", name=made.key.name, overlap=Duration(seconds=60))
        secrets.append(rotated.api_key)
        await backend.call("RevokeKey", name=rotated.key.name, reason="a test")
        for wrong in (rotated.api_key, made.api_key[:-1] + "7", "vallum_password"):
            with pytest.raises(Refused):
                await exchanged(Clerk(channel), wrong, secrets)
        await hooked(Webhooks(channel, backend.token), secrets)
        ann = await backend.call("IssuePlayerToken", external_id="ann")
        secrets.append(ann.token)
        for token in (ann.token[:-3], f"{ann.token}x", "hunter2-hunter2"):
            secrets.append(token)
            with pytest.raises(Refused):
                await Clerk(channel, token).call("GetPlayer", name=ann.player.name)
        through_edge(facts["url"], made.api_key, ann.token, ann.player.name)
    await played(facts, ann.token, ann.player.name.removeprefix("players/"), secrets)


async def hooked(webhooks: Webhooks, secrets: list[str]) -> None:
    """A webhook whose address has a secret of its studio's in it, told something in vain."""
    secrets.append("letmein-letmein-letmein")
    url = f"https://localhost/hook?key={secrets[-1]}"
    made = await webhooks.call("CreateWebhook", url=url)
    secrets.append(made.secret)
    delivery = (await webhooks.call("TestWebhook", name=made.webhook.name)).delivery
    anew = await webhooks.call("RotateWebhookSecret", name=made.webhook.name)
    secrets.append(anew.secret)

    async def tried() -> bool:
        answer = await webhooks.call("GetDelivery", name=delivery.name)
        return bool(answer.delivery.error == "address_refused")

    await until(tried, READY)


def through_edge(url: str, api_key: str, token: str, name: str) -> None:
    """The same as JSON."""
    body = json.dumps({"apiKey": api_key}).encode()
    request = urllib.request.Request(f"{url}/v1/token", body, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=20) as answer:
        assert answer.status == 200
    request = urllib.request.Request(
        f"{url}/v1/{name}", headers={"authorization": f"Bearer {token}"}
    )
    with urllib.request.urlopen(request, timeout=20) as answer:
        assert json.load(answer)["player"]["name"] == name


async def exchanged(clerk: Clerk, api_key: str, secrets: list[str]) -> Clerk:
    """A backend with a token for this key."""
    secrets.append(api_key)
    answer = await clerk.call("ExchangeKey", api_key=api_key)
    secrets.append(answer.token)
    return Clerk(clerk.channel, answer.token)


async def played(facts: dict[str, Any], token: str, name: str, secrets: list[str]) -> None:
    """A match against bots, to its end, with a mistake or two; its seed is told only then."""
    async with Client(facts["target"], token) as client:
        game = client.game("ambush.v1")
        match = await game.create_match([player(name), bot("random")], options={"rounds": 1})
        with pytest.raises(VallumCallError):
            await game.play(match, {"forage": {}}, expected_decision=999)
        watch = game.watch(match)
        async with asyncio.timeout(READY):
            async for update in watch:
                while any(one.seat == 0 for one in update.decisions):
                    listed = await game.actions(match)
                    if not listed.actions:
                        break
                    decision = listed.decision.decision_id
                    await game.play(match, listed.actions[0], expected_decision=decision)
        secrets.append((await game.record(match))["seed"])


@pytest.mark.timeout(300)  # it starts everything, on a machine that may be busy
async def test_no_secret_is_ever_logged(tmp_path: Path) -> None:
    secrets: list[str] = []
    async with talkative(tmp_path) as (facts, said):
        secrets.append(facts["token"])
        await lives(facts, secrets)
    pem = (tmp_path / "key.pem").read_text()
    secrets += [line for line in pem.splitlines() if line and "-----" not in line]
    log = said.decode()
    assert '"level": "debug"' in log or '"level": "info"' in log, "it has said nothing at all"
    assert len(secrets) > 12
    for secret in secrets:
        assert secret not in log
        for part in parts(secret):
            assert part not in log, f"a part of {secret[:16]}… was logged"


def parts(secret: str) -> list[str]:
    """What of a secret would be enough: of a key what follows its id, of a token its signature."""
    return [part for part in secret.replace(".", "_").split("_")[-1:] if len(part) > 15]
