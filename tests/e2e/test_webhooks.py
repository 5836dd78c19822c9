"""A studio's server hears of a match that was played through the edge, every service apart."""

from __future__ import annotations

from typing import Any

import pytest

from tests.e2e.given import GAME, Platform, Studio, call
from tests.notices.hooks import receiver
from tests.until import until
from vallum.client import Client, bot
from vallum.client.webhooks import WebhookEvent

pytestmark = pytest.mark.timeout(300)


async def test_a_studio_is_told_of_its_matches(platform: Platform, acme: Studio) -> None:
    if not platform.processes:
        pytest.skip("a platform elsewhere does not call this machine: not run")
    with receiver() as server:
        asked = {"url": server.url, "tenant": acme.tenant, "requestId": "hook"}
        made = await call(acme.web, "/v1/webhooks", asked, platform.admin())
        async with Client(platform.target, acme.token) as client:
            match = await client.game(GAME).create_match([bot("random"), bot("random")])
        told: dict[str, WebhookEvent] = {}

        async def over() -> bool:
            events = [post.event(made["secret"]) for post in server.posts]
            told.update({one.kind: one for one in events if one.subject == match.name})
            return {"match.created", "match.finished", "record.archived"} <= told.keys()

        await until(over, 200)
        assert "turn.opened" not in told, "bots are not told of their turns"
        assert told["match.finished"].data["game"] == GAME
        await audited(platform, acme, made["webhook"]["name"])


async def audited(platform: Platform, acme: Studio, webhook: str) -> None:
    """Wait until the tenant's audit log says who made its webhook."""

    async def there() -> bool:
        answer = await acme.web.get(f"/v1/auditEntries?tenant={acme.tenant}", platform.admin())
        entries: list[Any] = answer.json["entries"]
        found = [one for one in entries if one["target"] == webhook]
        return [(one["actor"], one["action"]) for one in found] == [("admin:e2e", "CreateWebhook")]

    await until(there, 30)
