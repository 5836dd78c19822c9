"""Tickets through the public API: who enters a queue meets others there, or learns why not."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from services.cli.queues import queues
from services.runtime.auth import Role
from services.runtime.settings import Settings
from tests.matchmaking.given import Hall, Player
from tests.referee.given import Refused
from tests.until import until
from vallum.match.v1 import match_pb2 as pb
from vallum.matchmaking.v1 import matchmaking_pb2 as mm

PEOPLE = ("ann", "bob", "cat", "dan")
SHORT = '{"rounds":1}'


async def all_enter(people: Sequence[Player], **fields: object) -> list[str]:
    return [await one.enters(**fields) for one in people]


async def one_match(people: Sequence[Player], tickets: Sequence[str]) -> str:
    """The match that all of them have."""
    pairs = zip(people, tickets, strict=True)
    found = await asyncio.gather(*(one.is_matched(ticket) for one, ticket in pairs))
    assert len(set(found)) == 1
    return found[0]


async def refused(code: str, player: Player, method: str, **fields: object) -> Refused:
    with pytest.raises(Refused) as found:
        await player.call(method, **fields)
    assert found.value.code == code
    return found.value


async def test_four_tickets_get_one_match_and_play_it(hall: Hall) -> None:
    people = hall.players(*PEOPLE)
    tickets = await all_enter(people, min_seats=4, max_seats=4, options_json=SHORT)
    match = await hall.plays(await one_match(people, tickets))
    assert match.state == pb.MATCH_STATE_FINISHED
    assert sorted(one.player for one in match.seats) == sorted(PEOPLE)


async def test_a_party_of_two_stays_together(hall: Hall) -> None:
    pairs = [("ann", "bob"), ("cat", "dan"), ("eve", "fay")]
    for pair in pairs:
        entries = [{"player": one} for one in pair]
        await hall.backend().enters(party=entries, min_seats=4, max_seats=4)
    singles = hall.players("gil", "hal")
    tickets = await all_enter(singles, min_seats=4, max_seats=4)
    matches = [await one.is_matched(t) for one, t in zip(singles, tickets, strict=True)]
    for match in set(matches):
        there = {one.player for one in (await hall.playable(match)).seats}
        assert len(there) == 4
        assert all(len(there & set(pair)) in (0, 2) for pair in pairs)


async def test_a_player_s_party_waits_until_everybody_has_joined(hall: Hall) -> None:
    ann, bob, cat = hall.players("ann", "bob", "cat")
    party = [{"player": "ann"}, {"player": "bob"}]
    ticket = await ann.enters(party=party, min_seats=3, max_seats=3)
    other = await cat.enters(min_seats=3, max_seats=3)
    assert (await ann.sees(ticket)).state == mm.TICKET_STATE_GATHERING
    invited = (await bob.call("ListTickets")).tickets
    assert [one.name for one in invited] == [ticket]
    await bob.call("JoinTicket", name=ticket)
    assert await bob.is_matched(ticket) == await cat.is_matched(other)
    await refused("ticket_not_found", cat, "JoinTicket", name=ticket)


async def test_an_invitation_does_not_take_the_queue_from_the_invited(hall: Hall) -> None:
    ann, bob = hall.players("ann", "bob")
    party = [{"player": "ann"}, {"player": "bob"}]
    ticket = await ann.enters(party=party, min_seats=4)
    own = await bob.enters(min_seats=4)
    await refused("ticket_exists", bob, "JoinTicket", name=ticket)
    await bob.call("CancelTicket", name=own)
    await bob.call("JoinTicket", name=ticket)
    assert (await bob.sees(ticket)).state == mm.TICKET_STATE_WAITING


async def test_a_ticket_alone_gets_bots_after_its_time(hall: Hall) -> None:
    await hall.rules(bots_after_s=0.8, bots_level="random")
    (ann,) = hall.players("ann")
    began = asyncio.get_running_loop().time()
    ticket = await ann.enters(min_seats=3, max_seats=3)
    match = await hall.playable(await ann.is_matched(ticket))
    assert asyncio.get_running_loop().time() - began >= 0.8
    assert sorted(one.bot for one in match.seats) == ["", "random", "random"]


async def test_a_player_has_one_ticket_in_a_queue_and_one_in_another(hall: Hall) -> None:
    (ann,) = hall.players("ann")
    ticket = await ann.enters(min_seats=4)
    refusal = await refused("ticket_exists", ann, "CreateTicket", game="ambush", min_seats=3)
    assert refusal.info.metadata["ticket"] == ticket
    other = await ann.enters(min_seats=4, options_json=SHORT)
    assert (await ann.sees(ticket)).queue != (await ann.sees(other)).queue
    await ann.call("CancelTicket", name=ticket)
    await ann.enters(min_seats=4)


async def test_a_player_waits_in_twenty_queues_and_no_more(hall: Hall) -> None:
    requests = [
        {
            "game": "ambush",
            "party": [{"player": "ann"}],
            "clock": {"per_decision": {"seconds": 60 + number}},
            "request_id": f"q{number}",
        }
        for number in range(21)
    ]
    outcomes = (await hall.backend().call("BatchCreateTickets", requests=requests)).outcomes
    assert [one.code for one in outcomes] == [""] * 20 + ["too_many_tickets"]


async def test_options_said_or_left_out_are_the_same_queue(hall: Hall) -> None:
    ann, bob = hall.players("ann", "bob")
    said = (await ann.sees(await ann.enters(min_seats=4))).options_json
    ticket = await bob.enters(min_seats=4, options_json=f" {said}")
    listed = (await ann.call("ListTickets")).tickets
    assert listed[0].queue == (await bob.sees(ticket)).queue


async def test_the_same_request_makes_one_ticket(hall: Hall) -> None:
    (ann,) = hall.players("ann")
    first = await ann.enters(min_seats=4, request_id="once")
    assert await ann.enters(min_seats=4, request_id="once") == first
    await refused(
        "request_id_reused", ann, "CreateTicket", game="ambush", min_seats=3, request_id="once"
    )


async def test_a_cancelled_ticket_meets_nobody(hall: Hall) -> None:
    ann, bob = hall.players("ann", "bob")
    ticket = await ann.enters(max_seats=2)
    gone = (await ann.call("CancelTicket", name=ticket, request_id="c")).ticket
    assert (gone.state, gone.reason) == (mm.TICKET_STATE_CANCELLED, "cancelled")
    other = await bob.enters(max_seats=2)
    again = (await ann.call("CancelTicket", name=ticket, request_id="c")).ticket
    assert again.state == mm.TICKET_STATE_CANCELLED
    third = await ann.enters(max_seats=2)
    assert await ann.is_matched(third) == await bob.is_matched(other)
    await refused("already_matched", ann, "CancelTicket", name=third)


async def test_a_ticket_runs_out(hall: Hall) -> None:
    (ann,) = hall.players("ann")
    ticket = await ann.enters(min_seats=4, lifetime={"seconds": 1})
    ended = await ann.awaits(ticket, mm.TICKET_STATE_EXPIRED)
    assert ended.reason == "expired"
    await ann.enters(min_seats=4)


async def test_attributes_keep_tickets_apart(hall: Hall) -> None:
    ann, bob, cat = hall.players("ann", "bob", "cat")
    east = await ann.enters(max_seats=2, attributes={"region": "east"})
    await bob.enters(max_seats=2, attributes={"region": "west"})
    other = await cat.enters(max_seats=2, attributes={"region": "east"})
    assert await ann.is_matched(east) == await cat.is_matched(other)


async def test_another_tenant_meets_nobody_here_and_sees_nothing(hall: Hall) -> None:
    ann, eve = hall.player("ann"), hall.player("eve", tenant="south")
    spy = hall.player("backend", Role.TENANT, "south")
    await hall.rules(tenant="south")
    ticket = await ann.enters(max_seats=2)
    own = await eve.enters(max_seats=2)
    unknown = f"tickets/{'0' * 20}"
    for method in ("GetTicket", "CancelTicket", "AcceptMatch", "DeclineMatch"):
        for who in (eve, spy, hall.player("bob")):
            there = await refused("ticket_not_found", who, method, name=ticket)
            none = await refused("ticket_not_found", who, method, name=unknown)
            assert there.details == none.details
    other = await hall.player("bob").enters(max_seats=2)
    assert await ann.is_matched(ticket) == await hall.player("bob").is_matched(other)
    assert (await eve.sees(own)).state == mm.TICKET_STATE_WAITING


async def test_a_waiting_ticket_tells_what_it_looks_for(hall: Hall) -> None:
    await hall.rules(base=2.0, per_s=0.5, cap=9.0, bots_after_s=30.0)
    (ann,) = hall.players("ann")
    ticket = await ann.sees(await ann.enters(min_seats=3))
    assert ticket.policy == "games/ambush/policies/casual"
    assert ticket.search.text.startswith("now matching ±2.")
    assert "for 3 or 4 seats" in ticket.search.text
    assert 2.0 <= ticket.search.tolerance < 4.0
    stated = await ann.call("GetPolicy", name=ticket.policy)
    assert (stated.policy.cap, stated.stated_by) == (9.0, "tenant")


async def test_many_tickets_are_made_in_one_call(hall: Hall) -> None:
    requests = [
        {"game": "ambush", "max_seats": 2, "party": [{"player": f"p{n}"}], "request_id": f"b{n}"}
        for n in range(20)
    ]
    requests.append({"game": "chess", "party": [{"player": "q"}], "request_id": "q"})
    requests.append({"game": "ambush", "party": [{"player": "q"}], "request_id": "b0"})
    outcomes = (await hall.backend().call("BatchCreateTickets", requests=requests)).outcomes
    assert [one.code for one in outcomes[20:]] == ["unknown_game", "request_id_reused"]
    names = [one.name for one in outcomes[:20]]

    async def all_matched() -> bool:
        seen = [await hall.backend().sees(one) for one in names]
        return all(one.state == mm.TICKET_STATE_MATCHED for one in seen)

    await until(all_matched)
    matches = [(await hall.backend().sees(one)).match for one in names]
    assert all(matches.count(one) == 2 for one in matches)


@pytest.mark.parametrize(
    ("code", "fields"),
    [
        ("unknown_game", {"game": "chess"}),
        ("bad_options", {"options_json": '{"walls":1}'}),
        ("bad_options", {"options_json": "no json"}),
        ("bad_seats", {"min_seats": 5}),
        ("bad_seats", {"min_seats": 4, "max_seats": 3}),
        ("bad_party", {"party": [{"player": "bob"}]}),
        ("bad_party", {"party": [{"player": "ann"}, {"player": "ann"}]}),
        ("rating_by_tenant_only", {"party": [{"player": "ann", "mu": 50.0}]}),
        ("backfill_casual_alone", {"mode": pb.MODE_RANKED, "backfill": True}),
        ("invalid_request", {"request_id": ""}),
    ],
)
async def test_what_cannot_be_played_is_refused(
    hall: Hall, code: str, fields: dict[str, object]
) -> None:
    await refused(code, hall.player("ann"), "CreateTicket", **({"game": "ambush"} | fields))


async def test_an_operator_sees_who_waits_where(hall: Hall, settings: Settings) -> None:
    await hall.player("ann").enters(min_seats=4)
    await hall.player("bob").enters(min_seats=3, max_seats=3, options_json=SHORT)
    await hall.player("cat").enters(min_seats=4)
    rows = await queues(settings)
    assert [(one["tenant"], one["game"], one["waiting"]) for one in rows] == [
        ("north", "ambush", 2),
        ("north", "ambush", 1),
    ]
    assert rows[1]["options"].replace(" ", "") == (await waiting_options(hall))
    assert rows[0]["oldest_s"] >= 0.0


async def waiting_options(hall: Hall) -> str:
    (ticket,) = (await hall.player("bob").call("ListTickets")).tickets
    return str(ticket.options_json)
