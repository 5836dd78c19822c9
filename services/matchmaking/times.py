"""Times are milliseconds since 1970."""

from __future__ import annotations

import time

from google.protobuf.timestamp_pb2 import Timestamp


def now_ms() -> int:
    """Now, by this machine's clock."""
    return time.time_ns() // 1_000_000


def moment(milliseconds: int) -> Timestamp:
    """As the contract has it."""
    return Timestamp(seconds=milliseconds // 1000, nanos=milliseconds % 1000 * 1_000_000)
