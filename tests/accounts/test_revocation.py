"""What is revoked in one process is refused in every other, within seconds, whatever restarts."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import grpc
import jwt
import pytest
from redis.asyncio import Redis

from services.accounts import signing, upkeep
from services.runtime import bell
from services.runtime.auth import LEEWAY, Caller, Keys, Role, Verifier
from services.runtime.bus import ENTRY, streams
from services.runtime.settings import Settings
from services.runtime.trust import PLACE, Follower, Statement, put, read, signed
from tests.accounts.given import (
    Clerk,
    Office,
    Studio,
    created,
    ended_with,
    heard,
    host,
    made_of,
    office,
    streamed,
)
from tests.referee.given import KEYS, Refused
from tests.until import until
from vallum.accounts.v1 import accounts_pb2 as pb
from vallum.events.v1.events_pb2 import Event

SECONDS = 3.0
"""In which everybody must have heard."""


async def player_of(studio: Studio) -> str:
    """A token of some player, minted through the studio's key."""
    return str((await studio.backend.call("IssuePlayerToken", external_id="u1")).token)


async def test_a_revoked_key_is_refused_everywhere_within_seconds(
    there: Office, settings: Settings
) -> None:
    studio, other = await there.studio("acme"), await there.studio("other")
    async with host(settings) as channel:
        tokens = studio.backend.token, await player_of(studio), await player_of(other)
        for token in tokens:
            assert await made_of(channel, token) == "OK"
        await studio.backend.call("RevokeKey", name=studio.key.name)
        took = max([await heard(channel, token, "token_revoked") for token in tokens[:2]])
        assert took < SECONDS
        assert await made_of(channel, tokens[2]) == "OK"
    async with host(settings) as again:  # a process that starts knows from its first call on
        assert await made_of(again, tokens[0]) == "token_revoked"
        assert await made_of(again, tokens[2]) == "OK"


async def test_a_storage_that_was_emptied_is_told_again(
    there: Office, settings: Settings, redis: Redis
) -> None:
    studio = await there.studio("acme")
    await studio.backend.call("RevokeKey", name=studio.key.name)
    await redis.delete(PLACE)

    async def told() -> bool:
        return bool(await redis.exists(PLACE))

    await until(told, 3 * upkeep.EVERY)
    async with host(settings) as channel:
        assert await made_of(channel, studio.backend.token) == "token_revoked"


async def test_revocation_outlives_a_restart_of_the_service(settings: Settings) -> None:
    async with office(settings) as first:
        studio = await first.studio("acme")
        spare = await studio.backend.call("CreateKey", scopes=studio.key.scopes)
        token = await player_of(studio)
        await studio.backend.call("RevokeKey", name=studio.key.name)
    async with office(settings) as second, host(settings) as channel:
        assert await made_of(channel, token) == "token_revoked"
        with pytest.raises(Refused, match="revoked"):
            await second.exchange(studio.api_key)
        fresh = await second.exchange(spare.api_key)
        assert await made_of(channel, fresh.token) == "OK"


async def test_a_revocation_is_a_fact_on_the_bus(
    there: Office, settings: Settings, redis: Any
) -> None:
    studio = await there.studio("acme")
    await studio.backend.call("RevokeKey", name=studio.key.name, reason="leaked")
    found: list[Event] = []

    async def told() -> bool:
        for key in streams("accounts", settings.partitions):
            found.extend(
                Event.FromString(row[ENTRY]) for _, row in await redis.xrange(key, count=10)
            )
        return bool(found)

    await until(told)
    (event,) = found
    assert (event.subject, event.tenant) == (studio.key.name, "acme")
    assert (event.key_revoked.by, event.key_revoked.reason) == ("tenant:acme", "leaked")


async def test_an_expired_token_is_refused_within_seconds(
    there: Office, settings: Settings
) -> None:
    async with host(settings) as channel:
        token = there.keys.mint(Caller("ann", "acme", Role.PLAYER), ttl=2 - LEEWAY)
        assert await made_of(channel, token) == "OK"
        assert await heard(channel, token, "token_expired") < SECONDS


async def test_a_stream_ends_with_the_token_that_opened_it(
    there: Office, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bell, "HEARTBEAT_S", 0.2)
    studio = await there.studio("acme")
    async with host(settings) as channel:
        match = await created(channel, studio.backend.token)
        short = there.keys.mint(Caller("ann", "acme", Role.PLAYER), ttl=2 - LEEWAY)
        lasting = there.keys.mint(Caller("ann", "acme", Role.PLAYER))
        tokens = studio.backend.token, await player_of(studio), short, lasting
        streams_of = [await streamed(channel, token, match) for token in tokens]
        await studio.backend.call("RevokeKey", name=studio.key.name)
        async with asyncio.timeout(2 * SECONDS):
            ends = [await ended_with(call) for call in streams_of[:3]]
        assert ends == ["token_revoked", "token_revoked", "token_expired"]
        assert (await streams_of[3].read()) is not grpc.aio.EOF
        streams_of[3].cancel()


async def test_without_redis_what_was_heard_last_holds(keys: Keys, redis: Redis) -> None:
    verifier, second = Verifier(keys), Keys.generate()
    await put(redis, Statement(2, ends={"k1": 1}), keys)
    follower = Follower(redis, verifier)
    await follower.look()
    await redis.delete(PLACE)
    await follower.look()
    revoked = keys.mint(Caller("ann", "acme", Role.PLAYER, "k1"))
    with pytest.raises(Exception, match="revoked"):
        verifier.verify(revoked)
    await forged(redis, signed(Statement(9), second))  # a key that nobody knows
    await follower.look()
    await forged(redis, keys.mint(Caller("ann", "acme", Role.PLAYER)))  # a token is no statement
    await follower.look()
    await forged(redis, signed(Statement(1), keys))  # out of date
    await follower.look()
    with pytest.raises(Exception, match="revoked"):
        verifier.verify(revoked)
    await forged(redis, signed(Statement(3), keys))
    await follower.look()
    verifier.verify(revoked)


async def forged(redis: Any, text: str) -> None:
    """Write where the statement lies."""
    await redis.hset(PLACE, "statement", text)


async def test_a_statement_is_no_token(keys: Keys) -> None:
    with pytest.raises(Exception, match="token_invalid"):
        Verifier(keys).verify(signed(Statement(1), keys))


async def test_a_statement_is_not_replaced_by_an_older_one(keys: Keys, redis: Redis) -> None:
    assert await put(redis, Statement(5), keys)
    assert not await put(redis, Statement(4), keys)
    assert await put(redis, Statement(5), keys)
    there: Any = redis
    text = (await there.hget(PLACE, "statement")).decode()
    assert read(text, [keys]).version == 5


async def test_tokens_are_signed_with_keys_that_change(
    settings: Settings, redis: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signing, "SETTLE_MS", 0)
    async with office(settings) as there, host(settings) as channel:
        studio = await there.studio("acme")
        old = await player_of(studio)
        first = kid(old)
        assert first != there.keys.kid
        await heard(channel, old, "OK")
        await there.root.call("RotateSigningKey", request_id="one")
        again = await there.root.call("RotateSigningKey", request_id="one")
        new = await player_of(studio)
        assert kid(new) == again.key.kid != first
        assert await heard(channel, new, "OK") < SECONDS
        assert await made_of(channel, old) == "OK"  # until it expires
        assert {first, kid(new), there.keys.kid} == await key_set(there)
        at_root = there.keys.mint(Caller("ann", "acme", Role.PLAYER))
        assert await made_of(channel, at_root) == "OK"
    statement = read((await redis.hget(PLACE, "statement")).decode(), [KEYS])
    assert len(statement.keys) == 2


async def test_a_signing_key_that_has_leaked_is_ended_with_all_that_it_signed(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signing, "SETTLE_MS", 0)
    async with office(settings) as there, host(settings) as channel:
        studio = await there.studio("acme")
        monkeypatch.setattr(signing, "SETTLE_MS", 60_000)
        token = await player_of(studio)
        await heard(channel, token, "OK")
        await there.root.call("RotateSigningKey", end_others=True)
        assert await heard(channel, token, "token_invalid") < SECONDS
        assert kid(token) not in await key_set(there)
        fresh = await there.exchange(studio.api_key)  # signed by the root, until the new one is
        assert await made_of(channel, fresh.token) == "OK"


async def test_a_signing_key_is_announced_before_it_is_used(there: Office) -> None:
    await there.studio("acme")
    announced = await there.root.call("RotateSigningKey")
    wait = announced.use_time.seconds - time.time()
    assert signing.SETTLE_MS / 1000 - 5 < wait <= signing.SETTLE_MS / 1000
    assert announced.key.kid in await key_set(there)
    studio = await there.studio("other")
    assert kid(studio.backend.token) != announced.key.kid


async def test_another_key_file_still_believes_what_it_cannot_open(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signing, "SETTLE_MS", 0)
    async with office(settings) as first:
        studio = await first.studio("acme")
        token = await player_of(studio)
    new = Keys.generate()
    async with office(settings, keys=new) as second, host(settings, new) as channel:
        assert await made_of(channel, token) == "OK"
        fresh = await second.exchange(studio.api_key)
        assert kid(fresh.token) not in (kid(token), new.kid)
        await heard(channel, fresh.token, "OK")


async def key_set(there: Office) -> set[str]:
    """The kids of the published key set."""
    answer: pb.GetKeySetResponse = await Clerk(there.channel).call("GetKeySet")
    return {key.kid for key in answer.keys}


def kid(token: str) -> str:
    """The key that a token is signed with."""
    return str(jwt.get_unverified_header(token)["kid"])


async def test_replicas_that_start_together_have_one_signing_key(settings: Settings) -> None:
    async with office(settings) as one, office(settings) as other:
        assert await key_set(one) == await key_set(other)
        studio = await one.studio("acme")
        await other.root.call("RevokeKey", name=studio.key.name)

        async def refused() -> bool:
            try:
                await studio.backend.call("ListKeys")
            except Refused as error:
                return error.code == "token_revoked"
            return False

        await until(refused, SECONDS)
