"""What a webhook may be told of: every fact of the contract that says what tenants know it as."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from vallum.events.v1 import events_pb2 as ev
from vallum.options.v1 import webhook_pb2

TEST = "test"
"""The kind of what TestWebhook sends; no fact."""


class Kind(NamedTuple):
    """Something that happens."""

    name: str
    fact: type[Message]

    @property
    def message(self) -> str:
        """The full name of the fact's message."""
        return self.fact.DESCRIPTOR.full_name


def facts() -> dict[str, Descriptor]:
    """Every fact, as the envelope names it."""
    fields = ev.Event.DESCRIPTOR.oneofs_by_name["fact"].fields
    return {one.name: one.message_type for one in fields if one.message_type is not None}


def said(fact: Descriptor) -> webhook_pb2.Webhook:
    """What the contract says of a fact."""
    found: webhook_pb2.Webhook = fact.GetOptions().Extensions[webhook_pb2.webhook]
    return found


def _kinds() -> Iterator[Kind]:
    for fact in facts().values():
        if name := said(fact).kind:
            yield Kind(name, GetMessageClass(fact))


KINDS: Mapping[str, Kind] = {kind.name: kind for kind in sorted(_kinds(), key=lambda one: one.name)}
"""By name."""

KIND_OF: Mapping[type[Message], str] = {kind.fact: kind.name for kind in KINDS.values()}
"""By the class of the fact."""
