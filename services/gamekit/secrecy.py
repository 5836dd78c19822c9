"""The leak test of every game: worlds that look the same from a seat stay the same to it."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec

from services.gamekit.chance import Chance
from services.gamekit.conformance import refusal_of
from services.gamekit.game import NATURE, Action, Game, NatureMove, S, Seat
from services.gamekit.play import legal, open_decision, play
from services.gamekit.testing import Step, expect, swap_hidden

encode = msgspec.msgpack.Encoder().encode


def appearance(
    game: Game[S], state: S, viewer: Seat | None, tried: Sequence[Action[Any]] = ()
) -> bytes:
    """All that a host tells `viewer` (None: a spectator) of a position, as bytes: the view, the
    questions, the scores, what it may do, what a time-out would play for it, and what it hears
    when it tries each of `tried`."""
    told: list[Any] = [
        game.view(state, viewer),
        game.decisions(state),
        game.score(state),
        game.result(state),
    ]
    if viewer is not None:
        decision = open_decision(game, state, viewer)
        told += (
            [list(kind.candidates(state, viewer)) for kind in game.moves[decision.prompt]]
            if decision
            else []
        )
        told.append(list(legal(game, state, viewer)))
        told.append(game.default(state, viewer) if decision else None)
        told.append([refusal_of(game, state, viewer, action) for action in tried])
    return encode(told)


def check_secrecy(game: Game[S], steps: Sequence[Step[S]], viewer: Seat | None, rng: Random) -> int:
    """Walk a playout beside a second world that differs only in what `viewer` cannot see.

    In that world each move is answered by one that is shown to `viewer` as the same; after it
    the worlds must still look the same, and the other way round (`check_updates`). Where there
    is no such move, a new second world is imagined. Only the end of a match may tell them apart.
    Returns how many moves were compared in worlds that did differ.
    """
    tried = list(dict.fromkeys(step.action for step in steps))
    twin: S | None = None
    compared = 0
    for step in steps:
        check_updates(game, step, viewer, rng)
        if twin is None or twin == step.state:
            twin = swap_hidden(game, step.state, viewer, rng)
        rng.shuffle(tried)
        some = tried[:20]
        expect(
            appearance(game, step.state, viewer, some) == appearance(game, twin, viewer, some),
            f"viewer {viewer} can tell two worlds apart before {step.action}",
        )
        move = counterpart(game, step, twin, viewer, rng)
        if move is None:
            twin = None
            continue
        compared += twin != step.state
        twin = play(game, twin, step.seat, move)
        over = game.result(step.after) is not None
        expect(over == (game.result(twin) is not None), f"{step.action} ends one of two worlds")
        if over:
            break
    return compared


def check_updates(game: Game[S], step: Step[S], viewer: Seat | None, rng: Random) -> None:
    """Another move that leads where `viewer` cannot tell the difference is shown as the same."""
    others = other_moves(game, step, step.state, rng) if step.seat != viewer else []
    seen = step.action.shown(step.seat, viewer)
    for move in rng.sample(others, min(3, len(others))):
        if move.shown(step.seat, viewer) == seen:
            continue
        after = play(game, step.state, step.seat, move)
        expect(
            after == step.after
            or appearance(game, after, viewer) != appearance(game, step.after, viewer),
            f"viewer {viewer} is told more of {step.action} than can be seen of it",
        )


def counterpart(
    game: Game[S], step: Step[S], twin: S, viewer: Seat | None, rng: Random
) -> Action[S] | None:
    """A legal move of the second world that `viewer` takes for the first world's move."""
    seen = step.action.shown(step.seat, viewer)
    moves = [step.action] if not refusal_of(game, twin, step.seat, step.action) else []
    if step.seat != viewer:
        moves += other_moves(game, step, twin, rng)
    alike = [move for move in moves if move.shown(step.seat, viewer) == seen]
    return rng.choice(alike) if alike else None


def other_moves(game: Game[S], step: Step[S], twin: S, rng: Random) -> list[Action[S]]:
    """What the seat that moved might have done in the second world."""
    kind = type(step.action)
    if step.seat == NATURE:
        assert issubclass(kind, NatureMove)
        return [kind.resolve(twin, Chance(rng.randbytes(8))) for _ in range(3)]
    return [move for move in legal(game, twin, step.seat) if type(move) is kind]


def check_imagination(game: Game[S], state: S, viewer: Seat | None, rng: Random) -> S:
    """An imagined position looks the same, has the same questions, and repeats with its chance.

    Returns it.
    """
    seed = rng.randbytes(16)
    imagined = game.imagine(state, viewer, Chance(seed))
    again = game.imagine(state, viewer, Chance(seed))
    expect(encode(imagined) == encode(again), "imagine depends on more than its chance")
    expect(
        appearance(game, imagined, viewer) == appearance(game, state, viewer),
        f"viewer {viewer} does not see what it imagines",
    )
    expect(game.advance(imagined) == imagined, "an imagined position is not at rest")
    return imagined
