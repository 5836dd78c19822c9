"""A player is deleted: what was known of him is gone, what he has played stays."""

from __future__ import annotations

from typing import Any

import grpc
import pytest
from redis.asyncio import Redis
from sqlalchemy import select

from services.accounts.database import database_of
from services.accounts.schema import METADATA
from services.notices.bind import notices
from services.runtime.auth import Role
from services.runtime.bus import ENTRY, streams
from services.runtime.settings import Settings
from tests.accounts.given import (
    Clerk,
    Office,
    created,
    heard,
    host,
    made_of,
    office,
    seats_of,
)
from tests.accounts.test_keys import refused
from tests.accounts.test_revocation import SECONDS
from tests.ambush.hosted import HOSTED
from tests.referee.given import KEYS
from tests.until import until
from vallum.accounts.v1 import accounts_pb2 as pb
from vallum.events.v1.events_pb2 import Event

MISSING = (grpc.StatusCode.NOT_FOUND, "player_not_found")
SECRET, NAME = "ann.smith@example.org", "Ann Smith"


async def joined(backend: Clerk, external_id: str = SECRET) -> pb.IssuePlayerTokenResponse:
    """A player and his token."""
    found: pb.IssuePlayerTokenResponse = await backend.call(
        "IssuePlayerToken", external_id=external_id, display_name=NAME
    )
    return found


async def test_what_is_known_of_a_player_is_erased(there: Office) -> None:
    studio = await there.studio("acme")
    ann, bob = await joined(studio.backend), await joined(studio.backend, "bob")
    left = (await studio.backend.call("DeletePlayer", name=ann.player.name)).player
    assert (left.name, left.external_id, left.display_name) == (ann.player.name, "", "")
    assert left.HasField("delete_time")
    for reader in (studio.backend, there.bearer(bob.token), there.root):
        assert (await reader.call("GetPlayer", name=left.name)).player == left
    listed = (await studio.backend.call("ListPlayers")).players
    assert [one.name for one in listed] == [bob.player.name]


async def test_no_table_holds_anything_of_him_but_his_id(there: Office, settings: Settings) -> None:
    studio = await there.studio("acme")
    ann = await joined(studio.backend)
    await studio.backend.call("UpdatePlayer", name=ann.player.name, display_name=f"{NAME} II")
    await studio.backend.call("DeletePlayer", name=ann.player.name)
    database = database_of(settings)
    try:
        async with database.reading() as connection:
            rows = {
                table.name: str((await connection.execute(select(table))).all())
                for table in METADATA.sorted_tables
            }
    finally:
        await database.close()
    assert ann.player.name.removeprefix("players/") in rows["players"]
    for text in rows.values():
        assert SECRET not in text
        assert NAME not in text


async def test_his_tokens_are_refused_everywhere_within_seconds(
    there: Office, settings: Settings
) -> None:
    studio = await there.studio("acme")
    ann, bob = await joined(studio.backend), await joined(studio.backend, "bob")
    async with host(settings) as channel:
        assert await made_of(channel, ann.token) == "OK"
        await studio.backend.call("DeletePlayer", name=ann.player.name)
        assert await heard(channel, ann.token, "token_revoked") < SECONDS
        assert await made_of(channel, bob.token) == "OK"
        assert await made_of(channel, studio.backend.token) == "OK"
    async with host(settings) as again:
        assert await made_of(again, ann.token) == "token_revoked"


async def test_nothing_is_done_in_his_name_any_more(there: Office) -> None:
    studio = await there.studio("acme")
    name = (await joined(studio.backend)).player.name
    first = await studio.backend.call("DeletePlayer", name=name)
    assert await refused(studio.backend, "IssuePlayerToken", name=name) == MISSING
    assert await refused(studio.backend, "UpdatePlayer", name=name, display_name="x") == MISSING
    again = await studio.backend.call("DeletePlayer", name=name)
    assert again == first
    anew = await studio.backend.call("EnsurePlayer", external_id=SECRET)
    assert anew.created
    assert anew.player.name != name
    gone = await studio.backend.call("DeletePlayer", name=anew.player.name)
    assert gone.player.name == anew.player.name  # two who are deleted do not meet


async def test_it_is_done_once_and_stands_in_the_audit_log(
    there: Office, settings: Settings, redis: Any
) -> None:
    studio = await there.studio("acme")
    name = (await joined(studio.backend)).player.name
    for _ in range(2):
        await studio.backend.call("DeletePlayer", name=name, request_id="one")
    await studio.backend.call("DeletePlayer", name=name, request_id="two")
    entries = (await studio.backend.call("ListAuditEntries")).entries
    done = [one for one in entries if one.action == "DeletePlayer"]
    assert [(one.target, one.actor, one.key) for one in done] == [
        (name, "tenant:acme", studio.key.name)
    ]
    found: list[Event] = []

    async def told() -> bool:
        found.clear()
        for key in streams("accounts", settings.partitions):
            found.extend(Event.FromString(row[ENTRY]) for _, row in await redis.xrange(key))
        return bool(found)

    await until(told)
    (event,) = found
    assert (event.subject, event.tenant, event.player_deleted.by) == (name, "acme", "tenant:acme")


async def test_only_his_own_tenant_deletes_a_player(there: Office) -> None:
    studio, other = await there.studio("acme"), await there.studio("other")
    ann = await joined(studio.backend)
    assert await refused(other.backend, "DeletePlayer", name=ann.player.name) == MISSING
    told = await refused(there.bearer(ann.token), "DeletePlayer", name=ann.player.name)
    assert told == (grpc.StatusCode.PERMISSION_DENIED, "forbidden")
    assert (await studio.backend.call("GetPlayer", name=ann.player.name)).player == ann.player
    await there.root.call("DeletePlayer", name=ann.player.name)
    assert (await studio.backend.call("GetPlayer", name=ann.player.name)).player.display_name == ""


async def test_his_seats_stay_under_an_id_that_stands_for_nobody(
    there: Office, settings: Settings
) -> None:
    studio = await there.studio("acme")
    ann = await joined(studio.backend)
    player = ann.player.name.removeprefix("players/")
    async with host(settings) as channel:
        match = await created(channel, ann.token, player)
        await studio.backend.call("DeletePlayer", name=ann.player.name)
        seats = await seats_of(channel, studio.backend.token, match)
    assert seats == [player, "bob"]


async def test_his_inbox_is_emptied(settings: Settings, redis: Redis) -> None:
    tells = notices({HOSTED.game.meta.key: HOSTED.package}, KEYS)
    async with office(settings, tells) as there, host(settings) as channel:
        studio = await there.studio("acme")
        ann = await joined(studio.backend)
        player = ann.player.name.removeprefix("players/")

        async def kept() -> bool:
            return bool(await redis.keys(f"*inbox:acme/{player}"))

        async def emptied() -> bool:
            return not await redis.keys(f"*inbox:acme/{player}*")

        await created(channel, ann.token, player)
        await until(kept)
        await studio.backend.call("DeletePlayer", name=ann.player.name)
        await until(emptied)


@pytest.mark.parametrize("role", [Role.PLAYER, Role.SERVICE])
async def test_nobody_else_may(there: Office, role: Role) -> None:
    told = await refused(there.asks("x", role), "DeletePlayer", name="players/p1")
    assert told == (grpc.StatusCode.PERMISSION_DENIED, "forbidden")
