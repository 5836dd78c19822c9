"""The one JSON shape of a match's record: protobuf's own mapping, with the contract's names.

`vallum simulate --record` writes it, `vallum verify` reads it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from google.protobuf import json_format

from vallum.match.v1 import match_pb2 as pb


def record_to_json(record: pb.Record) -> dict[str, Any]:
    """A record as JSON values; `json.dumps` and `record_from_json` take it."""
    values: dict[str, Any] = json_format.MessageToDict(record, preserving_proto_field_name=True)
    return values


def record_from_json(text: str | bytes | Mapping[str, Any]) -> pb.Record:
    """A record from JSON, bare or as GetRecord answers it. Raises ValueError where it is none."""
    try:
        if not isinstance(text, Mapping):
            values = json.loads(text)
            if not isinstance(values, dict):
                raise TypeError
            if set(values) != {"record"}:
                return json_format.Parse(text, pb.Record())
            text = values
        return json_format.ParseDict(dict(text.get("record", text)), pb.Record())
    except (RecursionError, TypeError):
        raise ValueError("not a record") from None
    except json_format.ParseError as error:
        raise ValueError(str(error).splitlines()[0]) from None
