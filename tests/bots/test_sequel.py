"""Plans compared after what follows them, on a toy: the next seat finds out who steals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Self

import pytest
from msgspec.structs import replace

from services.bots.beam import Line
from services.bots.policy import rng_for
from services.bots.search import Hindsight, Search
from services.bots.sequel import Until, best_followed
from services.gamekit.chance import Chance
from services.gamekit.game import Action, Decision, Game, Meta, Options, Record, Result, Seat
from services.gamekit.game import ScoreSheet as Sheet

THIEF, GUARD = Seat(0), Seat(1)


class Market(Record, frozen=True):
    """Who has what, who is asked, whether something has been stolen."""

    coins: tuple[int, int] = (10, 10)
    asked: int = 0
    stolen: bool = False


class Steal(Action[Market], frozen=True):
    """Five coins, for now."""

    @classmethod
    def candidates(cls, state: Market, seat: Seat) -> Iterator[Self]:
        yield cls()

    def check(self, state: Market, seat: Seat) -> None:
        """Always."""

    def apply(self, state: Market, seat: Seat) -> Market:
        return replace(state, coins=(15, 10), stolen=True, asked=1)


class Pass(Action[Market], frozen=True):
    """Nothing."""

    @classmethod
    def candidates(cls, state: Market, seat: Seat) -> Iterator[Self]:
        yield cls()

    def check(self, state: Market, seat: Seat) -> None:
        """Always."""

    def apply(self, state: Market, seat: Seat) -> Market:
        return replace(state, asked=state.asked + 1)


class Fine(Action[Market], frozen=True):
    """All the coins of a thief go to the guard."""

    @classmethod
    def candidates(cls, state: Market, seat: Seat) -> Iterator[Self]:
        if state.stolen:
            yield cls()

    def check(self, state: Market, seat: Seat) -> None:
        """Always."""

    def apply(self, state: Market, seat: Seat) -> Market:
        return replace(state, coins=(0, 25), asked=2)


class Shortsighted(Game[Market]):
    """Two seats, asked once each."""

    meta = Meta(key="toy", title="Toy", min_seats=2, max_seats=2, rules_version="1")
    State = Market
    View = Market
    Options = Options
    moves: Mapping[str, tuple[type[Action[Any]], ...]] = {"0": (Steal, Pass), "1": (Fine, Pass)}

    def decisions(self, state: Market) -> tuple[Decision, ...]:
        return (Decision(Seat(state.asked), str(state.asked)),) if state.asked < 2 else ()

    def advance(self, state: Market) -> Market:
        return state

    def imagine(self, state: Market, seat: Seat | None, chance: Chance) -> Market:
        return state

    def setup(self, seats: int, options: Any) -> Market:
        return Market()

    def view(self, state: Market, seat: Seat | None) -> Record:
        return state

    def score(self, state: Market) -> tuple[Sheet, ...]:
        return tuple(Sheet(Seat(seat), (), coins) for seat, coins in enumerate(state.coins))

    def result(self, state: Market) -> Result | None:
        return None

    def evaluate(self, state: Market, seat: Seat) -> float:
        return float(state.coins[seat])


class Toy(Shortsighted):
    """The same, each seat's turn told apart."""

    def span(self, state: Market) -> int:
        """Whose turn it is."""
        return state.asked


@pytest.mark.parametrize(
    ("game", "ahead", "plays"),
    [
        (Toy(), 0, Steal()),
        (Toy(), 1, Steal()),
        (Toy(), 2, Pass()),
        (Toy(), 9, Pass()),
        (Shortsighted(), 9, Steal()),
    ],
)
def test_what_is_best_at_once_may_be_worse_later(
    game: Game[Market], ahead: int, plays: Action[Market]
) -> None:
    search = Search(nodes=100, width=4, hindsight=Hindsight(ahead) if ahead else None)
    assert search.choose(game, Market(), THIEF, rng_for("toy", 1, THIEF)) == (plays,)


class Slow(Toy):
    """It says itself that it takes two turns."""

    def shows_after(self, state: Market) -> int:
        """Until the guard has answered."""
        return 2


class Repentant(Toy):
    """Nobody has stolen, in the end, who is not rich by it."""

    def standing(self, state: Market, seat: Seat) -> float:
        """Stolen coins count for nothing."""
        return float(not state.stolen)


@pytest.mark.parametrize(
    ("game", "hindsight", "plays"),
    [
        (Slow(), Hindsight(1), Steal()),
        (Slow(), Hindsight(1, late=1), Pass()),
        (Toy(), Hindsight(1, late=1), Steal()),
        (Repentant(), Hindsight(1), Steal()),
        (Repentant(), Hindsight(1, reckoned=True), Pass()),
        (Toy(), Hindsight(1, reckoned=True), Steal()),
    ],
)
def test_a_game_may_say_when_moves_show_and_what_counts_then(
    game: Game[Market], hindsight: Hindsight, plays: Action[Market]
) -> None:
    search = Search(nodes=100, width=4, hindsight=hindsight)
    assert search.choose(game, Market(), THIEF, rng_for("toy", 1, THIEF)) == (plays,)


class Watched(Slow):
    """It counts the worlds in which plans are followed; so many seats have a score."""

    def __init__(self, seats: int = 2) -> None:
        self.seats = seats
        self.imagined = 0

    def imagine(self, state: Market, seat: Seat | None, chance: Chance) -> Market:
        self.imagined += 1
        return state

    def score(self, state: Market) -> tuple[Sheet, ...]:
        return tuple(Sheet(Seat(seat), (), 0) for seat in range(self.seats))


@pytest.mark.parametrize(
    ("seats", "hindsight", "duel", "worlds"),
    [
        (4, Hindsight(1), None, 1),
        (4, Hindsight(1, worlds=3), None, 3),
        (2, Hindsight(1, worlds=3), None, 3),
        (2, Hindsight(1, worlds=3), Hindsight(1, worlds=2), 2),
        (3, Hindsight(1, worlds=3), Hindsight(1, worlds=2), 3),
        (1, Hindsight(1, worlds=3), Hindsight(1, worlds=2), 3),
        (4, Hindsight(1, worlds=3, late=5), None, 5),
        (4, Hindsight(2, worlds=3, late=5), None, 3),
    ],
)
def test_plans_are_compared_in_so_many_worlds_more_or_less_where_one_plays_one(
    seats: int, hindsight: Hindsight, duel: Hindsight | None, worlds: int
) -> None:
    game, plans = Watched(seats), 2
    search = Search(nodes=100, width=4, hindsight=hindsight, duel=duel)
    search.choose(game, Market(), THIEF, rng_for("toy", 1, THIEF))
    assert game.imagined == plans * worlds


def plan(coins: int) -> Line:
    """A plan that leads to so many coins."""
    return Line(Market(coins=(coins, 10), asked=2), float(coins))


def test_the_better_half_of_the_plans_goes_on_to_the_next_world() -> None:
    game, worlds = Watched(), [bytes([one]) for one in range(5)]
    plans = [plan(coins) for coins in (3, 9, 1, 7, 12, 5)]
    best = best_followed(game, plans, THIEF, worlds, Until(span=2, spans=1))
    assert best.state.coins[THIEF] == 12
    assert game.imagined == 6 + 3 + 2 + 2 + 2


class Lottery(Toy):
    """A theft pays a little nine times in ten; else it costs all."""

    def imagine(self, state: Market, seat: Seat | None, chance: Chance) -> Market:
        return replace(state, coins=(11, 10) if chance.die("luck", 10) > 1 else (-90, 10))

    def evaluate(self, state: Market, seat: Seat) -> float:
        return float(state.coins[seat]) if state.stolen else 10.0


@pytest.mark.parametrize(("worlds", "least", "most"), [(1, 12, 20), (64, 0, 3)])
def test_more_worlds_show_what_is_rare(worlds: int, least: int, most: int) -> None:
    search = Search(nodes=100, width=4, hindsight=Hindsight(1, worlds=worlds))
    chosen = [
        search.choose(Lottery(), Market(), THIEF, rng_for("toy", turn, THIEF)) for turn in range(20)
    ]
    assert least <= chosen.count((Steal(),)) <= most


def test_whoever_is_in_haste_plays_what_is_best_at_once() -> None:
    search = Search(nodes=100, width=4, hindsight=Hindsight(9, haste=1.0))
    assert search.choose(Toy(), Market(), THIEF, rng_for("toy", 1, THIEF)) == (Steal(),)
