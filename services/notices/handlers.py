"""Which facts players are told of, and whom each concerns."""

from __future__ import annotations

from collections.abc import Iterable

from redis.asyncio import Redis

from services.notices.inbox import Asking, Box, Playing
from services.runtime.handling import Handlers as Routes
from vallum.events.v1 import events_pb2 as ev
from vallum.match.v1 import match_pb2 as match_pb
from vallum.notices.v1 import inbox_pb2 as pb


class Handlers:
    """The consumers of facts; `table` says which fact goes where."""

    def __init__(self, redis: Redis, partitions: int) -> None:
        self._redis = redis
        self._partitions = partitions
        self.table: Routes = {
            ev.MatchCreated: (self.seated,),
            ev.TurnOpened: (self.turn,),
            ev.SeatChanged: (self.seat_taken,),
            ev.MatchFinished: (self.ended,),
            ev.PlayerInvited: (self.invited,),
            ev.InvitationEnded: (self.uninvited,),
            ev.PlayerDeleted: (self.deleted,),
        }

    async def seated(self, event: ev.Event, fact: ev.MatchCreated) -> None:
        """Everybody at the table."""
        match = fact.match
        notice = pb.Seated(match=event.subject, game=match.game, seats=match.seats)
        await self._tell_of(event, match.game, people(match.seats), seated=notice)

    async def turn(self, event: ev.Event, fact: ev.TurnOpened) -> None:
        """Who is asked, if it is a person."""
        turn = pb.Turn(match=event.subject, game=fact.game, decision=fact.decision)
        await self._tell_of(event, fact.game, [fact.player] if fact.player else [], turn=turn)

    async def seat_taken(self, event: ev.Event, fact: ev.SeatChanged) -> None:
        """Whose seat it is."""
        notice = pb.SeatTaken(
            match=event.subject, game=fact.game, seat=fact.seat, reason=fact.reason
        )
        await self._tell_of(event, fact.game, people([fact.seat]), seat_taken=notice)

    async def ended(self, event: ev.Event, fact: ev.MatchFinished) -> None:
        """Everybody at the table."""
        match = fact.match
        notice = pb.Ended(match=event.subject, game=match.game, places=match.result.places)
        await self._tell_of(event, match.game, people(match.seats), ended=notice)

    async def invited(self, event: ev.Event, fact: ev.PlayerInvited) -> None:
        """Who is asked to come."""
        notice = pb.Invited(
            **to(event.subject),
            game=fact.game,
            mode=fact.mode,
            by=fact.by,
            rematch_of=fact.rematch_of,
            create_time=event.occurred_at,
        )
        await self._tell(event, [fact.player], Asking(event.subject, event.version), invited=notice)

    async def uninvited(self, event: ev.Event, fact: ev.InvitationEnded) -> None:
        """Who was asked to come."""
        notice = pb.InvitationOver(**to(event.subject), reason=fact.reason)
        about = Asking(event.subject, event.version)
        await self._tell(event, [fact.player], about, invitation_over=notice)

    async def deleted(self, event: ev.Event, _: ev.PlayerDeleted) -> None:
        """Nobody reads his inbox any more."""
        player = event.subject.removeprefix("players/")
        await Box(self._redis, self._partitions, event.tenant, player).erase()

    async def _tell_of(
        self, event: ev.Event, game: str, players: Iterable[str], **notice: object
    ) -> None:
        """Tell something of a match."""
        await self._tell(event, players, Playing(game, event.subject), **notice)

    async def _tell(
        self, event: ev.Event, players: Iterable[str], about: Playing | Asking, **notice: object
    ) -> None:
        message = pb.WatchMyMatchesResponse(
            time=event.occurred_at,
            **notice,  # type: ignore[arg-type]  # one field of the oneof, named by the caller
        )
        for player in players:
            box = Box(self._redis, self._partitions, event.tenant, player)
            await box.tell(event.id, event.occurred_at.ToMilliseconds(), message, about)


def to(subject: str) -> dict[str, str]:
    """What a player is invited to, as the field of a notice that names it."""
    return {"table" if subject.startswith("tables/") else "ticket": subject}


def people(seats: Iterable[match_pb.Seat]) -> list[str]:
    """The players of some seats, each once."""
    return list(dict.fromkeys(seat.player for seat in seats if seat.player))
