"""Whatever dies, nothing that was acknowledged is lost, doubled or seen twice (P1-P4)."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest
from msgspec import msgpack

from services.gamekit.chance import Dealt
from services.gamekit.game import NATURE
from services.gamekit.play import nature_due
from services.referee.contract import Contract
from services.runtime.auth import Caller, Keys, Role
from tests.ambush.hosted import HOSTED
from tests.faults.processes import HostProcess, Storage
from vallum.client import Client, Retry, VallumCallError, player

MATCHES = 50
SEATS = ("ann", "bob")
KILLS = 8
LIMIT = 200.0
CONTRACT = Contract(HOSTED)
RETRY = Retry(patience=120.0, timeout=15.0, longest_pause=0.5)
LATE = {"stale_decision", "not_your_turn", "game_over", "wrong_prompt"}
"""Refusals that a move brings when the question was answered in the meantime."""


@dataclass
class Scene:
    """Two hosts on one storage, and what their clients were told."""

    hosts: list[HostProcess]
    storage: Storage
    keys: Keys
    rng: Random
    clients: dict[tuple[str, int], Client] = field(default_factory=dict)
    acknowledged: dict[str, list[tuple[str, int, int]]] = field(default_factory=dict)
    seen: dict[str, list[int]] = field(default_factory=dict)
    ends: dict[str, int] = field(default_factory=dict)
    finished: int = 0

    def client(self, name: str, at: int, role: Role = Role.PLAYER) -> Client:
        """Somebody's connection to one of the hosts."""
        if (name, at) not in self.clients:
            token = self.keys.mint(Caller(name, "north", role))
            self.clients[name, at] = Client(self.hosts[at].target, token, retry=RETRY)
        return self.clients[name, at]

    @property
    def over(self) -> bool:
        """Whether every match has its result."""
        return self.finished == MATCHES


@asynccontextmanager
async def scene(folder: Path, seed: int) -> AsyncIterator[Scene]:
    """Start everything; end it by the handles it was started with."""
    storage = Storage(folder / "redis")
    keys = Keys.ensure(folder / "key.pem")
    storage.server.start()
    hosts = [HostProcess(storage.server.url, folder / "key.pem") for _ in range(2)]
    there = Scene(hosts, storage, keys, Random(seed))
    try:
        await asyncio.gather(*(host.start() for host in hosts))
        yield there
    finally:
        await asyncio.gather(*(client.close() for client in there.clients.values()))
        for host in hosts:
            host.kill()
        storage.server.stop()


async def seat_plays(scene: Scene, match: str, name: str, rng: Random) -> None:
    """A client that answers its questions until the match is over, now here, now there."""
    asked = 0
    while True:
        game = scene.client(name, rng.randrange(2)).game("ambush.v1")
        listed = await game.actions(match)
        if not listed.actions:
            if not (await game.get_match(match)).decisions:
                return
            await asyncio.sleep(rng.uniform(0.1, 0.3))  # not our turn
            continue
        asked += 1
        request = f"{name}-{asked}"
        try:
            reply = await game.play(
                match,
                rng.choice(listed.actions),
                expected_decision=listed.decision.decision_id,
                request_id=request,
            )
        except VallumCallError as error:
            if error.code not in LATE:
                raise
            continue
        scene.acknowledged[match].append((request, reply.first_version, reply.version))


async def nature_plays(scene: Scene, match: str, rng: Random) -> None:
    """A worker that resolves what NATURE has deferred."""
    while True:
        game = scene.client("worker", rng.randrange(2), Role.SERVICE).game("ambush.v1")
        decisions = (await game.get_match(match)).decisions
        if not decisions:
            return
        if all(one.seat != NATURE for one in decisions):
            await asyncio.sleep(rng.uniform(0.1, 0.3))
            continue
        position = await game.position(match, NATURE)
        state = msgpack.decode(position.position, type=HOSTED.game.State)
        kind = nature_due(HOSTED.game, state, deferred=True)
        if kind is None:
            continue
        dealt = Dealt({one.label: one.result for one in position.draws})
        action = CONTRACT.action_message(kind.resolve(state, dealt))
        question = position.decision.decision_id
        try:
            await game.play(
                match,
                action,
                seat=NATURE,
                expected_decision=question,
                request_id=f"nature-{question}",
            )
        except VallumCallError as error:
            if error.code not in LATE:
                raise


async def watches(scene: Scene, match: str, at: int) -> None:
    """A watcher that must see each version once and in order, and the end."""
    watch = scene.client("eve", at).game("ambush.v1").watch(match)
    async for update in watch:
        scene.seen[match].append(update.version)
    assert watch.end is not None
    scene.ends[match] = watch.end.version


async def plays_out(scene: Scene, number: int) -> None:
    """One match, with everybody around it."""
    rng = Random(scene.rng.random())
    game = scene.client("ann", number % 2).game("ambush.v1")
    created = await game.create_match(
        [player(name) for name in SEATS], options={"rounds": 2}, match_id=f"m{number}"
    )
    match = created.name
    scene.acknowledged[match], scene.seen[match] = [], []
    async with asyncio.TaskGroup() as around:
        around.create_task(watches(scene, match, number % 2))
        around.create_task(nature_plays(scene, match, Random(rng.random())))
        for name in SEATS:
            around.create_task(seat_plays(scene, match, name, Random(rng.random())))
    scene.finished += 1


async def kills(scene: Scene) -> list[str]:
    """SIGKILL at random moments while matches are being played; what was killed, and when."""
    done: list[str] = []
    began = time.monotonic()
    victims: dict[str, HostProcess | Storage] = {
        "host 0": scene.hosts[0],
        "host 1": scene.hosts[1],
        "redis": scene.storage,
    }
    while len(done) < KILLS:
        await asyncio.sleep(scene.rng.uniform(0.2, 1.2))
        if scene.over:
            break
        name = scene.rng.choice(sorted(victims))
        await victims[name].crash()
        done.append(f"{name} at {time.monotonic() - began:.1f} s")
    return done


@pytest.mark.faults
@pytest.mark.timeout(300)
async def test_nothing_acknowledged_is_lost_whatever_is_killed(tmp_path: Path) -> None:
    seed = time.time_ns() % 1_000_000
    print(f"seed {seed}")
    async with scene(tmp_path, seed) as there:
        async with asyncio.timeout(LIMIT):
            killing = asyncio.create_task(kills(there))
            async with asyncio.TaskGroup() as matches:
                for number in range(MATCHES):
                    matches.create_task(plays_out(there, number))
            killed = await killing
        print("killed:", "; ".join(killed))
        assert len(killed) >= 3, "the matches were over before anything was tried"
        assert there.finished == MATCHES
        logs = {match: await log_of(there, match) for match in there.acknowledged}
        for match, log in logs.items():
            check_log(there, match, log)
        await check_folds(there, logs)
        await check_views(there, list(logs))


async def log_of(scene: Scene, match: str) -> list[dict[str, object]]:
    """The entries of a finished match, by the API."""
    record = await scene.client("ann", 0).game("ambush.v1").record(match)
    entries: list[dict[str, object]] = record["entries"]
    return entries


def check_log(scene: Scene, match: str, log: list[dict[str, object]]) -> None:
    """Every acknowledged action once and where it was said to be; every version seen once."""
    versions = [entry["version"] for entry in log]
    assert versions == list(range(1, len(log) + 1))
    written = Counter(entry["request_id"] for entry in log if entry.get("request_id"))
    assert set(written.values()) == {1}
    places = {entry["request_id"]: entry["version"] for entry in log if entry.get("request_id")}
    for request, first, _ in scene.acknowledged[match]:
        assert places[request] == first
    assert scene.seen[match] == versions
    assert scene.ends[match] == len(log)


async def check_folds(scene: Scene, logs: dict[str, list[dict[str, object]]]) -> None:
    """Two replicas that begin from nothing make the same of every log, byte for byte."""
    names = [match.removeprefix("matches/") for match in logs]
    folds = []
    for _ in range(2):
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "tests.faults.fold", scene.storage.server.url, *names),
            stdout=asyncio.subprocess.PIPE,
        )
        output, _ = await process.communicate()
        assert process.returncode == 0
        folds.append(json.loads(output))
    assert folds[0] == folds[1]
    for match, log in logs.items():
        assert folds[0][match.removeprefix("matches/")].startswith(f"{len(log)} ")


async def check_views(scene: Scene, names: list[str]) -> None:
    """Both hosts show everybody the same."""
    for match in names:
        for name in SEATS:
            shown = [await scene.client(name, at).game("ambush.v1").view(match) for at in (0, 1)]
            assert shown[0] == shown[1]
