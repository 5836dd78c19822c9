"""Random playouts of each game in one process: what the rules themselves cost."""

from __future__ import annotations

import time
from random import Random

from services.gamekit.chance import Chance
from services.gamekit.game import Game, Seat
from services.gamekit.play import play, sample, settle, start
from services.games import hosted
from tests.bench.figures import Figure

RUNS = 5
SECONDS = 1.0


def playout(game: Game, seats: int, rng: Random) -> int:  # type: ignore[type-arg]  # any game
    """One random game; how many moves people made."""
    chance, moves = Chance(rng.randbytes(32)), 0
    state, _ = settle(game, start(game, seats, game.Options()), chance, deferred=True)
    while game.result(state) is None:
        decision = rng.choice(game.decisions(state))
        state = play(game, state, Seat(decision.seat), sample(game, state, decision, rng))
        state, _ = settle(game, state, chance, deferred=True)
        moves += 1
    return moves


def rate(game: Game, seats: int, rng: Random) -> tuple[float, float]:  # type: ignore[type-arg]  # any game
    """(games/s, moves/s) over about a second."""
    games = moves = 0
    began = time.perf_counter()
    while (took := time.perf_counter() - began) < SECONDS:
        moves += playout(game, seats, rng)
        games += 1
    return games / took, moves / took


def run() -> list[Figure]:
    """Every hosted game and the conformance game, four seats."""
    figures = []
    for key, one in hosted(("tests.ambush.hosted",)).items():
        rng = Random(1)
        playout(one.game, 4, rng)
        rates = [rate(one.game, 4, rng) for _ in range(RUNS)]
        figures.append(Figure(f"playout_{key}_games_per_s", "games/s", [one[0] for one in rates]))
        figures.append(Figure(f"playout_{key}_moves_per_s", "moves/s", [one[1] for one in rates]))
    return figures
