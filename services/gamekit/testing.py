"""What a game author's tests use: playouts, perft counts, playthroughs, second worlds.

The checks that every game must pass are in `declaration`, `conformance` and `secrecy`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from random import Random
from typing import Any, Generic, NamedTuple, TypeVar

from msgspec.structs import FieldInfo, asdict, fields

from services.gamekit.chance import Chance, Draw
from services.gamekit.game import (
    NATURE,
    Action,
    Decision,
    Game,
    IllegalOptions,
    NatureMove,
    Options,
    Record,
    S,
    Seat,
    snake,
)
from services.gamekit.play import (
    Entry,
    check_options,
    legal,
    nature_due,
    open_decision,
    play,
    sample,
    start,
)

CODE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
"""How prompts, keys and the codes of refusals are spelt."""


T = TypeVar("T")

Choose = Callable[[Game[Any], Any, Decision, Random], Action[Any]]
"""How a seat of a playout answers a question: `sample`, `any_legal`."""


class Fault(AssertionError):
    """A game does what no host can serve."""


def expect(holds: object, fault: str) -> None:
    """Raise `Fault` unless it holds."""
    if not holds:
        raise Fault(fault)


class Step(NamedTuple, Generic[S]):
    """One move of a playout: the position, the move with its draws, and the position after it."""

    state: S
    seat: Seat
    action: Action[S]
    draws: tuple[Draw, ...]
    after: S

    def entry(self) -> Entry:
        """The move as it would be logged."""
        return Entry(self.seat, self.action, self.draws)


def any_legal(game: Game[S], state: S, decision: Decision, rng: Random) -> Action[S]:
    """A random legal answer, all equally likely. Depends on nothing but the rules and `rng`."""
    return any_of(list(legal(game, state, decision.seat)), rng)


def any_of(items: Sequence[T], rng: Random) -> T:
    """One of `items`; only `random()` gives the same in every version of Python."""
    return items[int(rng.random() * len(items))]


def playout(
    game: Game[S],
    seats: int,
    options: Options | None = None,
    seed: int = 0,
    choose: Choose = sample,
) -> list[Step[S]]:
    """A whole match of random moves, the same for the same seed."""
    state = start(game, seats, options or game.Options())
    rng = Random(seed)  # noqa: S311  # repeatable on purpose, and nobody's secret
    return play_on(game, state, Chance(b"playout %d" % seed), rng, choose)


def play_on(
    game: Game[S], state: S, chance: Chance, rng: Random, choose: Choose = sample
) -> list[Step[S]]:
    """Random moves from `state` to the end.

    NATURE moves as soon as it must; its deferred moves wait their turn among the seats.
    """
    steps: list[Step[S]] = []
    while decisions := game.decisions(state):
        if kind := nature_due(game, state):
            seat, action = NATURE, resolved(kind, state, chance)
        else:
            decision = any_of(decisions, rng)
            seat = decision.seat
            if kind := nature_due(game, state, deferred=True) if seat == NATURE else None:
                action = resolved(kind, state, chance)
            else:
                action = choose(game, state, decision, rng)
        after = play(game, state, seat, action)
        steps.append(Step(state, seat, action, chance.taken(), after))
        state = after
    return steps


def resolved(kind: type[NatureMove[S]], state: S, chance: Chance) -> Action[S]:
    """NATURE's move."""
    return kind.resolve(state, chance)


def perft(game: Game[S], state: S, depth: int) -> int:
    """How many lines of `depth` moves there are, NATURE's moves drawn from one fixed seed.

    Of several open questions the first one is answered. A line that ends early counts.
    """
    chance = Chance(b"perft")
    while kind := nature_due(game, state, deferred=True):
        state = play(game, state, NATURE, kind.resolve(state, chance))
    decisions = game.decisions(state)
    if not depth or not decisions:
        return 1
    seat = decisions[0].seat
    return sum(
        perft(game, play(game, state, seat, action), depth - 1)
        for action in legal(game, state, seat)
    )


def random_options(game: Game[Any], seats: int, rng: Random) -> Options:
    """Options that the game offers for `seats` seats: flags, words and small numbers at random."""
    for _ in range(50):
        options = game.Options(
            **{field.name: random_value(field, rng) for field in fields(game.Options)}
        )
        try:
            check_options(game, seats, options)
        except IllegalOptions:
            continue
        return options
    return game.Options()


def random_value(field: FieldInfo, rng: Random) -> Any:
    """A value for an option; its default where its type has no small range."""
    kind = field.type
    if kind is bool:
        return rng.random() < 0.5
    if kind is int:
        return rng.randrange(10)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return rng.choice(list(kind))
    return field.default


def swap_hidden(game: Game[S], state: S, seat: Seat | None, rng: Random) -> S:
    """A second world: the same to `seat`, with all that it cannot see drawn anew."""
    return game.imagine(state, seat, Chance(rng.randbytes(16)))


def playthrough(game: Game[Any], seats: int, options: Options | None = None, seed: int = 0) -> str:
    """A match of random moves as text, for golden files: a move a line, scores at the end."""
    options = options or game.Options()
    steps = playout(game, seats, options, seed, any_legal)
    lines = [
        f"{game.meta.title}, rules {game.meta.rules_version}, {seats} seats, seed {seed}",
        f"options: {written(options) or 'none'}",
        "",
        *moves_written(game, steps),
        "",
        *scores_written(game, steps[-1].after),
    ]
    return "\n".join(lines) + "\n"


def moves_written(game: Game[S], steps: Sequence[Step[S]]) -> Iterator[str]:
    """Number, seat, prompt with the number of answers to it, move, draws; totals as they change."""
    totals: list[int] = []
    for number, step in enumerate(steps, 1):
        decision = open_decision(game, step.state, step.seat)
        assert decision is not None
        if step.seat == NATURE:
            head = f"{number:4} nature {decision.prompt}:"
        else:
            choices = sum(1 for _ in legal(game, step.state, step.seat))
            about = f" about {decision.about}" if decision.about else ""
            head = f"{number:4} seat {step.seat} {decision.prompt}{about} (of {choices}):"
        draws = "".join(f" [{draw.label}={draw.result}]" for draw in step.draws)
        before, totals = totals, [sheet.total for sheet in game.score(step.after)]
        change = "" if totals == before else f" -> {' '.join(map(str, totals))}"
        yield f"{head} {worded(step.action)}{draws}{change}"


def scores_written(game: Game[S], state: S) -> Iterator[str]:
    """The score sheets and the places."""
    for sheet in game.score(state):
        lines = ", ".join(
            f"{line.key} {line.points}{f' ({line.detail})' if line.detail else ''}"
            for line in sheet.lines
        )
        yield f"seat {sheet.seat}: {sheet.total} = {lines}"
    result = game.result(state)
    assert result is not None
    for place in result.places:
        yield f"place {place.place}: seat {place.seat} with {place.score}, by {place.decided_by}"
    if result.outcome:
        yield f"outcome: {result.outcome}"


def worded(record: Record) -> str:
    """`fill_box track=gate box=3`."""
    return f"{snake(type(record).__name__)} {written(record)}".rstrip()


def written(value: Any) -> str:
    """A value as text; fields that are unset or empty are left out."""
    if isinstance(value, Record):
        fields = asdict(value).items()
        return " ".join(f"{name}={inner(one)}" for name, one in fields if one not in (None, ()))
    if isinstance(value, tuple):
        return ", ".join(inner(one) for one in value)
    return str(value)


def inner(value: Any) -> str:
    """A value within another one."""
    text = written(value)
    return f"({text})" if isinstance(value, Record | tuple) else text
