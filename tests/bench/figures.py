"""Figures: several runs of one number, printed as a table and kept as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import median
from typing import NamedTuple

from rich.console import Console
from rich.table import Table


class Figure(NamedTuple):
    """A number measured several times."""

    name: str
    unit: str
    runs: list[float]
    note: str = ""

    @property
    def median(self) -> float:
        """The one to quote."""
        return median(self.runs)

    @property
    def spread(self) -> float:
        """Largest minus smallest run, as a part of the median."""
        return (max(self.runs) - min(self.runs)) / self.median if self.median else 0.0


def show(figures: list[Figure]) -> None:
    """Print a table."""
    table = Table("figure", "median", "unit", "spread", "runs", "note")
    for one in figures:
        table.add_row(
            one.name, short(one.median), one.unit, f"{one.spread:.0%}", str(len(one.runs)), one.note
        )
    Console(width=140).print(table)


def keep(figures: list[Figure], path: Path) -> None:
    """Write {name: {median, unit, spread, runs}}; figures of earlier calls stay."""
    kept = json.loads(path.read_text()) if path.exists() else {}
    for one in figures:
        kept[one.name] = {
            "median": one.median,
            "unit": one.unit,
            "spread": one.spread,
            "runs": one.runs,
        }
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n")


def short(number: float) -> str:
    """Three or so significant digits, with thousands marked."""
    return f"{number:,.0f}" if abs(number) >= 100 else f"{number:.3g}"
