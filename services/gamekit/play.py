"""Playing any game: what is legal, what a move leads to, what NATURE does in between."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any, TypeVar

from services.gamekit.chance import Chance, Draw
from services.gamekit.game import (
    NATURE,
    Action,
    Decision,
    Game,
    IllegalAction,
    IllegalOptions,
    NatureMove,
    Options,
    Record,
    S,
    Seat,
)

T = TypeVar("T")


class Entry(Record, frozen=True):
    """A move as it was played: by whom, and what was drawn for it."""

    seat: Seat
    action: Action[Any]
    draws: tuple[Draw, ...] = ()


def open_decision(game: Game[S], state: S, seat: Seat) -> Decision | None:
    """The question that `seat` must answer now, if any."""
    for decision in game.decisions(state):
        if decision.seat == seat:
            return decision
    return None


def guard(game: Game[S], state: S, seat: Seat, action: Action[S]) -> None:
    """Raise `IllegalAction` unless `seat` may play `action` now.

    Codes: `game_over`, `not_your_turn`, `wrong_prompt`, and those of the action's own `check`.
    """
    check_answer(game, state, open_decision(game, state, seat), seat, action)


def check_answer(
    game: Game[S], state: S, decision: Decision | None, seat: Seat, action: Action[S]
) -> None:
    """`guard`, for a caller who knows the seat's open decision already."""
    if decision is None:
        raise IllegalAction("game_over" if game.result(state) else "not_your_turn")
    if type(action) not in game.moves[decision.prompt]:
        raise IllegalAction("wrong_prompt", prompt=decision.prompt)
    action.check(state, seat)


def play(game: Game[S], state: S, seat: Seat, action: Action[S]) -> S:
    """The position after `seat` played `action`; raises `IllegalAction` as `guard` does."""
    guard(game, state, seat, action)
    return game.advance(action.apply(state, seat))


def allowed(action: Action[S], state: S, seat: Seat) -> bool:
    """Whether the action's own `check` accepts it."""
    try:
        action.check(state, seat)
    except IllegalAction:
        return False
    return True


def legal(game: Game[S], state: S, seat: Seat) -> Iterator[Action[S]]:
    """Every action that answers the seat's open decision, by kind, in a stable order."""
    decision = open_decision(game, state, seat)
    if decision is None:
        return
    for kind in game.moves[decision.prompt]:
        for action in kind.candidates(state, seat):
            if allowed(action, state, seat):
                yield action


def drawn(items: list[T], rng: Random) -> T:
    """One of `items`, taken out; `shuffle` and `randrange` cost several times as much."""
    spot = int(rng.random() * len(items))
    items[spot], items[-1] = items[-1], items[spot]
    return items.pop()


def sample(game: Game[S], state: S, decision: Decision, rng: Random) -> Action[S]:
    """A random legal answer: a kind of move is drawn, then one of its candidates that passes.

    Not uniform over `legal`; every legal action has a chance. Raises LookupError when the game
    asks a question that has no answer (a fault of the game).
    """
    seat = decision.seat
    kinds = list(game.moves[decision.prompt])
    while kinds:
        tries = list(drawn(kinds, rng).candidates(state, seat))
        while tries:
            action = drawn(tries, rng)
            if allowed(action, state, seat):
                return action
    raise LookupError(f"no answer to {decision.prompt} of seat {decision.seat}")


def nature_due(game: Game[S], state: S, *, deferred: bool = False) -> type[NatureMove[S]] | None:
    """NATURE's next kind of move; a deferred one only when `deferred` is asked for."""
    return nature_answer(game, open_decision(game, state, NATURE), deferred=deferred)


def nature_answer(
    game: Game[S], decision: Decision | None, *, deferred: bool = False
) -> type[NatureMove[S]] | None:
    """`nature_due`, for a caller who knows NATURE's open decision already."""
    if decision is None or (decision.prompt in game.meta.deferred and not deferred):
        return None
    (kind,) = game.moves[decision.prompt]
    assert issubclass(kind, NatureMove)
    return kind


def settle(
    game: Game[S], state: S, chance: Chance, *, deferred: bool = False
) -> tuple[S, list[Entry]]:
    """Play NATURE until a person, a bot or (unless `deferred`) a deferred move is due."""
    entries = []
    while kind := nature_due(game, state, deferred=deferred):
        move = kind.resolve(state, chance)
        state = play(game, state, NATURE, move)
        entries.append(Entry(NATURE, move, chance.taken()))
    return state, entries


def replay(game: Game[S], seats: int, options: Any, entries: Iterable[Entry]) -> S:
    """Fold a log into a position. Raises `IllegalAction` at the first entry the rules refuse."""
    state = game.advance(game.setup(seats, options))
    for entry in entries:
        state = play(game, state, entry.seat, entry.action)
    return state


def check_options(game: Game[Any], seats: int, options: Options) -> None:
    """Raise `IllegalOptions`: code `bad_seats`, or those of the game's own options."""
    if not game.meta.min_seats <= seats <= game.meta.max_seats:
        raise IllegalOptions(
            "bad_seats", field="seats", least=game.meta.min_seats, most=game.meta.max_seats
        )
    options.check(seats)


def start(game: Game[S], seats: int, options: Any) -> S:
    """The first position. Raises `IllegalOptions` as `check_options` does."""
    check_options(game, seats, options)
    return replay(game, seats, options, ())
