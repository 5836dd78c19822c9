"""Where a queue asks its players: everybody accepts, or the others wait on as before."""

from __future__ import annotations

import asyncio

import pytest

from tests.matchmaking.given import Hall, Player
from tests.matchmaking.test_tickets import refused
from vallum.matchmaking.v1 import matchmaking_pb2 as mm

OFFERED = mm.TICKET_STATE_OFFERED


async def offered(hall: Hall, *names: str, accept_s: float = 20.0) -> list[tuple[Player, str]]:
    """A table of these is offered to them."""
    await hall.rules(accept_s=accept_s)
    people = hall.players(*names)
    seats = len(names)
    tickets = [await one.enters(min_seats=seats, max_seats=seats) for one in people]
    found = list(zip(people, tickets, strict=True))
    await asyncio.gather(*(one.awaits(ticket, OFFERED) for one, ticket in found))
    return found


async def test_a_match_begins_when_everybody_has_accepted(hall: Hall) -> None:
    asked = await offered(hall, "ann", "bob", "cat")
    for count, (one, ticket) in enumerate(asked[:2], 1):
        seen = (await one.call("AcceptMatch", name=ticket)).ticket
        assert (seen.state, seen.offer.accepted, seen.offer.people) == (OFFERED, count, 3)
    (_, last) = asked[2]
    done = (await asked[2][0].call("AcceptMatch", name=last)).ticket
    assert done.state == mm.TICKET_STATE_MATCHED
    assert {await one.is_matched(ticket) for one, ticket in asked} == {done.match}
    assert len((await hall.playable(done.match)).seats) == 3


async def test_a_decline_sends_the_others_back_with_their_waiting_time(hall: Hall) -> None:
    (ann, hers), (bob, his) = await offered(hall, "ann", "bob")
    await ann.call("AcceptMatch", name=hers)
    before = await ann.sees(hers)
    declined = (await bob.call("DeclineMatch", name=his)).ticket
    assert (declined.state, declined.reason) == (mm.TICKET_STATE_CANCELLED, "declined")
    back = await ann.sees(hers)
    assert back.state == mm.TICKET_STATE_WAITING
    waited = back.search.waited.ToMilliseconds()
    assert (
        waited
        >= before.offer.deadline.ToMilliseconds() - 20_000 - back.create_time.ToMilliseconds()
    )
    assert not any(one.accepted for one in back.party)
    cat = hall.player("cat")
    third = await cat.enters(max_seats=2)
    await asyncio.gather(ann.awaits(hers, OFFERED), cat.awaits(third, OFFERED))
    for one, ticket in ((ann, hers), (cat, third)):
        await one.call("AcceptMatch", name=ticket)
    assert await ann.is_matched(hers) == await cat.is_matched(third)


async def test_who_does_not_answer_is_out_and_the_others_wait_on(hall: Hall) -> None:
    (ann, hers), (bob, his), (cat, third) = await offered(hall, "ann", "bob", "cat", accept_s=1.0)
    for one, ticket in ((ann, hers), (cat, third)):
        await one.call("AcceptMatch", name=ticket)
    gone = await bob.awaits(his, mm.TICKET_STATE_CANCELLED)
    assert gone.reason == "no_answer"
    assert (await ann.sees(hers)).state == (await cat.sees(third)).state
    assert (await ann.sees(hers)).state == mm.TICKET_STATE_WAITING
    await refused("nothing_offered", ann, "AcceptMatch", name=hers)
    await refused("ticket_ended", bob, "AcceptMatch", name=his)


async def test_who_is_asked_waits_nowhere_else_meanwhile(hall: Hall) -> None:
    ann, dan = hall.players("ann", "dan")
    await hall.rules(accept_s=20.0)
    other = await ann.enters(max_seats=2, attributes={"hall": "b"}, options_json='{"rounds":1}')
    (_, hers), (bob, his) = await offered(hall, "ann", "bob")
    theirs = await dan.enters(max_seats=2, attributes={"hall": "b"}, options_json='{"rounds":1}')
    await asyncio.sleep(1.0)  # several rounds in which they must not meet
    assert (await dan.sees(theirs)).state == mm.TICKET_STATE_WAITING
    await bob.call("DeclineMatch", name=his)
    await ann.awaits(other, OFFERED)
    for one, ticket in ((ann, other), (dan, theirs)):
        await one.call("AcceptMatch", name=ticket)
    assert await ann.is_matched(other) == await dan.is_matched(theirs)
    ended = await ann.sees(hers)
    assert (ended.state, ended.reason) == (mm.TICKET_STATE_CANCELLED, "player_matched")


async def test_a_party_accepts_when_each_of_it_has(hall: Hall) -> None:
    await hall.rules(accept_s=20.0)
    party = [{"player": "ann"}, {"player": "bob"}]
    ticket = await hall.backend().enters(party=party, min_seats=3, max_seats=3)
    cat = hall.player("cat")
    other = await cat.enters(min_seats=3, max_seats=3)
    ann, bob = hall.players("ann", "bob")
    await ann.awaits(ticket, OFFERED)
    await cat.call("AcceptMatch", name=other)
    seen = (await ann.call("AcceptMatch", name=ticket)).ticket
    assert [one.accepted for one in seen.party] == [True, False]
    assert seen.state == OFFERED
    done = (await bob.call("AcceptMatch", name=ticket)).ticket
    assert done.state == mm.TICKET_STATE_MATCHED


@pytest.mark.parametrize("seed", range(3))
async def test_accepting_declining_and_cancelling_at_once_ends_in_one_way(
    hall: Hall, seed: int
) -> None:
    asked = await offered(hall, "ann", "bob", "cat")
    (bob, his) = asked[1]
    deeds = [one.call("AcceptMatch", name=ticket) for one, ticket in asked]
    method = "DeclineMatch" if seed % 2 else "CancelTicket"
    deeds.insert(seed, bob.call(method, name=his))
    await asyncio.gather(*deeds, return_exceptions=True)
    states = {(await one.sees(ticket)).state for one, ticket in asked}
    (_, hers), (_, third) = asked[0], asked[2]
    if mm.TICKET_STATE_MATCHED in states:
        assert states == {mm.TICKET_STATE_MATCHED}
        assert len({(await one.sees(ticket)).match for one, ticket in asked}) == 1
    else:
        assert (await bob.sees(his)).state == mm.TICKET_STATE_CANCELLED
        assert (await asked[0][0].sees(hers)).state == mm.TICKET_STATE_WAITING
        assert (await asked[2][0].sees(third)).state == mm.TICKET_STATE_WAITING
