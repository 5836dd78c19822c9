"""What webhooks tell Prometheus."""

from __future__ import annotations

from prometheus_client import Counter

from services.runtime.telemetry import REGISTRY

ATTEMPTS = Counter(
    "vallum_webhook_attempts", "Attempts at deliveries, by what came of them.", ["outcome"],
    registry=REGISTRY,
)  # fmt: skip
GIVEN_UP = Counter(
    "vallum_webhook_given_up", "Deliveries that were tried for the last time.", registry=REGISTRY
)
DISABLED = Counter(
    "vallum_webhook_disabled", "Webhooks that the platform has given up on.", ["reason"],
    registry=REGISTRY,
)  # fmt: skip
