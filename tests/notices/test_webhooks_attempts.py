"""Attempts at deliveries: who makes one, what comes of it, when the next is due."""

from __future__ import annotations

import json
from itertools import count

from msgspec.structs import replace
from redis.asyncio import Redis

from services.notices.webhooks.figures import DAY_MS, FIGURES, HOUR_MS
from services.runtime.settings import Settings
from tests.notices.hooks import SOON, URL, Desk, desk, made, request, told, turn
from tests.until import until
from vallum.notices.v1 import webhooks_pb2 as pb

PENDING, DELIVERED, FAILED = (
    pb.DELIVERY_STATE_PENDING,
    pb.DELIVERY_STATE_DELIVERED,
    pb.DELIVERY_STATE_FAILED,
)


async def test_one_worker_has_a_delivery_until_its_lease_is_over(there: Desk) -> None:
    webhook, _ = await made(there)
    delivery = await told(there, webhook)
    first = await request(there, delivery.name, "one")
    assert await request(there, delivery.name, "one") == first, "it is the same attempt"
    asked = {"name": delivery.name, "request_id": "two"}
    assert await there.worker.refused("TakeDelivery", **asked) == "delivery_in_hand"
    there.hand.forward(FIGURES.lease)
    await request(there, delivery.name, "two")
    late = {"name": delivery.name, "request_id": "one", "status": 200}
    assert await there.worker.refused("ReportDelivery", **late) == "delivery_not_held"
    assert (await there.delivery(delivery.name)).attempts == 2


async def test_a_delivery_that_kills_whoever_takes_it_is_given_up(there: Desk) -> None:
    webhook, _ = await made(there)
    delivery = await told(there, webhook)
    for number in range(FIGURES.attempts):
        await request(there, delivery.name, f"a{number}")
        there.hand.forward(FIGURES.lease)
    asked = {"name": delivery.name, "request_id": "last"}
    assert await there.worker.refused("TakeDelivery", **asked) == "delivery_over"
    assert (await there.delivery(delivery.name)).state == FAILED


async def test_a_failed_attempt_is_repeated_later_and_later_until_it_is_given_up(
    there: Desk,
) -> None:
    webhook, _ = await made(there)
    delivery = await told(there, webhook)
    for number, pause in enumerate(FIGURES.pauses, 1):
        now = there.hand.now
        after = await there.tried(delivery.name, 503)
        assert (after.state, after.attempts, after.error) == (PENDING, number, "status_503")
        wait = after.next_attempt_time.ToMilliseconds() - now
        assert 0.8 * pause <= wait <= 1.2 * pause
        asked = {"name": delivery.name, "request_id": "early"}
        assert await there.worker.refused("TakeDelivery", **asked) == "delivery_not_due"
        there.hand.forward(wait)
    last = await there.tried(delivery.name, error="timeout")
    assert (last.state, last.attempts, last.status) == (FAILED, 9, 0)
    assert (last.error, last.HasField("next_attempt_time")) == ("timeout", False)
    assert (await there.webhook(webhook)).enabled, "two days are not three"


async def test_success_ends_the_failing(there: Desk) -> None:
    webhook, _ = await made(there)
    delivery = await told(there, webhook)
    after = await there.tried(delivery.name, error="no_connection")
    failing = await there.webhook(webhook)
    assert (failing.failures, failing.last_error) == (1, "no_connection")
    there.hand.forward(after.next_attempt_time.ToMilliseconds() - there.hand.now)
    done = await there.tried(delivery.name, 204)
    assert (done.state, done.attempts, done.status, done.error) == (DELIVERED, 2, 204, "")
    fine = await there.webhook(webhook)
    assert (fine.failures, fine.last_error, fine.HasField("failing_since")) == (0, "", False)
    assert fine.last_success_time.ToMilliseconds() == there.hand.now


async def failing_for_days(there: Desk, webhook: str) -> pb.Delivery:
    """Nothing but failures, until the webhook is disabled; what is left to be delivered."""
    for number in count(1):
        delivery = await told(there, webhook, number)
        await there.tried(delivery.name, 500)
        if not (await there.webhook(webhook)).enabled:
            return delivery
        there.hand.forward(20 * HOUR_MS)
    raise AssertionError


async def test_a_webhook_that_fails_for_days_is_disabled_and_says_why(there: Desk) -> None:
    webhook, _ = await made(there)
    other, _ = await made(there, kinds=["webhook.changed"])
    waiting = await failing_for_days(there, webhook)
    off = await there.webhook(webhook)
    assert (off.enabled, off.disabled_reason, off.failures) == (False, "failing", 5)
    assert off.disable_time.ToMilliseconds() - off.failing_since.ToMilliseconds() >= 3 * DAY_MS
    assert not (await there.delivery(waiting.name)).HasField("next_attempt_time")
    told_others = {"action": "DisableWebhook", "by": "service:notices", "key": ""}

    async def heard() -> bool:
        names = [one.name for one in await there.told(other, 1)]
        calls = [await there.backend().call("GetDelivery", name=name) for name in names]
        bodies = [json.loads(one.body) for one in calls]
        return [one["subject"] for one in bodies if one["data"] == told_others | failing] == [
            webhook
        ]

    failing = {"detail": "failing"}
    await until(heard, SOON)
    asked = {"name": waiting.name, "request_id": "late"}
    assert await there.worker.refused("TakeDelivery", **asked) == "webhook_disabled"


async def test_a_webhook_that_is_enabled_again_goes_on_with_what_was_pending(there: Desk) -> None:
    webhook, _ = await made(there)
    waiting = await failing_for_days(there, webhook)
    await there.bus.publish(turn(1000))  # nobody is told of what happens meanwhile
    assert await there.backend().refused("TestWebhook", name=webhook) == "webhook_disabled"
    assert await there.backend().refused("Redeliver", name=waiting.name) == "webhook_disabled"
    marker, _ = await made(there, kinds=["turn.opened"])
    await there.bus.publish(turn(1001))
    await there.heard(marker, "m1/1001/0")
    on = (await there.backend().call("UpdateWebhook", name=webhook, enabled=True)).webhook
    assert (on.enabled, on.disabled_reason, on.failures) == (True, "", 0)
    done = await there.tried(waiting.name)
    assert done.state == DELIVERED
    events = {one.event for one in await there.told(webhook, 1)}
    assert not events & {"m1/1000/0", "m1/1001/0"}


async def test_who_answers_410_is_called_no_more(there: Desk) -> None:
    webhook, _ = await made(there)
    delivery = await told(there, webhook)
    await there.tried(delivery.name, 410)
    off = await there.webhook(webhook)
    assert (off.enabled, off.disabled_reason) == (False, "gone")


async def test_a_paused_webhook_keeps_what_is_pending(there: Desk) -> None:
    webhook, _ = await made(there)
    delivery = await told(there, webhook)
    off = (await there.backend().call("UpdateWebhook", name=webhook, enabled=False)).webhook
    assert (off.enabled, off.disabled_reason) == (False, "paused")
    await there.backend().call("UpdateWebhook", name=webhook, enabled=True, url=URL + "2")
    assert (await there.tried(delivery.name)).state == DELIVERED


async def test_anything_can_be_delivered_again_under_its_id(there: Desk) -> None:
    webhook, secret = await made(there)
    delivery = await told(there, webhook)
    await there.tried(delivery.name)
    anew = (await there.backend().call("Redeliver", name=delivery.name)).delivery
    assert (anew.name, anew.state, anew.attempts) == (delivery.name, PENDING, 0)
    sent = await request(there, delivery.name)
    event = sent.event(secret, there.hand.now / 1000)
    assert f"deliveries/{event.delivery}" == delivery.name


async def test_what_is_due_is_hinted_at_until_somebody_takes_it(
    kept: Settings, redis: Redis
) -> None:
    async with desk(kept, redis, figures=replace(FIGURES, look=20)) as there:
        webhook, _ = await made(there)
        delivery = (await told(there, webhook)).name.removeprefix("deliveries/")

        async def hints(count: int) -> None:
            async def enough() -> bool:
                return (await there.hinted()).count(delivery) >= count

            await until(enough, SOON)

        await hints(1)
        for number in range(2, 10):
            await there.bus.publish(turn(number))
        await there.told(webhook, 9)
        there.hand.forward(FIGURES.hint)
        await hints(2)
        assert len(set(await there.hinted())) == FIGURES.at_once, "the same ones again"
        await request(there, f"deliveries/{delivery}")
        there.hand.forward(FIGURES.lease)
        await hints(3)


async def test_of_a_webhook_that_fails_one_delivery_is_tried_at_a_time(
    kept: Settings, redis: Redis
) -> None:
    async with desk(kept, redis, figures=replace(FIGURES, look=20)) as there:
        webhook, _ = await made(there)
        for number in range(1, 10):
            await there.bus.publish(turn(number))
        await there.told(webhook, 9)
        first = set(await there.hinted())
        assert len(first) == FIGURES.at_once
        for one in first:
            await there.tried(f"deliveries/{one}", 500)
        assert set(await there.hinted()) == first, "it is left alone"
        there.hand.forward(FIGURES.resting(len(first)))

        async def more() -> bool:
            return set(await there.hinted()) > first

        await until(more, SOON)
        (last,) = set(await there.hinted()) - first
        assert (await there.delivery(f"deliveries/{last}")).attempts == 0


async def test_what_somebody_waits_for_is_due_even_while_a_webhook_is_left_alone(
    there: Desk,
) -> None:
    webhook, _ = await made(there)
    delivery = await told(there, webhook)
    await there.tried(delivery.name, 500)
    before = len(await there.hinted())
    await there.backend().call("Redeliver", name=delivery.name)
    for _ in range(10):
        await there.backend().call("TestWebhook", name=webhook)
    assert len(await there.hinted()) == before + FIGURES.at_once
