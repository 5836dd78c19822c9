"""The locks pin what pyproject.toml asks for, with hashes, wherever the packages come from."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PIN = re.compile(r"^([a-z0-9-]+)==([^ ;]+)", re.MULTILINE)


def asked(*extras: str) -> list[Requirement]:
    """What pyproject.toml asks for from the package index."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = project["dependencies"] + [
        line for extra in extras for line in project["optional-dependencies"][extra]
    ]
    return [one for one in map(Requirement, wanted) if one.name != "vallum-client"]


@pytest.mark.parametrize(
    ("lock", "extras"),
    [("run", ["embedded", "edge"]), ("dev", ["embedded", "edge", "plots", "dev"])],
)
def test_a_lock_meets_every_requirement(lock: str, extras: list[str]) -> None:
    pins = dict(PIN.findall((ROOT / f"requirements/{lock}.lock").read_text()))
    unmet = [
        str(one)
        for one in asked(*extras)
        if (pin := pins.get(canonicalize_name(one.name))) is None or not one.specifier.contains(pin)
    ]
    assert unmet == [], "run `make lock`"


@pytest.mark.parametrize(
    "path", sorted(ROOT.glob("requirements/*.lock")), ids=lambda path: path.name
)
def test_every_pin_has_hashes_and_names_no_host(path: Path) -> None:
    text = path.read_text()
    assert "://" not in text
    entries = re.split(r"\n(?=\S)", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).strip())
    assert [entry for entry in entries if "--hash=sha256:" not in entry] == []


def test_what_runs_is_what_was_tested() -> None:
    run, dev = (
        set(PIN.findall((ROOT / f"requirements/{name}.lock").read_text()))
        for name in ("run", "dev")
    )
    assert run <= dev
