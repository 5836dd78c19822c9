"""docker-compose.yml, read by Compose itself."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.deploy.given import ROOT, all_served, known_settings

COMPOSE = Path(sys.executable).with_name("docker-compose")
SECRETS = {"VALLUM_KEY_FILE": "key.pem", "POSTGRES_PASSWORD": "secret"}


def compose(
    *arguments: str,
    file: Path = ROOT / "docker-compose.yml",
    environment: Mapping[str, str] = SECRETS,
) -> tuple[str, str]:
    """(what it printed, what it complained of): this build of it ends with 0 whatever it finds."""
    ran = subprocess.run(
        [COMPOSE, "--file", file, "--project-directory", ROOT, *arguments],
        capture_output=True,
        text=True,
        env=dict(environment),
        timeout=60,
        check=False,
    )
    return ran.stdout, ran.stderr


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    read, complaints = compose("--profile", "observability", "config", "--format", "json")
    assert not complaints
    found: dict[str, Any] = json.loads(read)["services"]
    return found


def ours(services: dict[str, Any]) -> dict[str, Any]:
    return {name: one for name, one in services.items() if one.get("image") == "vallum"}


def words(service: dict[str, Any]) -> list[str]:
    command = service["command"]
    return shlex.split(command) if isinstance(command, str) else command


def test_every_service_runs_apart(services: dict[str, Any]) -> None:
    all_served([words(one) for one in ours(services).values()])


def test_every_process_gets_settings_that_exist(services: dict[str, Any]) -> None:
    for one in ours(services).values():
        known_settings(one["environment"])


def test_everything_of_ours_is_watched_and_waits_for_the_storage(services: dict[str, Any]) -> None:
    for name, one in ours(services).items():
        assert one["healthcheck"]["test"], name
        if name != "edge":
            assert one["depends_on"]["redis"]["condition"] == "service_healthy", name


def test_the_matches_are_written_down_and_never_evicted(services: dict[str, Any]) -> None:
    command = " ".join(words(services["redis"]))
    assert "--appendonly yes" in command
    assert "--maxmemory-policy noeviction" in command
    assert services["redis"]["volumes"][0]["target"] == "/data"


def test_only_the_edge_and_grafana_can_be_reached_from_outside(services: dict[str, Any]) -> None:
    published = {name: one["ports"] for name, one in services.items() if one.get("ports")}
    assert published.keys() == {"edge", "grafana"}
    assert {port["host_ip"] for ports in published.values() for port in ports} == {"127.0.0.1"}


def test_files_that_are_mounted_exist(services: dict[str, Any]) -> None:
    mounted = [
        Path(volume["source"])
        for one in services.values()
        for volume in one.get("volumes", ())
        if volume["type"] == "bind"
    ]
    assert mounted
    assert all(path.exists() for path in mounted)


def test_compose_refuses_a_misspelt_key(tmp_path: Path) -> None:
    text = (ROOT / "docker-compose.yml").read_text()
    wrong = tmp_path / "docker-compose.yml"
    wrong.write_text(text.replace("stop_grace_period:", "stop_grace_periode:"))
    _, complaints = compose("config", "-q", file=wrong)
    assert "stop_grace_periode" in complaints


@pytest.mark.parametrize("missing", SECRETS)
def test_it_asks_for_the_secrets_that_it_needs(missing: str) -> None:
    given = {name: text for name, text in SECRETS.items() if name != missing}
    _, complaints = compose("config", "-q", environment=given)
    assert missing in complaints
