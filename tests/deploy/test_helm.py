"""The Helm chart, rendered by Helm itself and held against Kubernetes' own schemas."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import helm_python
import kubernetes_validate
import pytest
import yaml

from services.workers.queues import QUEUES
from tests.deploy.given import ROOT, all_served, known_settings

CHART = str(ROOT / "deploy/helm/vallum")
SCALED = {name: {"scale": {"enabled": True}} for name in ("bots", "invasions", "webhooks")}
VARIANTS: Mapping[str, dict[str, Any]] = {
    "as it comes": {},
    "everything on": {
        "workers": SCALED,
        "edge": {
            "tlsSecret": "edge-tls",
            "origins": ["https://play.example.com"],
            "ingress": {"enabled": True, "host": "play.example.com", "tlsSecret": "play-tls"},
        },
        "environment": {"VALLUM_LOG_LEVEL": "debug"},
    },
    "storage elsewhere": {
        "redis": {
            "embedded": False,
            "url": "redis://matches.example.com:6379/0",
            "brokerUrl": "redis://queues.example.com:6379/3",
        },
        "workers": SCALED,
    },
}


@cache
def rendered(variant: str) -> list[dict[str, Any]]:
    with helm_python.Chart.load(CHART) as chart:
        files = chart.render(VARIANTS[variant], name="demo", namespace="games")
    return [
        document
        for name, text in sorted(files.items())
        if name.endswith(".yaml")
        for document in yaml.safe_load_all(text)
        if document
    ]


def of_kind(kind: str, variant: str = "as it comes") -> list[dict[str, Any]]:
    return [one for one in rendered(variant) if one["kind"] == kind]


def container(deployment: dict[str, Any]) -> dict[str, Any]:
    (one,) = deployment["spec"]["template"]["spec"]["containers"]
    found: dict[str, Any] = one
    return found


def environment(variant: str) -> dict[str, str]:
    (found,) = of_kind("ConfigMap", variant)
    data: dict[str, str] = found["data"]
    return data


def test_helm_finds_nothing_wrong() -> None:
    assert not helm_python.lint(CHART)["errors"]


@pytest.mark.parametrize("variant", VARIANTS)
def test_kubernetes_takes_every_document(variant: str) -> None:
    assert len(rendered(variant)) > 20
    for document in rendered(variant):
        if document["kind"] != "ScaledObject":  # KEDA's, not Kubernetes' own
            kubernetes_validate.validate(document, "1.31", strict=True)


def test_a_wrong_field_would_be_found() -> None:
    wrong = of_kind("Deployment")[0] | {"spec": {"replicas": "two"}}
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(wrong, "1.31", strict=True)


def test_names_are_there_once() -> None:
    named = [(one["kind"], one["metadata"]["name"]) for one in rendered("everything on")]
    assert len(named) == len(set(named))


def test_every_service_runs_apart() -> None:
    all_served([container(one)["args"] for one in of_kind("Deployment")])


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_process_gets_settings_that_exist(variant: str) -> None:
    known_settings(environment(variant))


def test_every_address_in_the_settings_is_a_service_of_the_chart() -> None:
    there = {one["metadata"]["name"] for one in of_kind("Service")}
    settings = environment("as it comes")
    hosts = [text.split(":")[0] for name, text in settings.items() if name.endswith("_TARGET")]
    hosts += [
        one.split("=")[1].split(":")[0] for one in settings["VALLUM_RULES_TARGETS"].split(",")
    ]
    hosts += [
        settings[name].split("//")[1].split(":")[0]
        for name in ("VALLUM_REDIS_URL", "VALLUM_BROKER_URL")
    ]
    assert set(hosts) <= there
    assert len(hosts) == 9


def test_every_pod_is_probed_bounded_and_protected() -> None:
    budgets = {one["metadata"]["name"] for one in of_kind("PodDisruptionBudget")}
    for deployment in of_kind("Deployment"):
        one, name = container(deployment), deployment["metadata"]["name"]
        assert one["livenessProbe"], name
        assert one["startupProbe"], name
        assert one["resources"]["requests"].keys() == {"cpu", "memory"}, name
        assert one["resources"]["limits"]["memory"], name
        assert one["securityContext"]["readOnlyRootFilesystem"], name
        assert name in budgets


def test_workers_scale_with_the_length_of_their_queue() -> None:
    scaled = of_kind("ScaledObject", "everything on")
    deployments = {one["metadata"]["name"]: one for one in of_kind("Deployment", "everything on")}
    assert len(scaled) == 3
    for one in scaled:
        target = deployments[one["spec"]["scaleTargetRef"]["name"]]
        assert "replicas" not in target["spec"]  # two masters would fight
        (trigger,) = one["spec"]["triggers"]
        assert trigger["metadata"]["listName"] in QUEUES
        assert trigger["metadata"]["address"] == "demo-broker:6379"
    (elsewhere, *_) = of_kind("ScaledObject", "storage elsewhere")
    (trigger,) = elsewhere["spec"]["triggers"]
    assert trigger["metadata"]["address"] == "queues.example.com:6379"
    assert trigger["metadata"]["databaseIndex"] == "3"


def test_the_matches_are_written_down_and_never_evicted() -> None:
    matches = next(one for one in of_kind("StatefulSet") if one["metadata"]["name"] == "demo-redis")
    arguments = " ".join(container(matches)["args"])
    assert "--appendonly yes" in arguments
    assert "--maxmemory-policy noeviction" in arguments
    assert matches["spec"]["volumeClaimTemplates"]


def test_storage_elsewhere_needs_an_address() -> None:
    with helm_python.Chart.load(CHART) as chart, pytest.raises(Exception, match=r"redis\.url"):
        chart.render({"redis": {"embedded": False}}, name="demo", namespace="games")


def test_no_secret_is_written_into_a_manifest() -> None:
    assert not of_kind("Secret", "everything on")
    for deployment in of_kind("Deployment", "everything on"):
        for one in container(deployment)["env"]:
            assert not one["name"].endswith("_DB") or "secretKeyRef" in one["valueFrom"]
