"""Every game that is hosted, and the conformance game, at every number of seats."""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

from services.gamekit.game import Game, Options, Seat
from services.gamekit.hosted import Hosted
from services.gamekit.testing import random_options
from services.games import hosted

EVERY: dict[str, Hosted] = hosted(("tests.ambush.hosted",))


class Case(NamedTuple):
    """A game at a table of `seats`."""

    game: Game[Any]
    seats: int

    def __str__(self) -> str:
        return f"{self.game.meta.key}-{self.seats}"

    def options(self, seed: int) -> Options:
        """The game's defaults for an even seed, otherwise others that it offers."""
        if seed % 2 == 0:
            return self.game.Options()
        return random_options(self.game, self.seats, Random(seed))

    def viewers(self) -> list[Seat | None]:
        """Every seat, and a spectator."""
        return [None, *map(Seat, range(self.seats))]


GAMES = [one.game for one in EVERY.values()]

CASES = [
    Case(game, seats)
    for game in GAMES
    for seats in range(game.meta.min_seats, game.meta.max_seats + 1)
]
