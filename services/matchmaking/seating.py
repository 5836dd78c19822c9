"""Who sits where: seats are drawn by keyed chance, and who rarely had a seat is likelier to get it.

Pure, and exact enough to be checked by anybody who knows the seed and the players' recent seats:
each seat is a draw as in docs/fairness.md, the candidates weighted as `weight` says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from services.gamekit.chance import Chance

RECENT = 20
"""So many of a player's latest matches count."""
WHOLE = 840
"""One match, in the parts that its seats are counted in: 1 to 8 seats divide it."""
EVEN = 4
"""Somebody who had a seat as often as is fair has 2^4 lots for it."""
MOST = 8
"""Nobody has more than 2^8 lots, nor fewer than one."""
BOT = ""
"""What stands for a bot among the candidates."""


def seat_order(
    chance: Chance,
    label: str,
    people: Sequence[str],
    seats: int,
    past: Mapping[str, Sequence[tuple[int, int]]],
) -> list[str | None]:
    """Who sits in each seat, the first to move first; None is a bot.

    `past` has each player's latest matches, the newest first: the seat, counted from 0, and how
    many there were. Seat n is the draw `label/n` among those who have none yet, a bot with the lots
    of a newcomer. Raises ValueError when somebody would sit twice or nowhere.
    """
    free = sorted(people)
    if len(set(free)) != len(free) or not 0 < len(free) <= seats or BOT in free:
        raise ValueError("players are different persons, and no more than the seats")
    order: list[str | None] = []
    for seat in range(seats):
        lots = {one: weight(past.get(one, ()), seat) for one in free}
        if bots := seats - seat - len(free):
            lots[BOT] = bots << EVEN
        drawn = chance.draw(f"{label}/{seat}", lots)
        order.append(drawn or None)
        if drawn:
            free.remove(drawn)
    return order


def weight(past: Sequence[tuple[int, int]], seat: int) -> int:
    """How many lots somebody has for a seat: twice as many for each half match that he is short of
    it, half as many for each half that he had too much."""
    short = 0
    for had, seats in past[:RECENT]:
        if seat < seats:
            short += WHOLE // seats - WHOLE * (had == seat)
    return 1 << max(0, min(MOST, EVEN + (2 * short) // WHOLE))
