"""Webhooks as their owners see them, and what is kept of them, on both databases."""

from __future__ import annotations

import base64
import json
import secrets
from typing import Any

import pytest
from msgspec.structs import replace
from redis.asyncio import Redis
from sqlalchemy import select

from services.notices.webhooks.database import database_of
from services.notices.webhooks.figures import DAY_MS, FIGURES
from services.notices.webhooks.schema import WEBHOOKS
from services.runtime.auth import Caller, Keys, Role
from services.runtime.bus import DEAD, ENTRY
from services.runtime.settings import Settings
from tests.notices.hooks import SOON, URL, Clerk, Desk, Hand, desk, made, request, told, turn
from tests.referee.given import KEYS
from tests.until import until
from vallum.client.webhooks import NotGenuine
from vallum.notices.v1 import webhooks_pb2 as pb


async def test_the_secret_is_told_once(there: Desk) -> None:
    backend = there.backend()
    asked = {"url": URL, "kinds": ["match.finished"], "request_id": "r1", "display_name": "Ours"}
    first = await backend.call("CreateWebhook", **asked)
    again = await backend.call("CreateWebhook", **asked)
    assert first.secret.startswith("whsec_")
    assert len(base64.b64decode(first.secret.removeprefix("whsec_"))) == 32
    assert (again.secret, again.webhook) == ("", first.webhook)
    assert await backend.refused("CreateWebhook", **{**asked, "url": URL + "2"}) == (
        "request_id_reused"
    )
    (listed,) = (await backend.call("ListWebhooks")).webhooks
    assert listed == first.webhook
    assert (listed.url, list(listed.kinds), listed.enabled) == (URL, ["match.finished"], True)


async def test_a_fact_is_told_once_however_often_it_comes(there: Desk) -> None:
    webhook, secret = await made(there)
    for number in (1, 1, 1, 2):
        await there.bus.publish(turn(number))
    await there.heard(webhook, "m1/2/0")
    assert len(await there.told(webhook, 2)) == 2
    first = await there.heard(webhook, "m1/1/0")
    assert (first.kind, first.subject, first.event) == ("turn.opened", "matches/m1", "m1/1/0")
    event = (await request(there, first.name)).event(secret, there.hand.now / 1000)
    assert event.delivery == first.name.removeprefix("deliveries/")
    assert (event.id, event.kind, event.tenant) == ("m1/1/0", "turn.opened", "north")
    assert (event.subject, event.version) == ("matches/m1", 1)
    assert event.time == "2030-03-17T17:46:40Z"
    assert event.data["player"] == "ann"
    assert event.data["decision"]["decisionId"] == 1


async def test_a_body_says_nothing_of_how_we_came_by_it(there: Desk) -> None:
    webhook, _ = await made(there)
    delivery = await told(there, webhook)
    body = (await there.backend().call("GetDelivery", name=delivery.name)).body
    assert set(json.loads(body)) == {
        *("id", "type", "timestamp", "tenant", "subject", "version", "data")
    }
    assert "a-request-of-somebody" not in body


async def test_bots_turns_and_other_kinds_are_not_told(there: Desk) -> None:
    everything, _ = await made(there, kinds=[])
    ends, _ = await made(there, kinds=["match.finished"])
    await there.bus.publish(turn(1, player=""))
    await there.bus.publish(turn(2))
    await there.heard(everything, "m1/2/0")
    turns = [one for one in await there.told(everything, 1) if one.kind == "turn.opened"]
    assert [one.event for one in turns] == ["m1/2/0"]
    assert not (await there.backend().call("ListDeliveries", webhook=ends)).deliveries


async def test_a_tenant_is_told_of_its_own_affairs_alone(there: Desk) -> None:
    north, _ = await made(there)
    south = (await there.backend("south").call("CreateWebhook", url=URL)).webhook.name
    await there.bus.publish(turn(1, tenant="south"))
    await told(there, north, 1)
    (theirs,) = (await there.backend("south").call("ListDeliveries", webhook=south)).deliveries
    (ours,) = await there.told(north, 1)
    assert ours.name != theirs.name


async def test_another_tenants_webhooks_are_not_there(there: Desk) -> None:
    webhook, _ = await made(there)
    delivery = await told(there, webhook)
    stranger = there.backend("south")
    for method in ("GetWebhook", "UpdateWebhook", "DeleteWebhook", "RotateWebhookSecret"):
        assert await stranger.refused(method, name=webhook) == "webhook_not_found"
    assert await stranger.refused("TestWebhook", name=webhook) == "webhook_not_found"
    assert await stranger.refused("ListDeliveries", webhook=webhook) == "webhook_not_found"
    assert await stranger.refused("GetDelivery", name=delivery.name) == "delivery_not_found"
    assert await stranger.refused("Redeliver", name=delivery.name) == "delivery_not_found"
    assert not (await stranger.call("ListWebhooks")).webhooks
    player = Clerk(there.channel, KEYS.mint(Caller("ann", "north", Role.PLAYER)))
    assert await player.refused("GetWebhook", name=webhook) == "forbidden"


async def test_for_a_day_the_old_secret_signs_too(there: Desk) -> None:
    webhook, old = await made(there)
    first, second = await told(there, webhook, 1), await told(there, webhook, 2)
    answer = await there.backend().call("RotateWebhookSecret", name=webhook, request_id="r")
    again = await there.backend().call("RotateWebhookSecret", name=webhook, request_id="r")
    assert (again.secret, again.webhook) == ("", answer.webhook)
    sent = await request(there, first.name)
    for secret in (old, answer.secret):
        assert sent.event(secret, there.hand.now / 1000).kind == "turn.opened"
    there.hand.forward(DAY_MS)
    sent = await request(there, second.name)
    assert sent.event(answer.secret, there.hand.now / 1000).kind == "turn.opened"
    with pytest.raises(NotGenuine, match="not signed with this secret"):
        sent.event(old, there.hand.now / 1000)


async def test_a_test_is_told_at_once(there: Desk) -> None:
    webhook, secret = await made(there, kinds=["match.finished"])
    delivery = (await there.backend().call("TestWebhook", name=webhook)).delivery
    assert delivery.name.removeprefix("deliveries/") in await there.hinted()
    event = (await request(there, delivery.name)).event(secret, there.hand.now / 1000)
    assert (event.kind, event.subject, event.data) == ("test", webhook, {})


async def test_a_deleted_webhook_is_called_no_more_and_can_still_be_looked_at(there: Desk) -> None:
    webhook, _ = await made(there)
    delivery = await told(there, webhook)
    gone = (await there.backend().call("DeleteWebhook", name=webhook)).webhook
    assert (gone.enabled, gone.disabled_reason) == (False, "deleted")
    assert not (await there.backend().call("ListWebhooks")).webhooks
    assert (await there.webhook(webhook)).HasField("delete_time")
    for method in ("UpdateWebhook", "TestWebhook", "RotateWebhookSecret"):
        assert await there.backend().refused(method, name=webhook) == "webhook_deleted"
    asked = {"name": delivery.name, "request_id": "late"}
    assert await there.worker.refused("TakeDelivery", **asked) == "webhook_disabled"


async def test_a_tenant_has_so_many_webhooks(kept: Settings, redis: Redis) -> None:
    async with desk(kept, redis, figures=replace(FIGURES, webhooks=2)) as there:
        first, _ = await made(there)
        await made(there)
        assert await there.backend().refused("CreateWebhook", url=URL) == "too_many_webhooks"
        await there.backend("south").call("CreateWebhook", url=URL)
        await there.backend().call("DeleteWebhook", name=first)
        await made(there)


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"url": "http://studio.example/"}, "bad_url"),
        ({"url": "https://10.0.0.1/"}, "bad_url"),
        ({"url": "https://u:p@studio.example/"}, "bad_url"),
        ({"url": "ftp://studio.example/"}, "bad_url"),
        ({"url": "https://studio.example/\x00"}, "bad_url"),
        ({"kinds": ["match.ended"]}, "unknown_kind"),
        ({"kinds": ["Match"]}, "invalid_request"),
        ({"url": ""}, "invalid_request"),
        ({"tenant": "south"}, "tenant_not_found"),
    ],
)
async def test_what_cannot_be_is_refused(there: Desk, fields: dict[str, Any], code: str) -> None:
    assert await there.backend().refused("CreateWebhook", **{"url": URL, **fields}) == code


async def test_lists_come_in_pages(there: Desk) -> None:
    webhook, _ = await made(there)
    for number in range(1, 6):
        await there.bus.publish(turn(number))
    names = [one.name for one in reversed(await there.told(webhook, 5))]
    found, token = [], ""
    while True:
        asked = {"webhook": webhook, "page_size": 2, "page_token": token}
        page = await there.backend().call("ListDeliveries", **asked)
        found += [one.name for one in page.deliveries]
        token = page.next_page_token
        if not token:
            break
    assert found == names
    await there.tried(names[0])
    asked = {"webhook": webhook, "state": pb.DELIVERY_STATE_DELIVERED}
    (done,) = (await there.backend().call("ListDeliveries", **asked)).deliveries
    assert done.name == names[0]


async def test_what_is_old_is_forgotten(kept: Settings, redis: Redis) -> None:
    hand = Hand()
    async with desk(kept, redis, hand=hand) as there:
        webhook, _ = await made(there)
        delivery = await told(there, webhook)
        gone, _ = await made(there)
        await there.backend().call("DeleteWebhook", name=gone)
    hand.forward(FIGURES.kept + 1)
    async with desk(kept, redis, hand=hand) as there:  # it looks at its start

        async def forgotten() -> bool:
            answer = await there.backend().call("ListDeliveries", webhook=webhook)
            return delivery.name not in {one.name for one in answer.deliveries}

        await until(forgotten, SOON)
        assert (await there.webhook(webhook)).enabled
        assert await there.backend().refused("GetWebhook", name=gone) == "webhook_not_found"


async def test_a_fact_among_the_dead_letters_is_told_after_all(
    kept: Settings, redis: Redis
) -> None:
    async with desk(kept, redis) as there:
        webhook, _ = await made(there)
    letter: Any = {ENTRY: turn(7).SerializeToString(), "group": "webhooks", "error": "no database"}
    await redis.xadd(DEAD, letter)
    await redis.xadd(DEAD, {**letter, "group": "others"})
    async with desk(kept, redis) as there:
        (found,) = await there.told(webhook, 1)
        assert found.event == "m1/7/0"

        async def taken_back() -> bool:
            return int(await redis.xlen(DEAD)) == 1

        await until(taken_back, SOON)


async def test_secrets_are_kept_sealed_and_outlive_the_key_file(
    kept: Settings, redis: Redis
) -> None:
    async with desk(kept, redis) as there:
        webhook, secret = await made(there)
        delivery = await told(there, webhook)
    raw = base64.b64decode(secret.removeprefix("whsec_"))
    assert raw not in await sealed(kept)
    new = Keys.generate()
    async with desk(kept, redis, keys=[new, KEYS]) as there:
        now = there.hand.now / 1000
        sent = await request(there, delivery.name)
        assert sent.event(secret, now).kind == "turn.opened"
    async with desk(kept, redis, keys=[new]) as there:  # sealed anew, it needs the old one no more
        there.hand.forward(FIGURES.lease)
        sent = await request(there, delivery.name, "a2")
        assert sent.event(secret, there.hand.now / 1000).kind == "turn.opened"


async def sealed(kept: Settings) -> bytes:
    """What the table holds of secrets."""
    database = database_of(kept)
    async with database.reading() as connection:
        rows = (await connection.execute(select(WEBHOOKS.c.secret))).scalars().all()
    await database.close()
    return b"".join(rows)


async def test_a_webhook_that_nobody_can_sign_for_is_disabled_until_it_is_rotated(
    kept: Settings, redis: Redis
) -> None:
    async with desk(kept, redis) as there:
        webhook, _ = await made(there)
        delivery = await told(there, webhook)
    async with desk(kept, redis, keys=[Keys.generate()]) as there:
        asked = {"name": delivery.name, "request_id": "a1"}
        assert await there.worker.refused("TakeDelivery", **asked) == "secret_lost"
        off = await there.webhook(webhook)
        assert (off.enabled, off.disabled_reason) == (False, "secret_lost")
        answer = await there.backend().call("RotateWebhookSecret", name=webhook)
        await there.backend().call("UpdateWebhook", name=webhook, enabled=True)
        sent = await request(there, delivery.name, secrets.token_hex(4))
        assert sent.event(answer.secret, there.hand.now / 1000).kind == "turn.opened"
