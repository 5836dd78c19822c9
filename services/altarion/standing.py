"""How near a player is to the goal, and how safe: for bots."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import astuple

from services.altarion.board import FIELDS
from services.altarion.odds import (
    EXPLORING_WORTH,
    HAUL,
    MINING_WORTH,
    NEXT_HAUL,
    USUAL_HAUL,
)
from services.altarion.prospects import Economy, rounds_left
from services.altarion.rules.dispute import parties
from services.altarion.rules.exploration import limit
from services.altarion.rules.mines import price
from services.altarion.state import SEATS, Hero, Phase, Sheet, Stage, State, Turn
from services.altarion.threats import HERO, dangers, raids
from services.altarion.tracks import (
    BOARD_YIELD,
    MINE_MINERALS,
    MOST_HEROES,
    TRUCE_ENDS,
)
from services.gamekit.game import Seat

DEAD = -60.0
"""How a dead player stands."""

ARRIVING = (0.0, 0.6, 0.95)
"""Heroes that are yet to come, by how many are missing, weighted by how soon they come."""

DEPOSIT = 0.2
"""A deposit that may be used in the next turn, in rounds."""

MISS = (0.7, 3.0, 25.0)
"""What a missed tribute costs in rounds, by the misses before it."""

BUILT = 0.3
"""A special building for its own sake: it decides the ranking."""


class Scene(NamedTuple):
    """What all heroes together mean to each seat: the risk to lose some, in rounds, and the
    pieces that raids will bring or cost."""

    dangers: tuple[float, ...]
    raids: tuple[int, ...]


NO_DANGER, NO_RAID = (0.0,) * len(SEATS), (0,) * len(SEATS)


def scene(state: State) -> Scene:
    """A position's scene. There is danger once there are disputes."""
    heroes = tuple([sheet.heroes for sheet in state.sheets])
    mines = tuple([() if sheet.died else sheet.mines for sheet in state.sheets])
    return Scene(
        dangers(heroes) if state.round >= TRUCE_ENDS - 1 else NO_DANGER,
        raids(heroes, mines, state.phase is Phase.HEROES) if any(mines) else NO_RAID,
    )


def standing(state: State, seat: Seat, scene: Scene) -> float:
    """Larger is better; a difference of one is a round."""
    sheet, turn = state.sheets[seat], state.turn
    waits = state.phase is Phase.SPECIALS and seat not in state.queue
    if turn is None or seat not in (state.queue[0], turn.foe):
        return resting(sheet, state.phase, waits, scene.raids[seat], scene.dangers[seat])
    heroes = surviving(state, seat)
    if sheet.died or not heroes:
        return DEAD
    flexible = scene.raids[seat] + waiting(heroes) + in_progress(state, seat, heroes, turn)
    return valued(sheet, heroes, flexible, waits) - scene.dangers[seat]


@lru_cache(maxsize=4096)
def resting(sheet: Sheet, phase: Phase, waits: bool, raids: int, danger: float) -> float:
    """The standing of a player whom no turn in progress concerns."""
    if sheet.died or (not sheet.heroes and phase is Phase.HEROES):
        return DEAD
    moving = phase is Phase.HEROES or phase is Phase.ARRIVALS
    flexible = raids + (waiting(sheet.heroes) if moving else 0.0)
    return valued(sheet, sheet.heroes, flexible, waits) - danger


def valued(sheet: Sheet, heroes: tuple[Hero, ...], flexible: float, waits: bool) -> float:
    """A player's race, with so many pieces that this round may still bring."""
    return (
        HERO[len(heroes)]
        + BUILT * len(sheet.specials)
        + DEPOSIT * len([hero for hero in heroes if hero.deposits])
        - rounds_left(economy(sheet, heroes, flexible, waits))
        - hunger(sheet, flexible)
    )


def surviving(state: State, seat: Seat) -> tuple[Hero, ...]:
    """The heroes of a player without one that has lost its dispute."""
    heroes, turn = state.sheets[seat].heroes, state.turn
    if turn is None or turn.stage is not Stage.LOOT or parties(state)[1] != seat:
        return heroes
    fallen = turn.target if turn.won else turn.hero
    return tuple(hero for hero in heroes if hero.card != fallen)


def economy(sheet: Sheet, heroes: tuple[Hero, ...], flexible: float, waits: bool) -> Economy:
    """What counts for the race."""
    assert sheet.card is not None
    founding = [hero for hero in heroes if hero.founding]
    mines = len(sheet.mines) + len(founding)
    hauls = sum([NEXT_HAUL[hero.field][hero.card] for hero in heroes])
    return Economy(
        crowns=sheet.crowns - sum(map(price, founding)),
        income=sheet.card.income,
        stock=astuple(sheet.stock),
        specials=sheet.specials,
        flexible=flexible - MINE_MINERALS * len(founding),
        growth=len(sheet.card.mines)
        + BOARD_YIELD * mines
        + hauls
        + ARRIVING[min(2, MOST_HEROES - len(heroes))] * USUAL_HAUL,
        wait=int(waits or not sheet.sent),
    )


def waiting(heroes: tuple[Hero, ...]) -> float:
    """Pieces that heroes who have yet to act may bring before the next tribute."""
    return sum([NEXT_HAUL[hero.field][hero.card] for hero in heroes if not hero.acted])


def in_progress(state: State, seat: Seat, heroes: tuple[Hero, ...], turn: Turn) -> float:
    """Pieces that the turn in progress may bring, or cost."""
    pieces = 0.0
    if turn.stage is Stage.LOOT:
        pieces += turn.due if parties(state)[0] == seat else -turn.due
    if state.queue[0] == seat:
        pieces += sum([in_turn(hero, turn) for hero in heroes if hero.card == turn.hero])
    return pieces


def in_turn(hero: Hero, turn: Turn) -> float:
    """Pieces that the hero whose turn it is may bring yet."""
    match turn.stage:
        case Stage.PICK:
            return turn.due
        case Stage.MINING:
            return MINING_WORTH[FIELDS[hero.field].kind][hero.card]
        case Stage.EXPLORATION | Stage.MORE:
            return EXPLORING_WORTH[hero.card][limit(hero) - len(turn.drawn)]
        case Stage.SPEND | Stage.ROLL | Stage.MOVE:
            return NEXT_HAUL[hero.field][hero.card]
        case _:
            return HAUL[FIELDS[hero.field].kind][hero.card]


def hunger(sheet: Sheet, flexible: float) -> float:
    """The risk not to be able to send the next tribute."""
    due = 1 + len(sheet.specials)
    short: int = sum([due - have for have in astuple(sheet.stock) if have < due])
    if not short:
        return 0.0
    likely = min(1.0, max(0.1, 0.4 + 0.2 * (short - flexible)))
    return likely * MISS[min(2, sheet.misses)]
