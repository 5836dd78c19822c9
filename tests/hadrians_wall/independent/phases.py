"""How the phases of a year end, written from the rules (2, 6)."""

from __future__ import annotations

from tests.hadrians_wall.independent import attack_oracle, facts
from tests.hadrians_wall.independent.world import World, fort, give, receive


def income(then: World) -> None:
    """Prospect and yearly income (2.3)."""
    for page in then.pages:
        receive(page, facts.CARDS[page["prospects"][-1]].prospect)
        receive(page, {"resource": page["production"], "civilian": page["hotel"]})
        receive(page, {"builder": page["workshop"]})
        give(page, ["road_income"] * page["road"])
    then.phase = "actions"


def settle(then: World) -> None:
    """Disdain and valour for everyone; the cards are discarded, and the year is over (6)."""
    then.discard += then.attack
    for page in then.pages:
        disdain, valour = attack_oracle.verdict(then.year, sum(page["through"]))
        page["disdain"] += disdain
        give(page, ["valour"] * valour)
    for page in then.pages:
        then.discard += page["own_attack"]
        page.update(own_attack=(), through=(0, 0, 0), facing=False, passed=False)
    then.attack, then.neutral, then.pieces = [], [], 0
    then.phase = "over" if then.year == 6 else "fate"
    then.year = min(6, then.year + 1)


def close(then: World) -> None:
    """A phase ends when nobody has anything left to do in it."""
    seats = len(then.pages)
    if then.phase == "path" and all(page["choice"] for page in then.pages):
        then.phase = "reveal"
    due = {1: 1 if fort(then, "one_neutral") else 2, 2: 1}.get(seats, 0)
    if then.phase == "neutral" and len(then.neutral) == due:
        income(then)
    idle = all(page["passed"] and not page["agenda"] for page in then.pages)
    if then.phase == "actions" and idle and not then.draws:
        for page in then.pages:
            page.update(dict.fromkeys(facts.GOODS, 0))
        then.phase = "attack"
    if then.phase == "favours" and not any(page["facing"] for page in then.pages):
        settle(then)
