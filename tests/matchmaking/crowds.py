"""Tickets to match: drawn by Hypothesis, or a crowd by chance."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from hypothesis import strategies as st

from services.matchmaking.model import Entrant, Group, Waiting
from services.matchmaking.policy import CASUAL, RANKED, Policy

NOW = 1000.0
WANTS = [(2,), (3,), (4,), (2, 3, 4), (3, 4), (2, 4)]
EVERY_SIZE = Policy(seats=(2, 3, 4, 5, 6), bots_after_s=None, base=6.0)
STRICT = Policy(base=1.0, per_s=0.02, cap=5.0, bound_s=120.0, bots_after_s=None, fuller=0.0)
POLICIES = [CASUAL, RANKED, EVERY_SIZE, STRICT]


def ticket(
    number: int,
    mu: float = 25.0,
    waited: float = 0.0,
    seats: tuple[int, ...] = (4,),
    size: int = 1,
    key: str = "",
    avoid: tuple[str, ...] = (),
) -> Waiting:
    """Ticket `t<number>` of the players `p<number>`, `p<number>b` and so on."""
    names = [f"p{number}{suffix}" for suffix in ("", "b", "c", "d", "e")[:size]]
    party = tuple(Entrant(name, mu, 4.0) for name in names)
    return Waiting(f"t{number}", NOW - waited, party, seats, key, avoid)


@st.composite
def crowds(draw: st.DrawFn, most: int) -> list[Waiting]:
    """Up to `most` tickets of every kind."""
    wants = draw(st.lists(st.sampled_from(WANTS), min_size=1, max_size=3, unique=True))
    sizes = draw(st.sampled_from([(1,), (1, 1, 2), (1, 2, 3)]))
    keys = draw(st.sampled_from([("",), ("a", "b")]))
    found = []
    for number in range(draw(st.integers(1, most))):
        mus = st.floats(0.0, 50.0) | st.floats(22.0, 28.0) | st.just(25.0)
        party = tuple(
            Entrant(f"p{number}.{member}", draw(mus), draw(st.sampled_from([1.0, 4.0, 25.0 / 3.0])))
            for member in range(draw(st.sampled_from(sizes)))
        )
        met = draw(st.lists(st.integers(0, most), max_size=2))
        found.append(
            Waiting(
                f"t{number}",
                NOW - draw(st.floats(0.0, 300.0)),
                party,
                draw(st.sampled_from(wants)),
                draw(st.sampled_from(keys)),
                tuple(f"p{other}.0" for other in met),
            )
        )
    return found


def crowd(count: int, seed: int, keys: int = 1, met: int = 1, spread: float = 6.0) -> list[Waiting]:
    """A crowd as an evening has it: mostly single players, waits of 20 s on the average."""
    rng = Random(seed)
    return [one_of(rng, number, count, keys, met, spread) for number in range(count)]


def one_of(rng: Random, number: int, count: int, keys: int, met: int, spread: float) -> Waiting:
    """One ticket of a crowd."""
    seats = rng.choices([(2,), (3,), (4,), (2, 3, 4), (3, 4)], (10, 5, 35, 40, 10))[0]
    size = min(max(seats), rng.choices((1, 2, 3, 4), (80, 14, 4, 2))[0])
    return Waiting(
        f"t{number:07}",
        NOW - rng.expovariate(1 / 20),
        tuple(
            Entrant(f"p{number}.{member}", rng.gauss(25.0, spread), rng.uniform(1.0, 8.3))
            for member in range(size)
        ),
        seats,
        f"k{rng.randrange(keys)}",
        tuple(f"p{rng.randrange(count)}.0" for _ in range(met)),
    )


def by_id(waiting: Sequence[Waiting]) -> dict[str, Waiting]:
    """Tickets by their ids."""
    return {one.ticket: one for one in waiting}


def sitting(groups: Sequence[Group]) -> set[frozenset[str]]:
    """Who sits with whom."""
    return {frozenset(one.tickets) for one in groups}
