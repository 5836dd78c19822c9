"""The test vectors of docs/fairness.md: once by an independent program, once by the product's."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest

from services.gamekit import chance
from services.gamekit.chance import Chance, commitment
from services.referee.record import Header, LogEntry, canonical, linked, root
from tests.gamekit import fairness

VECTORS: dict[str, Any] = json.loads((Path(__file__).parent / "vectors.json").read_text())


def seed_of(vector: dict[str, Any]) -> bytes:
    return bytes.fromhex(vector["seed"])


def each(name: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("vector", VECTORS[name])


@each("commitments")
def test_the_commitment_is_the_hash_of_the_seed(vector: dict[str, Any]) -> None:
    assert commitment(seed_of(vector)) == vector["sha256"]
    assert sha256(seed_of(vector)).hexdigest() == vector["sha256"]


@each("indexes")
def test_an_index_is_drawn_as_specified(vector: dict[str, Any]) -> None:
    arguments = (seed_of(vector), vector["label"], int(vector["count"]))
    index, attempt = fairness.index(*arguments)
    assert (index, attempt) == (int(vector["index"]), vector["attempt"])
    assert chance.index(*arguments) == index


def test_the_vectors_reject_words() -> None:
    assert {vector["attempt"] for vector in VECTORS["indexes"]} == {0, 1, 2, 3}


@each("draws")
def test_a_draw_is_logged_as_specified(vector: dict[str, Any]) -> None:
    seed, label = seed_of(vector), vector["draw"]["label"]
    assert fairness.draw(seed, label, vector["candidates"]) == vector["draw"]
    ours = Chance(seed)
    ours.draw(label, vector["candidates"])
    assert msgspec.to_builtins(ours.taken()) == (vector["draw"],)


@each("deals")
def test_cards_are_dealt_as_specified(vector: dict[str, Any]) -> None:
    seed, what = seed_of(vector), (vector["label"], vector["candidates"], vector["count"])
    assert fairness.deal(seed, *what) == vector["draws"]
    ours = Chance(seed)
    dealt = ours.deal(*what)
    assert list(dealt) == [draw["result"] for draw in vector["draws"]]
    assert list(msgspec.to_builtins(ours.taken())) == vector["draws"]


@each("chains")
def test_a_record_is_chained_as_specified(vector: dict[str, Any]) -> None:
    seed = seed_of(vector)
    texts = [fairness.canonical(entry).decode() for entry in vector["entries"]]
    assert fairness.canonical(vector["header"]).decode() == vector["header_json"]
    assert texts == vector["entries_json"]
    assert fairness.chain(seed, vector["header"], vector["entries"]) == vector["hashes"]


@each("chains")
def test_the_host_chains_records_in_the_same_way(vector: dict[str, Any]) -> None:
    seed = seed_of(vector)
    link = root(msgspec.json.decode(vector["header_json"], type=Header))
    hashes = [link.hex()]
    for text in vector["entries_json"]:
        entry = msgspec.json.decode(text, type=LogEntry)
        assert canonical(entry).decode() == text
        link = linked(link, entry.version, text.encode(), seed)
        hashes.append(link.hex())
    assert hashes == vector["hashes"]
