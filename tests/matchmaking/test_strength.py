"""What is believed of players, the rules that use it, and who has had which seat."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator

import pytest

from services.runtime.auth import Role
from services.runtime.settings import Settings
from services.scoring.bind import scoring
from tests.ambush.hosted import HOSTED
from tests.matchmaking.given import CASUAL, RANKED, Hall
from tests.matchmaking.given import hall as running
from tests.matchmaking.test_tickets import SHORT, refused
from tests.referee.given import KEYS
from tests.scoring.given import Asker
from vallum.match.v1 import match_pb2 as pb
from vallum.matchmaking.v1 import matchmaking_pb2 as mm


@pytest.fixture
async def scored(settings: Settings) -> AsyncIterator[Hall]:
    """With a scoring service in the same process."""
    async with running(settings, [scoring({"ambush": HOSTED.package}, KEYS)]) as there:
        await there.rules(RANKED, base=5.0, per_s=0.0, cap=5.0, bound_s=600.0)
        yield there


async def rate(hall: Hall, player: str, mu: float) -> None:
    """An admin states a rating."""
    admin = Asker(hall.world.channel, hall.player("root", Role.ADMIN, "").who)
    await admin.call(
        "AdjustRating",
        ladder={"game": "ambush", "seats": "2"},
        player=player,
        tenant="north",
        mu=mu,
        sigma=2.0,
        reason="known from elsewhere",
        request_id=player,
    )


async def test_ranked_players_meet_their_like(scored: Hall) -> None:
    strength = {"ann": 40.0, "bob": 20.0, "cat": 38.0, "dan": 22.0}
    for player, mu in strength.items():
        await rate(scored, player, mu)
    people = {name: scored.player(name) for name in strength}
    tickets = {
        name: await one.enters(max_seats=2, mode=pb.MODE_RANKED) for name, one in people.items()
    }
    seen = await people["ann"].sees(tickets["ann"])
    assert [(one.mu, one.sigma) for one in seen.party] == [(40.0, 2.0)]
    matches = {name: await one.is_matched(tickets[name]) for name, one in people.items()}
    assert matches["ann"] == matches["cat"] != matches["bob"] == matches["dan"]
    assert (await scored.playable(matches["ann"])).mode == pb.MODE_RANKED


async def test_without_scoring_everybody_is_a_newcomer(hall: Hall) -> None:
    ann = hall.player("ann")
    ticket = await ann.sees(await ann.enters(min_seats=4, mode=pb.MODE_RANKED))
    assert [(one.mu, round(one.sigma, 3)) for one in ticket.party] == [(25.0, 8.333)]


async def test_a_tenant_may_say_how_strong_its_players_are(hall: Hall) -> None:
    entries = [{"player": "ann", "mu": 31.0}]
    ticket = await hall.backend().sees(await hall.backend().enters(party=entries, min_seats=4))
    assert [(one.mu, round(one.sigma, 3)) for one in ticket.party] == [(31.0, 8.333)]


async def test_rules_are_the_tenant_s_then_the_platform_s_then_the_default(hall: Hall) -> None:
    admin, south = hall.player("root", Role.ADMIN, ""), hall.backend("south")

    async def cap(**fields: str) -> tuple[float, str]:
        found = await admin.call("GetPolicy", name=CASUAL, **fields)
        return found.policy.cap, found.stated_by

    assert await cap(tenant="south") == (25.0, "default")
    ours = (await hall.backend().call("GetPolicy", name=CASUAL)).policy
    ours.cap = 31.0
    await admin.call("UpdatePolicy", name=CASUAL, policy=ours)
    assert await cap(tenant="south") == (31.0, "platform")
    ours.cap = 33.0
    await south.call("UpdatePolicy", name=CASUAL, policy=ours)
    assert await cap(tenant="south") == (33.0, "tenant")
    assert await cap(tenant="north") == (25.0, "tenant")
    await south.call("UpdatePolicy", name=CASUAL)
    assert await cap(tenant="south") == (31.0, "platform")


async def test_rules_that_no_queue_can_keep_are_refused(hall: Hall) -> None:
    good = (await hall.backend().call("GetPolicy", name=CASUAL)).policy
    wide = mm.Policy()
    wide.CopyFrom(good)
    wide.base = wide.cap + 1
    await refused("bad_policy", hall.backend(), "UpdatePolicy", name=CASUAL, policy=wide)
    await refused("invalid_request", hall.backend(), "UpdatePolicy", name=CASUAL, policy={})
    await refused("forbidden", hall.player("ann"), "UpdatePolicy", name=CASUAL, policy=good)
    chess = "games/chess/policies/casual"
    await refused("unknown_game", hall.backend(), "UpdatePolicy", name=chess, policy=good)
    await hall.backend().call("UpdatePolicy", name=CASUAL, policy=good, request_id="p")
    await hall.backend().call("UpdatePolicy", name=CASUAL, policy=good, request_id="p")
    good.cap += 1
    await refused(
        "request_id_reused", hall.backend(), "UpdatePolicy", name=CASUAL, policy=good,
        request_id="p",
    )  # fmt: skip


async def test_seats_are_balanced_over_a_player_s_matches(hall: Hall) -> None:
    ann, bob = hall.players("ann", "bob")
    first: Counter[str] = Counter()
    for _ in range(10):
        hers = await ann.enters(max_seats=2, options_json=SHORT)
        await bob.enters(max_seats=2, options_json=SHORT)
        match = await hall.playable(await ann.is_matched(hers))
        first[match.seats[0].player] += 1
    assert min(first["ann"], first["bob"]) >= 3


async def test_who_met_lately_is_matched_with_somebody_else_if_there_is_one(hall: Hall) -> None:
    ann, bob = hall.players("ann", "bob")
    hers = await ann.enters(max_seats=2)
    await bob.enters(max_seats=2)
    await ann.is_matched(hers)
    requests = [
        {"game": "ambush", "max_seats": 2, "party": [{"player": name}], "request_id": name}
        for name in ("ann", "bob", "cat", "dan")
    ]
    made = (await hall.backend().call("BatchCreateTickets", requests=requests)).outcomes
    matches = [await hall.backend().is_matched(one.name) for one in made]
    assert matches[0] != matches[1]
    assert len(set(matches)) == 2
