"""The frozen value that everything of a game is made of."""

from __future__ import annotations

import msgspec


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A frozen value. Fields are ints, bools, strings, enums, other Records, or tuples of these.

    No sets and no dicts: the encoded form of a Record is byte-identical on every replica. Values
    made of values have no circles, so the garbage collector need not look at them (`gc=False`).
    """
