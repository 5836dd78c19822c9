"""The numbers of the rules that stand on no card, each in one place."""

from __future__ import annotations

from services.altarion.goods import Stock, each

ROUND_LIMIT, LEAST_ROUNDS, MOST_ROUNDS = 30, 20, 60
"""A hosted match ends after so many rounds (1.4): unless chosen otherwise, at least, at most."""

START_EACH = 3
"""Pieces of each mineral at the start (3.3)."""

MINE_CARDS = 8
"""Mine cards of each mineral (2.3)."""

MOST_HEROES = 3
"""A player with so many heroes gets no more (4.1)."""

STEPS = {1: 1, 2: 1, 3: 2, 4: 2, 5: 3, 6: 3}
"""Move die -> steps of the walk (5.4)."""

BREATHLESS = (5, 6)
"""Move dice that forbid a dispute (9.5)."""

CARDS_A_MINING = 2
"""Cards drawn for one mining (6.1)."""

GAINS = 2
"""Random minerals for a positive exploration card (7.2)."""

MINE_CROWNS, MINE_MINERALS = 5, 1
"""Price of a mine: crowns, and pieces of its own mineral (8.2)."""

NATION_YIELD, BOARD_YIELD = 1, 2
"""Minerals a round from a mine on the nation card, and from one on the board (8.3)."""

TRUCE_ENDS = 5
"""The first round with disputes (9.4)."""

SPOILS = 2
"""Minerals taken from the loser of a dispute (9.6)."""

TRADE_MOST = 3
"""Pieces in one trade (10.2)."""

FIRST_TRIBUTE = 2
"""The first round in which tribute is due (11.1)."""

DEADLY_MISSES = 3
"""Tributes not sent in a row that kill (12.1)."""

SPECIAL_CROWNS = 25
"""Crowns that a special building costs besides its minerals (2.9)."""

GOAL = 5
"""Special buildings that end the game (1.3)."""


def tribute(specials: int) -> Stock:
    """The tribute of a player with so many special buildings (11.1)."""
    return each(1 + specials)


def recruits(round_: int) -> bool:
    """Whether new heroes arrive at the start of a round: 3, 5, 7, … (4.1)."""
    return round_ > 1 and round_ % 2 == 1
