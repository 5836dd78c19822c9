"""What the rules cost: random playouts, and the parts of a move, in CPU time of one process.

A playout draws a kind of move and then one of its candidates that passes (`play.sample`); complete
`legal` is measured apart. Clone is nothing: positions are values, a copy is the same object.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

from msgspec import msgpack

from services.gamekit.chance import Chance
from services.gamekit.game import NATURE, Game, Seat
from services.gamekit.play import legal, play, sample, settle, start
from services.games import hosted
from tests.bench.figures import Figure

RUNS = 5
SECONDS = 1.0
POSITIONS = 40
"""Positions from the middle of as many games: their mean is one run."""


class Spot(NamedTuple):
    """A position in the middle of a game, and a legal move of a seat."""

    state: Any
    seat: Seat
    action: Any


def playout(game: Game[Any], seats: int, rng: Random) -> list[Spot]:
    """One random game: every move that people made, with the position before it."""
    chance, moves = Chance(rng.randbytes(32)), []
    state, _ = settle(game, start(game, seats, game.Options()), chance, deferred=True)
    while game.result(state) is None:
        decision = rng.choice(game.decisions(state))
        action = sample(game, state, decision, rng)
        moves.append(Spot(state, decision.seat, action))
        state = play(game, state, decision.seat, action)
        state, _ = settle(game, state, chance, deferred=True)
    return moves


def rate(game: Game[Any], seats: int, rng: Random) -> tuple[float, float]:
    """(games, moves) per second of CPU, over about a second."""
    games = moves = 0
    began = time.process_time()
    while (took := time.process_time() - began) < SECONDS:
        moves += len(playout(game, seats, rng))
        games += 1
    return games / took, moves / took


def middles(game: Game[Any], seats: int, rng: Random) -> list[Spot]:
    """A position from the middle of each of some games."""
    games = (playout(game, seats, rng) for _ in range(POSITIONS))
    return [moves[len(moves) // 2] for moves in games]


def cost(spots: list[Spot], part: Callable[[Spot], object]) -> float:
    """Microseconds of one part of a move, over all positions."""
    began = time.process_time()
    for spot in spots:
        part(spot)
    return (time.process_time() - began) / len(spots) * 1e6


def parts(game: Game[Any], spots: list[Spot]) -> dict[str, Callable[[Spot], object]]:
    """What is measured apart."""
    encode, decode = msgpack.Encoder().encode, msgpack.Decoder(game.State).decode
    encoded = {id(spot.state): encode(spot.state) for spot in spots}
    return {
        "legal": lambda spot: list(legal(game, spot.state, spot.seat)),
        "apply": lambda spot: game.advance(spot.action.apply(spot.state, spot.seat)),
        "encode": lambda spot: encode(spot.state),
        "decode": lambda spot: decode(encoded[id(spot.state)]),
    }


def run() -> list[Figure]:
    """Every hosted game and the conformance game, four seats."""
    figures = []
    for key, one in hosted(("tests.ambush.hosted",)).items():
        rng, game = Random(1), one.game
        playout(game, 4, rng)
        rates = [rate(game, 4, rng) for _ in range(RUNS)]
        figures.append(Figure(f"playout_{key}_games_per_s", "games/s", [one[0] for one in rates]))
        figures.append(Figure(f"playout_{key}_moves_per_s", "moves/s", [one[1] for one in rates]))
        spots = [spot for spot in middles(game, 4, rng) if spot.seat != NATURE]
        for name, part in parts(game, spots).items():
            runs = [cost(spots, part) for _ in range(RUNS)]
            figures.append(Figure(f"{name}_{key}_us", "µs", runs, "mid-game, mean"))
        sizes = [len(msgpack.encode(spot.state)) for spot in spots]
        figures.append(Figure(f"state_{key}_bytes", "bytes", [float(size) for size in sizes]))
    return figures
