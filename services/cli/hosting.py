"""What is hosted here, as the settings say."""

from __future__ import annotations

import click

from services.bots.policies import policies
from services.gamekit.hosted import Hosted
from services.games import hosted
from services.runtime.settings import Settings, SettingsError


def games(settings: Settings) -> dict[str, Hosted]:
    """Every hosted game by its key. Raises SettingsError for a module that hosts none."""
    try:
        return hosted(settings.extra_games)
    except (ImportError, AttributeError) as error:
        raise SettingsError(f"VALLUM_EXTRA_GAMES: {error}") from None


def game_named(settings: Settings, key: str) -> Hosted:
    """One game. Raises click.BadParameter, which names those that there are."""
    known = games(settings)
    if key not in known:
        there = ", ".join(sorted(known)) or "none"
        raise click.BadParameter(f"{key!r} is not hosted here; there is {there}")
    return known[key]


def bots(settings: Settings) -> frozenset[str]:
    """The names of the policies that may take a seat. Raises SettingsError as `games` does."""
    try:
        return frozenset(policies(settings.extra_bots))
    except (ImportError, AttributeError) as error:
        raise SettingsError(f"VALLUM_EXTRA_BOTS: {error}") from None
