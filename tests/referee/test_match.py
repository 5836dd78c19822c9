"""A match from its creation to its record, through the contract alone."""

from __future__ import annotations

import base64
from random import Random

import pytest

from services.runtime.auth import Role
from tests.ambush.cards import Tower
from tests.ambush.moves import Fortify
from tests.referee.given import Refused, World, play_on
from vallum.match.v1 import match_pb2 as pb

NAMES = ("ann", "bob", "cid")


async def test_a_match_runs_to_its_result(here: World) -> None:
    match = await here.match(*NAMES)
    await play_on(here, match, here.people(*NAMES), Random(1))
    there = (await here.person("ann").call("GetMatch", name=match)).match
    assert there.state == pb.MATCH_STATE_FINISHED
    assert sorted(one.seat for one in there.result.places) == [0, 1, 2]
    assert [one.place for one in there.result.places] == sorted(
        one.place for one in there.result.places
    )
    assert all(
        sheet.total == sum(line.points for line in sheet.lines) for sheet in there.result.sheets
    )


async def test_creating_a_match_twice_under_one_id_changes_nothing(here: World) -> None:
    ann = here.person("ann")
    seats = [{"player": "ann"}, {"player": "bob"}]
    first = await ann.call("CreateMatch", match_id="cup-1", seats=seats)
    again = await ann.call("CreateMatch", match_id="cup-1", seats=seats)
    assert first.match == again.match
    with pytest.raises(Refused) as refused:
        await ann.call("CreateMatch", match_id="cup-1", seats=[*seats, {"player": "cid"}])
    assert refused.value.code == "match_exists"


async def test_one_request_id_creates_one_match(here: World) -> None:
    ann = here.person("ann")
    seats = [{"player": "ann"}, {"bot": "random"}]
    made = [await ann.call("CreateMatch", seats=seats, request_id="again") for _ in range(2)]
    others = await ann.call("CreateMatch", seats=seats, request_id="another")
    assert made[0].match.name == made[1].match.name != others.match.name


async def test_lists_hold_ones_own_matches_newest_first(here: World) -> None:
    ann, bob = here.people("ann", "bob")
    both = [await here.match("ann", "bob", match_id=f"m{number}") for number in range(3)]
    await here.match("ann", "cid", match_id="m3")
    first = await ann.call("ListMatches", page_size=3)
    rest = await ann.call("ListMatches", page_size=3, page_token=first.next_page_token)
    assert {one.name for one in [*first.matches, *rest.matches]} == {
        f"matches/m{number}" for number in range(4)
    }
    assert not rest.next_page_token
    assert {one.name for one in (await bob.call("ListMatches")).matches} == set(both)
    assert not (await here.person("eve").call("ListMatches")).matches


@pytest.mark.parametrize("says", ["-1", "many", str(1 << 63), "9" * 150])
async def test_a_page_token_that_is_none_of_ours_is_refused(here: World, says: str) -> None:
    token = base64.urlsafe_b64encode(says.encode()).decode()
    with pytest.raises(Refused) as refused:
        await here.person("ann").call("ListMatches", page_token=token)
    assert refused.value.code == "bad_page_token"


async def test_another_tenants_match_is_not_there(here: World) -> None:
    match = await here.match("ann", "bob")
    stranger = here.person("ann", tenant="south")
    answers = []
    for name in (match, "matches/never-was"):
        for method, fields in CALLS.items():
            with pytest.raises(Refused) as refused:
                await stranger.call(method, name=name, **fields)
            answers.append((refused.value.code, str(refused.value), refused.value.status.name))
    assert set(answers) == {("match_not_found", "match not found", "NOT_FOUND")}


ACTION = {"fortify": {"tower": 1}}
CALLS: dict[str, dict[str, object]] = {
    "GetMatch": {},
    "GetView": {},
    "ListActions": {},
    "Play": {"actions": [ACTION], "request_id": "r"},
    "Preview": {"actions": [ACTION]},
    "Resign": {"request_id": "r"},
    "Answer": {"request_id": "r"},
    "GetRecord": {},
}


async def test_a_spectator_sees_no_hand_and_plays_nothing(here: World) -> None:
    match = await here.match("ann", "bob")
    eve = here.person("eve")
    view = await eve.call("GetView", name=match)
    assert not view.HasField("seat")
    with pytest.raises(Refused) as refused:
        await eve.play(match, Fortify(Tower.GATE))
    assert refused.value.code == "not_at_the_table"


async def test_only_a_tenant_creates_ranked_matches(here: World) -> None:
    seats = [{"player": "ann"}, {"player": "bob"}]
    with pytest.raises(Refused) as refused:
        await here.person("ann").call("CreateMatch", seats=seats, mode=pb.MODE_RANKED)
    assert refused.value.code == "ranked_by_tenant_only"
    studio = here.person("studio", Role.TENANT)
    made = await studio.call("CreateMatch", seats=seats, mode=pb.MODE_RANKED)
    assert made.match.mode == pb.MODE_RANKED


async def test_a_player_seats_himself_or_nobody(here: World) -> None:
    with pytest.raises(Refused) as refused:
        await here.person("eve").call("CreateMatch", seats=[{"player": "ann"}, {"player": "bob"}])
    assert refused.value.code == "not_at_the_table"


async def test_bad_options_and_seats_are_named(here: World) -> None:
    ann = here.person("ann")
    me, bot = {"player": "ann"}, {"bot": "random"}
    with pytest.raises(Refused) as refused:
        await ann.call("CreateMatch", seats=[me])
    assert refused.value.code == "bad_seats"
    with pytest.raises(Refused) as refused:
        await ann.call("CreateMatch", seats=[me, bot], options={"rounds": 99})
    assert refused.value.info.metadata["field"] == "rounds"
    with pytest.raises(Refused) as refused:
        await ann.call("CreateMatch", seats=[me, {"bot": "genius"}])
    assert refused.value.code == "unknown_bot"


async def test_the_record_opens_only_when_the_match_has_ended(here: World) -> None:
    match = await here.match(*NAMES)
    ann = here.person("ann")
    with pytest.raises(Refused) as refused:
        await ann.call("GetRecord", name=match)
    assert refused.value.code == "match_not_finished"
    await play_on(here, match, here.people(*NAMES), Random(2))
    there = (await ann.call("GetMatch", name=match)).match
    record = (await ann.call("GetRecord", name=match)).record
    assert len(record.entries) == there.version
    assert [one.version for one in record.entries] == list(range(1, there.version + 1))
    assert record.result == there.result
    assert record.seed_commitment == there.seed_commitment
