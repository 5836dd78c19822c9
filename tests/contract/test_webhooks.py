"""What tenants are told is what the contract says, all of it, and nothing that is secret."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor

from services.notices.webhooks.figures import FIGURES
from services.notices.webhooks.kinds import KINDS, facts, said
from services.runtime.bus import TOPIC_OF

PAGE = (Path(__file__).parents[2] / "docs/webhooks.md").read_text()
FACTS = facts()
SECRET = re.compile(r"seed|secret|salt|hand\b|hidden|token|view|position|state_|deck|draw")
PUBLIC = {"seed_commitment"}
"""What sounds secret and is not."""

each_fact = pytest.mark.parametrize("name", list(FACTS))


@each_fact
def test_every_fact_is_told_or_says_why_not(name: str) -> None:
    found = said(FACTS[name])
    assert bool(found.kind) != bool(found.internal), "a kind, or why there is none"
    assert name in TOPIC_OF
    if found.kind:
        assert re.fullmatch(r"[a-z_]{1,30}\.[a-z_]{1,30}", found.kind)


def test_every_kind_is_one_fact() -> None:
    told = [said(fact).kind for fact in FACTS.values() if said(fact).kind]
    assert sorted(told) == list(KINDS)


def fields(kind: Descriptor, above: frozenset[str] = frozenset()) -> Iterator[FieldDescriptor]:
    """Every field that the JSON of a message may have."""
    for field in kind.fields:
        yield field
        if field.message_type and field.message_type.full_name not in above:
            yield from fields(field.message_type, above | {kind.full_name})


@each_fact
def test_no_fact_that_is_told_has_room_for_a_secret(name: str) -> None:
    if said(FACTS[name]).kind:
        names = {field.name for field in fields(FACTS[name])}
        assert not {name for name in names if SECRET.search(name)} - PUBLIC


def test_the_page_lists_every_kind_with_its_message() -> None:
    rows = re.findall(r"^\| `([a-z_]+\.[a-z_]+)` \| .+ \| `(\w+)`.* \|$", PAGE, re.MULTILINE)
    assert dict(rows) == {
        kind.name: kind.message.removeprefix("vallum.events.v1.") for kind in KINDS.values()
    }
    assert len(rows) == len(KINDS)


UNITS = {"s": 1_000, "min": 60_000, "h": 3_600_000}


def test_the_page_tells_the_pauses_between_attempts() -> None:
    rows = re.findall(r"^\| (\d+) \| (\d+) (s|min|h) \|$", PAGE, re.MULTILINE)
    assert [int(number) for number, *_ in rows] == list(range(2, FIGURES.attempts + 1))
    assert [int(count) * UNITS[unit] for _, count, unit in rows] == list(FIGURES.pauses)
