"""Records as JSON, bare or wrapped as a call answers them."""

from __future__ import annotations

import json

import pytest

from vallum.client import record_from_json
from vallum.client.records import record_to_json
from vallum.match.v1 import match_pb2 as pb

RECORD = pb.Record(name="matches/one", game="ambush", entries=[pb.RecordEntry(version=1, seat=-1)])


def test_a_record_is_read_bare_and_as_get_record_answers_it() -> None:
    values = record_to_json(RECORD)
    for shape in (values, {"record": values}):
        assert record_from_json(shape) == RECORD
        assert record_from_json(json.dumps(shape)) == RECORD


@pytest.mark.parametrize("text", ["[", '"x"', "[" * 50_000, '{"record": 5}', '{"name": 1}', "[]"])
def test_what_is_no_record_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        record_from_json(text)
