"""Each result counts once, and ratings are the fold of results, however these come."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from redis.asyncio import Redis
from sqlalchemy import select, update

from services.runtime.bus import DEAD, ENTRY, Bus, streams
from services.runtime.database import Database
from services.runtime.letters import DeadLetters
from services.runtime.settings import Settings
from services.scoring.archive import Archive, Nowhere
from services.scoring.boards import Boards
from services.scoring.corrections import Corrections
from services.scoring.handlers import Handlers
from services.scoring.ladders import Ladder
from services.scoring.model import Who
from services.scoring.rating import rate_due
from services.scoring.recompute import recomputed
from services.scoring.schema import CHANGES, RESULTS, STANDINGS
from tests.scoring.given import DAY, MINUTE, NOON, finished
from vallum.events.v1 import events_pb2 as ev
from vallum.match.v1 import match_pb2 as pb
from vallum.scoring.v1 import scoring_pb2 as sc


class Shelf:
    """A rules service with the record of every match, each played with these options."""

    def __init__(self, options_json: str) -> None:
        self.options_json = options_json

    async def record(self, game: str, name: str) -> pb.Record:
        return pb.Record(name=name, game=game, options_json=self.options_json)


PEOPLE = [f"p{number}" for number in range(8)]
COLUMNS = ("ladder", "season", "tenant", "name", "mu", "sigma", "score", "matches", "last_ms")


@pytest.fixture
def handlers(database: Database, redis: Redis, settings: Settings) -> Handlers:
    """A scoring service's consumer, called by hand."""
    archive = Archive(database, Nowhere())
    letters = DeadLetters(redis, "scoring")
    return Handlers(database, Boards(redis, database), archive, Bus(redis, settings), letters)


async def told(handlers: Handlers, *events: ev.Event) -> None:
    """Facts, each with all that follows before the next one comes."""
    for event in events:
        for handle in handlers.table[ev.MatchFinished]:
            await handle(event, event.match_finished)
        await rate_due(handlers.database)


def many(count: int, seed: int) -> list[ev.Event]:
    """Matches of a few players over half a year; some ties, some leavers, some at one time."""
    rng = Random(seed)
    events = []
    for number in range(count):
        seats = rng.choice((2, 3, 4))
        places = rng.choice(([1, 1, 3, 4], [1, 2, 3, 4], [4, 3, 2, 1]))[:seats]
        events.append(
            finished(
                f"m{number}",
                [1 + sum(other < place for other in places) for place in places],
                rng.sample(PEOPLE, seats),
                at=NOON + rng.randrange(180) * DAY,
                left=[seats - 1] if rng.random() < 0.1 else (),
                mode=rng.choice((pb.MODE_RANKED, pb.MODE_RANKED, pb.MODE_CASUAL)),
            )
        )
    return events


async def rows(database: Database, table: Any, columns: Sequence[str]) -> list[tuple[Any, ...]]:
    chosen = [table.c[name] for name in columns]
    async with database.reading() as connection:
        found = (await connection.execute(select(*chosen).order_by(*chosen))).all()
    return [tuple(row) for row in found]


async def standings(database: Database) -> list[tuple[Any, ...]]:
    found = await rows(database, STANDINGS, COLUMNS)
    return [row for row in found if row[COLUMNS.index("matches")]]


async def test_a_fact_that_comes_twice_counts_once(database: Database, handlers: Handlers) -> None:
    event = finished("m1", (1, 2, 3))
    await told(handlers, event)
    once = await standings(database)
    await told(handlers, event, event)
    assert await standings(database) == once
    assert len(await rows(database, RESULTS, ("match_id",))) == 1
    assert {row[COLUMNS.index("matches")] for row in once} == {1}


async def test_a_second_result_of_a_match_is_not_one(
    database: Database, handlers: Handlers
) -> None:
    await told(handlers, finished("m1", (1, 2)))
    once = await standings(database)
    other = finished("m1", (2, 1))
    other.id = "m1/41/0"
    await told(handlers, other)
    assert await standings(database) == once


async def test_the_order_in_which_facts_come_does_not_matter(
    database: Database, handlers: Handlers
) -> None:
    events = many(30, seed=4)
    shuffled = [*events, *events[:10]]
    Random(5).shuffle(shuffled)
    await told(handlers, *shuffled)
    verdict = await recomputed(database)
    assert verdict.equal, verdict.examples
    assert verdict.results == 30
    assert verdict.changes == len(await rows(database, CHANGES, ("name",)))


async def test_catching_up_gives_the_numbers_of_having_been_there(
    database: Database, handlers: Handlers
) -> None:
    events = sorted(many(30, seed=6), key=lambda one: one.occurred_at.seconds)
    await told(handlers, *events[:15])
    for event in reversed(events[15:]):  # stored while nobody rated
        await handlers.store_result(event, event.match_finished)
    assert not (await recomputed(database)).equal
    await rate_due(database)
    verdict = await recomputed(database)
    assert verdict.equal, verdict.examples


async def test_results_that_were_given_up_while_the_database_was_away_count_in_the_end(
    database: Database, handlers: Handlers, redis: Redis
) -> None:
    body = finished("m1", (1, 2)).SerializeToString()
    await redis.xadd(DEAD, {ENTRY: body, "group": "scoring"})
    await redis.xadd(DEAD, {ENTRY: body, "group": "another"})
    await redis.xadd(DEAD, {ENTRY: b"nonsense", "group": "scoring"})
    await handlers.catch_up()
    assert (await recomputed(database)).results == 1
    assert await redis.xlen(DEAD) == 2
    await handlers.catch_up()
    verdict = await recomputed(database)
    assert verdict.equal
    assert verdict.changes == 2


async def test_solo_scores_are_ranked_once_their_options_are_known(
    database: Database, redis: Redis, settings: Settings
) -> None:
    archive = Archive(database, Shelf('{"difficulty":"hard","campaign":3}'))
    boards, bus = Boards(redis, database), Bus(redis, settings)
    handlers = Handlers(database, boards, archive, bus, DeadLetters(redis, "scoring"))
    for number, score in enumerate((41, 63, 63)):
        who = (("ann",), ("bob",), ("cat",))[number]
        event = finished(f"m{number}", (1,), who, scores=[score], mode=pb.MODE_CASUAL)
        await handlers.store_result(event, event.match_finished)
    assert await standings(database) == []
    await handlers.catch_up()
    ladder = "ambush/1/casual/players/hard/3"
    page = await boards.page(ladder, "2026-q4", "north", 10, "")
    ranks = sorted((line.rank, line.who.name, line.score) for line in page.lines)
    assert ranks == [(1, "bob", 63.0), (1, "cat", 63.0), (3, "ann", 41.0)]
    verdict = await recomputed(database)
    assert verdict.equal, verdict.examples
    told = [await redis.xlen(key) for key in streams("archive", settings.partitions)]
    assert sum(told) == 3


async def test_a_rating_that_was_tampered_with_is_found(
    database: Database, handlers: Handlers
) -> None:
    await told(handlers, *many(10, seed=7))
    async with database.begin() as connection:
        forged = update(STANDINGS).where(STANDINGS.c.name == "p1").values(mu=STANDINGS.c.mu + 1e-9)
        await connection.execute(forged)
    verdict = await recomputed(database)
    assert not verdict.equal
    assert all("'p1'" in one for one in verdict.examples)


async def test_a_void_match_leaves_ratings_as_if_it_had_not_been(
    database: Database, handlers: Handlers
) -> None:
    await told(handlers, *many(15, seed=8))
    before = await standings(database)
    extra = finished("extra", (1, 2, 3), PEOPLE[:3], at=NOON + 3 * MINUTE)
    await told(handlers, extra)
    assert await standings(database) != before
    corrections = Corrections(database, handlers.wanted.set)
    request = sc.CorrectResultRequest(
        name="matches/extra", void=True, reason="played with marked cards", request_id="c1"
    )
    await corrections.correct(request, "root")
    await corrections.correct(request, "root")
    assert await standings(database) == before
    verdict = await recomputed(database)
    assert verdict.equal, verdict.examples


async def test_corrected_places_rate_and_what_was_told_first_stays(
    database: Database, handlers: Handlers
) -> None:
    await told(handlers, finished("m1", (1, 2)))
    first = await standings(database)
    corrections = Corrections(database, handlers.wanted.set)
    places = [pb.Place(seat=0, place=2, score=3), pb.Place(seat=1, place=1, score=9)]
    await corrections.correct(
        sc.CorrectResultRequest(
            name="matches/m1", places=places, reason="miscounted", request_id="c1"
        ),
        "root",
    )
    now = await standings(database)
    name, mu = COLUMNS.index("name"), COLUMNS.index("mu")
    assert {row[name]: row[mu] for row in now} == {
        {"ann": "bob", "bob": "ann"}[row[name]]: row[mu] for row in first
    }
    (stored,) = await rows(database, RESULTS, ("match",))
    assert pb.Match.FromString(stored[0]) == finished("m1", (1, 2)).match_finished.match
    assert (await recomputed(database)).equal


async def test_an_adjustment_is_one_more_fact_of_the_fold(
    database: Database, handlers: Handlers
) -> None:
    await told(handlers, finished("m1", (1, 2)))
    corrections = Corrections(database, handlers.wanted.set)
    ladder = Ladder("ambush", "2", "ranked")
    request = sc.AdjustRatingRequest(mu=30.0, sigma=2.0, reason="boosted", request_id="a1")
    await corrections.adjust(ladder, Who("north", "ann"), request, "root")
    name, mu = COLUMNS.index("name"), COLUMNS.index("mu")
    assert {row[mu] for row in await standings(database) if row[name] == "ann"} == {30.0}
    await told(handlers, finished("m0", (2, 1), at=NOON - DAY))
    assert {row[mu] for row in await standings(database) if row[name] == "ann"} == {30.0}
    verdict = await recomputed(database)
    assert verdict.equal, verdict.examples
