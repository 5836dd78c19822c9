"""The one registry of hosted games."""

from __future__ import annotations

from importlib import import_module

from services.altarion import game as altarion
from services.gamekit.hosted import Hosted
from services.great_wall import game as great_wall
from services.hadrians_wall import game as hadrians_wall

__all__ = ["GAMES", "Hosted", "hosted"]


GAMES: dict[str, Hosted] = {
    "altarion": Hosted(altarion.GAME, "vallum.altarion.v1"),
    "great_wall": Hosted(great_wall.GAME, "vallum.great_wall.v1"),
    "hadrians_wall": Hosted(hadrians_wall.GAME, "vallum.hadrians_wall.v1"),
}


def hosted(extra: tuple[str, ...] = ()) -> dict[str, Hosted]:
    """Every game by its key: the shipped ones and the `HOSTED` of each module named in `extra`.

    Raises ImportError for a module that is not there, AttributeError for one without `HOSTED`.
    """
    games = dict(GAMES)
    for name in extra:
        more: Hosted = import_module(name).HOSTED
        games[more.game.meta.key] = more
    return games
