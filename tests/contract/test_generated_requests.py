"""Requests that schemathesis makes from the OpenAPI document, well formed and not, sent to the
running edge: the fault is never ours, an answer is what the document says, and nothing of another
tenant's is in it. A slice of it always; many more in the soak."""

from __future__ import annotations

import asyncio
import gc
import json
import re
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from random import Random
from typing import Any, NamedTuple

import psutil
import pytest
import requests
import schemathesis
from google.protobuf.descriptor import MethodDescriptor
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.core.failures import FailureGroup
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
)

from services.edge.openapi import calls_of, tag
from services.runtime.auth import Role
from tests.contract.asking import methods
from tests.contract.gate import Gate, gate
from tests.contract.hall import token
from tests.servers import Server

FAULTS = {2: "UNKNOWN", 4: "DEADLINE_EXCEEDED", 13: "INTERNAL", 14: "UNAVAILABLE"}
HELD = ("accounts_UpdateTenant", "accounts_RotateSigningKey")
"""What would stop everything else: a tenant may be suspended, every token ended."""
CHECKS = [content_type_conformance, response_schema_conformance]
SLICE, EACH = 40, 5
"""Tasks of the slice, chosen by chance that is always the same, and requests of each."""
ROUNDS, SOAK = 4, 10
"""Of the soak: how often everything is sent, and requests of each task every time."""
MEMORY = 100 * 1024 * 1024
"""How many more bytes the process may have at the end of the soak than in its midst."""
PATIENCE = 20.0


class Task(NamedTuple):
    """One call of the document in one role, with good or bad values."""

    operation: Any
    method: MethodDescriptor
    role: Role
    mode: schemathesis.GenerationMode
    real: bool
    """What it names in its path is there."""


@pytest.fixture
async def there(
    redis_server: Server, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Gate]:
    """A platform of its own: what is left of it is anything."""
    async with gate(redis_server.database(60), tmp_path_factory.mktemp("gate")) as running:
        yield running


def tasks(document: dict[str, Any]) -> Iterator[Task]:
    """Every call of the document, in every role that may make it."""
    by_id = {f"{tag(one.containing_service)}_{one.name}": one for one in methods()}
    for found in schemathesis.openapi.from_dict(document).get_all_operations():
        assert isinstance(found, Ok), found
        operation = found.ok()
        told = operation.definition.raw
        method = by_id.get(told["operationId"])
        if method is None or told["operationId"] in HELD:
            continue
        for role in [Role[one.upper()] for one in told["x-roles"]] or [Role.NOBODY]:
            for mode in schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE:
                for real in (True, False) if "{" in operation.path else (False,):
                    yield Task(operation, method, role, mode, real)


class Sender:
    """Sends what is made for a task, and looks at the answers."""

    def __init__(self, there: Gate) -> None:
        self.there = there
        self.session = requests.Session()
        self.wrong: dict[str, str] = {}
        """By call."""
        self.statuses: Counter[int] = Counter()

    def run(self, task: Task, number: int, rng: int) -> None:
        """So many requests of one kind. Some cannot be made badly: then there are none."""
        strategy = task.operation.as_strategy(
            generation_mode=task.mode, path_parameters=self.names(task) if task.real else None
        )

        @seed(rng)
        @settings(
            max_examples=number,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=strategy)
        def send(case: schemathesis.Case[Any]) -> None:
            self.send(task, case)

        with suppress(Unsatisfiable):
            send()

    def names(self, task: Task) -> dict[str, str]:
        """What is there of the caller's own, by the parameters of a path."""
        kinds = {
            kind.removesuffix("es" if kind == "matches" else "s"): name.partition("/")[2]
            for kind, name in self.there.hall.north.of(task.method).items()
        }
        wanted = re.findall(r"\{(\w+)\}", task.operation.path)
        return {name: kinds[name] for name in wanted if name in kinds}

    def send(self, task: Task, case: schemathesis.Case[Any]) -> None:
        """One request."""
        bearer = token(task.role, self.there.hall.north)
        headers = {"authorization": f"Bearer {bearer}"} if bearer else {}
        kwargs = case.as_transport_kwargs(base_url=self.there.web.url, headers=headers)
        streams = task.method.server_streaming
        with self.session.request(**kwargs, stream=streams, timeout=PATIENCE) as response:
            body = b""
            if streams and response.status_code == 200:
                body = next(response.iter_lines(), b"")
            else:
                body = response.content
            self.statuses[response.status_code] += 1
            if problem := self.problem(task, response, body):
                self.wrong[task.operation.label] = f"{task.role.name} {kwargs}: {problem} {body!r}"
            elif not streams:
                self.compare(task, case, response)

    def compare(
        self, task: Task, case: schemathesis.Case[Any], response: requests.Response
    ) -> None:
        """Hold an answer against the document."""
        try:
            case.validate_response(response, checks=CHECKS)
        except FailureGroup as failures:
            self.wrong[task.operation.label] = "\n".join(map(str, failures.exceptions))

    def problem(self, task: Task, response: requests.Response, body: bytes) -> str:
        """What is wrong with an answer; "" for nothing."""
        south = self.there.hall.south
        if task.role in (Role.PLAYER, Role.TENANT) and any(one in body for one in south.marks()):
            return "it tells of another tenant"
        if response.status_code == 200:
            return ""
        if response.headers.get("content-type") != "application/json":
            return f"{response.status_code} is not told as JSON"
        told = json.loads(body)
        if not any(one["@type"].endswith("rpc.ErrorInfo") for one in told["details"]):
            return "a refusal without a reason"
        return FAULTS.get(told["code"], "")


async def sent(there: Gate, number: int, rng: Random, most: int | None = None) -> Sender:
    """So many requests of every task, or of some of them."""
    every = list(tasks((await there.web.get("/openapi.json")).json))
    sender = Sender(there)

    def send_all() -> None:
        for task in rng.sample(every, most or len(every)):
            sender.run(task, number, rng.getrandbits(32))

    await asyncio.to_thread(send_all)
    return sender


async def test_a_slice_of_what_the_document_allows_and_forbids(there: Gate) -> None:
    sender = await sent(there, EACH, Random(1), SLICE)
    assert sender.wrong == {}
    assert sender.statuses[200] > SLICE / 2
    assert sender.statuses[400] > SLICE / 2


@pytest.mark.soak
@pytest.mark.timeout(7200)
async def test_much_of_what_the_document_allows_and_forbids(there: Gate) -> None:
    rng, process, sizes = Random(2), psutil.Process(), list[int]()
    for _ in range(ROUNDS):
        sender = await sent(there, SOAK, rng)
        assert sender.wrong == {}
        gc.collect()
        sizes.append(process.memory_info().rss)
    assert sizes[-1] - sizes[1] < MEMORY, sizes


def test_every_public_call_is_made() -> None:
    """What is left out is left out on purpose."""
    public = {f"{tag(one.containing_service)}_{one.name}" for one in methods() if [*calls_of(one)]}
    assert set(HELD) <= public
