"""The process of one Celery worker: `python -m services.workers KEEPER NAME QUEUE…`.

`crew` starts it and starts it again. Its settings come from the environment.
"""

from __future__ import annotations

import os
import signal
import sys
import warnings
from types import FrameType

from celery.exceptions import SecurityWarning
from msgspec.structs import replace

from services.runtime import telemetry
from services.runtime.settings import Settings
from services.workers.app import celery, processes
from services.workers.queues import canary_queue
from services.workers.tasks import install

LOOK_S = 1.0


def main(keeper: int, name: str, queues: list[str]) -> None:
    """Consume until SIGTERM, or until `keeper`, the process that started this one, is gone."""
    end_with(keeper)
    settings = Settings.load()
    telemetry.setup("workers", replace(settings, otlp_endpoint=""))  # no threads before the fork
    app = celery(settings, [canary_queue(name), *queues])
    install(app, settings, name)
    warnings.simplefilter("ignore", SecurityWarning)  # of root; its tasks are JSON, never code
    worker = app.Worker(
        hostname=name,
        pool="prefork",
        concurrency=processes(settings, queues),
        without_mingle=True,
        without_gossip=True,
        loglevel="WARNING",
        quiet=True,
    )
    worker.start()
    sys.exit(worker.exitcode)


def end_with(keeper: int) -> None:
    """End at once, with all processes, when `keeper` is not our parent any more: it may be gone
    already.

    By a timer of the kernel: Celery's own loop stands still while it looks for its broker.
    """

    def look(_signal: int, _frame: FrameType | None) -> None:
        if os.getppid() != keeper:
            os.killpg(0, signal.SIGKILL)

    signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, LOOK_S, LOOK_S)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], sys.argv[3:])
