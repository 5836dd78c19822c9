"""Resigning, standing answers, previews, and what a worker may know."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec import msgpack
from redis.asyncio import Redis

from services.gamekit.game import NATURE
from services.referee import due, standing
from services.runtime.auth import Role
from tests.ambush.cards import Card, Reply, Tower
from tests.ambush.hosted import HOSTED
from tests.ambush.moves import Answer, Fortify
from tests.referee.given import CONTRACT, Refused, World, play_on, take, take_nature
from tests.until import until

NAMES = ("ann", "bob", "cid")


async def test_who_resigns_is_out_and_the_others_play_on(here: World) -> None:
    match = await here.match(*NAMES)
    ann = here.person("ann")
    await ann.call("Resign", name=match, request_id="one")
    there = (await ann.call("GetMatch", name=match)).match
    assert there.seats[0].retired
    with pytest.raises(Refused) as refused:
        await ann.play(match, Fortify(Tower.GATE))
    assert refused.value.code == "resigned"
    with pytest.raises(Refused) as refused:
        await ann.call("Resign", name=match, request_id="two")
    assert refused.value.code == "already_resigned"
    await play_on(here, match, here.people(*NAMES), Random(1))
    there = (await ann.call("GetMatch", name=match)).match
    assert there.result.places[-1].seat == 0


async def test_a_question_that_stood_when_somebody_left_is_asked_anew(here: World) -> None:
    match = await here.match(*NAMES)
    bob = here.person("bob")
    asked = (await bob.call("ListActions", name=match)).decision.decision_id
    await here.person("ann").call("Resign", name=match, request_id="one")
    with pytest.raises(Refused) as refused:
        await bob.play(match, Fortify(Tower.GATE), expected_decision=asked)
    assert refused.value.code == "stale_decision"


async def test_resigning_twice_with_one_request_is_once(here: World) -> None:
    match = await here.match(*NAMES)
    ann = here.person("ann")
    first = await ann.call("Resign", name=match, request_id="one")
    assert await ann.call("Resign", name=match, request_id="one") == first


async def window(here: World, match: str, names: tuple[str, ...]) -> tuple[Any, int]:
    """Play until somebody has a window to answer; that person and the question's number."""
    people = here.people(*names)
    worker = here.person("worker", Role.SERVICE)
    rng = Random(7)
    while True:
        there = (await people[0].call("GetMatch", name=match)).match
        asked = [one for one in there.decisions if one.prompt == "reply"]
        if asked:
            return people[asked[0].seat], asked[0].decision_id
        first = there.decisions[0].seat
        await (take_nature(worker, match) if first == NATURE else take(people[first], match, rng))


async def swept(redis: Any, match: str) -> None:
    """Wait until the sweep has looked at every open window of a match."""
    start = f"standing|{match.removeprefix('matches/')}|".encode()

    async def none_waits() -> bool:
        lists = [await redis.zrange(key, 0, -1) for key in await redis.keys("*:due:ambush")]
        return not any(member.startswith(start) for members in lists for member in members)

    await until(none_waits)


async def test_a_standing_answer_is_given_after_the_delay(
    here: World, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(standing, "STANDING_DELAY_MS", 50)
    monkeypatch.setattr(due, "STANDING_DELAY_MS", 50)
    match = await here.match(*NAMES)
    person, question = await window(here, match, NAMES)
    let = CONTRACT.action_message(Answer(Reply.PASS))
    answer = {"when": {"prompt": "reply"}, "action": let}
    count = await person.call("Answer", name=match, answers=[answer], request_id="one")
    assert count.count == 1
    await swept(redis, match)
    assert (await person.call("ListActions", name=match)).decision.decision_id != question


async def test_a_standing_answer_leaves_its_exceptions_alone(
    here: World, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(standing, "STANDING_DELAY_MS", 20)
    monkeypatch.setattr(due, "STANDING_DELAY_MS", 20)
    match = await here.match(*NAMES)
    person, question = await window(here, match, NAMES)
    everything = [card.value for card in Card]
    let = CONTRACT.action_message(Answer(Reply.PASS))
    answer = {"when": {"prompt": "reply", "unless": everything}, "action": let}
    await person.call("Answer", name=match, answers=[answer], request_id="one")
    await swept(redis, match)
    listed = await person.call("ListActions", name=match)
    assert listed.decision.decision_id == question


async def test_only_windows_have_standing_answers(here: World) -> None:
    match = await here.match(*NAMES)
    action = CONTRACT.action_message(Fortify(Tower.GATE))
    answer = {"when": {"prompt": "orders"}, "action": action}
    with pytest.raises(Refused) as refused:
        await here.person("ann").call("Answer", name=match, answers=[answer], request_id="one")
    assert refused.value.code == "no_window"


async def test_a_preview_shows_each_step_and_changes_nothing(here: World) -> None:
    match = await here.match(*NAMES)
    ann = here.person("ann")
    before = await ann.call("GetView", name=match)
    gate = CONTRACT.action_message(Fortify(Tower.GATE))
    tried = await ann.call("Preview", name=match, actions=[gate] * 9)
    assert 1 <= len(tried.steps) < 9
    assert tried.refused in {"cannot_afford", "tower_full"}
    assert await ann.call("GetView", name=match) == before
    await ann.play(match, *[gate] * len(tried.steps))
    assert (await ann.call("GetView", name=match)).view == tried.steps[-1].view


async def test_a_preview_stops_before_nature(here: World) -> None:
    match = await here.match(*NAMES)
    gate = CONTRACT.action_message(Fortify(Tower.GATE))
    tried = await here.person("ann").call("Preview", name=match, actions=[{"forage": {}}, gate])
    assert len(tried.steps) == 1
    assert tried.refused == "sequence_crosses_chance"


async def test_a_worker_gets_what_the_seat_sees_and_not_the_truth(here: World) -> None:
    truth = [one for _ in range(8) for one in await true_hands(here)]
    assert not all(truth), "what a seat does not see is the truth in every match"


async def true_hands(here: World) -> list[bool]:
    """Of a new match, whether each hand that a worker's position imagines is the true one."""
    match = await here.match("ann", "bot:random", "cid")
    worker = here.person("worker", Role.SERVICE)
    position = await worker.call("GetPosition", name=match, seat=1)
    assert position.policy == "random"
    assert not position.draws
    state = msgpack.decode(position.position, type=HOSTED.game.State)
    hands = {}
    for name, seat in (("ann", 0), ("cid", 2)):
        seen = await here.person(name).call("GetView", name=match)
        hands[seat] = (seen.view, HOSTED.game.view(state, seat))  # type: ignore[arg-type]  # a seat
    again = await worker.call("GetPosition", name=match, seat=1)
    assert again == position
    return [CONTRACT.view(imagined) == view for view, imagined in hands.values()]


async def test_a_false_claim_of_nature_is_refused(here: World) -> None:
    match = await here.match(*NAMES)
    people = here.people(*NAMES)
    worker = here.person("worker", Role.SERVICE)
    rng = Random(3)
    while True:
        decisions = (await people[0].call("GetMatch", name=match)).match.decisions
        if decisions[0].seat == NATURE:
            break
        await take(people[decisions[0].seat], match, rng)
    with pytest.raises(Refused) as refused:
        await worker.play(match, {"storm": {}}, seat=NATURE)
    assert refused.value.status.name in {"FAILED_PRECONDITION", "INVALID_ARGUMENT"}
    await take_nature(worker, match)
