"""Rows as the contract's messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import and_, exists, select
from sqlalchemy.ext.asyncio import AsyncConnection

from services.scoring import results
from services.scoring.ladders import BOTS, CASUAL, PLAYERS, RANKED, Ladder
from services.scoring.model import PROVISIONAL, Member
from services.scoring.results import timestamp
from services.scoring.rounds import mode_of
from services.scoring.schema import CHANGES, ENTRIES, ROUNDS
from vallum.match.v1 import match_pb2 as pb
from vallum.scoring.v1 import scoring_pb2 as sc

MODES = {RANKED: pb.MODE_RANKED, CASUAL: pb.MODE_CASUAL}


def ladder_message(ladder: Ladder) -> sc.Ladder:
    """A ladder."""
    return sc.Ladder(
        game=ladder.game,
        seats=ladder.seats,
        mode=MODES[ladder.mode],
        bots=ladder.population == BOTS,
        variant=ladder.variant,
    )


def ladder_of(message: sc.Ladder) -> Ladder:
    """A ladder that somebody asks for; one without a mode is ranked."""
    mode = mode_of(message.mode or pb.MODE_RANKED)
    population = BOTS if message.bots else PLAYERS
    return Ladder(message.game, message.seats, mode, population, message.variant)


def rating_message(row: Any) -> sc.Rating:
    """A line of the standings."""
    ladder = Ladder.of(row.ladder)
    return sc.Rating(
        ladder=ladder_message(ladder),
        player=row.name,
        mu=row.mu,
        sigma=row.sigma,
        score=row.score,
        matches=row.matches,
        provisional=not row.shown,
        update_time=timestamp(row.last_ms) if row.last_ms else None,
        season=row.season,
    )


def rating_now(ladder: Ladder, name: str, member: Member, now_ms: int) -> sc.Rating:
    """A rating of all time as it would count in a match that ends now."""
    belief = member.belief if ladder.solo else member.at(now_ms)
    return sc.Rating(
        ladder=ladder_message(ladder),
        player=name,
        mu=belief.mu,
        sigma=belief.sigma,
        score=belief.score,
        matches=member.matches,
        provisional=not ladder.solo and member.matches < PROVISIONAL,
        update_time=timestamp(member.last_ms) if member.last_ms else None,
    )


def change_message(row: Any) -> sc.RatingChange:
    """A change with the round that brought it."""
    return sc.RatingChange(
        ladder=ladder_message(Ladder.of(row.ladder)),
        player=row.name,
        cause=row.cause,
        time=timestamp(row.time_ms),
        mu_before=row.mu_before,
        sigma_before=row.sigma_before,
        mu_after=row.mu_after,
        sigma_after=row.sigma_after,
        place=row.place,
        formula=row.formula,
        season=row.season,
        inputs_json=row.inputs_json,
    )


def with_rounds() -> Any:
    """Changes with their rounds, to be narrowed down."""
    same = and_(*(CHANGES.c[name] == ROUNDS.c[name] for name in ("ladder", "time_ms", "cause")))
    columns = (ROUNDS.c.formula, ROUNDS.c.season, ROUNDS.c.inputs_json)
    return select(CHANGES, *columns).join(ROUNDS, same)


async def result_messages(
    connection: AsyncConnection, rows: Sequence[Any], *, changes: bool
) -> list[sc.MatchResult]:
    """Rows of `results` as they count, with what they did to ratings where that is wanted."""
    names = [row.match_id for row in rows]
    corrected = await results.corrections(connection, names)
    found = []
    for row in rows:
        match = pb.Match.FromString(row.match)
        given = corrected.get(row.match_id, [])
        void = bool(given) and given[-1].void
        places = given[-1].places if given and not void else match.result.places
        found.append(
            sc.MatchResult(
                match=match,
                places=places,
                void=void,
                corrections=given,
                rated=is_known(row) and not await is_due(connection, row.match_id),
                archived=row.archived,
                rating_changes=await changes_of(connection, row.match_id) if changes else (),
            )
        )
    return found


def is_known(row: Any) -> bool:
    """Whether it is known which ladders a match is for; of a solo match its record tells."""
    return bool(row.archived) or row.seat_count > 1


async def is_due(connection: AsyncConnection, match_id: str) -> bool:
    """Whether a ladder must still take a match in."""
    cause = f"matches/{match_id}"
    query = select(exists().where(ENTRIES.c.cause == cause, ENTRIES.c.due))
    return bool((await connection.execute(query)).scalar_one())


async def changes_of(connection: AsyncConnection, match_id: str) -> list[sc.RatingChange]:
    """What a match did to ratings: players before bots, then by place."""
    query = with_rounds().where(CHANGES.c.cause == f"matches/{match_id}")
    order = (CHANGES.c.ladder.desc(), CHANGES.c.place, CHANGES.c.name)
    return [change_message(row) for row in await connection.execute(query.order_by(*order))]
