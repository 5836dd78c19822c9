"""Verification: whatever is changed in a record is found, and named."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.lab.verify import Verified, Wrong
from tests.lab.given import judged, record, record_text, wrong

Change = Callable[[dict[str, Any]], object]
ENTRY = 20


def the(values: dict[str, Any]) -> dict[str, Any]:
    one: dict[str, Any] = values["entries"][ENTRY - 1]
    return one


def entry(values: dict[str, Any], **fields: Any) -> None:
    the(values).update(fields)


def drawn(values: dict[str, Any]) -> dict[str, Any]:
    """The last entry for which something was drawn, before the middle of the record."""
    some = [one for one in values["entries"][:ENTRY] if one.get("draws")]
    last: dict[str, Any] = some[-1]
    return last


def test_a_good_record_is_good() -> None:
    found = judged(record())
    assert isinstance(found, Verified)
    assert (found.game, found.entries) == ("ambush", len(record()["entries"]))


@settings(max_examples=150, deadline=None)
@given(place=st.floats(0, 1, exclude_max=True), mask=st.integers(1, 255))
def test_a_flipped_byte_anywhere_is_found_and_its_entry_named(place: float, mask: int) -> None:
    text = bytearray(good := record_text())
    spot = int(place * len(good))
    text[spot] ^= mask
    found = judged(bytes(text))
    if isinstance(found, Verified):
        assert json.loads(text) == json.loads(good), "only a blank became another blank"
    elif spot < good.rindex(b'"result"') and not within_the_number(good, spot):
        number = good[:spot].count(b'"version"')
        assert found.entry in ([number] if number else [0, 1]), "the chain hangs on the header"


def within_the_number(good: bytes, spot: int) -> bool:
    """Whether a byte lies where an entry's own number is read from."""
    return any(one.start() <= spot < one.end() for one in re.finditer(rb'{\s*"version"', good))


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda one: entry(one, version=99), "out_of_order"),
        (lambda one: entry(one, seat=-1), "illegal"),
        (lambda one: entry(one, seat=7), "no_such_seat"),
        (lambda one: entry(one, seat=-2), "no_such_seat"),
        (lambda one: entry(one, action_json='{"kind":"nothing"}'), "unreadable"),
        (lambda one: entry(one, action_json=the(one)["action_json"] + " "), "wrong_hash"),
        (lambda one: entry(one, request_id="mine"), "wrong_hash"),
        (lambda one: entry(one, time_ms="1"), "wrong_hash"),
        (lambda one: entry(one, time_ms="00"), "unreadable"),
        (lambda one: entry(one, hash="0" * 64), "wrong_hash"),
        (lambda one: entry(one, origin="host"), "unreadable"),
        (lambda one: entry(one, colour="red"), "not_a_record"),
        (lambda one: one["entries"].insert(ENTRY - 1, one["entries"][0]), "out_of_order"),
        (lambda one: one["entries"].pop(ENTRY - 1), "out_of_order"),
    ],
)
def test_a_changed_entry_is_named(change: Change, code: str) -> None:
    values = record()
    change(values)
    found = wrong(values)
    assert (found.entry, found.code) == (ENTRY, code)


@pytest.mark.parametrize("field", ["label", "digest", "result"])
def test_a_changed_draw_is_named(field: str) -> None:
    values = record()
    one = drawn(values)
    one["draws"][-1][field] = "other"
    found = wrong(values)
    assert (found.entry, found.code) == (one["version"], "wrong_draw")
    assert f"draw {len(one['draws']) - 1}" in str(found)


def test_a_draw_that_was_left_out_is_named() -> None:
    values = record()
    one = drawn(values)
    one["draws"].pop()
    assert (wrong(values).entry, wrong(values).code) == (one["version"], "wrong_draw")


def test_another_card_than_the_seed_gives_is_named_even_if_its_draw_agrees() -> None:
    values = record()
    storm = next(one for one in values["entries"] if '"storm"' in one["action_json"])
    rolls = re.findall(r'"roll":(\d)', storm["action_json"])
    other = "1" if rolls[0] != "1" else "2"
    storm["action_json"] = storm["action_json"].replace(f'"roll":{rolls[0]}', f'"roll":{other}')
    found = wrong(values)
    assert (found.entry, found.code) == (storm["version"], "wrong_draw")


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda one: one.update(seed="00" * 32), "bad_seed"),
        (lambda one: one.update(seed=one["seed"].upper() + "zz"), "bad_seed"),
        (lambda one: one.update(seed_commitment="0" * 64), "bad_seed"),
        (lambda one: one.update(format=2), "other_format"),
        (lambda one: one.update(rules_version="0"), "other_rules_version"),
        (lambda one: one.update(game="chess"), "unknown_game"),
        (lambda one: one.update(options_json='{"rounds":9}'), "bad_header"),
        (lambda one: one.update(options_json="[]"), "bad_header"),
        (lambda one: one.update(create_time_ms="yesterday"), "bad_header"),
        (lambda one: one.update(seats=[]), "bad_header"),
        (lambda one: one.update(colour="red"), "not_a_record"),
    ],
)
def test_a_changed_header_is_named(change: Change, code: str) -> None:
    values = record()
    change(values)
    found = wrong(values)
    assert (found.where, found.code) == ("the header", code)


@pytest.mark.parametrize(
    "change",
    [
        lambda one: one.update(name="matches/other"),
        lambda one: one["seats"].append(one["seats"].pop(0)),
        lambda one: one["seats"][0].update(bot="hard"),
        lambda one: one.update(create_time_ms="1"),
        lambda one: one.update(options_json=one["options_json"] + " "),
    ],
)
def test_the_chain_hangs_on_the_header(change: Change) -> None:
    values = record()
    change(values)
    found = wrong(values)
    assert (found.entry, found.code) == (1, "wrong_hash")
    assert "header" in str(found)


@pytest.mark.parametrize(
    "change",
    [
        lambda one: one["result"]["places"].reverse(),
        lambda one: one["result"]["places"][0].update(score=99),
        lambda one: one["result"]["sheets"][1]["lines"][0].update(points=99),
        lambda one: one["result"].update(outcome="won"),
        lambda one: one.pop("result"),
    ],
)
def test_a_changed_result_is_found(change: Change) -> None:
    values = record()
    change(values)
    found = wrong(values)
    assert (found.where, found.code) == ("the result", "wrong_result")


def test_a_record_that_breaks_off_names_what_is_missing() -> None:
    values = record()
    del values["entries"][ENTRY:]
    found = wrong(values)
    assert (found.entry, found.code) == (ENTRY + 1, "unfinished")


def test_nothing_may_follow_the_end() -> None:
    values = record()
    last = dict(values["entries"][-1])
    last["version"] += 1
    values["entries"].append(last)
    found = wrong(values)
    assert (found.entry, found.code) == (last["version"], "illegal")


@pytest.mark.parametrize("text", [b"", b"{", b"nonsense", b"\xff\xfe", b'{"format": "x"}'])
def test_what_is_no_record_is_told_so(text: bytes) -> None:
    found = judged(text)
    assert isinstance(found, Wrong)
    assert found.code == "not_a_record"
