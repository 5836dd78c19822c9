"""`vallum demo`: the four-seat match of the README, through the public API of a fresh server."""

from __future__ import annotations

import asyncio
import json

import pytest

from tests.cli.given import started

PATIENCE = 280.0


@pytest.mark.slow
@pytest.mark.timeout(300)
async def test_a_ranked_match_of_four_ends_in_sheets_places_and_rating_changes() -> None:
    process = await started("demo", "--game", "ambush", "--bots", "greedy,random")
    said, told = await asyncio.wait_for(process.communicate(), PATIENCE)
    assert process.returncode == 0, told.decode()
    (line,) = said.decode().splitlines()
    match = json.loads(line)
    assert match["seats"] == ["ada", "bob", "bot:greedy", "bot:random"]
    assert sorted(place["seat"] for place in match["places"]) == [0, 1, 2, 3]
    assert all(place["decided_by"] for place in match["places"])
    for place in match["places"]:
        sheet = match["sheets"][str(place["seat"])]
        assert sheet
        assert sum(sheet.values()) == match["scores"][str(place["seat"])] == place["score"]
    changes = {(one["ladder"], one["player"]): one for one in match["ratings"]}
    assert sorted(changes) == [
        ("bots", "greedy"),
        ("bots", "random"),
        ("players", "ada"),
        ("players", "bob"),
    ]
    place_of = {place["seat"]: place["place"] for place in match["places"]}
    better, worse = ("ada", "bob") if place_of[0] < place_of[1] else ("bob", "ada")
    if place_of[0] != place_of[1]:
        assert changes["players", better]["mu"][1] > 25.0 > changes["players", worse]["mu"][1]
