"""What every game must do for a host to serve it, position by position, match by match.

Each check raises `Fault`, which says what is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Self, Union, cast

import msgspec

from services.gamekit.chance import Chance, Dealt
from services.gamekit.declaration import kinds
from services.gamekit.game import (
    NATURE,
    Action,
    Decision,
    Game,
    IllegalAction,
    NatureMove,
    Options,
    S,
    Seat,
)
from services.gamekit.play import (
    guard,
    legal,
    nature_due,
    open_decision,
    play,
    replay,
    sample,
)
from services.gamekit.testing import CODE, Step, expect, play_on

NUMBER = re.compile(r"-?[0-9]+")

MANY = 40
FEW = 6
"""Of long lists of answers so many are tried out, and so many looked at closely."""

encode = msgspec.msgpack.Encoder().encode
"""A position, as hosts keep and compare it."""


def check_position(game: Game[S], state: S, seats: int, rng: Random) -> None:
    """One position: its questions and answers, its scores, its encoding."""
    before = encode(state)
    check_decisions(game, state, seats)
    for decision in game.decisions(state):
        if decision.seat != NATURE:
            check_answers(game, state, decision, rng)
    check_scores(game, state, seats)
    expect(game.advance(state) == state, "advance is not idempotent")
    decoded = msgspec.msgpack.decode(before, type=game.State)
    expect(encode(decoded) == before, "the position does not survive its encoding")
    expect(decoded == state, "the decoded position differs")
    expect(encode(state) == before, "a check, a view or a score changed the position")


def check_decisions(game: Game[S], state: S, seats: int) -> None:
    """At most one question a seat, in seat order; none only at the end."""
    decisions = game.decisions(state)
    asked = [decision.seat for decision in decisions]
    expect(asked == sorted(set(asked)), f"questions out of order or doubled: {decisions}")
    expect(all(NATURE <= seat < seats for seat in asked), f"nobody sits there: {decisions}")
    expect(bool(decisions) == (game.result(state) is None), "questions and result disagree")
    for decision in decisions:
        natural = issubclass(game.moves[decision.prompt][0], NatureMove)
        expect(natural == (decision.seat == NATURE), f"{decision} is not for this seat")
    for seat in map(Seat, range(NATURE, seats)):
        if seat not in asked:
            code = refusal_of(game, state, seat, Unknown())
            expect(code in ("not_your_turn", "game_over"), f"an idle seat hears {code}")


class Unknown(Action[Any], frozen=True):
    """A move that answers no prompt."""

    @classmethod
    def candidates(cls, state: Any, seat: Seat) -> Iterator[Self]:
        return iter(())

    def check(self, state: Any, seat: Seat) -> None:
        raise IllegalAction("unknown")

    def apply(self, state: Any, seat: Seat) -> Any:
        return state


def refusal_of(game: Game[S], state: S, seat: Seat, action: Action[Any]) -> str:
    """Code and details of the refusal, or "" where the move is legal."""
    try:
        guard(game, state, seat, action)
    except IllegalAction as refusal:
        expect(CODE.fullmatch(refusal.code), f"code {refusal.code!r}")
        return str(refusal)
    return ""


def check_answers(game: Game[S], state: S, decision: Decision, rng: Random) -> None:
    """There is an answer; each is listed once, accepted, and survives its encoding."""
    seat = decision.seat
    answers = list(legal(game, state, seat))
    expect(answers, f"{decision} has no answer")
    expect(len(set(answers)) == len(answers), f"{decision} lists an answer twice")
    expect(sample(game, state, decision, rng) in answers, "sample is not among the legal moves")
    expect(game.default(state, seat) in (None, *answers), f"{decision} has an illegal default")
    expect(
        refusal_of(game, state, seat, Unknown()).startswith("wrong_prompt"),
        f"{decision} takes any move",
    )
    for action in rng.sample(answers, min(MANY, len(answers))):
        play(game, state, seat, action)
    for action in rng.sample(answers, min(FEW, len(answers))):
        check_action(game, action, seat)


def check_action(game: Game[Any], action: Action[Any], seat: Seat) -> None:
    """A move survives its encodings; its own seat sees it whole, and `shown` shows it once."""
    union = cast("type[Action[Any]]", Union[kinds(game)])  # noqa: UP007  # made at run time
    for codec in (msgspec.msgpack, msgspec.json):
        data = codec.encode(action)
        expect(codec.decode(data, type=union) == action, f"{action} does not survive {codec}")
    if seat != NATURE:
        expect(action.shown(seat, seat) == action, f"{action} is hidden from its own seat")
    for viewer in (None, *map(Seat, range(game.meta.max_seats))):
        shown = action.shown(seat, viewer)
        expect(type(shown) is type(action), f"{action} is shown as another kind")
        expect(shown.shown(seat, viewer) == shown, f"{action} is shown differently twice")


def check_scores(game: Game[S], state: S, seats: int) -> None:
    """A sheet for each seat in order, and places that agree with the sheets."""
    sheets = game.score(state)
    expect([sheet.seat for sheet in sheets] == list(range(seats)), "a sheet for each seat")
    for sheet in sheets:
        keys = [line.key for line in sheet.lines]
        expect(len(set(keys)) == len(keys), f"a line is on the sheet twice: {keys}")
    result = game.result(state)
    if result is None:
        return
    expect(sorted(place.seat for place in result.places) == list(range(seats)), "places")
    numbers = [place.place for place in result.places]
    for index, place in enumerate(result.places):
        expect(place.place in (index + 1, numbers[index - 1]), f"places are {numbers}")
        expect(place.score == sheets[place.seat].total, f"seat {place.seat}: another score")
        shared = numbers.count(place.place) > 1
        expect(shared == (place.decided_by == "shared"), f"decided_by of seat {place.seat}")
    expect(numbers[0] == 1, f"places are {numbers}")


def check_playout(game: Game[S], seats: int, options: Options, steps: Sequence[Step[S]]) -> None:
    """Replaying the entries, each position taken from its encoding, gives the same positions."""
    state = replay(game, seats, options, ())
    for step in steps:
        expect(encode(state) == encode(step.state), f"replay differs before {step.action}")
        state = msgspec.msgpack.decode(encode(state), type=game.State)
        state = play(game, state, step.seat, step.action)
        check_action(game, step.action, step.seat)
    end = replay(game, seats, options, [step.entry() for step in steps])
    expect(encode(state) == encode(end) == encode(steps[-1].after), "replay differs at the end")
    check_draws(steps)


def check_draws(steps: Sequence[Step[Any]]) -> None:
    """Only NATURE draws, no label is used twice, and a drawn word cannot be taken for a number."""
    labels: set[str] = set()
    for step in steps:
        expect(not step.draws or step.seat == NATURE, f"a seat draws: {step.action}")
        for draw in step.draws:
            expect(draw.label not in labels, f"label {draw.label} is used twice")
            expect("#" not in draw.label, f"label {draw.label} has a #")
            labels.add(draw.label)
            word = isinstance(draw.result, str) and NUMBER.fullmatch(draw.result)
            expect(not word, f"{draw.label} draws the word {draw.result}")


def check_nature(game: Game[S], step: Step[S]) -> None:
    """A move of NATURE is repeated by its draws alone, and a doctored one is refused."""
    kind = nature_due(game, step.state, deferred=True)
    if step.seat != NATURE or kind is None:
        return
    dealt = Dealt({draw.label: draw.result for draw in step.draws})
    expect(kind.resolve(step.state, dealt) == step.action, f"{step.action} is not repeatable")
    expect(dealt.taken() == step.draws, f"{step.action} was drawn from something else")


def check_retirement(game: Game[S], state: S, seats: int, rng: Random) -> list[Seat]:
    """Whoever leaves is asked no more and cannot leave again; the match comes to an end.

    A seat that the rules have put out cannot leave and is asked no more either.
    Returns who left, first leaver first; nobody does where the game does not rule it.
    """
    gone: list[Seat] = []
    everybody = [Seat(seat) for seat in range(seats)]
    while game.meta.retires and game.decisions(state):
        able = [seat for seat in everybody if not retirement_refused(game, state, seat)]
        expect(able, "nobody can leave, and the match goes on")
        for seat in everybody:
            out = seat not in able
            expect(not (out and open_decision(game, state, seat)), f"seat {seat} cannot leave")
        seat = rng.choice(able)
        state = game.advance(game.retire(state, seat))
        gone.append(seat)
        check_position(game, state, seats, rng)
        expect(not any(open_decision(game, state, one) for one in gone), f"{gone} are asked")
        expect(retirement_refused(game, state, seat), f"seat {seat} left twice")
        for step in play_on(game, state, Chance(rng.randbytes(8)), rng)[: rng.randrange(9)]:
            expect(step.seat not in gone, f"seat {step.seat} plays on")
            state = step.after
    expect(retirement_refused(game, state, Seat(0)), "a seat left where it cannot")
    return gone


def retirement_refused(game: Game[S], state: S, seat: Seat) -> bool:
    """Whether `seat` may not leave, said with a proper code."""
    try:
        game.retire(state, seat)
    except IllegalAction as refusal:
        return CODE.fullmatch(refusal.code) is not None
    return False


def check_ends(game: Game[S], state: S, seats: int, rng: Random) -> None:
    """A position, imagined ones too, can be played to its end."""
    steps = play_on(game, state, Chance(rng.randbytes(8)), rng)
    check_position(game, steps[-1].after if steps else state, seats, rng)
