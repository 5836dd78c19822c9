"""The Picts' attack on one seat, card by card: slow, obvious, and no code of the engine (6)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tests.hadrians_wall.independent import facts
from tests.hadrians_wall.independent.world import Page, give

Favours = Sequence[tuple[str, str]]
"""What was spent: `temple` or `diplomat`, and the cohort whose attacker it cancels."""


def attackers(directions: Iterable[str], favours: Favours = ()) -> dict[str, int]:
    """A card more for each direction shown, one less for each favour spent there."""
    coming = dict.fromkeys(facts.COHORTS, 0)
    for direction in directions:
        coming[direction] += 1
    for _, cohort in favours:
        coming[cohort] -= 1
    return coming


def let_through(page: Page, directions: Iterable[str], favours: Favours = ()) -> dict[str, int]:
    """The cards that no box of their cohort stops, by direction."""
    through = {}
    for cohort, coming in attackers(directions, favours).items():
        left = coming
        for _ in range(page[f"cohort_{cohort}"]):
            if left > 0:
                left -= 1
        through[cohort] = left
    return through


def verdict(year: int, through: int) -> tuple[int, int]:
    """(disdain, valour): each point of the potential is one or the other, disdain first."""
    potential = facts.FACTS["attack"]["potential"][year - 1]
    disdain = valour = 0
    for point in range(1, potential + 1):
        if point <= through:
            disdain += 1
        else:
            valour += 1
    return disdain, valour


def may_help(page: Page, through: dict[str, int]) -> bool:
    """Whether a favour in hand could cancel one of those that get through."""
    return any(
        count > 0 and (page["favours"] > 0 or page[f"favours_{cohort}"] > 0)
        for cohort, count in through.items()
    )


def spend(page: Page, favours: Favours) -> None:
    """Favours that are used are gone."""
    for patron, cohort in favours:
        name = "favours" if patron == "temple" else f"favours_{cohort}"
        assert page[name] > 0
        page[name] -= 1
        page["favours_spent"] += 1


def struck(page: Page, year: int, directions: Iterable[str], favours: Favours = ()) -> Page:
    """The sheet after the attack; what valour brings is kept for the next year."""
    page = dict(page)
    through = sum(let_through(page, directions, favours).values())
    spend(page, favours)
    disdain, valour = verdict(year, through)
    page["disdain"] += disdain
    give(page, ["valour"] * valour)
    return page


def due(year: int, difficulty: str, campaign: int, pieces: int) -> int:
    """How many common cards attack."""
    more = campaign in facts.FACTS["forts"]["all_cards_more"]
    cards: int = facts.FACTS["attack"][difficulty][year - 1]
    return cards + more + pieces
