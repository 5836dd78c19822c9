"""Requests for any RPC of the contract, made from its descriptor: what must be filled is filled,
and what names a resource names the one that is wanted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any

from buf.validate import validate_pb2
from google.protobuf.descriptor import FieldDescriptor, MethodDescriptor, ServiceDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.protobuf.timestamp_pb2 import Timestamp
from protovalidate import Validator

from vallum.options.v1 import access_pb2

ROOT = Path(__file__).parents[2]
MODULES = ("proto", "tests/proto/ambush")
VALIDATOR = Validator()
_numbers = count(1)

Names = Mapping[str, str]
"""Kind of resource, "keys" -> the name of one, "keys/k3f9x2"."""

FILLED: Mapping[str, Any] = {
    "request_id": lambda: f"asked-{next(_numbers)}",
    "game": lambda: "ambush",
    "seats": lambda: [{"bot": "random"}, {"player": "nobody"}],
    "actions": lambda: [{}],
    "ladder": lambda: {"game": "ambush", "seats": "2"},
    "player": lambda: "nobody",
    "other": lambda: "somebody",
    "reason": lambda: "because",
    "void": lambda: True,
    "mu": lambda: 25.0,
    "sigma": lambda: 8.0,
    "tenant_id": lambda: f"made-{next(_numbers)}",
    "external_id": lambda: "known",
    "scopes": lambda: [access_pb2.SCOPE_MATCHES],
    "api_key": lambda: "vallum_no_such_key",
    "expire_time": lambda: Timestamp(seconds=4_000_000_000),
    "bot": lambda: "random",
    "url": lambda: "https://studio.example/hook",
    "name": lambda: "games/ambush/policies/casual",  # the other names are those of resources
    "requests": lambda: [{"game": "ambush", "request_id": f"asked-{next(_numbers)}"}],
}
"""How a field is filled that must not be empty, by its name."""


class Unfilled(AssertionError):
    """A request of the contract that nobody has said how to fill."""


@cache
def services() -> tuple[ServiceDescriptor, ...]:
    """Every service of the contract, and the rules service of the test game."""
    found: dict[str, ServiceDescriptor] = {}
    for module in MODULES:
        top = ROOT / module.removesuffix("/ambush")
        for path in sorted((ROOT / module).rglob("*.proto")):
            name = str(path.relative_to(top).with_suffix("")).replace("/", ".") + "_pb2"
            for service in import_module(name).DESCRIPTOR.services_by_name.values():
                found[service.full_name] = service
    return tuple(found.values())


def methods() -> list[MethodDescriptor]:
    """Every RPC."""
    return [method for service in services() for method in service.methods]


def access(method: MethodDescriptor) -> access_pb2.Access:
    """Who may call, as the contract says."""
    found: access_pb2.Access = method.GetOptions().Extensions[access_pb2.access]
    return found


def kind_of(field: FieldDescriptor) -> str:
    """The kind of resource that a field names: "keys" of "^keys/…"; "" for any other field."""
    pattern = field.GetOptions().Extensions[validate_pb2.field].string.pattern
    kind, slash, _ = pattern.removeprefix("^").partition("/")
    return kind if slash and kind.isalpha() and kind != "games" else ""


def resources(method: MethodDescriptor) -> list[FieldDescriptor]:
    """The fields of a request that name a resource of a tenant's."""
    return [field for field in method.input_type.fields if kind_of(field)]


def request(method: MethodDescriptor, names: Names, **wanted: Any) -> Message:
    """A request that is well formed. Raises Unfilled where that takes more than is known here."""
    kind = GetMessageClass(method.input_type)
    made = kind(**wanted)
    for field in resources(method):
        alone = not field.containing_oneof or not made.WhichOneof(field.containing_oneof.name)
        if alone and field.name not in wanted and kind_of(field) in names:
            setattr(made, field.name, names[kind_of(field)])
    for name in _lacking(made):
        if name in FILLED:
            made.MergeFrom(kind(**{name: FILLED[name]()}))
    if left := list(_lacking(made)):
        raise Unfilled(f"{__name__} does not know how to fill {left} of {method.full_name}")
    return made


def _lacking(made: Message) -> Iterator[str]:
    """The top-level fields, and members of oneofs, that validation complains of."""
    for violation in VALIDATOR.collect_violations(made):
        elements = violation.proto.field.elements if violation.proto.field else ()
        if not elements:
            yield "?"
            continue
        name = str(elements[0].field_name)
        oneof = made.DESCRIPTOR.oneofs_by_name.get(name)
        yield next((f.name for f in oneof.fields if f.name in FILLED), name) if oneof else name
