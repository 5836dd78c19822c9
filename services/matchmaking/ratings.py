"""How strong players are: as scoring has it, where a match is rated and scoring answers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

import structlog

from services.matchmaking.asked import Queue
from services.matchmaking.model import Entrant
from services.runtime.app import App
from services.runtime.calls import Calls
from services.runtime.errors import VallumError
from vallum.scoring.v1 import scoring_pb2 as sc

PATIENCE_S = 1.0
"""Seconds that a ticket waits for scoring; then its players count as newcomers."""
FRESH_S = 30.0
"""Seconds for which a rating counts that was asked for."""
REMEMBERED = 20_000
AT_ONCE = 16
"""Questions to scoring under way."""
SILENT_S = 5.0
"""Seconds for which scoring is not asked again when it has not answered."""

SEAT_CLASSES = {1: "1", 2: "2", 3: "3-4", 4: "3-4", 5: "5-6", 6: "5-6"}
"""Seats -> the ladder's class of seat counts, as the contract of scoring has them."""

log = structlog.get_logger(__name__)


class Ratings:
    """Asks scoring, and remembers for a while what it said."""

    def __init__(self, app: App, calls: Calls) -> None:
        self._app = app
        self._calls = calls
        self._known: dict[tuple[str, str, str, str], tuple[float, Entrant]] = {}
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._silent_until = 0.0

    async def of(
        self, tenant: str, queue: Queue, seats: int, players: Sequence[str]
    ) -> list[Entrant]:
        """What is believed of players at tables of so many seats; of newcomers in casual play."""
        if not queue.ranked:
            return [Entrant(player) for player in players]
        try:
            async with asyncio.timeout(PATIENCE_S):
                return list(
                    await asyncio.gather(
                        *(self._rating(tenant, queue.game, seats, one) for one in players)
                    )
                )
        except (TimeoutError, VallumError) as error:
            log.warning("ratings_unknown", game=queue.game, error=str(error))
            self._silent_until = time.monotonic() + SILENT_S
            return [Entrant(player) for player in players]

    async def _rating(self, tenant: str, game: str, seats: int, player: str) -> Entrant:
        key = (tenant, game, SEAT_CLASSES[seats], player)
        now = time.monotonic()
        until, known = self._known.get(key, (0.0, Entrant(player)))
        if now < until or now < self._silent_until:
            return known
        async with self._turns:
            answer = await self._calls.unary(
                self._app.settings.scoring_target or self._app.target,
                "/vallum.scoring.v1.ScoringService/GetRating",
                sc.GetRatingRequest(
                    ladder=sc.Ladder(game=game, seats=SEAT_CLASSES[seats]),
                    player=player,
                    tenant=tenant,
                ),
                sc.GetRatingResponse,
            )
        if len(self._known) >= REMEMBERED:
            self._known.clear()
        found = Entrant(player, answer.rating.mu, answer.rating.sigma)
        self._known[key] = (now + FRESH_S, found)
        return found
