"""A clock is made of valid durations only."""

from __future__ import annotations

import pytest
from google.protobuf.duration_pb2 import Duration
from google.rpc.error_details_pb2 import BadRequest

from tests.referee.given import Refused, World
from vallum.match.v1 import match_pb2 as pb

MINUTE = Duration(seconds=60)
MIXED = Duration(seconds=60, nanos=-1)
TOO_MANY = Duration(seconds=60, nanos=2_000_000_000)


@pytest.mark.parametrize("wrong", [MIXED, TOO_MANY], ids=["mixed signs", "too many nanoseconds"])
@pytest.mark.parametrize("field", ["per_decision", "bank.start", "bank.increment"])
async def test_what_is_no_duration_makes_no_clock(here: World, field: str, wrong: Duration) -> None:
    clocks = {
        "per_decision": pb.Clock(per_decision=wrong),
        "bank.start": pb.Clock(bank=pb.Bank(start=wrong)),
        "bank.increment": pb.Clock(bank=pb.Bank(start=MINUTE, increment=wrong)),
    }
    with pytest.raises(Refused) as refused:
        await here.match("ann", "bob", clock=clocks[field])
    assert refused.value.code == "invalid_request"
    assert refused.value.details is not None
    told = BadRequest()
    assert any(one.Unpack(told) for one in refused.value.details.details)
    assert [one.field for one in told.field_violations] == [f"clock.{field}"]
