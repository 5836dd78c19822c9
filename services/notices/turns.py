"""A player's open questions, as the rules services know them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from importlib import import_module
from typing import NamedTuple

from services.notices.inbox import Box, Playing
from services.runtime.app import App
from services.runtime.calls import Calls, rules_target
from services.runtime.errors import NotFound
from vallum.match.v1 import match_pb2 as match_pb
from vallum.notices.v1 import inbox_pb2 as pb

MOST = 200
"""Matches of one player that are looked at."""
AT_ONCE = 16
"""Calls of one list under way together."""


class Listed(NamedTuple):
    """What `Turns.of` finds."""

    turns: list[pb.Turn]
    matches: int


class Turns:
    """Asks about the matches that an inbox knows of; what is over, it forgets.

    `packages` are the contracts of the hosted games by key.
    """

    def __init__(self, app: App, calls: Calls, packages: Mapping[str, str]) -> None:
        self._app = app
        self._calls = calls
        self._packages = packages

    async def of(self, box: Box, player: str) -> Listed:
        """Every question that `player` has not answered. Raises Unavailable."""
        playing = [one for one in await box.playing(MOST - 1) if one.game in self._packages]
        gate = asyncio.Semaphore(AT_ONCE)
        found = await asyncio.gather(*(self._match(one, gate) for one in playing))
        open_ones, over = [], []
        for one, match in zip(playing, found, strict=True):
            if match is None or match.state == match_pb.MATCH_STATE_FINISHED:
                over.append(one)
            else:
                open_ones.append(match)
        await box.forget(over)
        turns = [turn for match in open_ones for turn in turns_in(match, player)]
        return Listed(turns, len(open_ones))

    async def _match(self, one: Playing, gate: asyncio.Semaphore) -> match_pb.Match | None:
        package = self._packages[one.game]
        rules = import_module(f"{package}.rules_pb2")
        async with gate:
            try:
                answer = await self._calls.unary(
                    rules_target(one.game, self._app.settings, self._app.target),
                    f"/{package}.RulesService/GetMatch",
                    rules.GetMatchRequest(name=one.name),
                    rules.GetMatchResponse,
                )
            except NotFound:
                return None
        found: match_pb.Match = answer.match
        return found


def turns_in(match: match_pb.Match, player: str) -> list[pb.Turn]:
    """The questions of a match that its player himself must answer."""
    own = {seat.index for seat in match.seats if seat.player == player and not seat.bot}
    return [
        pb.Turn(match=match.name, game=match.game, decision=decision)
        for decision in match.decisions
        if decision.seat in own
    ]
