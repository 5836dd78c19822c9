"""What a process says about itself."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider

from services.runtime import telemetry
from services.runtime.settings import Settings, SettingsError

TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


def test_outside_of_a_trace_there_is_none() -> None:
    assert telemetry.current_traceparent() == ""


def test_a_span_goes_on_with_a_trace() -> None:
    with telemetry.span("outer", TRACE):
        assert telemetry.current_traceparent() == TRACE
    assert telemetry.current_traceparent() == ""


def test_a_recorded_span_is_a_child(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trace, "_TRACER_PROVIDER", TracerProvider())
    assert telemetry.tracing()
    with telemetry.span("outer", TRACE):
        inner = telemetry.current_traceparent()
    assert inner.split("-")[1] == TRACE.split("-")[1]
    assert inner.split("-")[2] != TRACE.split("-")[2]


@pytest.mark.parametrize("broken", ["", "x", "00-0-0-01", TRACE[:-3], "é"])
def test_a_broken_traceparent_starts_afresh(broken: str) -> None:
    with telemetry.span("outer", broken):
        assert telemetry.current_traceparent() == ""


SPEAKER = """
import logging, structlog
from services.runtime import telemetry
from services.runtime.settings import Settings
telemetry.setup("speaker", Settings(log_level="info"))
log = structlog.get_logger()
log.debug("unheard")
with telemetry.span("work", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"):
    log.info("heard", size=3)
secret = "s3cret"
try:
    raise KeyError("gone")
except KeyError as error:
    log.error("failed", exc_info=error)
logging.getLogger("grpc").warning("from %s", "elsewhere")
"""


def test_logs_are_one_json_object_a_line() -> None:
    path = os.pathsep.join(part for part in sys.path if part)
    done = subprocess.run(
        [sys.executable, "-c", SPEAKER],
        capture_output=True,
        check=True,
        timeout=30,
        env={**os.environ, "PYTHONPATH": path},
    )
    heard, failed, foreign = [json.loads(line) for line in done.stderr.decode().splitlines()]
    assert heard["event"] == "heard"
    assert heard["size"] == 3
    assert heard["service"] == "speaker"
    assert heard["trace_id"] == TRACE.split("-")[1]
    assert "KeyError: 'gone'" in failed["exception"]
    assert "s3cret" not in failed["exception"].replace('secret = "s3cret"', "")
    assert (foreign["event"], foreign["logger"]) == ("from elsewhere", "grpc")


def test_a_taken_metrics_port_is_said_clearly() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(SettingsError, match="Address already in use"):
            telemetry.serve_metrics(Settings(metrics_port=port))
