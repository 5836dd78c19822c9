"""What is sent: a fact as JSON, and who and when; nothing of how the platform came by it."""

from __future__ import annotations

import json
from typing import Any

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from services.notices.webhooks.kinds import TEST
from services.runtime.rows import timestamp
from vallum.events.v1 import events_pb2 as ev


def body_of(event: ev.Event, kind: str, fact: Message) -> str:
    """The body that tells of a fact: in the same JSON as the edge speaks."""
    data = MessageToDict(fact, always_print_fields_with_no_presence=True)
    return _text(
        id=event.id,
        type=kind,
        timestamp=event.occurred_at.ToJsonString(),
        tenant=event.tenant,
        subject=event.subject,
        version=event.version,
        data=data,
    )


def trial_body(id_: str, tenant: str, webhook: str, now: int) -> str:
    """The body of a test."""
    at = timestamp(now)
    assert at is not None
    told = {"id": id_, "type": TEST, "timestamp": at.ToJsonString(), "tenant": tenant}
    return _text(**told, subject=f"webhooks/{webhook}", version=0, data={})


def _text(**fields: Any) -> str:
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
