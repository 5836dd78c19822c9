"""What other services do for a tenant is in its audit log."""

from __future__ import annotations

from google.protobuf.timestamp_pb2 import Timestamp
from redis.asyncio import Redis

from services.runtime.bus import Bus
from services.runtime.settings import Settings
from tests.accounts.given import Office
from tests.until import until
from vallum.accounts.v1 import accounts_pb2 as pb
from vallum.events.v1 import events_pb2 as ev


def changed(number: int) -> ev.Event:
    fact = ev.WebhookChanged(
        action="DisableWebhook", by="service:notices", key="k3f9x2", detail="failing"
    )
    return ev.Event(
        id=f"webhooks/w1/{number}",
        subject="webhooks/w1",
        tenant="north",
        occurred_at=Timestamp(seconds=1_800_000_000),
        webhook_changed=fact,
    )


async def test_a_change_of_a_webhook_is_written_down_once(
    there: Office, redis: Redis, settings: Settings
) -> None:
    bus = Bus(redis, settings)
    for number in (1, 1, 1, 2):
        await bus.publish(changed(number))
    found: list[pb.AuditEntry] = []

    async def heard() -> bool:
        found[:] = (await there.root.call("ListAuditEntries", tenant="north")).entries
        return len(found) >= 2

    await until(heard)
    assert len(found) == 2
    (entry, _) = found
    assert (entry.actor, entry.action, entry.target) == (
        *("service:notices", "DisableWebhook", "webhooks/w1"),
    )
    assert (entry.key, entry.detail) == ("keys/k3f9x2", "failing")
    assert entry.time.seconds == 1_800_000_000
