"""Which facts of others the host acts on."""

from __future__ import annotations

import structlog

from services.gamekit.game import IllegalAction, Refusal, Seat
from services.gamekit.play import check_options
from services.referee.asking import Proposal, Request, body_hash
from services.referee.events import TakeOver
from services.referee.facts import Facts
from services.referee.folder import Live
from services.referee.host import Host, now_ms
from services.referee.listing import Listing
from services.referee.messages import control_of
from services.referee.record import Occupant
from services.runtime.handling import Handlers as Routes
from vallum.events.v1 import events_pb2 as ev
from vallum.match.v1 import match_pb2 as pb

log = structlog.get_logger(__name__)


class Handlers:
    """The host's consumers of facts; `table` says which fact goes where."""

    def __init__(self, host: Host, listing: Listing) -> None:
        self.host = host
        self.listing = listing
        self.table: Routes = {
            ev.MatchFormed: (self.create_match,),
            ev.SeatFound: (self.give_seat,),
            ev.RecordArchived: (self.expire_match,),
        }

    async def create_match(self, event: ev.Event, fact: ev.MatchFormed) -> None:
        """Seat the group under the id in the fact: a repeated fact finds it there."""
        if fact.game != self.host.game.meta.key:
            return
        options = self.host.folder.script.options(fact.options_json or "{}")
        seats = tuple(Occupant(player=one.player, bot=one.bot) for one in fact.seats)
        try:
            check_options(self.host.game, len(seats), options)
        except Refusal as refusal:
            log.error("match_formed_wrongly", match=fact.match_id, code=refusal.code)
            raise
        proposal = Proposal(
            match_id=fact.match_id,
            tenant=event.tenant,
            seats=seats,
            options=options,
            mode=pb.Mode.Name(fact.mode or pb.MODE_CASUAL),
            clock=control_of(fact.clock, fact.mode) if fact.HasField("clock") else None,
            body=body_hash(fact),
        )
        live = await self.host.create(proposal)
        await self.listing.add(live.id, live.head.header, live.head.tenant)

    async def give_seat(self, event: ev.Event, fact: ev.SeatFound) -> None:
        """Give a seat that was left to another player; where that cannot be, say that it is kept.
        A repeated fact changes nothing."""
        live = await self._hosted(event, fact)
        if live is None:
            return
        try:
            if live.table.chairs[fact.seat].player != fact.player:
                await self._take_over(event, fact, live)
        except Refusal as refusal:
            log.info("seat_kept", match=live.id, seat=fact.seat, code=refusal.code)
            facts = Facts(live, live.version, now_ms(), event.id)
            facts.kept(live.table, Seat(fact.seat))
            await self.host.announce_again(live, facts, ())
            return
        await self.listing.add_player(live.id, live.head.header, live.head.tenant, fact.player)

    async def _take_over(self, event: ev.Event, fact: ev.SeatFound, live: Live) -> None:
        """Raises Refusal."""
        if now_ms() > fact.deadline.ToMilliseconds():
            raise IllegalAction("too_late")
        taking = TakeOver(Seat(fact.seat), fact.player)
        await self.host.happen(live.id, taking, Request(event.id, body_hash(fact)))

    async def _hosted(self, event: ev.Event, fact: ev.SeatFound) -> Live | None:
        """The match of a fact, if it is one of ours that is not ranked."""
        if fact.game != self.host.game.meta.key:
            return None
        live = await self.host.store.find(event.subject.removeprefix("matches/"))
        if live is None or live.head.tenant != event.tenant or fact.seat >= len(live.table.chairs):
            return None
        return None if live.head.mode == "MODE_RANKED" else live

    async def expire_match(self, event: ev.Event, fact: ev.RecordArchived) -> None:
        """The archive has the record: the live keys may go after a day."""
        if fact.game == self.host.game.meta.key:
            await self.host.store.expire(event.subject.removeprefix("matches/"))
