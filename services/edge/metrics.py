"""What Envoy counts, among the metrics of the process that runs it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPException

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from services.edge.envoy import Envoy
from services.runtime.telemetry import REGISTRY

CLASSES = ("2xx", "3xx", "4xx", "5xx")
REFUSED = {
    "flood": "flood.http_local_rate_limit.rate_limited",
    "token": "http.edge.jwt_authn.denied",
}
GAUGES = {
    "vallum_edge_calls": ("Calls under way, streams among them.", "http.edge.downstream_rq_active"),
    "vallum_edge_connections": ("Open connections.", "http.edge.downstream_cx_active"),
}


class EdgeMetrics(Collector):
    """Asks Envoy when it is asked itself; says nothing while Envoy does not answer."""

    def __init__(self, envoy: Envoy) -> None:
        self._envoy = envoy

    def collect(self) -> Iterator[Metric]:
        """The metrics of the edge."""
        try:
            found = self._envoy.stats("(http.edge|flood)\\.")
        except (OSError, HTTPException):
            return
        answers = CounterMetricFamily("vallum_edge_answers", "HTTP answers.", labels=["class"])
        for kind in CLASSES:
            answers.add_metric([kind], found.get(f"http.edge.downstream_rq_{kind}", 0))
        refused = CounterMetricFamily(
            "vallum_edge_refused", "Calls that reached no service.", labels=["why"]
        )
        for why, name in REFUSED.items():
            refused.add_metric([why], found.get(name, 0))
        yield from (answers, refused)
        for name, (text, source) in GAUGES.items():
            yield GaugeMetricFamily(name, text, value=found.get(source, 0))


@contextmanager
def measured(envoy: Envoy) -> Iterator[None]:
    """Tell its metrics until the end of the block."""
    metrics = EdgeMetrics(envoy)
    REGISTRY.register(metrics)
    try:
        yield
    finally:
        REGISTRY.unregister(metrics)
