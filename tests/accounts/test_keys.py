"""API keys: shown once, exchanged for tokens, replaced, revoked."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable, Callable
from typing import Any

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp
from sqlalchemy import select

from services.accounts.database import database_of
from services.accounts.schema import KEYS
from services.runtime.auth import Role, Verifier
from services.runtime.callers import scopes_of
from services.runtime.settings import Settings
from services.runtime.trust import PLACE
from tests.accounts.given import ALL, Clerk, Office
from tests.referee.given import Refused
from tests.until import until
from vallum.accounts.v1 import accounts_pb2 as pb
from vallum.options.v1 import access_pb2 as opt


async def refused(clerk: Clerk, method: str, **fields: Any) -> tuple[grpc.StatusCode, str]:
    """What a call that must fail is refused with."""
    with pytest.raises(Refused) as caught:
        await clerk.call(method, **fields)
    return caught.value.status, caught.value.code


async def test_a_key_becomes_a_token_of_its_tenant(there: Office) -> None:
    studio = await there.studio("acme", [opt.SCOPE_PLAYERS, opt.SCOPE_MANAGE])
    caller = Verifier(there.keys).verify(studio.backend.token)
    assert (caller.subject, caller.tenant, caller.role) == ("acme", "acme", Role.TENANT)
    assert caller.key == studio.key.name.removeprefix("keys/")
    assert caller.scopes == scopes_of(["players", "manage"])
    answer = await there.bearer("").call(
        "ExchangeKey", api_key=studio.api_key, ttl=Duration(seconds=60)
    )
    assert 55 <= answer.expire_time.seconds - time.time() <= 60
    assert (answer.tenant, set(answer.scopes)) == ("acme", set(studio.key.scopes))


async def test_a_key_is_shown_once_and_kept_as_its_hash(there: Office, settings: Settings) -> None:
    studio = await there.studio("acme")
    assert re.fullmatch(r"vallum_[a-z2-7]{12}_[a-z2-7]{52}", studio.api_key)
    assert studio.api_key.startswith(studio.key.prefix)
    secret = studio.api_key.rpartition("_")[2]
    listed = await studio.backend.call("ListKeys")
    assert [key.name for key in listed.keys] == [studio.key.name]
    assert secret not in str(listed)
    assert secret not in str(await studio.backend.call("GetKey", name=studio.key.name))
    database = database_of(settings)
    async with database.reading() as connection:
        (row,) = (await connection.execute(select(KEYS))).all()
    await database.close()
    assert secret not in str(row)
    assert len(row.digest) == 32


@pytest.mark.parametrize("change", ["unknown", "secret", "form", "case", "space"])
async def test_a_key_that_is_wrong_is_refused_with_one_answer(there: Office, change: str) -> None:
    key = (await there.studio("acme")).api_key
    wrong = {
        "unknown": f"vallum_{'a' * 12}_{key[-52:]}",
        "secret": key[:-1] + ("a" if key[-1] != "a" else "b"),
        "form": "password",
        "case": key.upper(),
        "space": f"{key} ",
    }[change]
    told = await refused(there.bearer(""), "ExchangeKey", api_key=wrong)
    assert told == (grpc.StatusCode.UNAUTHENTICATED, "key_invalid")


async def test_a_key_that_was_replaced_goes_on_for_the_overlap(there: Office) -> None:
    studio = await there.studio("acme")
    answer = await studio.backend.call(
        "RotateKey", name=studio.key.name, overlap=Duration(seconds=2)
    )
    assert answer.key.replaces == answer.replaced.name == studio.key.name
    assert list(answer.key.scopes) == list(studio.key.scopes)
    assert not answer.key.HasField("expire_time")
    await there.exchange(answer.api_key)
    old = await there.exchange(studio.api_key)  # both are good for a while
    await old.call("ListKeys")
    await gone(there, studio.api_key)
    assert await refused_token(old) == "token_revoked"
    assert await refused_token(studio.backend) == "token_revoked"
    new = await there.exchange(answer.api_key)
    assert (await refused(new, "RotateKey", name=studio.key.name))[1] == "key_over"
    again = await new.call("RotateKey", name=answer.key.name)
    left = again.replaced.expire_time.seconds - time.time()
    assert 23.9 * 3600 < left <= 24 * 3600


async def gone(there: Office, api_key: str) -> None:
    """Wait until a key is refused."""
    assert await refusal(lambda: there.exchange(api_key), 8.0) == "key_invalid"


async def refused_token(clerk: Clerk) -> str:
    """Wait until a token is refused; the code."""
    return await refusal(lambda: clerk.call("ListKeys"), 5.0)


async def refusal(attempt: Callable[[], Awaitable[Any]], seconds: float) -> str:
    """Try again and again until the caller is not known any more; the code."""
    async with asyncio.timeout(seconds):
        while True:
            try:
                await attempt()
            except Refused as error:
                if error.status != grpc.StatusCode.UNAUTHENTICATED:
                    raise
                return error.code
            await asyncio.sleep(0.1)


async def test_a_key_ends_when_it_was_said_to_and_no_token_outlives_it(there: Office) -> None:
    await there.root.call("CreateTenant", tenant_id="acme")
    end = Timestamp(seconds=int(time.time()) + 4)
    made = await there.root.call("CreateKey", tenant="acme", scopes=ALL, expire_time=end)
    answer = await there.bearer("").call("ExchangeKey", api_key=made.api_key)
    assert answer.expire_time.seconds <= end.seconds
    await gone(there, made.api_key)
    past = Timestamp(seconds=int(time.time()) - 1)
    told = await refused(there.root, "CreateKey", tenant="acme", scopes=ALL, expire_time=past)
    assert told == (grpc.StatusCode.INVALID_ARGUMENT, "invalid_request")


async def test_a_revoked_key_is_over_and_stays_so(there: Office) -> None:
    studio = await there.studio("acme")
    spare = (await studio.backend.call("CreateKey", scopes=ALL)).api_key
    answer = await studio.backend.call("RevokeKey", name=studio.key.name, reason="leaked")
    assert answer.key.HasField("revoke_time")
    assert (await refused(there.bearer(""), "ExchangeKey", api_key=studio.api_key))[1] == (
        "key_invalid"
    )
    assert await refused_token(studio.backend) == "token_revoked"
    other = await there.exchange(spare)
    again = await other.call("RevokeKey", name=studio.key.name, reason="again")
    assert again.key.revoke_time == answer.key.revoke_time


async def test_a_request_has_one_effect(there: Office) -> None:
    studio = await there.studio("acme")
    asked: dict[str, Any] = {"scopes": ALL, "display_name": "ci", "request_id": "one"}
    first = await studio.backend.call("CreateKey", **asked)
    second = await studio.backend.call("CreateKey", **asked)
    assert first.key == second.key
    assert first.api_key
    assert not second.api_key  # it is kept nowhere
    other = {**asked, "display_name": "other"}
    told = await refused(studio.backend, "CreateKey", **other)
    assert told == (grpc.StatusCode.ALREADY_EXISTS, "request_id_reused")
    rotated = [
        await studio.backend.call("RotateKey", name=first.key.name, request_id="two")
        for _ in range(2)
    ]
    assert rotated[0].key == rotated[1].key
    assert [bool(one.api_key) for one in rotated] == [True, False]
    assert len((await studio.backend.call("ListKeys")).keys) == 3


async def test_many_at_once_with_one_request_id_make_one_key(there: Office) -> None:
    studio = await there.studio("acme")
    answers = await asyncio.gather(
        *(studio.backend.call("CreateKey", scopes=ALL, request_id="same") for _ in range(8))
    )
    assert len({one.key.name for one in answers}) == 1
    assert sum(bool(one.api_key) for one in answers) == 1


async def test_keys_are_narrowed_by_their_scopes(there: Office) -> None:
    studio = await there.studio("acme", [opt.SCOPE_PLAYERS])
    await studio.backend.call("EnsurePlayer", external_id="u1")
    for method, fields in (("ListKeys", {}), ("CreateKey", {"scopes": ALL})):
        told = await refused(studio.backend, method, **fields)
        assert told == (grpc.StatusCode.PERMISSION_DENIED, "out_of_scope")


async def test_a_suspended_tenant_is_refused_until_it_is_admitted_again(there: Office) -> None:
    studio = await there.studio("acme")
    await there.root.call("UpdateTenant", name="tenants/acme", suspended=True)
    assert (await refused(there.bearer(""), "ExchangeKey", api_key=studio.api_key))[1] == (
        "tenant_suspended"
    )
    assert await refused_token(studio.backend) == "token_revoked"
    await there.root.call("UpdateTenant", name="tenants/acme", suspended=False)
    await there.exchange(studio.api_key)

    async def admitted() -> bool:
        try:
            return bool(await studio.backend.call("ListKeys"))
        except Refused:
            return False

    await until(admitted)


async def test_keys_are_listed_page_by_page_newest_first(there: Office) -> None:
    studio = await there.studio("acme")
    await there.studio("other")
    more = [await studio.backend.call("CreateKey", scopes=ALL) for _ in range(6)]
    made = [studio.key.name, *(one.key.name for one in more)]
    found, token = [], ""
    while True:
        answer = await studio.backend.call("ListKeys", page_size=3, page_token=token)
        found += [key.name for key in answer.keys]
        token = answer.next_page_token
        if not token:
            break
    assert sorted(found) == sorted(made)
    assert len(found) == len(set(found))
    assert len((await there.root.call("ListKeys")).keys) == 8
    assert len((await there.root.call("ListKeys", tenant="other")).keys) == 1
    for token in ("x", "MQ==", "LTEvYQ=="):
        assert (await refused(studio.backend, "ListKeys", page_token=token))[1] == "bad_page_token"


async def test_use_is_written_down_to_the_minute(there: Office) -> None:
    studio = await there.studio("acme")
    key = (await studio.backend.call("GetKey", name=studio.key.name)).key
    assert key.last_use_time.seconds % 60 == 0
    assert time.time() - key.last_use_time.seconds < 120


async def test_what_is_done_is_written_down(there: Office) -> None:
    studio = await there.studio("acme")
    await there.studio("other")
    made = await studio.backend.call("CreateKey", scopes=ALL)
    await studio.backend.call("RevokeKey", name=made.key.name, reason="not needed")
    page = await studio.backend.call("ListAuditEntries")
    lines = [(one.action, one.actor, one.key, one.target) for one in page.entries]
    assert lines == [
        ("RevokeKey", "tenant:acme", studio.key.name, made.key.name),
        ("CreateKey", "tenant:acme", studio.key.name, made.key.name),
        ("CreateKey", "admin:root", "", studio.key.name),
        ("CreateTenant", "admin:root", "", "tenants/acme"),
    ]
    assert page.entries[0].detail == "not needed"
    assert {one.tenant for one in page.entries} == {"acme"}
    first = await studio.backend.call("ListAuditEntries", page_size=3)
    rest = await studio.backend.call(
        "ListAuditEntries", page_size=3, page_token=first.next_page_token
    )
    assert list(first.entries) + list(rest.entries) == list(page.entries)
    assert len((await there.root.call("ListAuditEntries")).entries) == 6


async def test_what_is_said_of_keys_lies_in_redis_signed(there: Office, redis: Any) -> None:
    studio = await there.studio("acme")
    await studio.backend.call("RevokeKey", name=studio.key.name)
    told = (await redis.hget(PLACE, "statement")).decode()
    assert told.count(".") == 2
    assert studio.api_key[-52:] not in told


async def test_a_key_is_what_the_contract_says(there: Office) -> None:
    studio = await there.studio("acme")
    assert isinstance(studio.key, pb.Key)
    told = await refused(studio.backend, "CreateKey", scopes=[])
    assert told[1] == "invalid_request"
    told = await refused(there.root, "CreateKey", tenant="nowhere", scopes=ALL)
    assert told == (grpc.StatusCode.NOT_FOUND, "tenant_not_found")
    told = await refused(there.root, "CreateKey", scopes=ALL)
    assert told == (grpc.StatusCode.INVALID_ARGUMENT, "invalid_request")
