"""What a studio does, from its API key to a rated match, through the edge alone.

Without VALLUM_E2E_URL and VALLUM_E2E_KEY_FILE every service is started as a process of its own.
"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import grpc
import psutil
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import (
    ProtoReflectionDescriptorDatabase,
)

from tests.cli.given import vallum
from tests.e2e.given import GAME, Platform, Studio, call, studio
from tests.until import until
from vallum.client import Client, bot, player

pytestmark = pytest.mark.timeout(300)
MATCHES = f"/v1/{GAME}/matches"


async def finished(acme: Studio, name: str) -> list[Any]:
    """Every message of a match's stream, until its end."""
    messages = []
    async with asyncio.timeout(150):
        async for message in acme.web.lines(f"/v1/{GAME}/{name}:watch", acme.token):
            messages.append(message)
            if "end" in message:
                break
    return messages


async def asked(acme: Studio, path: str, token: str) -> Any:
    """What a player may do, once it is his turn."""
    listed: Any = {}

    async def mine() -> bool:
        nonlocal listed
        listed = (await acme.web.get(f"{path}/actions", token)).json
        return bool(listed["actions"])

    await until(mine, 60)
    return listed


async def test_a_match_from_the_key_to_the_record(acme: Studio, tmp_path: Path) -> None:
    ada, token = await acme.player("ada")
    seats = [{"player": ada}, {"bot": "random"}]
    wanted = {"seats": seats, "mode": "MODE_RANKED", "requestId": "first"}
    match = (await call(acme.web, MATCHES, wanted, acme.token))["match"]
    name, path = match["name"], f"/v1/{GAME}/{match['name']}"
    for number in range(3):
        listed = await asked(acme, path, token)
        play = {
            "actions": listed["actions"][:1],
            "expectedDecision": listed["decision"]["decisionId"],
            "requestId": f"move-{number}",
        }
        await call(acme.web, f"{path}:play", play, token)
    await call(acme.web, f"{path}:resign", {"requestId": "enough"}, token)
    messages = await finished(acme, name)
    versions = [message["update"]["version"] for message in messages if "update" in message]
    assert versions == list(range(1, len(versions) + 1))
    assert messages[-1]["end"]["version"] == versions[-1]

    async def scored() -> bool:
        answer = await acme.web.get(f"/v1/scoring/{name}", acme.token)
        return answer.status == 200 and answer.json["result"]["archived"]

    await until(scored, 60)
    record = (await acme.web.get(f"{path}/record", acme.token)).body
    file = tmp_path / "record.json"
    file.write_bytes(record)
    checked = vallum("verify", file, "--json")
    assert json.loads(checked.stdout)["ok"], checked.output


async def test_bots_finish_a_match_by_themselves(platform: Platform, acme: Studio) -> None:
    async with Client(platform.target, acme.token) as client:
        seats = [bot("random"), bot("random")]
        match = await client.game(GAME).create_match(seats)
        async with asyncio.timeout(200):
            watch = client.game(GAME).watch(match)
            moves = [update.seat async for update in watch]
    assert {0, 1} <= set(moves)
    assert watch.end is not None
    assert sorted(place.place for place in watch.end.result.places) in ([1, 2], [1, 1])


async def test_another_studio_sees_nothing_of_it(platform: Platform, acme: Studio) -> None:
    async with Client(platform.target, acme.token) as client:
        match = await client.game(GAME).create_match([player("ann"), player("bob")])
    other = await studio(platform)
    for asked in (match.name, "matches/nothing"):
        for path in ("", "/view", "/record"):
            answer = await other.web.get(f"/v1/{GAME}/{asked}{path}", other.token)
            assert (answer.status, answer.reason) == (404, "match_not_found")
    _, token = await other.player("ann")
    assert (await other.web.get(f"/v1/{GAME}/{match.name}/actions", token)).status == 404
    listed = (await other.web.get(MATCHES, other.token)).json
    assert listed["matches"] == []


async def test_a_revoked_key_stops_within_seconds(platform: Platform) -> None:
    gone = await studio(platform)
    assert (await gone.web.get(MATCHES, gone.token)).status == 200
    request = {"requestId": f"{gone.tenant}-revoke"}
    await call(gone.web, f"/v1/{gone.key_name}:revoke", request, platform.admin())

    async def refused() -> bool:
        return (await gone.web.get(MATCHES, gone.token)).status == 401

    await until(refused, 10)
    answer = await gone.web.post("/v1/token", {"apiKey": gone.api_key})
    assert (answer.status, answer.reason) == (401, "key_invalid")


async def matched(acme: Studio, ticket: str, token: str) -> str:
    """The name of the match that a ticket has led to."""
    async with asyncio.timeout(60):
        async for message in acme.web.lines(f"/v1/matchmaking/{ticket}:watch", token):
            if match := message.get("ticket", {}).get("match"):
                return str(match)
    raise AssertionError("the stream has ended without a match")


async def test_two_players_find_each_other(acme: Studio) -> None:
    tickets = []
    for name in ("cleo", "dido"):
        _, token = await acme.player(name)
        wanted = {"game": GAME, "minSeats": 2, "maxSeats": 2, "requestId": name}
        made = await call(acme.web, "/v1/matchmaking/tickets", wanted, token)
        tickets.append((made["ticket"]["name"], token))
    (name, token), _ = tickets
    match = await matched(acme, name, token)

    async def playable() -> bool:
        return (await acme.web.get(f"/v1/{GAME}/{match}", token)).status == 200

    await until(playable, 30)
    answer = await acme.web.get(f"/v1/{GAME}/{match}/actions", token)
    assert answer.json["decision"]["decisionId"] == 1


async def test_every_service_is_well_and_describes_itself(platform: Platform) -> None:
    def ask() -> dict[str, int]:
        with grpc.insecure_channel(platform.target) as channel:
            names = ProtoReflectionDescriptorDatabase(channel).get_services()
            stub: Any = health_pb2_grpc.HealthStub(channel)
            ours = [name for name in names if name.startswith("vallum.")]
            request = health_pb2.HealthCheckRequest
            return {name: stub.Check(request(service=name), timeout=5).status for name in ours}

    found = await asyncio.to_thread(ask)
    assert {f"vallum.{GAME}.v1.RulesService", "vallum.scoring.v1.ScoringService"} <= set(found)
    assert found[f"vallum.{GAME}.v1.RulesService"] == health_pb2.HealthCheckResponse.SERVING


async def test_the_services_run_apart(platform: Platform) -> None:
    if not platform.processes:
        pytest.skip("this platform was started by somebody else")
    assert {"accounts", "matchmaking", "scoring", GAME, "edge"} <= set(platform.processes)
    pids = set(platform.processes.values())
    assert len(pids) == len(platform.processes)
    assert all(psutil.pid_exists(pid) for pid in pids)
