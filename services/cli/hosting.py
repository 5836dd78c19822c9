"""What is hosted here, as the settings say."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click
import msgspec

from services.bots.policies import policies
from services.gamekit.hosted import Hosted
from services.games import hosted
from services.referee.bind import rules
from services.runtime.app import Bind
from services.runtime.settings import PREFIX, Settings, SettingsError


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


def bots() -> frozenset[str]:
    """The names of the policies that may take a seat."""
    return frozenset(policies())


def binds(games: Iterable[Hosted]) -> list[Bind]:
    """The rules services of some games."""
    return [rules(one, bots()) for one in games]


def environment(settings: Settings) -> dict[str, str]:
    """Our environment with these settings in it, for a child. It has its own metrics port."""
    ours = {name: text for name, text in os.environ.items() if not name.startswith(PREFIX)}
    for name, value in msgspec.structs.asdict(settings).items():
        if value is not None and name != "metrics_port":
            ours[PREFIX + name.upper()] = as_text(value)
    return ours


def as_text(value: Any) -> str:
    """A setting as a variable holds it."""
    match value:
        case tuple():
            return ",".join(value)
        case Path():
            return str(value.absolute())
        case _:
            return str(value)
