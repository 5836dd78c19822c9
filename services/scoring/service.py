"""The scoring service's calls: the contract on one side, the tables on the other."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from typing import Any

from sqlalchemy import select

from services.runtime.auth import caller
from services.runtime.database import Database
from services.runtime.errors import InvalidRequest, NotFound
from services.runtime.offsets import offset_of, token_of
from services.scoring import results
from services.scoring.access import (
    is_platform,
    may_see,
    member_asked,
    tenant_seen,
)
from services.scoring.archive import Archive
from services.scoring.boards import Boards, Page
from services.scoring.corrections import Corrections
from services.scoring.ladders import BOTS, Ladder
from services.scoring.messages import (
    change_message,
    ladder_of,
    rating_message,
    rating_now,
    result_messages,
    with_rounds,
)
from services.scoring.model import Member, Who
from services.scoring.rounds import mode_of
from services.scoring.schema import CHANGES, RESULTS, SEATS, STANDINGS
from services.scoring.standings import current
from services.scoring.statistics import head_to_head, statistics
from vallum.match.v1 import match_pb2 as pb
from vallum.scoring.v1 import scoring_pb2 as sc

PAGE = 50


class ScoringService:
    """Answers ScoringService. Method names are the contract's."""

    def __init__(
        self, database: Database, boards: Boards, archive: Archive, corrections: Corrections
    ) -> None:
        self._database = database
        self._boards = boards
        self._archive = archive
        self._corrections = corrections

    async def GetResult(self, request: Any, _: Any) -> Any:
        """See the contract. Code: `match_not_found`."""
        return sc.GetResultResponse(result=await self._result(results.id_of(request.name)))

    async def ListResults(self, request: Any, _: Any) -> Any:
        """See the contract. Code: `bad_page_token`."""
        size, start = request.page_size or PAGE, offset_of(request.page_token)
        query = select(RESULTS).order_by(RESULTS.c.finished_ms.desc(), RESULTS.c.match_id.desc())
        tenant = tenant_seen(request.tenant)
        if tenant is not None:
            query = query.where(RESULTS.c.tenant == tenant)
        if request.player:
            theirs = select(SEATS.c.match_id).where(SEATS.c.player == request.player)
            if tenant is not None:
                theirs = theirs.where(SEATS.c.tenant == tenant)
            query = query.where(RESULTS.c.match_id.in_(theirs))
        if request.game:
            query = query.where(RESULTS.c.game == request.game)
        if request.mode:
            query = query.where(RESULTS.c.mode == mode_of(request.mode))
        async with self._database.reading() as connection:
            rows = (await connection.execute(query.offset(start).limit(size + 1))).all()
            found = await result_messages(connection, rows[:size], changes=False)
        following = token_of(start + size) if len(rows) > size else ""
        return sc.ListResultsResponse(results=found, next_page_token=following)

    async def GetRecord(self, request: Any, _: Any) -> Any:
        """See the contract. Code: `match_not_found`."""
        found = await self._archive.get(results.id_of(request.name))
        if found is None:
            raise NotFound("match_not_found")
        tenant, record = found
        may_see(tenant)
        return sc.GetRecordResponse(record=record)

    async def ExportRecords(self, request: Any, _: Any) -> AsyncIterator[Any]:
        """See the contract."""
        since = results.milliseconds(request.since) if request.HasField("since") else 0
        left = request.limit or -1
        chosen = self._archive.export(request.game, tenant_seen(request.tenant), since)
        async for record in chosen:
            yield sc.ExportRecordsResponse(record=record)
            left -= 1
            if not left:
                return

    async def GetRating(self, request: Any, _: Any) -> Any:
        """See the contract."""
        ladder = ladder_of(request.ladder)
        who = member_asked(ladder, request.player, request.tenant)
        if request.season:
            return sc.GetRatingResponse(rating=await self._of_season(ladder, who, request.season))
        return sc.GetRatingResponse(rating=await self._rating(ladder, who))

    async def ListRatings(self, request: Any, _: Any) -> Any:
        """See the contract."""
        who = member_asked(None, request.player, request.tenant)
        query = (
            select(STANDINGS)
            .where(STANDINGS.c.tenant == who.tenant, STANDINGS.c.name == who.name)
            .where(STANDINGS.c.season == "", STANDINGS.c.matches > 0)
            .order_by(STANDINGS.c.ladder)
        )
        async with self._database.reading() as connection:
            rows = (await connection.execute(query)).all()
        return sc.ListRatingsResponse(ratings=[rating_message(row) for row in rows])

    async def ListRatingChanges(self, request: Any, _: Any) -> Any:
        """See the contract. Code: `bad_page_token`."""
        ladder = ladder_of(request.ladder)
        who = member_asked(ladder, request.player, request.tenant)
        size, start = request.page_size or PAGE, offset_of(request.page_token)
        mine = (CHANGES.c.tenant == who.tenant, CHANGES.c.name == who.name)
        query = with_rounds().where(CHANGES.c.ladder == ladder.key, *mine)
        query = query.order_by(CHANGES.c.time_ms.desc(), CHANGES.c.cause.desc())
        async with self._database.reading() as connection:
            rows = (await connection.execute(query.offset(start).limit(size + 1))).all()
        return sc.ListRatingChangesResponse(
            changes=[change_message(row) for row in rows[:size]],
            next_page_token=token_of(start + size) if len(rows) > size else "",
        )

    async def ListLeaderboard(self, request: Any, _: Any) -> Any:
        """See the contract. Codes: `bad_page_token`, `not_on_the_leaderboard`."""
        page = await self._page(ladder_of(request.ladder), request)
        return sc.ListLeaderboardResponse(
            standings=[
                sc.Standing(rank=one.rank, player=name_shown(one.who), score=one.score)
                for one in page.lines
            ],
            total=page.total,
            next_page_token=page.next_token,
        )

    async def GetStatistics(self, request: Any, _: Any) -> Any:
        """See the contract."""
        mode = mode_of(request.mode) if request.mode else ""
        tenant = tenant_seen(request.tenant)
        async with self._database.reading() as connection:
            return await statistics(connection, request.game, request.seats, mode, tenant)

    async def GetHeadToHead(self, request: Any, _: Any) -> Any:
        """See the contract."""
        who = member_asked(None, request.player, request.tenant)
        other = Who(who.tenant, request.other)
        async with self._database.reading() as connection:
            return await head_to_head(connection, who, other, request.game)

    async def CorrectResult(self, request: Any, _: Any) -> Any:
        """See the contract. Codes: `match_not_found`, `request_id_reused`."""
        await self._corrections.correct(request, caller().subject)
        await self._boards.follow()
        return sc.CorrectResultResponse(result=await self._result(results.id_of(request.name)))

    async def AdjustRating(self, request: Any, _: Any) -> Any:
        """See the contract. Codes: `solo_ladder`, `request_id_reused`."""
        ladder = ladder_of(request.ladder)
        who = Who("" if ladder.population == BOTS else request.tenant, request.player)
        await self._corrections.adjust(ladder, who, request, caller().subject)
        await self._boards.follow()
        return sc.AdjustRatingResponse(rating=await self._rating(ladder, who))

    async def GetArchived(self, request: Any, _: Any) -> Any:
        """See the contract. Internal. Code: `match_not_found`."""
        match_id = results.id_of(request.name)
        row = await self._row(match_id)
        answer = sc.GetArchivedResponse(match=pb.Match.FromString(row.match), tenant=row.tenant)
        if request.with_record and (found := await self._archive.get(match_id)):
            answer.record.CopyFrom(found[1])
        return answer

    async def _row(self, match_id: str) -> Any:
        async with self._database.reading() as connection:
            query = select(RESULTS).where(RESULTS.c.match_id == match_id)
            row = (await connection.execute(query)).one_or_none()
        if row is None:
            raise NotFound("match_not_found")
        may_see(row.tenant)
        return row

    async def _result(self, match_id: str) -> sc.MatchResult:
        row = await self._row(match_id)
        async with self._database.reading() as connection:
            (found,) = await result_messages(connection, [row], changes=True)
        return found

    async def _rating(self, ladder: Ladder, who: Who) -> sc.Rating:
        async with self._database.reading() as connection:
            members = await current(connection, ladder.key, [who])
        now = time.time_ns() // 1_000_000
        return rating_now(ladder, who.name, members.get(who, Member()), now)

    async def _of_season(self, ladder: Ladder, who: Who, season: str) -> sc.Rating:
        query = select(STANDINGS).where(
            STANDINGS.c.ladder == ladder.key,
            STANDINGS.c.season == season,
            STANDINGS.c.tenant == who.tenant,
            STANDINGS.c.name == who.name,
            STANDINGS.c.matches > 0,
        )
        async with self._database.reading() as connection:
            row = (await connection.execute(query)).one_or_none()
        if row is None:
            raise NotFound("not_rated_in_the_season")
        return rating_message(row)

    async def _page(self, ladder: Ladder, request: Any) -> Page:
        size, season = request.page_size or PAGE, request.season
        tenant = tenant_seen(request.tenant) or ""
        if request.scope == sc.SCOPE_FRIENDS:
            friends = [Who(tenant, name) for name in request.friends]
            return await self._boards.friends(ladder.key, season, friends, size, request.page_token)
        everybody = request.scope == sc.SCOPE_GLOBAL or ladder.population == BOTS
        if request.scope == sc.SCOPE_TENANT and not tenant:
            raise InvalidRequest(fields=[("tenant", "name a tenant")])
        board = "" if everybody else tenant
        if request.around:
            who = member_asked(ladder, request.around, request.tenant)
            return await self._boards.around(ladder.key, season, board, who, size)
        return await self._boards.page(ladder.key, season, board, size, request.page_token)


def name_shown(who: Who) -> str:
    """Somebody's name, for those who may know it: a bot's for all, a player's within his tenant."""
    known = not who.tenant or is_platform() or who.tenant == caller().tenant
    return who.name if known else ""
