"""Changing a match: rule on a request, append it once, and answer it the same for ever."""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Raw
from msgspec.structs import replace

from services.gamekit.chance import Chance, commitment
from services.gamekit.game import NATURE, Action, Refusal, Seat
from services.referee.asking import Expectation, Proposal, Reply, Request
from services.referee.due import deadlines
from services.referee.events import Outage, TableEvent
from services.referee.facts import Facts, facts_of
from services.referee.folder import Folder, Head, Live, Written
from services.referee.log import Append
from services.referee.outages import Outages
from services.referee.record import FORMAT, Header, canonical, root
from services.referee.store import SNAPSHOT_EVERY, Store
from services.referee.turn import Step, event, sequence, settled
from services.runtime.errors import Conflict, NotFound, Unavailable, VallumError

ATTEMPTS = 16
"""How often a request is ruled on anew because somebody else was first."""


Rule = Callable[[Live, int], list[Step]]
"""What becomes of a match at a time, in milliseconds since 1970."""


class Host:
    """The matches of one game."""

    def __init__(self, store: Store, outages: Outages) -> None:
        self.store = store
        self.outages = outages
        self.folder: Folder = store.folder
        self.game = store.folder.game

    async def create(self, proposal: Proposal) -> Live:
        """Seat a table. Idempotent by match_id; Conflict `match_exists` for another body."""
        head = self._head(proposal, secrets.token_bytes(32))
        live = Live(proposal.match_id, head, self.folder, self.store.log.keys(proposal.match_id))
        if not await self.store.create(proposal.match_id, head, self._opening(live)):
            there = await self.store.find(proposal.match_id)  # none: it is of another game
            mine = (proposal.body, proposal.tenant)
            if there is None or (there.head.body, there.head.tenant) != mine:
                raise Conflict("match_exists")
            return there
        return await self.store.load(proposal.match_id)

    async def play(
        self,
        match_id: str,
        seat: Seat,
        actions: Sequence[Action[Any]],
        expect: Expectation,
        request: Request | None,
    ) -> Reply:
        """Apply a sequence, all or nothing. Raises as `sequence` and `Expectation.check` do."""

        def rule(live: Live, now: int) -> list[Step]:
            expect.check(live, seat)
            return sequence(self.game, live.table, seat, actions, Chance(live.seed), now)

        return await self.change(match_id, seat, rule, request)

    async def happen(self, match_id: str, happening: TableEvent, request: Request | None) -> Reply:
        """Let something happen to the table. Raises IllegalAction."""

        def rule(live: Live, now: int) -> list[Step]:
            return event(self.game, live.table, happening, Chance(live.seed), now)

        return await self.change(match_id, happening.seat, rule, request)

    async def change(self, match_id: str, seat: Seat, rule: Rule, request: Request | None) -> Reply:
        """Append what `rule` says of the match as it is; rule anew when somebody was first.

        A refusal counts only once this replica is known to be up to date.
        """
        for _ in range(ATTEMPTS):
            live = await self.store.load(match_id)
            async with live.lock:
                now = max(now_ms(), live.time_ms)
                if await self._took_outage_out(live, now):
                    continue
                try:
                    steps = rule(live, now)
                except (Refusal, VallumError):
                    if stored := await self._stored(live, seat, request):
                        return await self._answered(live, request, stored)
                    known = live.hash
                    if await self.store.catch_up(live) and live.hash == known:
                        raise
                    continue
                before = live.version  # a watcher may fold on while the append is under way
                word, rest = await self._write(live, steps, seat, request, now)
                match word:
                    case "ok":
                        return Reply(before + 1, before + len(steps), steps[-1].table)
                    case "seen":
                        return await self._answered(live, request, rest)
                    case "missing":
                        self.store.drop(live)
                        raise NotFound("match_not_found")
                await self.store.catch_up(live)
        raise Unavailable("contended")

    async def announce_again(
        self, live: Live, facts: Facts, due: Sequence[tuple[str, int]]
    ) -> None:
        """Publish facts of a match that has not moved, with new deadlines; nothing if it has."""
        write = Append(
            expected=live.hash,
            hash=live.hash,
            entries=(),
            time_ms=now_ms(),
            facts=[one.SerializeToString() for one in facts.events],
            due=due,
        )
        await self.store.log.append(live.keys, write)

    async def _took_outage_out(self, live: Live, now: int) -> bool:
        """Write down an outage that the clocks still count; whether there was one."""
        span = self.outages.uncounted(live.table)
        if span is None:
            return False
        outage = Outage(NATURE, span.start, span.end)
        steps = event(self.game, live.table, outage, Chance(live.seed), now)
        word, _ = await self._write(live, steps, NATURE, None, now)
        if word != "ok":
            await self.store.catch_up(live)
        return True

    async def _write(
        self, live: Live, steps: list[Step], seat: Seat, request: Request | None, now: int
    ) -> tuple[str, bytes]:
        after = steps[-1].table
        written = Written.of(live, steps, request.id if request else "", now)
        first, last = live.version + 1, live.version + len(steps)
        due, done = deadlines(self.game, live.id, live.table, after, now)
        shoot = not after.open or last // SNAPSHOT_EVERY > live.version // SNAPSHOT_EVERY
        write = Append(
            expected=live.hash,
            hash=written.hash,
            entries=written.entries,
            time_ms=now,
            request=f"{seat}:{request.id}" if request else "",
            reply=f"{request.body} {first} {last}" if request else "",
            snapshot=self.folder.freeze(after, last, written.hash, now) if shoot else b"",
            facts=facts_of(live, steps, last, now, request.id if request else ""),
            due=due,
            done=done,
        )
        return await self.store.append(live, written, write)

    async def _stored(self, live: Live, seat: Seat, request: Request | None) -> bytes | None:
        if request is None:
            return None
        return await self.store.reply_to(live, f"{seat}:{request.id}")

    async def _answered(self, live: Live, request: Request | None, stored: bytes) -> Reply:
        """The first answer to a request, folded again from the log."""
        body, first, last = stored.decode().split()
        if request is None or request.body != body:
            raise Conflict("request_id_reused")
        await self.store.catch_up(live)
        (frame,) = await self.store.frames(live, int(last) - 1, int(last))
        return Reply(int(first), int(last), frame.table)

    def _head(self, proposal: Proposal, seed: bytes) -> Head:
        meta = self.game.meta
        header = Header(
            format=FORMAT,
            name=f"matches/{proposal.match_id}",
            game=meta.key,
            rules_version=meta.rules_version,
            seats=proposal.seats,
            options=Raw(canonical(proposal.options)),
            seed_commitment=commitment(seed),
            create_time_ms=now_ms(),
            clock=proposal.clock,
        )
        return Head(header, proposal.tenant, proposal.mode, seed.hex(), proposal.body)

    def _opening(self, live: Live) -> Append:
        """Version 0 and what NATURE does before anybody is asked."""
        now = live.head.header.create_time_ms
        steps = settled(self.game, live.table, Chance(live.seed), now)
        after = steps[-1].table if steps else live.table
        written = Written.of(live, steps, "", now)
        nobody_asked = replace(live.table, open=(), asked=tuple(0 for _ in live.table.asked))
        facts = Facts(live, len(steps), now, "")
        facts.created(after)
        facts.turns(nobody_asked, after, None)
        due, _ = deadlines(self.game, live.id, nobody_asked, after, now)
        return Append(
            expected=root(live.head.header),
            hash=written.hash,
            entries=written.entries,
            time_ms=now,
            snapshot=self.folder.freeze(after, len(steps), written.hash, now),
            facts=[one.SerializeToString() for one in facts.events],
            due=due,
        )


def now_ms() -> int:
    """Wall-clock time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def imagining(live: Live, seat: Seat | None, purpose: str) -> Chance:
    """A chance of its own for what a seat imagines: the same for the same seat and version, and
    nothing that tells of the match's."""
    label = f"{purpose}/{live.id}/{seat}/{live.version}"
    return Chance(hmac.digest(live.seed, label.encode(), "sha256"))
