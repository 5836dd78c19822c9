"""A bot that plays what the rules refuse."""

from __future__ import annotations

from random import Random
from typing import Any

from services.gamekit.game import Game, Seat
from tests.ambush.cards import Tower
from tests.ambush.moves import LoseGuard


class Stubborn:
    """Always the same."""

    def choose(self, game: Game[Any], state: Any, seat: Seat, rng: Random) -> tuple[Any, ...]:
        """See Policy."""
        return (LoseGuard(Tower.GATE),)


POLICIES = {"stubborn": Stubborn()}
