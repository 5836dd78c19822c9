"""Whatever is sent, the answer is a status with a stable reason, and the match stays as it was."""

from __future__ import annotations

import re
from itertools import count
from typing import Any

import grpc
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.runtime.auth import Role
from tests.ambush.cards import Card, Tower
from tests.ambush.moves import Fortify, KeepCard
from tests.referee.given import CONTRACT, Person, Refused, World, path

METHODS = [method.name for method in CONTRACT.service.methods if not method.server_streaming]
OURS = {"INVALID_ARGUMENT", "NOT_FOUND", "PERMISSION_DENIED", "FAILED_PRECONDITION", "ABORTED"}
NUMBERS = count(1)
REASON = re.compile(r"[a-z][a-z0-9_]{1,40}")
quietly = settings(
    max_examples=80,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@pytest.fixture
async def match(here: World) -> str:
    return await here.match("ann", "bob", match_id="m1")


async def seen(here: World, match: str) -> list[Any]:
    """The match as everybody sees it."""
    people = here.people("ann", "bob", "eve")
    return [await one.call("GetView", name=match) for one in people]


async def refused(person: Person, method: str, request: bytes) -> Refused | None:
    """How a request was refused; None when it was accepted."""
    try:
        await person.call(method, request)
    except Refused as refusal:
        return refusal
    return None


def well_told(refusal: Refused) -> None:
    """A refusal that a program can act on."""
    assert refusal.status.name in OURS
    assert REASON.fullmatch(refusal.code)
    assert refusal.info.domain == "vallum"


@quietly
@given(method=st.sampled_from(METHODS), body=st.binary(max_size=200))
async def test_bytes_that_are_no_request_change_nothing(
    here: World, match: str, method: str, body: bytes
) -> None:
    before = await seen(here, match)
    refusal = await refused(here.person("ann"), method, body)
    if refusal is not None:
        well_told(refusal)
    elif method not in {"CreateMatch", "ListMatches"}:
        raise AssertionError(f"{method} accepted {body!r}")
    assert await seen(here, match) == before


def actions() -> st.SearchStrategy[Any]:
    """Actions of every kind, with fields of any sense."""
    small = st.integers(-3, 9)
    number = st.integers(-(2**31), 2**31 - 1) | small
    return st.one_of(
        st.builds(lambda n: {"fortify": {"tower": n}}, small),
        st.builds(lambda n, t: {"place_order": {"card": n, "target": t}}, small, number),
        st.builds(lambda n: {"answer": {"reply": n}}, small),
        st.builds(lambda n: {"keep_card": {"card": n}}, small),
        st.builds(lambda n: {"lose_guard": {"tower": n}}, small),
        st.just({"reveal_orders": {}}),
        st.just({"storm": {}}),
        st.just({}),
    )


@quietly
@given(
    sent=st.lists(actions(), min_size=1, max_size=4),
    who=st.sampled_from(["ann", "bob", "eve"]),
    seat=st.none() | st.integers(-1, 5),
    version=st.none() | st.integers(0, 2**32 - 1),
    name=st.sampled_from(
        ["matches/m1", "matches/m1", "matches/unknown", "m1", "matches/../m1", ""]
    ),
)
async def test_a_refused_play_changes_nothing(
    here: World,
    match: str,
    sent: list[Any],
    who: str,
    seat: int | None,
    version: int | None,
    name: str,
) -> None:
    request = CONTRACT.PlayRequest(
        name=name, actions=sent, seat=seat, expected_version=version, request_id=f"r{next(NUMBERS)}"
    )
    before = await seen(here, match)
    refusal = await refused(here.person(who), "Play", request.SerializeToString())
    if refusal is None:
        assert who != "eve"
        assert await seen(here, match) != before
    else:
        well_told(refusal)
        assert await seen(here, match) == before


async def test_every_way_to_be_wrong_has_its_own_reason(here: World, match: str) -> None:
    ann, eve = here.people("ann", "eve")
    gate = Fortify(Tower.GATE)
    ways: list[tuple[str, str, Any]] = [
        ("not_your_seat", "PERMISSION_DENIED", ann.play(match, gate, seat=1)),
        ("not_at_the_table", "PERMISSION_DENIED", eve.play(match, gate)),
        ("match_not_found", "NOT_FOUND", ann.play("matches/nobody-knows", gate)),
        ("invalid_request", "INVALID_ARGUMENT", ann.play("no name", gate)),
        ("invalid_request", "INVALID_ARGUMENT", ann.play(match)),
        ("unknown_action", "INVALID_ARGUMENT", ann.play(match, {})),
        ("wrong_prompt", "FAILED_PRECONDITION", ann.play(match, KeepCard(Card.RAID))),
        ("malformed_request", "INVALID_ARGUMENT", ann.call("Play", b"\xff\xff\xff")),
        ("request_too_large", "RESOURCE_EXHAUSTED", ann.call("Play", b"\0" * 70_000)),
    ]
    for reason, status, call in ways:
        with pytest.raises(Refused) as refusal:
            await call
        assert (refusal.value.code, refusal.value.status.name) == (reason, status)


async def test_nobody_without_a_token_is_answered(here: World, match: str) -> None:
    stub: Any = here.channel.unary_unary(path("GetMatch"))
    request = CONTRACT.GetMatchRequest(name=match).SerializeToString()
    for metadata in ((), (("authorization", "Bearer nonsense"),), (("authorization", "x"),)):
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await stub(request, metadata=metadata)
        assert Refused(error.value).status.name == "UNAUTHENTICATED"


async def test_roles_are_kept_to_their_calls(here: World, match: str) -> None:
    with pytest.raises(Refused) as refusal:
        await here.person("ann").call("GetPosition", name=match, seat=0)
    assert refusal.value.code == "forbidden"
    studio = here.person("studio", Role.TENANT)
    with pytest.raises(Refused) as refusal:
        await studio.play(match, Fortify(Tower.GATE))
    assert refusal.value.code == "forbidden"
