"""Every move that can be said: each kind with all its arguments, sensible or not."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from random import Random
from typing import Any

from services.hadrians_wall.buildings import Building, Landmark
from services.hadrians_wall.cards import PlayerCard
from services.hadrians_wall.game import GAME
from services.hadrians_wall.goods import Attribute, Citizen, Cohort, Gladiator, Worker
from services.hadrians_wall.rules.favours import Patron
from services.hadrians_wall.rules.neighbours import Source
from tests.hadrians_wall.independent.facts import LAYS
from tests.hadrians_wall.independent.referee import Move

SPACES: dict[str, tuple[Any, ...]] = {
    "FillFort": (Worker,),
    "Build": (Building,),
    "RaiseLandmark": (Landmark,),
    "FillCitizen": (Citizen,),
    "UseForum": (range(-1, 4), range(-1, 4), range(-1, 4), Worker),
    "Trade": (Source, range(-1, 10)),
    "Perform": (range(-1, 8),),
    "TrainGladiator": (Gladiator, Worker),
    "Battle": (Gladiator,),
    "FillTemple": (Worker,),
    "Bathe": (range(-1, 8),),
    "HoldCourt": (range(-1, 5),),
    "SendDiplomat": (Cohort,),
    "ChooseCohort": (Cohort,),
    "ChooseAttribute": (Attribute,),
    "ChoosePath": ((*PlayerCard, None),),
    "SpendFavour": (Patron, Cohort),
}
"""The values of each argument of each kind; kinds that are not listed have none. Scouts apart."""

CELLS = tuple(combinations(range(20), 4))
SHAPES = tuple(sorted(set().union(*LAYS.values())))
WRONG = ((), (0,), (0, 1, 2), (0, 1, 2, 3, 4), (1, 0, 5, 6), (18, 19, 20, 21), (-1, 0, 4, 5))


def said(prompt: str, rng: Random | None) -> Iterator[Move]:
    """Every move that answers a prompt. Of scouts all four cells; with `rng` all cells that are
    any pattern, and a few others."""
    for kind in GAME.moves[prompt]:
        if kind.__name__ == "Scout":
            cells = CELLS if rng is None else (*SHAPES, *rng.sample(CELLS, 40))
            space: tuple[Any, ...] = (Source, (*cells, *WRONG))
        else:
            space = SPACES.get(kind.__name__, ())
        for arguments in product(*space):
            yield kind(*arguments)
