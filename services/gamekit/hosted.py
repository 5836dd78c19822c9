"""How a game is named to the host."""

from __future__ import annotations

from typing import Any, NamedTuple

from services.gamekit.game import Game


class Hosted(NamedTuple):
    """A game and the Python package of its generated contract, "vallum.hadrians_wall.v1"."""

    game: Game[Any]
    package: str
