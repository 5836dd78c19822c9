"""Records and messages are twins: what goes out comes back, what cannot be is told by its path."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any, cast

import pytest
from echo.v1 import echo_pb2 as pb
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from services.gamekit.game import Record, Seat
from services.runtime import wire
from services.runtime.errors import InvalidRequest
from tests.runtime.yard import KINDS, Forge, Metal, Purse, Rest, Setting, Trade, Work, Yard, yard

INTS = st.integers(-(2**31), 2**31 - 1)
METALS = st.sampled_from(Metal)
PURSES = st.builds(Purse, INTS, INTS)
FORGES = st.builds(Forge, METALS, st.none() | INTS.map(Seat), INTS)
WORKS = FORGES | st.just(Rest()) | st.builds(Trade, PURSES, st.none() | METALS)
LATER = cast(pb.Metal.ValueType, 9)
"""A word of a later contract."""
TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
YARDS = st.builds(
    Yard,
    round=INTS,
    title=TEXTS,
    open=st.booleans(),
    metal=METALS,
    purse=PURSES,
    pending=st.none() | FORGES,
    tracks=st.lists(INTS).map(tuple),
    pile=st.lists(METALS).map(tuple),
    grid=st.lists(st.lists(INTS).map(tuple)).map(tuple),
    forges=st.lists(FORGES).map(tuple),
    agenda=st.lists(WORKS).map(tuple),
    note=st.none() | TEXTS,
    spot=st.tuples(INTS, INTS),
    next=st.none() | WORKS,
)


@given(YARDS)
def test_what_goes_out_comes_back(record: Yard) -> None:
    sent = wire.to_message(record, pb.Yard).SerializeToString()
    assert wire.from_message(pb.Yard.FromString(sent), Yard) == record


@given(WORKS)
def test_an_action_comes_back_as_its_kind(action: Work) -> None:
    sent = wire.action_to_message(action, pb.Work).SerializeToString()
    assert wire.action_from_message(pb.Work.FromString(sent), KINDS) == action


def test_words_and_kinds_go_by_their_names() -> None:
    message = wire.to_message(yard(), pb.Yard)
    assert message.metal == pb.METAL_IRON
    assert message.pending.metal == pb.METAL_OLD_GOLD
    assert [work.WhichOneof("kind") for work in message.agenda] == ["forge", "rest", "trade"]
    assert list(message.grid[0].items) == list(range(12))


def test_none_is_unset_and_a_zero_is_not() -> None:
    message = wire.to_message(replace(yard(), note=None, pending=None), pb.Yard)
    assert not message.HasField("note")
    assert not message.HasField("pending")
    assert wire.to_message(yard(), pb.Yard).pending.HasField("target")


def test_a_hidden_word_is_unspecified() -> None:
    message = wire.action_to_message(Trade(Purse()), pb.Work)
    assert message.trade.hidden == pb.METAL_UNSPECIFIED
    assert wire.action_from_message(message, KINDS) == Trade(Purse(), None)


def test_unset_options_take_their_defaults() -> None:
    assert wire.from_message(pb.Setting(), Setting) == Setting(rounds=3, hard=False)
    assert wire.from_message(pb.Setting(rounds=0, hard=True), Setting) == Setting(0, hard=True)


def test_an_unset_bag_is_empty() -> None:
    assert wire.from_message(pb.Trade(), Trade) == Trade(Purse())


@pytest.mark.parametrize(
    "message", [pb.Work(), pb.Work.FromString(b"\x22\x00")], ids=["empty", "of a later contract"]
)
def test_an_unknown_action_is_refused(message: pb.Work) -> None:
    with pytest.raises(InvalidRequest) as caught:
        wire.action_from_message(message, KINDS)
    assert caught.value.code == "unknown_action"


def test_a_kind_that_the_game_does_not_know_is_refused() -> None:
    with pytest.raises(InvalidRequest) as caught:
        wire.action_from_message(pb.Work(rest=pb.Rest()), {"forge": Forge})
    assert caught.value.code == "unknown_action"


@pytest.mark.parametrize(
    ("message", "field"),
    [
        (pb.Work(forge=pb.Forge()), "actions[2].forge.metal"),
        (pb.Work(forge=pb.Forge(metal=LATER)), "actions[2].forge.metal"),
        (pb.Work(trade=pb.Trade(hidden=LATER)), "actions[2].trade.hidden"),
    ],
)
def test_a_bad_value_is_told_by_its_path(message: pb.Work, field: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        wire.action_from_message(message, KINDS, "actions[2]")
    assert caught.value.code == "invalid_request"
    assert [path for path, _ in caught.value.fields] == [field]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda message: message.ClearField("metal"), "metal"),
        (lambda message: message.pile.append(pb.METAL_UNSPECIFIED), "pile[20]"),
        (lambda message: message.agenda.add(), "agenda[3]"),
        (lambda message: message.agenda.add(forge={}), "agenda[3].forge.metal"),
        (lambda message: message.spot.append(1), "spot"),
        (lambda message: message.next.Clear(), "next"),
    ],
)
def test_a_bad_value_is_found_however_deep(change: Callable[[Any], Any], field: str) -> None:
    message = wire.to_message(yard(), pb.Yard)
    change(message)
    with pytest.raises(InvalidRequest) as caught:
        wire.from_message(message, Yard)
    assert [path for path, _ in caught.value.fields] == [field]


def test_twins_agree() -> None:
    assert wire.agree(Yard, pb.Yard.DESCRIPTOR) == []
    assert wire.agree(Setting, pb.Setting.DESCRIPTOR) == []
    assert wire.agree_kinds(KINDS, pb.Work.DESCRIPTOR) == []


class Alloy(StrEnum):
    IRON = "iron"
    BRONZE = "bronze"


class Odd(Record, frozen=True):
    """Unlike `Forge` in every field."""

    metal: Alloy
    target: str | None
    extra: int


class Odder(Record, frozen=True):
    times: int | None
    metal: tuple[Metal, ...]
    target: dict[str, int]


def test_every_difference_is_told() -> None:
    assert set(wire.agree(Odd, pb.Forge.DESCRIPTOR)) == {
        "Forge.times: not in Odd",
        "Forge.metal: Metal lacks BRONZE",
        "Forge.metal: Alloy lacks OLD_GOLD",
        "Forge.target: not str in the message",
        "Forge.extra: only in Odd",
    }
    assert set(wire.agree(Odder, pb.Forge.DESCRIPTOR)) == {
        "Forge.times: may be None, so it must be optional",
        "Forge.metal: single in the message only",
        "Forge.target: dict[str, int] has no form on the wire",
    }
    assert wire.agree_kinds({"forge": Forge, "sleep": Rest}, pb.Work.DESCRIPTOR) == [
        "Work.rest: no such kind of record",
        "Work.sleep: only among the records",
        "Work.trade: no such kind of record",
    ]


def test_no_message_is_built_for_a_record_that_is_not_its_twin() -> None:
    with pytest.raises(wire.Mismatch, match="only in Odd"):
        wire.to_message(Odd(Alloy.IRON, None, 1), pb.Forge)
    with pytest.raises(wire.Mismatch, match="not in Odd"):
        wire.from_message(pb.Forge(), Odd)


class Nest(Record, frozen=True):
    """A record that holds its own kind."""

    size: int
    inner: tuple[Nest, ...] = ()


def test_a_record_may_hold_its_own_kind() -> None:
    nest = Nest(1, (Nest(2), Nest(3, (Nest(4),))))
    message = wire.to_message(nest, pb.Nest)
    assert wire.from_message(message, Nest) == nest
