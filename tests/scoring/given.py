"""Finished matches as facts, and a scoring service in this process that has heard of them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import grpc
from redis.asyncio import Redis

from services.referee.archive import ScoringArchive
from services.referee.bind import rules
from services.runtime.app import App
from services.runtime.auth import Caller, Keys, Role, Verifier
from services.runtime.settings import Settings
from services.scoring.bind import scoring
from services.scoring.results import timestamp
from tests.ambush.hosted import HOSTED
from tests.referee.given import KEYS, Refused, World
from vallum.events.v1 import events_pb2 as ev
from vallum.match.v1 import match_pb2 as pb
from vallum.scoring.v1 import scoring_pb2 as sc

NOON = 1_793_620_800_000
"""2026-11-02 12:00 UTC, in milliseconds: in the season "2026-q4"."""
MINUTE, DAY = 60_000, 86_400_000


def finished(
    match_id: str,
    places: Sequence[int],
    who: Sequence[str] = ("ann", "bob", "cat", "dan", "eve", "fay"),
    *,
    at: int = NOON,
    tenant: str = "north",
    game: str = "ambush",
    mode: pb.Mode.ValueType = pb.MODE_RANKED,
    left: Iterable[int] = (),
    scores: Sequence[int] | None = None,
) -> ev.Event:
    """The fact that a match has ended. `who` are players or "bot:easy"; `left` are seats."""
    gone = set(left)
    points = scores or [50 - place for place in places]
    seats = []
    for index, name in enumerate(who[: len(places)]):
        kind, _, policy = name.partition(":")
        bot = policy if kind == "bot" and policy else ""
        seats.append(
            pb.Seat(index=index, player="" if bot else name, bot=bot, retired=index in gone)
        )
    result = pb.Result(
        places=sorted(
            (
                pb.Place(seat=seat, place=place, score=points[seat], decided_by="score")
                for seat, place in enumerate(places)
            ),
            key=lambda one: one.place,
        ),
        sheets=[
            pb.ScoreSheet(
                seat=seat,
                total=total,
                lines=[pb.ScoreLine(key="renown", points=total, detail="counted")],
            )
            for seat, total in enumerate(points[: len(places)])
        ],
    )
    match = pb.Match(
        name=f"matches/{match_id}",
        game=game,
        rules_version="1",
        state=pb.MATCH_STATE_FINISHED,
        mode=mode,
        seats=seats,
        version=40,
        create_time=timestamp(at - 30 * MINUTE),
        update_time=timestamp(at),
        result=result,
    )
    return ev.Event(
        id=f"{match_id}/40/0",
        subject=match.name,
        version=40,
        occurred_at=timestamp(at),
        tenant=tenant,
        match_finished=ev.MatchFinished(game=game, match=match),
    )


class Asker:
    """Somebody with a token who calls the scoring service."""

    def __init__(self, channel: grpc.aio.Channel, caller: Caller) -> None:
        self._channel = channel
        self._metadata = (("authorization", f"Bearer {KEYS.mint(caller)}"),)

    async def call(self, method: str, **fields: Any) -> Any:
        """Any unary call, by the fields of its request. Raises Refused."""
        request = getattr(sc, f"{method}Request")(**fields)
        stub: Any = self._channel.unary_unary(
            f"/vallum.scoring.v1.ScoringService/{method}",
            request_serializer=type(request).SerializeToString,
            response_deserializer=getattr(sc, f"{method}Response").FromString,
        )
        try:
            return await stub(request, metadata=self._metadata, timeout=20)
        except grpc.aio.AioRpcError as error:
            raise Refused(error) from None

    async def export(self, **fields: Any) -> list[pb.Record]:
        """Every record of an export."""
        stub: Any = self._channel.unary_stream(
            "/vallum.scoring.v1.ScoringService/ExportRecords",
            request_serializer=sc.ExportRecordsRequest.SerializeToString,
            response_deserializer=sc.ExportRecordsResponse.FromString,
        )
        call = stub(sc.ExportRecordsRequest(**fields), metadata=self._metadata, timeout=20)
        return [one.record async for one in call]


class Hall(NamedTuple):
    """A host and a scoring service in one process."""

    world: World
    redis: Redis

    def asks(self, name: str, role: Role = Role.PLAYER, tenant: str = "north") -> Asker:
        """Somebody who asks."""
        return Asker(self.world.channel, Caller(name, tenant, role))


@asynccontextmanager
async def hall(redis: Redis, settings: Settings, keys: Keys = KEYS) -> AsyncIterator[Hall]:
    """Both services on one storage and one database."""
    binds = [
        scoring({HOSTED.game.meta.key: HOSTED.package}, keys),
        rules(HOSTED, frozenset({"random"}), lambda app: ScoringArchive(app, keys)),
    ]
    async with (
        App(settings, binds, Verifier(keys)) as app,
        grpc.aio.insecure_channel(app.target) as channel,
    ):
        yield Hall(World(app, channel), redis)
