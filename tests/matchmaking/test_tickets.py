"""Tickets through the public API: who enters a queue meets others there, or learns why not."""

from __future__ import annotations

import asyncio

from tests.matchmaking.given import Hall
from vallum.match.v1 import match_pb2 as pb

PEOPLE = ("ann", "bob", "cat", "dan")


async def test_four_tickets_get_one_match_and_play_it(hall: Hall) -> None:
    people = hall.players(*PEOPLE)
    tickets = [await one.enters(min_seats=4, max_seats=4) for one in people]
    matches = await asyncio.gather(
        *(one.is_matched(ticket) for one, ticket in zip(people, tickets, strict=True))
    )
    assert len(set(matches)) == 1
    match = await hall.plays(matches[0])
    assert match.state == pb.MATCH_STATE_FINISHED
    assert sorted(one.player for one in match.seats) == sorted(PEOPLE)
