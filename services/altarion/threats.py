"""What heroes on the board mean to others, raids and disputes to come: for bots."""

from __future__ import annotations

from functools import lru_cache

from services.altarion.board import FIELDS, distance
from services.altarion.cards import HEROES, Ability
from services.altarion.odds import winning
from services.altarion.state import BoardMine, Hero
from services.altarion.tracks import BOARD_YIELD

Heroes = tuple[tuple[Hero, ...], ...]
"""The heroes of each seat."""

Mines = tuple[tuple[BoardMine, ...], ...]
"""The board mines of each seat; none of the dead."""

HERO = (0.0, 0.0, 1.5, 2.0)
"""The safety of so many heroes, in rounds."""

LOSS = (0.0, 15.0, HERO[2] - HERO[1] + 1.0, HERO[3] - HERO[2] + 1.0)
"""What the loss of one of so many heroes costs, in rounds."""

REACH = (0.0, 0.5, 0.45, 0.25)
"""How likely a hero so far away attacks in its next turn."""

APART = tuple(
    tuple(distance(one, other) for other in range(len(FIELDS))) for one in range(len(FIELDS))
)


def edge(attacker: int, defender: int) -> float:
    """How much likelier one hero is to win an attack on another one than to lose it, if it is."""
    own, other = HEROES[attacker], HEROES[defender]
    ahead = own.strength + own.bonus(Ability.ATTACK)
    won, lost = winning(ahead - other.strength - other.bonus(Ability.DEFEND))
    return max(0.0, won - lost)


EDGE = tuple(
    tuple(edge(attacker, defender) for defender in range(len(HEROES)))
    for attacker in range(len(HEROES))
)
"""By hero cards, attacker first."""


@lru_cache(maxsize=1024)
def dangers(heroes: Heroes) -> tuple[float, ...]:
    """For each seat the risk to lose heroes that have moved to stronger ones nearby, in rounds."""
    everybody = [(seat, hero) for seat, own in enumerate(heroes) for hero in own]
    risks = [0.0] * len(heroes)
    for seat, hero in everybody:
        if not hero.acted:
            continue
        apart = APART[hero.field]
        for owner, foe in everybody:
            steps = apart[foe.field]
            if steps < len(REACH) and owner != seat:
                risks[seat] += REACH[steps] * EDGE[foe.card][hero.card]
    return tuple(risk * LOSS[len(own)] for risk, own in zip(risks, heroes, strict=True))


@lru_cache(maxsize=1024)
def raids(heroes: Heroes, mines: Mines, moving: bool) -> tuple[int, ...]:
    """For each seat the pieces that raids bring or cost at the next harvest; while heroes are
    `moving`, by those that have moved."""
    owners = {mine.field: seat for seat, own in enumerate(mines) for mine in own}
    pieces = [0] * len(heroes)
    for seat, own in enumerate(heroes):
        for hero in own:
            victim = owners.get(hero.field, seat)
            if victim != seat and (hero.acted or not moving):
                pieces[seat] += BOARD_YIELD
                pieces[victim] -= BOARD_YIELD
    return tuple(pieces)
