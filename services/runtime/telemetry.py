"""What a process says about itself: JSON logs, traces, Prometheus metrics.

Nothing secret is ever passed to a logger, a span or a metric; labels hold no ids.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import structlog
from opentelemetry import context as otel
from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.sdk.resources import SERVICE_NAME, Resource
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server
from structlog.typing import EventDict, Processor

from services.runtime.settings import Settings, SettingsError

REGISTRY = CollectorRegistry()
"""The metrics of this process."""

CALLS = Counter("vallum_calls", "Calls answered.", ["service", "method", "code"], registry=REGISTRY)
CALL_SECONDS = Histogram(
    "vallum_call_seconds",
    "Time to answer a unary call.",
    ["service", "method"],
    buckets=(0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0),
    registry=REGISTRY,
)
STREAMS = Gauge("vallum_streams", "Open server streams.", ["service", "method"], registry=REGISTRY)
FACTS_HANDLED = Counter(
    "vallum_bus_handled", "Facts handled.", ["group", "fact"], registry=REGISTRY
)
FACTS_FAILED = Counter(
    "vallum_bus_failed", "Attempts at a fact that failed.", ["group", "fact"], registry=REGISTRY
)
FACTS_DEAD = Counter(
    "vallum_bus_dead", "Facts given up and parked.", ["group", "fact"], registry=REGISTRY
)
FACTS_LAG = Gauge(
    "vallum_bus_lag", "Facts that a group has not finished.", ["group", "topic"], registry=REGISTRY
)

_propagator = TraceContextTextMapPropagator()


def setup(name: str, settings: Settings, processors: Sequence[SpanProcessor] = ()) -> None:
    """Logs, traces and metrics of the process `name`, once, at its start.

    Spans are recorded only where somebody receives them: an OTLP endpoint or `processors`.
    """
    _logs(name, settings.log_level)
    _traces(name, settings.otlp_endpoint, processors)
    serve_metrics(settings)


def serve_metrics(settings: Settings) -> None:
    """Answer Prometheus, if a port is set. Raises SettingsError when it is taken."""
    if settings.metrics_port is None:
        return
    try:
        start_http_server(settings.metrics_port, settings.host, REGISTRY)
    except OSError as error:
        where = f"{settings.host}:{settings.metrics_port}"
        raise SettingsError(f"metrics on {where}: {error.strerror}") from None


def tracing() -> bool:
    """Whether spans are recorded in this process."""
    return isinstance(trace.get_tracer_provider(), TracerProvider)


def current_traceparent() -> str:
    """The W3C traceparent of what is being done now; empty outside of any trace."""
    carrier: dict[str, str] = {}
    _propagator.inject(carrier)
    return carrier.get("traceparent", "")


def context_from(traceparent: str) -> Context:
    """The context that continues `traceparent`; an empty or broken one starts afresh."""
    return _propagator.extract({"traceparent": traceparent}, Context())


def continue_trace(traceparent: str) -> None:
    """Continue a trace for the rest of the running task."""
    otel.attach(context_from(traceparent))


@contextmanager
def span(name: str, traceparent: str = "", **attributes: str | int) -> Iterator[trace.Span]:
    """A span `name`, under `traceparent` if given, else under the current one.

    Where no spans are recorded it still carries the trace on.
    """
    parent = context_from(traceparent) if traceparent else None
    tracer = trace.get_tracer("vallum")
    with tracer.start_as_current_span(
        name, parent, attributes=attributes, record_exception=False
    ) as running:
        yield running


def _traces(name: str, endpoint: str, processors: Sequence[SpanProcessor]) -> None:
    receivers = list(processors)
    if endpoint:
        receivers.append(_exporter(endpoint))
    if not receivers:
        return
    provider = TracerProvider(resource=Resource.create({SERVICE_NAME: f"vallum-{name}"}))
    for receiver in receivers:
        provider.add_span_processor(receiver)
    trace.set_tracer_provider(provider)


def _exporter(endpoint: str) -> SpanProcessor:
    from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import (  # noqa: PLC0415 # slow, rarely needed
        OTLPSpanExporter,
    )

    return BatchSpanProcessor(OTLPSpanExporter(endpoint=endpoint))


def _logs(name: str, level: str) -> None:
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _service(name),
        _trace_id,
        structlog.processors.format_exc_info,
    ]
    threshold = logging.getLevelNamesMapping()[level.upper()]
    structlog.configure(
        processors=[*shared, structlog.processors.JSONRenderer()],
        wrapper_class=structlog.make_filtering_bound_logger(threshold),
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*shared, structlog.stdlib.add_logger_name],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.JSONRenderer(),
            ],
        )
    )
    logging.basicConfig(level=max(threshold, logging.WARNING), handlers=[handler], force=True)


def _service(name: str) -> Processor:
    def add(_logger: Any, _method: str, event: EventDict) -> EventDict:
        event.setdefault("service", name)
        return event

    return add


def _trace_id(_logger: Any, _method: str, event: EventDict) -> EventDict:
    here = trace.get_current_span().get_span_context()
    if here.is_valid:
        event["trace_id"] = trace.format_trace_id(here.trace_id)
    return event
