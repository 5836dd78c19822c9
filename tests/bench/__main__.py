"""`make bench [ONLY=name]`: print a table, write build/bench.json."""

from __future__ import annotations

import logging
import sys
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path

import structlog
import uvloop

from tests.bench import gamekit, lua, matchmaking, matchmaking_load, play, scoring, workers
from tests.bench.figures import Figure, keep, show

BENCHES: dict[str, Callable[[], list[Figure]]] = {
    "gamekit": gamekit.run,
    "lua": lua.run,
    "matchmaking": matchmaking.run,
    "matchmaking_load": matchmaking_load.run,
    "play": play.run,
    "scoring": scoring.run,
    "workers": workers.run,
}


def main(only: str | None) -> int:
    """Run one bench, or all."""
    uvloop.install()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    for name in [only] if only else list(BENCHES):
        print(f"{name} …", file=sys.stderr, flush=True)
        figures = BENCHES[name]()
        show(figures)
        keep(figures, Path("build/bench.json"))
    return 0


if __name__ == "__main__":
    parser = ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--only", choices=list(BENCHES), help="measure one thing")
    sys.exit(main(parser.parse_args().only))
