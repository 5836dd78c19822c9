"""The rules service of any hosted game: the contract on one side, the host on the other."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import AsyncIterator
from typing import Any

from services.gamekit.play import check_options, legal
from services.referee.access import may_see, own_seat, playing_seat, viewing
from services.referee.archive import Archive, Kept, NoArchive, may_see_kept
from services.referee.asking import Expectation, Proposal, Request, body_hash
from services.referee.contract import Contract
from services.referee.events import HandOver, Resign, Return, TableEvent
from services.referee.folder import Live
from services.referee.host import Host
from services.referee.listing import Listing
from services.referee.messages import (
    control_of,
    decision_message,
    decision_messages,
    match_message,
    record_message,
    sheet_messages,
)
from services.referee.position import position_of
from services.referee.preview import preview
from services.referee.record import Occupant
from services.referee.standing import Standing
from services.referee.store import Store
from services.referee.watch import Watcher
from services.runtime.app import App
from services.runtime.auth import Role, caller
from services.runtime.bell import Bell
from services.runtime.errors import Forbidden, InvalidRequest, NotFound, Refused, Unimplemented
from vallum.match.v1 import match_pb2 as pb

PAGE = 50


class RulesService:
    """Answers a game's RulesService. Method names are the contract's."""

    def __init__(
        self,
        app: App,
        host: Host,
        contract: Contract,
        listing: Listing,
        bell: Bell,
        standing: Standing,
        bots: frozenset[str],
    ) -> None:
        self.app = app
        self.host = host
        self.store: Store = host.store
        self.contract = contract
        self.listing = listing
        self.bell = bell
        self.standing = standing
        self.bots = bots
        self.archive: Archive = NoArchive()

    async def CreateMatch(self, request: Any, _: Any) -> Any:
        """See the contract. Codes: `unknown_bot`, `ranked_by_tenant_only`, `not_at_the_table`,
        `match_exists`, and those of the game's options."""
        options = self.contract.options(request.options)
        seats = tuple(Occupant(player=one.player, bot=one.bot) for one in request.seats)
        self._may_create(seats, request.mode)
        check_options(self.host.game, len(seats), options)
        live = await self._created(request, seats, options)
        return self.contract.CreateMatchResponse(match=await self._match(live))

    async def GetMatch(self, request: Any, _: Any) -> Any:
        """See the contract."""
        try:
            live = await self._seen(request.name, fresh=True)
        except NotFound:
            match = (await self._kept(request.name)).match
            match.epoch = self.store.epoch
            return self.contract.GetMatchResponse(match=match)
        return self.contract.GetMatchResponse(match=await self._match(live))

    async def ListMatches(self, request: Any, _: Any) -> Any:
        """See the contract. Code: `bad_page_token`."""
        who = caller()
        player = who.subject if who.role == Role.PLAYER else ""
        page = await self.listing.page(
            who.tenant, player, request.page_size or PAGE, request.page_token
        )
        matches = [await self._match(live) for live in await self._lives(page.ids)]
        if request.active_only:
            matches = [one for one in matches if one.state == pb.MATCH_STATE_ACTIVE]
        return self.contract.ListMatchesResponse(matches=matches, next_page_token=page.next_token)

    async def GetView(self, request: Any, _: Any) -> Any:
        """See the contract."""
        live = await self._seen(request.name, fresh=True)
        seat = viewing(live, caller())
        state = live.table.state
        return self.contract.GetViewResponse(
            version=live.version,
            seat=seat,
            view=self.contract.view(live.game.view(state, seat)),
            decisions=decision_messages(live.table),
            sheets=sheet_messages(live.game.score(state)),
        )

    async def ListActions(self, request: Any, _: Any) -> Any:
        """See the contract. Codes: `not_at_the_table`, `not_your_seat`."""
        live = await self._seen(request.name, fresh=True)
        seat = own_seat(live, caller(), wanted(request))
        decision = live.table.decision(seat)
        return self.contract.ListActionsResponse(
            version=live.version,
            decision=decision_message(live.table, decision) if decision else None,
            actions=[
                self.contract.action_message(one)
                for one in legal(live.game, live.table.state, seat)
            ],
        )

    async def Play(self, request: Any, _: Any) -> Any:
        """See the contract. Codes: `stale`, `stale_decision`, `request_id_reused`,
        `sequence_crosses_chance`, `not_your_turn`, `wrong_prompt`, and the rules' own."""
        live = await self._seen(request.name)
        seat = playing_seat(live, caller(), wanted(request))
        expect = Expectation(
            request.expected_version if request.HasField("expected_version") else None,
            request.expected_decision if request.HasField("expected_decision") else None,
        )
        actions = [self.contract.action(one) for one in request.actions]
        reply = await self.host.play(live.id, seat, actions, expect, Request.of(request))
        return self.contract.PlayResponse(
            first_version=reply.first,
            version=reply.last,
            decisions=decision_messages(reply.table),
            finished=not reply.table.open,
        )

    async def Preview(self, request: Any, _: Any) -> Any:
        """See the contract."""
        live = await self._seen(request.name, fresh=True)
        seat = own_seat(live, caller(), wanted(request))
        actions = [self.contract.action(one) for one in request.actions]
        tried = preview(live, seat, actions)
        return self.contract.PreviewResponse(
            version=live.version,
            refused=tried.refused,
            steps=[
                self.contract.PreviewResponse.Step(
                    view=self.contract.view(live.game.view(state, seat)),
                    sheets=sheet_messages(live.game.score(state)),
                )
                for state in tried.states
            ],
        )

    async def Undo(self, _request: Any, _: Any) -> Any:
        """Part of the contract, not served yet."""
        raise Unimplemented("undo_not_available")

    async def Resign(self, request: Any, _: Any) -> Any:
        """See the contract. Codes: `already_resigned`, `game_over`."""
        live = await self._seen(request.name)
        return self.contract.ResignResponse(version=await self._happens(live, request, Resign))

    async def HandOver(self, request: Any, _: Any) -> Any:
        """See the contract. Codes: `ranked_seat`, `bot_in_charge`, `game_over`."""
        live = await self._seen(request.name)
        if live.head.mode == "MODE_RANKED":
            raise Refused("ranked_seat", "no bot plays for a person in a ranked match")
        return self.contract.HandOverResponse(version=await self._happens(live, request, HandOver))

    async def Return(self, request: Any, _: Any) -> Any:
        """See the contract. Codes: `cannot_return`, `game_over`."""
        live = await self._seen(request.name)
        return self.contract.ReturnResponse(version=await self._happens(live, request, Return))

    async def Answer(self, request: Any, _: Any) -> Any:
        """See the contract. Code: `no_window` for a prompt that is no response window."""
        live = await self._seen(request.name, fresh=True)
        seat = playing_seat(live, caller(), wanted(request))
        count = await self.standing.replace(live, seat, request.answers)
        return self.contract.AnswerResponse(count=count)

    async def Watch(self, request: Any, _: Any) -> AsyncIterator[bytes]:
        """See the contract. Codes: `version_ahead`, `epoch_changed`, `shutting_down`."""
        live = await self._seen(request.name, fresh=True)
        viewer = viewing(live, caller())
        watcher = Watcher(self.store, self.contract, live, viewer, request.with_view)
        async for message in watcher.stream(self.bell, request.from_version, self.app.stopping):
            yield message

    async def GetRecord(self, request: Any, _: Any) -> Any:
        """See the contract. Code: `match_not_finished`."""
        try:
            live = await self._seen(request.name, fresh=True)
        except NotFound:
            kept = await self._kept(request.name, with_record=True)
            if not kept.record.entries:  # known, but nobody has its record
                raise
            return self.contract.GetRecordResponse(record=kept.record)
        if live.table.open:
            raise Refused("match_not_finished")
        log = await self.store.entries(live.keys, 1)
        return self.contract.GetRecordResponse(record=record_message(live, log))

    async def GetPosition(self, request: Any, _: Any) -> Any:
        """See the contract. Internal. Code: `not_an_automatic_seat`."""
        live = await self._seen(request.name, fresh=True)
        seat = playing_seat(live, caller(), request.seat)
        return position_of(self.contract, live, seat)

    async def _happens(self, live: Live, request: Any, kind: type[TableEvent]) -> int:
        """Let something happen to the caller's seat; the version after it."""
        seat = own_seat(live, caller(), wanted(request))
        reply = await self.host.happen(live.id, kind(seat), Request.of(request))
        return reply.last

    async def _seen(self, name: str, *, fresh: bool = False) -> Live:
        """A match that the caller may know of. Raises NotFound `match_not_found`."""
        match_id = name.removeprefix("matches/")
        live = await (self.store.fresh(match_id) if fresh else self.store.load(match_id))
        may_see(live, caller())
        return live

    async def _kept(self, name: str, *, with_record: bool = False) -> Kept:
        """A match that the host has let go, and the caller may know of. Raises NotFound."""
        kept = await self.archive.get(name, with_record=with_record)
        return may_see_kept(kept, self.host.game.meta.key, caller())

    async def _match(self, live: Live) -> pb.Match:
        return match_message(
            live, live.table, live.version, await self.store.updated(live), self.store.epoch
        )

    async def _lives(self, ids: list[str]) -> list[Live]:
        found = [await self.store.find(match_id) for match_id in ids]
        return [live for live in found if live]

    def _may_create(self, seats: tuple[Occupant, ...], mode: int) -> None:
        for index, one in enumerate(seats):
            if one.bot and one.bot not in self.bots:
                field = (f"seats[{index}].bot", f"one of {', '.join(sorted(self.bots))}")
                raise InvalidRequest("unknown_bot", fields=[field])
        who = caller()
        if who.role != Role.PLAYER:
            return
        if mode == pb.MODE_RANKED:
            raise Forbidden("ranked_by_tenant_only")
        if not any(one.player == who.subject for one in seats):
            raise Forbidden("not_at_the_table")

    async def _created(self, request: Any, seats: tuple[Occupant, ...], options: Any) -> Live:
        who = caller()
        proposal = Proposal(
            match_id=request.match_id or match_id_for(who, request.request_id),
            tenant=who.tenant,
            seats=seats,
            options=options,
            mode=pb.Mode.Name(request.mode or pb.MODE_CASUAL),
            clock=control_of(request.clock, request.mode) if request.HasField("clock") else None,
            body=body_hash(request),
        )
        live = await self.host.create(proposal)
        await self.listing.add(live.id, live.head.header, live.head.tenant)
        return live


def match_id_for(who: Any, request_id: str) -> str:
    """A new match's id: the same for the same request of the same caller, else random."""
    if not request_id:
        return secrets.token_hex(10)
    text = "\0".join((who.tenant, str(int(who.role)), who.subject, request_id))
    return hashlib.sha256(text.encode()).hexdigest()[:20]


def wanted(request: Any) -> int | None:
    """The seat that a request names, if it does."""
    return request.seat if request.HasField("seat") else None
