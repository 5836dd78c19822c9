"""The tasks, and what a worker's processes need to run them."""

from __future__ import annotations

import secrets
import signal
from typing import Any

import redis
import structlog
from celery import Celery, signals

from services.bots import policies
from services.gamekit.game import Seat
from services.games import hosted
from services.runtime import telemetry
from services.runtime.settings import Settings
from services.workers.claims import Holding
from services.workers.queues import CANARY, DELIVER, NUMBER, TAKE_TURN, Delivery, Turn
from services.workers.rules import Rules
from services.workers.taking import Taker, TurnFailed
from services.workers.webhooks import Courier
from vallum.client.errors import VallumCallError

BEGUN_MS = 3_600_000

log = structlog.get_logger(__name__)


def begun_key(worker: str) -> str:
    """Counts the tasks that a worker has begun."""
    return f"worker:{worker}:begun"


class Kit:
    """What one process of a worker works with. Made after the fork."""

    def __init__(self, settings: Settings, worker: str) -> None:
        self.worker = worker
        self.broker = redis.Redis.from_url(
            settings.broker_url, socket_timeout=5, socket_connect_timeout=5
        )
        self.holding = Holding(self.broker)
        self.rules = Rules(hosted(settings.extra_games), settings)
        self.taker = Taker(self.rules.games, policies(settings.extra_bots), settings.bot_think)
        self.courier = Courier(settings)

    def began(self) -> None:
        """Leave a sign of life: a task has come through to here."""
        try:
            with self.broker.pipeline(transaction=False) as pipeline:
                pipeline.incr(begun_key(self.worker))
                pipeline.pexpire(begun_key(self.worker), BEGUN_MS)
                pipeline.execute()
        except redis.RedisError as error:
            log.warning("no_sign_of_life", error=str(error))

    def take(self, turn: Turn, number: int) -> None:
        """Take a turn, the `number`th in its queue, unless somebody else has it in hand."""
        with self.holding.turn(turn, number) as failed:
            if failed is None:
                log.info("turn_in_hand", turn=turn.id)
                return
            try:
                outcome = self.taker.take(turn, failed)
            except (TurnFailed, VallumCallError) as error:
                log.error("turn_failed", turn=turn.id, error=str(error))
            else:
                log.info("turn_taken", turn=turn.id, outcome=outcome)

    def deliver(self, delivery: Delivery, number: int) -> None:
        """Try a delivery, likewise."""
        with self.holding.turn(delivery, number) as failed:
            if failed is None:
                log.info("delivery_in_hand", delivery=delivery.id)
                return
            try:
                outcome = self.courier.deliver(delivery.id, secrets.token_hex(16))
            except VallumCallError as error:
                log.error("delivery_failed", delivery=delivery.id, error=str(error))
            else:
                log.info("delivery_tried", delivery=delivery.id, outcome=outcome)

    def close(self) -> None:
        """Let go of everything."""
        self.courier.close()
        self.holding.close()
        self.rules.close()
        self.broker.close()


def install(app: Celery, settings: Settings, worker: str) -> None:
    """Give `app` its tasks, and each process of its worker a kit."""
    kits: list[Kit] = []

    @app.task(name=TAKE_TURN, bind=True)
    def take_turn(task: Any, game: str, match_id: str, seat: int, decision_id: int) -> None:
        """Take one automatic turn. Its arguments are all it is told: ids, never state."""
        (kit,) = kits
        kit.began()
        turn = Turn(game, match_id, Seat(seat), decision_id)
        headers = task.request.headers or {}
        with telemetry.span("take_turn", headers.get("traceparent", ""), turn=turn.id):
            kit.take(turn, int(headers.get(NUMBER, 0)))

    @app.task(name=DELIVER, bind=True)
    def deliver(task: Any, delivery: str) -> None:
        """Try one delivery of a webhook."""
        (kit,) = kits
        kit.began()
        headers = task.request.headers or {}
        with telemetry.span("deliver", headers.get("traceparent", ""), delivery=delivery):
            kit.deliver(Delivery(delivery), int(headers.get(NUMBER, 0)))

    @app.task(name=CANARY)
    def canary() -> None:
        """Say that this worker still consumes."""
        (kit,) = kits
        kit.began()

    def open_kit(**_: Any) -> None:
        signal.signal(signal.SIGALRM, signal.SIG_IGN)  # the timer was the parent's
        telemetry.setup("workers", settings)
        kits.append(Kit(settings, worker))

    def close_kit(**_: Any) -> None:
        for kit in kits:
            kit.close()

    signals.worker_process_init.connect(open_kit, weak=False)
    signals.worker_process_shutdown.connect(close_kit, weak=False)
