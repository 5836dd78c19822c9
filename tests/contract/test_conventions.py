"""What every RPC of the contract has in common."""

from __future__ import annotations

import pytest
from buf.validate import validate_pb2
from google.api import annotations_pb2
from google.protobuf.descriptor import FieldDescriptor, MethodDescriptor

from tests.contract.asking import access, methods, resources
from vallum.options.v1 import access_pb2

READS = ("Get", "List", "Watch", "Export", "Preview")
REPEATABLE = {
    "ExchangeKey": "each answer is a token of its own",
    "IssuePlayerToken": "likewise; a player is found by his external id",
    "EnsurePlayer": "the external id makes it repeatable",
    "BatchCreateTickets": "each of its requests has one",
}
"""What changes something and needs no request_id, and why."""

every_method = pytest.mark.parametrize("method", methods(), ids=lambda one: one.full_name)


def rules(field: FieldDescriptor) -> validate_pb2.FieldRules:
    found: validate_pb2.FieldRules = field.GetOptions().Extensions[validate_pb2.field]
    return found


@every_method
def test_what_changes_something_can_be_repeated(method: MethodDescriptor) -> None:
    if method.name.startswith(READS) or method.name in REPEATABLE:
        pytest.skip("it needs no request_id")
    field = method.input_type.fields_by_name.get("request_id")
    assert field is not None
    assert rules(field).string.max_len or rules(field).string.pattern


@every_method
def test_what_the_public_may_call_can_be_called_as_json(method: MethodDescriptor) -> None:
    found = access(method)
    public = found.open or set(found.roles) - {access_pb2.ROLE_SERVICE}
    assert method.GetOptions().HasExtension(annotations_pb2.http) == bool(public)


@every_method
def test_every_text_of_a_request_is_limited(method: MethodDescriptor) -> None:
    for field in method.input_type.fields:
        if field.type != FieldDescriptor.TYPE_STRING:
            continue
        text = rules(field).repeated.items.string if field.is_repeated else rules(field).string
        assert text.max_len or text.pattern, field.name
    for field in resources(method):
        assert rules(field).string.pattern.endswith("$")
