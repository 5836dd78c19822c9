"""The limits of callers: what is let through, what is refused, and what is remembered."""

from __future__ import annotations

import timeit
from collections.abc import AsyncIterator

import grpc
import pytest
from echo.v1 import echo_pb2 as pb
from google.rpc.error_details_pb2 import ErrorInfo, RetryInfo
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from services.runtime import limits
from services.runtime.auth import NOBODY, Caller, Role, Verifier
from services.runtime.errors import RateLimited, status_of
from services.runtime.limits import Limits
from services.runtime.settings import Settings
from tests.conftest import Token
from tests.runtime.echo import Client, EchoService, refusal, served

ANN = Caller("ann", "acme", Role.PLAYER)
BOB = Caller("bob", "acme", Role.PLAYER)
ACME = Caller("backend", "acme", Role.TENANT)


class Time:
    """A clock that stands still until it is told."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> int:
        return round(self.now * 1e9)


def given_limits(player: float = 10, tenant: float = 0, burst: float = 1) -> tuple[Limits, Time]:
    time = Time()
    rates = Settings(rate_player=player, rate_tenant=tenant, rate_burst=burst)
    return Limits(rates, time), time


def calls(limits: Limits, caller: Caller, most: int = 100) -> int:
    """How many calls are let through before one is refused."""
    for done in range(most):
        try:
            limits.spend(caller)
        except RateLimited:
            return done
    return most


def test_a_quiet_player_may_make_a_burst_and_then_his_rate() -> None:
    limits, time = given_limits(player=10, burst=2)
    assert calls(limits, ANN) == 20
    time.now += 0.35
    assert calls(limits, ANN) == 3
    time.now += 1000
    assert calls(limits, ANN) == 20


def test_who_is_refused_is_told_when_to_come_back_and_then_let_in() -> None:
    limits, time = given_limits(player=4)
    calls(limits, ANN)
    with pytest.raises(RateLimited) as refused:
        limits.spend(ANN)
    assert refused.value.delay == pytest.approx(0.25)
    time.now += refused.value.delay + 1e-9
    limits.spend(ANN)


def test_refused_calls_cost_nothing() -> None:
    limits, time = given_limits(player=10)
    calls(limits, ANN)
    for _ in range(1000):
        with pytest.raises(RateLimited):
            limits.spend(ANN)
    time.now += 0.101
    limits.spend(ANN)


def test_players_do_not_pay_for_one_another() -> None:
    limits, _ = given_limits(player=10)
    calls(limits, ANN)
    assert calls(limits, BOB) == 10
    assert calls(limits, replace(ANN, tenant="zeta")) == 10


def test_another_token_is_the_same_player() -> None:
    limits, _ = given_limits(player=10)
    calls(limits, ANN)
    assert calls(limits, replace(ANN, key="another", scopes=1)) == 0


def test_a_tenant_and_its_players_are_limited_together() -> None:
    limits, _ = given_limits(player=10, tenant=15)
    assert calls(limits, ANN) == 10
    assert calls(limits, ACME) == 5
    assert calls(limits, BOB) == 0
    assert calls(limits, replace(BOB, tenant="zeta")) == 10


@pytest.mark.parametrize(
    "caller", [NOBODY, Caller("workers", "", Role.SERVICE), Caller("root", "", Role.ADMIN)]
)
def test_the_platform_itself_is_not_limited(caller: Caller) -> None:
    limits, _ = given_limits(player=1, tenant=1)
    assert calls(limits, caller) == 100


def test_a_rate_of_nought_is_no_limit() -> None:
    limits, _ = given_limits(player=0, tenant=0)
    assert calls(limits, ANN) == 100


@given(st.lists(st.floats(0, 0.5), max_size=200))
def test_nobody_ever_gets_more_than_burst_and_rate(pauses: list[float]) -> None:
    limits, time = given_limits(player=10, burst=1)
    began, through = time.now, 0
    for pause in pauses:
        time.now += pause
        try:
            limits.spend(ANN)
        except RateLimited:
            continue
        through += 1
    assert through <= 10 + 10 * (time.now - began) + 1e-6


def test_memory_is_bounded_and_the_busy_stay_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "REMEMBERED", 100)
    found, time = given_limits(player=10)
    for number in range(1000):
        time.now += 0.02
        found.spend(Caller(f"p{number}", "acme", Role.PLAYER))
        assert len(found._players) <= 100
    calls(found, ANN)
    for number in range(40):
        found.spend(Caller(f"q{number}", "acme", Role.PLAYER))
    assert calls(found, ANN) == 0


def test_it_costs_a_call_next_to_nothing() -> None:
    found = Limits(Settings(rate_player=1e9, rate_tenant=1e9))
    best = min(timeit.repeat(lambda: found.spend(ANN), number=2000, repeat=20)) / 2000
    assert best < 10e-6  # 1 µs on a quiet machine


def test_the_refusal_says_when_to_try_again() -> None:
    status = status_of(RateLimited(1.25))
    info, retry = ErrorInfo(), RetryInfo()
    assert status.details[0].Unpack(info)
    assert status.details[1].Unpack(retry)
    assert (status.code, info.reason) == (8, "rate_limited")
    assert (retry.retry_delay.seconds, retry.retry_delay.nanos) == (1, 250_000_000)


@pytest.fixture
async def client(settings: Settings, verifier: Verifier) -> AsyncIterator[Client]:
    slow = replace(settings, rate_player=1.0, rate_burst=3.0)
    async with served(slow, verifier, EchoService()) as (_, client):
        yield client


async def test_a_service_refuses_who_calls_too_often(client: Client, token: Token) -> None:
    hello = pb.SayRequest(text="hello")
    for _ in range(3):
        await client.say(hello, token("ann"))
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await client.say(hello, token("ann", ttl=99.0))
    told = refusal(caught.value)
    assert (told.code, told.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "rate_limited")
    await client.say(hello, token("bob"))
