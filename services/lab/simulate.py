"""Many matches between bots, played in this process or spread over several."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import msgspec

from services.bots import arena
from services.bots.policies import policies
from services.gamekit.game import Place
from services.gamekit.hosted import Hosted
from services.games import hosted


class Plan(msgspec.Struct, frozen=True):
    """What is to be played. `bots` are handed out seat by seat, and move on by one each game."""

    game: str
    seats: int
    games: int
    bots: tuple[str, ...]
    seed: str
    options: str = "{}"
    record: Path | None = None
    extra_games: tuple[str, ...] = ()
    extra_bots: tuple[str, ...] = ()

    def seated(self, number: int) -> tuple[str, ...]:
        """The policies of one game, in seat order."""
        return tuple(self.bots[(seat + number) % len(self.bots)] for seat in range(self.seats))


class Outcome(msgspec.Struct, frozen=True):
    """How one game went. `moves` counts those of seats, not NATURE's; `error` is "" or why it
    failed; `tale` is what the game keeps of a match for its own figures."""

    number: int
    bots: tuple[str, ...]
    moves: int = 0
    places: tuple[Place, ...] = ()
    ending: str = ""
    error: str = ""
    tale: Any = None


def simulate(plan: Plan, jobs: int = 1) -> Iterator[Outcome]:
    """The games of a plan, in order. They do not depend on how many jobs share them."""
    play = partial(play_one, plan)
    numbers = range(plan.games)
    if jobs == 1:
        yield from map(play, numbers)
        return
    with pool(jobs) as processes:
        share = max(1, min(16, plan.games // (jobs * 4)))
        yield from processes.map(play, numbers, chunksize=share)


@contextmanager
def pool(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Processes that start afresh; what has not begun is dropped when somebody stops it."""
    processes = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"))
    try:
        yield processes
    finally:
        processes.shutdown(cancel_futures=True)


def play_one(plan: Plan, number: int) -> Outcome:
    """Play game `number` of a plan, and write its record if one is wanted."""
    bots = plan.seated(number)
    try:
        played = arena.match(
            found(plan).game, options_of(plan), chosen(plan, bots), seed_of(plan, number)
        )
        if plan.record:
            write_record(plan, number, played.entries)
    except Exception as error:  # a bot or a game at fault ends its own game alone  # noqa: BLE001
        return Outcome(number, bots, error=f"{type(error).__name__}: {error}")
    return Outcome(
        number,
        bots,
        moves=sum(1 for entry in played.entries if entry.seat >= 0),
        places=played.result.places,
        ending=played.result.outcome,
        tale=found(plan).game.tale(played.state),
    )


def write_record(plan: Plan, number: int, entries: Sequence[Any]) -> None:
    """One JSON file: `<game>-<seed>-<number>.json`."""
    from services.lab.record import record_text  # noqa: PLC0415 # slow, and rarely needed

    assert plan.record is not None
    seed, bots = seed_of(plan, number).encode(), plan.seated(number)
    text = record_text(found(plan), f"simulated-{number}", bots, options_of(plan), seed, entries)
    (plan.record / f"{plan.game}-{plan.seed}-{number}.json").write_bytes(text)


def seed_of(plan: Plan, number: int) -> str:
    """The seed of one game."""
    return f"{plan.seed}/{number}"


@cache
def found(plan: Plan) -> Hosted:
    """The game."""
    return hosted(plan.extra_games)[plan.game]


@cache
def options_of(plan: Plan) -> Any:
    """Its options. Raises msgspec.ValidationError."""
    return msgspec.json.decode(plan.options, type=found(plan).game.Options)


def chosen(plan: Plan, names: Sequence[str]) -> list[Any]:
    """The policies of these names."""
    known = policies(plan.extra_bots)
    return [known[name] for name in names]
