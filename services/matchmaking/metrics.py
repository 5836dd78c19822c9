"""What the matchmakers tell Prometheus."""

from __future__ import annotations

from prometheus_client import Counter, Gauge, Histogram

from services.runtime.telemetry import REGISTRY

WAITING = Gauge(
    "vallum_tickets_waiting", "Tickets in a queue.", ["game", "mode"], registry=REGISTRY
)
FORMED = Counter(
    "vallum_groups_formed", "Groups that were claimed.", ["game", "mode"], registry=REGISTRY
)
CLAIMS = Counter("vallum_claims", "Claims by outcome.", ["outcome"], registry=REGISTRY)
WAITED_SECONDS = Histogram(
    "vallum_ticket_waited_seconds", "Seconds from a ticket to its group.", registry=REGISTRY,
    buckets=(0.25, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600),
)  # fmt: skip
TICK_SECONDS = Histogram(
    "vallum_matchmaking_tick_seconds", "Seconds of one round over a queue.", registry=REGISTRY
)
