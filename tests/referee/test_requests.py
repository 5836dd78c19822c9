"""One request, one effect, one answer; and of two at once exactly one is first."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from services.runtime.auth import Role
from tests.ambush.cards import Tower
from tests.ambush.moves import Fortify
from tests.referee.given import Person, Refused, World, play_on, take, world

GATE, FORD = Fortify(Tower.GATE), Fortify(next(one for one in Tower if one is not Tower.GATE))


async def version(person: Person, match: str) -> int:
    return int((await person.call("GetMatch", name=match)).match.version)


async def test_a_repeated_request_changes_nothing_and_answers_the_same(here: World) -> None:
    match = await here.match("ann", "bob")
    ann, bob = here.people("ann", "bob")
    first = await ann.play(match, GATE, request_id="one")
    await take(bob, match, Random(1))
    before = await version(ann, match)
    assert await ann.play(match, GATE, request_id="one") == first
    assert await version(ann, match) == before


async def test_the_same_id_with_another_body_is_an_error_not_a_replay(here: World) -> None:
    match = await here.match("ann", "bob")
    ann = here.person("ann")
    await ann.play(match, GATE, request_id="one")
    with pytest.raises(Refused) as refused:
        await ann.play(match, FORD, request_id="one")
    assert refused.value.code == "request_id_reused"
    assert refused.value.status.name == "ALREADY_EXISTS"


async def test_request_ids_of_different_seats_do_not_meet(here: World) -> None:
    match = await here.match("ann", "bob")
    ann, bob = here.people("ann", "bob")
    first = await ann.play(match, GATE, request_id="one")
    second = await bob.play(match, GATE, request_id="one")
    assert second.version > first.version


async def test_of_two_with_one_expected_version_exactly_one_wins(here: World) -> None:
    match = await here.match("ann", "bob")
    ann, bob = here.people("ann", "bob")
    now = await version(ann, match)
    answers = await asyncio.gather(
        *(one.play(match, GATE, expected_version=now) for one in (ann, bob)),
        return_exceptions=True,
    )
    (lost,) = [one for one in answers if isinstance(one, Refused)]
    assert lost.code == "stale"
    assert lost.status.name == "ABORTED"
    assert int(lost.info.metadata["version"]) == await version(ann, match) > now


async def test_simultaneous_moves_without_an_expectation_all_count(here: World) -> None:
    names = ("ann", "bob", "cid", "dan")
    match = await here.match(*names)
    people = here.people(*names)
    before = await version(people[0], match)
    await asyncio.gather(*(one.play(match, GATE) for one in people))
    assert await version(people[0], match) == before + 4


async def test_an_answered_question_refuses_a_second_answer(here: World) -> None:
    match = await here.match("ann", "bob")
    ann = here.person("ann")
    asked = (await ann.call("ListActions", name=match)).decision.decision_id
    await ann.play(match, GATE, expected_decision=asked)
    with pytest.raises(Refused) as refused:
        await ann.play(match, GATE, expected_decision=asked)
    assert refused.value.code == "stale_decision"
    assert int(refused.value.info.metadata["decision_id"]) == asked + 1


async def test_a_sequence_is_all_or_nothing(here: World) -> None:
    match = await here.match("ann", "bob")
    ann = here.person("ann")
    before = await ann.call("GetView", name=match)
    with pytest.raises(Refused) as refused:
        await ann.play(match, GATE, *[FORD] * 20)
    assert refused.value.code in {"cannot_afford", "tower_full"}
    assert int(refused.value.info.metadata["index"]) > 0
    assert await ann.call("GetView", name=match) == before


async def test_nothing_follows_a_move_that_makes_nature_move(here: World) -> None:
    match = await here.match("ann", "bob")
    ann = here.person("ann")
    before = await version(ann, match)
    with pytest.raises(Refused) as refused:
        await ann.play(match, {"forage": {}}, GATE)
    assert refused.value.code == "sequence_crosses_chance"
    assert refused.value.info.metadata["index"] == "1"
    assert await version(ann, match) == before


async def test_a_second_host_serves_the_same_matches(empty_url: str) -> None:
    names = ("ann", "bob")
    async with world(empty_url, replica="a") as one, world(empty_url, replica="b") as other:
        match = await one.match(*names)
        mixed = [one.person("ann"), other.person("bob")]
        rng = Random(5)
        for _ in range(3):
            for person in mixed:
                if (await person.call("ListActions", name=match)).actions:
                    await take(person, match, rng)
        await play_on(other, match, mixed, rng)
        ends = [
            (await there.person("ann").call("GetMatch", name=match)).match for there in (one, other)
        ]
        assert ends[0] == ends[1]


async def test_a_retry_at_another_replica_answers_the_same(empty_url: str) -> None:
    async with world(empty_url, replica="a") as one, world(empty_url, replica="b") as other:
        match = await one.match("ann", "bob")
        await other.person("ann").call("GetView", name=match)
        first = await one.person("ann").play(match, GATE, request_id="one")
        again = await other.person("ann").play(match, GATE, request_id="one")
        assert again == first


async def test_a_worker_plays_automatic_seats_only(here: World) -> None:
    match = await here.match("ann", "bot:random")
    worker = here.person("worker", Role.SERVICE)
    for seat, fits in ((0, False), (1, True)):
        if fits:
            await worker.play(match, GATE, seat=seat)
            continue
        with pytest.raises(Refused) as refused:
            await worker.play(match, GATE, seat=seat)
        assert refused.value.code == "not_an_automatic_seat"
