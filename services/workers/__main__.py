"""The process of one Celery worker: `python -m services.workers NAME QUEUE…`.

`crew` starts it and starts it again. Its settings come from the environment.
"""

from __future__ import annotations

import os
import signal
import sys
import warnings
from typing import Any

from celery import signals
from celery.exceptions import SecurityWarning
from msgspec.structs import replace

from services.runtime import telemetry
from services.runtime.settings import Settings
from services.workers.app import celery, processes
from services.workers.queues import canary_queue
from services.workers.tasks import install

LOOK_S = 1.0


def main(name: str, queues: list[str]) -> None:
    """Consume until SIGTERM, or until the process that started this one is gone."""
    settings = Settings.load()
    telemetry.setup("workers", replace(settings, otlp_endpoint=""))  # no threads before the fork
    app = celery(settings, [canary_queue(name), *queues])
    install(app, settings, name)
    signals.worker_ready.connect(watch_parent, weak=False)
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


def watch_parent(sender: Any, **_: Any) -> None:
    """End together with the process that started this one."""
    parent = os.getppid()

    def look() -> None:
        if os.getppid() != parent:
            os.kill(os.getpid(), signal.SIGTERM)

    sender.timer.call_repeatedly(LOOK_S, look)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
