"""Whom to believe: what the accounts service says of keys, as every other process hears it.

The statement lies in Redis under one key, signed with the key of the key file: who can write to
Redis cannot make a key that is believed. Each process reads it every second
(docs/decisions/0005-revocation.md).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import jwt
import msgspec
import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError

from services.runtime.app import App, Bind
from services.runtime.auth import Verifier
from services.runtime.keys import ALGORITHM, ISSUER, Keys, base64url, unbase64url
from services.runtime.loops import ended
from services.runtime.redis import connect
from services.runtime.settings import Settings, SettingsError

PLACE = "accounts:trust"
"""A hash: `version`, and the signed `statement` of that version."""
AUDIENCE = "vallum.trust"
"""Of statements: so that none can pass for a token, nor a token for one."""
EVERY = 1.0
"""Seconds between two looks."""

PUT = """
local there = redis.call('HGET', KEYS[1], 'version')
if there and tonumber(there) > tonumber(ARGV[1]) then return 0 end
redis.call('HSET', KEYS[1], 'version', ARGV[1], 'statement', ARGV[2])
return 1
"""

log = structlog.get_logger(__name__)


class Statement(msgspec.Struct, frozen=True):
    """What the accounts service says."""

    version: int
    """Later statements have higher ones."""
    keys: tuple[str, ...] = ()
    """Public keys that tokens may be signed with, base64url."""
    ends: Mapping[str, int] = {}
    """API key -> when it was revoked or expires, in milliseconds."""
    suspended: tuple[str, ...] = ()
    """Tenants whose tokens are refused."""
    deleted: tuple[str, ...] = ()
    """Players whose tokens are refused."""

    def over(self, now_ms: int) -> frozenset[str]:
        """The API keys that are good for nothing any more."""
        return frozenset(key for key, end in self.ends.items() if end <= now_ms)


def signed(statement: Statement, root: Keys) -> str:
    """A statement as it travels."""
    return root.sign({"iss": ISSUER, "aud": AUDIENCE, **msgspec.to_builtins(statement)})


def read(text: str, roots: Iterable[Keys]) -> Statement:
    """A statement that one of `roots` has signed. Raises ValueError for any other."""
    by_kid = {root.kid: root.public for root in roots}
    try:
        key = by_kid[jwt.get_unverified_header(text).get("kid", "")]
        claims = jwt.decode(text, key, algorithms=[ALGORITHM], audience=AUDIENCE, issuer=ISSUER)
        return msgspec.convert(claims, Statement)
    except (jwt.InvalidTokenError, KeyError, msgspec.ValidationError):
        raise ValueError("not a statement of ours") from None


async def put(redis: Redis, statement: Statement, root: Keys) -> bool:
    """Publish a statement; whether it was not too late, a newer one being there."""
    asked: Any = redis.eval(PUT, 1, PLACE, str(statement.version), signed(statement, root))
    return bool(await asked)


class Follower:
    """Keeps a verifier up to date with what is published."""

    def __init__(self, redis: Redis, verifier: Verifier) -> None:
        self._redis: Any = redis  # its types do not tell awaitables from values
        self._verifier = verifier
        self._read = b""
        self._statement = Statement(0)
        self._over: frozenset[str] = frozenset()

    async def look(self) -> None:
        """Read what is published, and act on what is new. Raises RedisError."""
        found = await self._redis.hget(PLACE, "statement")
        if found and found != self._read:
            self._read = found
            self._hear(found.decode())
        over = self._statement.over(time.time_ns() // 1_000_000)
        if over != self._over:
            self._over = over
            self._refuse()

    def _hear(self, text: str) -> None:
        try:
            statement = read(text, self._verifier.roots)
            keys = [Keys.of_raw(unbase64url(one)) for one in statement.keys]
        except ValueError:
            log.error("statement_not_believed", place=PLACE)
            return
        if statement.version < self._statement.version:
            log.error("statement_out_of_date", place=PLACE)
            return
        self._verifier.believe(keys)
        self._statement = statement
        self._over = statement.over(time.time_ns() // 1_000_000)
        self._refuse()

    def _refuse(self) -> None:
        said = self._statement
        self._verifier.refuse(self._over, said.suspended, said.deleted)

    async def run(self) -> None:
        """Look again and again. Without Redis, what was heard last holds."""
        while True:
            await asyncio.sleep(EVERY)
            try:
                await self.look()
            except RedisError as error:
                log.warning("trust_not_read", error=str(error))


def following(verifier: Verifier) -> Bind:
    """Has `verifier` follow what the accounts service says, from before the first call on."""

    @asynccontextmanager
    async def bind(app: App) -> AsyncIterator[None]:
        async with connect(app.settings.redis_url) as redis:
            follower = Follower(redis, verifier)
            await follower.look()
            task = asyncio.create_task(follower.run())
            try:
                yield
            finally:
                await ended([task])

    return bind


def verifier_of(settings: Settings) -> Verifier:
    """A verifier that believes every key of the key file. Raises SettingsError."""
    if settings.key_file is None:
        raise SettingsError("VALLUM_KEY_FILE: name the PEM file of the key that signs tokens")
    return Verifier(*Keys.load_all(settings.key_file))


def public(keys: Iterable[Keys]) -> tuple[str, ...]:
    """Keys as a statement has them."""
    return tuple(base64url(key.raw) for key in keys)
