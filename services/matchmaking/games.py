"""What may be played here, and whether a request asks for something that can be."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec

from services.gamekit.game import IllegalOptions
from services.gamekit.hosted import Hosted
from services.gamekit.play import check_options
from services.matchmaking.asked import CASUAL, RANKED, Queue, queue_clock
from services.runtime.errors import InvalidRequest
from vallum.match.v1 import match_pb2 as pb

FEWEST = 2
"""Seats that a match between people has at the least."""


class Games:
    """The hosted games by key, and the policies that bots may play by."""

    def __init__(self, hosted: Mapping[str, Hosted], bots: Collection[str]) -> None:
        self._hosted = hosted
        self._bots = bots

    def queue(self, request: Any) -> Queue:
        """Where a request belongs: it has `game`, `options_json`, `mode` and `clock`. Raises
        InvalidRequest `unknown_game`, `bad_options`."""
        hosted = self._hosted.get(request.game)
        if hosted is None:
            raise unknown("game", self._hosted)
        try:
            options = msgspec.json.decode(
                request.options_json or "{}", type=hosted.game.Options, strict=True
            )
        except msgspec.DecodeError as error:
            raise InvalidRequest("bad_options", fields=[("options_json", str(error))]) from None
        return Queue(
            game=request.game,
            mode=RANKED if request.mode == pb.MODE_RANKED else CASUAL,
            options_json=msgspec.json.encode(options).decode(),
            clock=queue_clock(request.clock if request.HasField("clock") else None),
        )

    def sizes(self, queue: Queue, least: int = 0, most: int = 0) -> tuple[int, ...]:
        """The sizes of table, of those asked for, that the game and its options have. Raises
        IllegalOptions where there is none, InvalidRequest `bad_seats`."""
        meta = self._hosted[queue.game].game.meta
        least = max(least or FEWEST, FEWEST)
        most = most or max(meta.max_seats, least)
        if least > most:
            raise InvalidRequest("bad_seats", fields=[("max_seats", "less than min_seats")])
        found, problem = [], None
        for seats in range(least, most + 1):
            try:
                self.check(queue, seats)
                found.append(seats)
            except IllegalOptions as illegal:
                problem = problem or illegal
        if not found:
            assert problem is not None
            raise problem
        return tuple(found)

    def check(self, queue: Queue, seats: int) -> None:
        """Raises IllegalOptions unless a match of so many seats can be played."""
        game = self._hosted[queue.game].game
        check_options(game, seats, msgspec.json.decode(queue.options_json, type=game.Options))

    def all_sizes(self, game: str) -> tuple[int, ...]:
        """Every size of table that a game has for people. Raises InvalidRequest `unknown_game`."""
        if game not in self._hosted:
            raise unknown("game", self._hosted)
        meta = self._hosted[game].game.meta
        return tuple(range(max(FEWEST, meta.min_seats), meta.max_seats + 1))

    def check_bot(self, bot: str, field: str) -> None:
        """Raises InvalidRequest `unknown_bot`."""
        if bot not in self._bots:
            text = f"one of {', '.join(sorted(self._bots))}"
            raise InvalidRequest("unknown_bot", fields=[(field, text)])

    def bot(self, level: str) -> str:
        """The bot of a level; where none of that name is here, the first there is."""
        return level if level in self._bots else min(self._bots, default=level)


def unknown(field: str, there: Collection[str]) -> InvalidRequest:
    """A game that nobody hosts."""
    text = f"one of {', '.join(sorted(there)) or 'none'}"
    return InvalidRequest(f"unknown_{field}", fields=[(field, text)])


def union(sizes: Sequence[int], wanted: Sequence[int]) -> tuple[int, ...]:
    """The sizes that are in both."""
    return tuple(one for one in sizes if one in wanted)
