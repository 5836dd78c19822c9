"""What the dashboard and the alerts ask for is what the processes tell."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import yaml

from services.runtime.telemetry import REGISTRY
from tests.deploy.given import ROOT

TELLING = (
    "services.matchmaking.metrics",
    "services.notices.webhooks.metrics",
    "services.workers.metrics",
)
"""Modules that have metrics of their own, beside those of every process."""
METRIC = re.compile(r"\bvallum_[a-z_]+")


def told() -> set[str]:
    for module in TELLING:
        import_module(module)
    suffixes = {"counter": ("_total",), "histogram": ("_bucket", "_sum", "_count"), "gauge": ("",)}
    return {
        metric.name + suffix for metric in REGISTRY.collect() for suffix in suffixes[metric.type]
    }


def panels() -> Iterator[dict[str, Any]]:
    dashboard = json.loads((ROOT / "deploy/grafana/dashboards/vallum.json").read_text())
    yield from dashboard["panels"]


def test_every_panel_asks_for_metrics_that_exist() -> None:
    asked = [
        metric
        for panel in panels()
        for target in panel["targets"]
        for metric in METRIC.findall(target["expr"])
    ]
    assert len(asked) >= 12
    assert set(asked) <= told()


def test_every_alert_asks_for_metrics_that_exist() -> None:
    groups = yaml.safe_load((ROOT / "deploy/prometheus/alerts.yml").read_text())["groups"]
    asked = [
        metric
        for group in groups
        for rule in group["rules"]
        for metric in METRIC.findall(rule["expr"])
    ]
    assert len(asked) >= 5
    assert set(asked) <= told()


def test_prometheus_scrapes_every_process_of_the_composition() -> None:
    scraped = yaml.safe_load((ROOT / "deploy/prometheus/prometheus.yml").read_text())
    (job,) = scraped["scrape_configs"]
    (found,) = job["dns_sd_configs"]
    composed = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    tells = {
        name
        for name, one in composed.items()
        if str(one.get("command", "")).startswith("serve") and name != "edge"
    }
    assert set(found["names"]) == tells
