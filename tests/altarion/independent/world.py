"""What lies on the table, and how it is asked about. Numbers are those of the rules document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Sequence
from typing import Any, NamedTuple

from tests.altarion.independent.board import DATA

WHEEL: list[str] = [one["id"] for one in DATA["minerals"]]
NATIONS = {one["id"]: one for one in DATA["nations"]}
HEROES = {one["id"]: one for one in DATA["heroes"]}
TRIALS = {one["kind"]: one["count"] for one in DATA["exploration_deck"]["cards"]}
SEAMS = {
    f"{kind['kind']}_{mineral}": kind["count"]
    for kind in DATA["mining_deck"]["per_mineral"]
    for mineral in WHEEL
}

Word = tuple[Any, ...]
"""An answer or a move of NATURE: its kind, then its fields."""

Story = Generator["Ask", Word, Any]
"""A piece of a match: it asks, and is told the answer."""


class Ask(NamedTuple):
    """Who is asked what. `options` are all the answers; NATURE (-1) has none to choose from."""

    seat: int
    prompt: str
    options: frozenset[Word] = frozenset()


class Over(Exception):
    """The match has ended, in the way that is told."""


class Hero:
    """A hero on the board."""

    def __init__(self, card: int, field: int) -> None:
        self.card, self.field = card, field
        self.fresh, self.acted, self.fought = True, False, False
        self.deposits: list[str] = []
        self.founding = ""

    def able(self, ability: str) -> int:
        """How much of an ability it has (2.6)."""
        card = HEROES[self.card]
        return int(card["n"]) if card["ability"] == ability else 0

    def of(self, parameter: str) -> int:
        """Strength or mining; nothing for no parameter."""
        return int(HEROES[self.card][parameter]) if parameter else 0


class Player:
    """What lies before a player."""

    def __init__(self) -> None:
        self.nation = ""
        self.crowns, self.misses, self.died = 0, 0, 0
        self.sent = True
        self.stock = Counter[str]()
        self.heroes: list[Hero] = []
        self.mines: dict[int, str] = {}
        self.built: list[str] = []
        self.attacked: set[int] = set()

    def keys(self) -> tuple[int, ...]:
        """The ranking keys (12.4)."""
        return len(self.built), len(self.mines) + 3, self.stock.total(), self.crowns

    def pays(self, price: dict[str, int]) -> bool:
        """Whether it has all these minerals."""
        return all(self.stock[mineral] >= count for mineral, count in price.items())


def cards_of(player: Player) -> list[str]:
    """The mines on a nation card (3.4)."""
    cards: list[str] = NATIONS[player.nation]["mines"]
    return cards


class World:
    """A match."""

    def __init__(self, seats: int, limit: int) -> None:
        self.players = [Player() for _ in range(seats)]
        self.limit, self.round, self.first, self.deaths = limit, 0, 0, 0
        self.ending = ""
        self.unseen, self.sand, self.recruited = [*HEROES], list[int](), 0
        self.piles = {"mining": Counter(SEAMS), "exploration": Counter(TRIALS)}
        self.used = {"mining": Counter[str](), "exploration": Counter[str]()}
        self.taken = Counter[str]()
        self.draws: list[tuple[str, list[Any]]] = []
        """What NATURE has drawn: each label with everything that could be drawn."""

    def order(self) -> list[int]:
        """Living seats from the first player clockwise (4.0)."""
        count = len(self.players)
        seats = [(self.first + step) % count for step in range(count)]
        return [seat for seat in seats if not self.players[seat].died]

    def heroes(self) -> list[tuple[int, Hero]]:
        """All on the board, with their owners."""
        return [(seat, hero) for seat, one in enumerate(self.players) for hero in one.heroes]

    def held(self) -> set[int]:
        """Fields on which heroes stand."""
        return {hero.field for _, hero in self.heroes()}

    def mined(self, field: int) -> bool:
        """Whether there is a mine; those of the dead are gone (12.2)."""
        return any(field in one.mines for one in self.players if not one.died)

    def supply(self, mineral: str) -> int:
        """Mine cards that are left (2.3)."""
        living = [one for one in self.players if not one.died]
        board = sum([*one.mines.values()].count(mineral) for one in living)
        return 8 - board - sum(cards_of(one).count(mineral) for one in living)

    def choose(self, seat: int, prompt: str, options: Iterable[Word]) -> Story:
        """One of the options; who has a single one is not asked (13.3)."""
        every = frozenset(options)
        if len(every) == 1:
            return next(iter(every))
        answer = yield Ask(seat, prompt, every)
        assert answer in every
        return answer

    def drew(self, label: str, candidates: Sequence[Any], result: Any) -> None:
        """NATURE has drawn."""
        assert result in candidates
        self.draws.append((label, sorted(candidates)))

    def rolled(self, seat: int, hero: Hero, what: str, die: int) -> None:
        """A die of a hero has fallen (13.1)."""
        self.drew(f"die/{self.round}/{seat}/{hero.card}/{what}", range(1, 7), die)

    def card(self, pile: str, card: str) -> None:
        """A card is drawn; an empty pile is refilled from its discard first (6.4)."""
        left = self.piles[pile]
        if not left.total():
            left.update(self.used[pile])
            self.used[pile].clear()
        self.drew(f"{pile}/{self.taken[pile]}", [*left.elements()], card)
        left[card] -= 1
        self.taken[pile] += 1

    def bury(self, *seats: int) -> None:
        """Players die together (12.2); the last one left has won (1.3)."""
        self.deaths += 1
        for seat in seats:
            one = self.players[seat]
            one.died = self.deaths
            self.sand += [hero.card for hero in one.heroes]
            one.heroes.clear()
        if len(self.order()) < 2:
            raise Over("elimination")

    def places(self) -> list[list[int]]:
        """Who shares each place (12.5)."""
        ranked: dict[tuple[int, ...], list[int]] = {}
        for seat, one in enumerate(self.players):
            ranked.setdefault((one.died or self.deaths + 1, *one.keys()), []).append(seat)
        return [ranked[key] for key in sorted(ranked, reverse=True)]
