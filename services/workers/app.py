"""The Celery application: what makes a lost, doubled or late task harmless."""

from __future__ import annotations

import os
from collections.abc import Iterable

from celery import Celery
from kombu import Exchange, Queue

from services.runtime.settings import Settings
from services.workers.queues import QUEUES
from services.workers.taking import FALLBACK_ATTEMPTS, OWN_ATTEMPTS

SPARE_S = 30
"""Seconds that a task has for everything but thinking."""

RESTORE_S = 2
"""How often tasks of dead workers are looked for."""


def celery(settings: Settings, queues: Iterable[str] = QUEUES) -> Celery:
    """The application of one process, with the queues that its worker consumes, in this order.

    No task's time counts on Celery: no ETA, no retries, no results, no chords.
    """
    limit = int((OWN_ATTEMPTS + FALLBACK_ATTEMPTS) * settings.bot_think) + SPARE_S
    app = Celery("vallum", broker=settings.broker_url, set_as_current=False)
    app.conf.update(
        task_queues=[Queue(name, Exchange(name), name) for name in queues],
        task_create_missing_queues=False,
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        task_ignore_result=True,
        task_store_errors_even_if_ignored=False,
        task_time_limit=limit,
        task_publish_retry=False,
        task_serializer="json",
        accept_content=["json"],
        worker_prefetch_multiplier=1,
        worker_hijack_root_logger=False,
        worker_redirect_stdouts=False,
        worker_send_task_events=False,
        worker_enable_remote_control=False,
        worker_disable_rate_limits=True,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        broker_transport_options={
            "visibility_timeout": 2 * limit,
            "unacked_restore_interval": RESTORE_S,
            "unacked_restore_throttle": 1,
            "queue_order_strategy": "priority",
            "socket_keepalive": True,
            "socket_connect_timeout": 5,
            "health_check_interval": 10,
        },
    )
    return app


def processes(settings: Settings, queues: Iterable[str]) -> int:
    """How many tasks a worker of these queues runs at once: as many as its widest queue wants."""
    wanted = [getattr(settings, f"{queue}_processes") for queue in queues]
    return max(count or os.cpu_count() or 1 for count in wanted)
