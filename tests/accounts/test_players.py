"""Players: a tenant's own ids, and tokens that an app may hold."""

from __future__ import annotations

import asyncio
import time

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration

from services.runtime.auth import Role, Verifier
from services.runtime.callers import EVERYTHING
from tests.accounts.given import Office
from tests.accounts.test_keys import refused
from vallum.options.v1 import access_pb2 as opt


async def test_a_player_is_found_or_made(there: Office) -> None:
    studio, other = await there.studio("acme"), await there.studio("other")
    first = await studio.backend.call("EnsurePlayer", external_id="user 7", display_name="Ann")
    again = await studio.backend.call("EnsurePlayer", external_id="user 7", display_name="Bob")
    assert first.created
    assert not again.created
    assert again.player == first.player
    assert first.player.display_name == "Ann"
    elsewhere = await other.backend.call("EnsurePlayer", external_id="user 7")
    assert elsewhere.player.name != first.player.name


async def test_many_who_ask_at_once_get_one_player(there: Office) -> None:
    studio = await there.studio("acme")
    answers = await asyncio.gather(
        *(studio.backend.call("EnsurePlayer", external_id="u") for _ in range(12))
    )
    assert len({one.player.name for one in answers}) == 1
    assert sum(one.created for one in answers) == 1


async def test_a_player_token_speaks_for_the_player_and_comes_through_the_key(
    there: Office,
) -> None:
    studio = await there.studio("acme", [opt.SCOPE_PLAYERS])
    answer = await studio.backend.call(
        "IssuePlayerToken", external_id="u1", display_name="Ann", ttl=Duration(seconds=60)
    )
    caller = Verifier(there.keys).verify(answer.token)
    assert (f"players/{caller.subject}", caller.tenant) == (answer.player.name, "acme")
    assert (caller.role, caller.scopes) == (Role.PLAYER, EVERYTHING)
    assert f"keys/{caller.key}" == studio.key.name
    assert 55 <= answer.expire_time.seconds - time.time() <= 60
    named = await studio.backend.call("IssuePlayerToken", name=answer.player.name)
    assert named.player == answer.player
    ann = there.bearer(named.token)
    assert (await ann.call("GetPlayer", name=answer.player.name)).player == answer.player


async def test_players_see_each_others_names_and_no_more(there: Office) -> None:
    studio, other = await there.studio("acme"), await there.studio("other")
    token = (await studio.backend.call("IssuePlayerToken", external_id="u1")).token
    ann = there.bearer(token)
    bob = (await studio.backend.call("EnsurePlayer", external_id="u2", display_name="Bob")).player
    seen = (await ann.call("GetPlayer", name=bob.name)).player
    assert (seen.display_name, seen.external_id) == ("Bob", "")
    stranger = (await other.backend.call("EnsurePlayer", external_id="u3")).player
    told = await refused(ann, "GetPlayer", name=stranger.name)
    assert told == (grpc.StatusCode.NOT_FOUND, "player_not_found")
    for method, fields in (
        ("EnsurePlayer", {"external_id": "x"}),
        ("UpdatePlayer", {"name": bob.name, "display_name": "x"}),
        ("ListPlayers", {}),
    ):
        assert (await refused(ann, method, **fields))[1] == "forbidden"


async def test_a_player_is_renamed_and_listed(there: Office) -> None:
    studio = await there.studio("acme")
    made = [
        (await studio.backend.call("EnsurePlayer", external_id=f"u{number}")).player.name
        for number in range(5)
    ]
    renamed = await studio.backend.call("UpdatePlayer", name=made[0], display_name="Ann")
    assert renamed.player.display_name == "Ann"
    first = await studio.backend.call("ListPlayers", page_size=3)
    rest = await studio.backend.call("ListPlayers", page_token=first.next_page_token)
    assert sorted(one.name for one in (*first.players, *rest.players)) == sorted(made)
    assert not rest.next_page_token


@pytest.mark.parametrize("text", ["a\x00b", "a\nb", "x" * 129, ""])
async def test_an_id_that_cannot_be_kept_is_refused(there: Office, text: str) -> None:
    told = await refused(there.root, "EnsurePlayer", external_id=text, tenant="acme")
    assert told == (grpc.StatusCode.INVALID_ARGUMENT, "invalid_request")


async def test_any_other_id_is_kept_as_it_is(there: Office) -> None:
    studio = await there.studio("acme")
    for text in ("ü 'quoted' \"name\" -- ;", "a/b", "%", "😀" * 32, " "):
        made = await studio.backend.call("EnsurePlayer", external_id=text)
        assert made.player.external_id == text
        assert (await studio.backend.call("EnsurePlayer", external_id=text)).created is False
