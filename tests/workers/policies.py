"""Bots that misbehave: what VALLUM_EXTRA_BOTS=tests.workers.policies brings to workers."""

from __future__ import annotations

from random import Random
from typing import Any

from services.bots.policy import Policy, Sequence
from services.gamekit.game import Game, Seat
from tests.ambush.cards import Tower
from tests.ambush.moves import Fortify


class Raising:
    """Has a fault."""

    def choose(self, game: Game[Any], state: Any, seat: Seat, rng: Random) -> Sequence:
        raise RuntimeError("a policy with a fault")


class Cheating:
    """Answers every question with more guards than anybody can pay."""

    def choose(self, game: Game[Any], state: Any, seat: Seat, rng: Random) -> Sequence:
        return (Fortify(Tower.GATE),) * 20


class Garbling:
    """Answers with what is no action."""

    def choose(self, game: Game[Any], state: Any, seat: Seat, rng: Random) -> Sequence:
        return ("nonsense",)  # type: ignore[return-value]  # that is its fault


class Hanging:
    """Thinks for ever, and swallows every exception that it can."""

    def choose(self, game: Game[Any], state: Any, seat: Seat, rng: Random) -> Sequence:
        while True:
            try:
                sum(range(1000))
            except Exception:  # noqa: BLE001 # such a policy is what is tested
                continue


POLICIES: dict[str, Policy] = {
    "raising": Raising(),
    "cheating": Cheating(),
    "garbling": Garbling(),
    "hanging": Hanging(),
}
