"""What the deployment files must agree with: what `vallum serve` knows, and what may be set."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import msgspec

from services.cli.serve import SERVICES
from services.games import GAMES
from services.runtime.settings import PREFIX, Settings
from services.workers.queues import QUEUES

ROOT = Path(__file__).parents[2]

SERVED = {*SERVICES, *GAMES}
"""Every gRPC service."""

VARIABLES = {PREFIX + field.name.upper() for field in msgspec.structs.fields(Settings)}


def queues_of(command: list[str]) -> list[str]:
    """The queues of a `serve workers` command."""
    return [word for before, word in pairwise(command) if before == "--queue"]


def all_served(commands: list[list[str]]) -> None:
    """Between them, the commands run every service, every queue and the edge, each once."""
    alone = [words[1] for words in commands if words[1] != "workers"]
    assert sorted(alone) == sorted(SERVED | {"edge"})
    queues = [queue for words in commands for queue in queues_of(words)]
    assert sorted(queues) == sorted(QUEUES)


def known_settings(environment: dict[str, str]) -> None:
    """Every variable of ours is one that is read, with a value that can be used."""
    ours = {name: text for name, text in environment.items() if name.startswith(PREFIX)}
    assert ours.keys() <= VARIABLES
    Settings.load(ours)
