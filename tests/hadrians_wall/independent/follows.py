"""What a move leads to, written from the rules: the model's half of every comparison."""

# Functions of a table have the arguments of the table.
# ruff: noqa: ARG001, ARG005

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any

from services.gamekit.game import NATURE, snake
from tests.hadrians_wall.independent import attack_oracle, facts
from tests.hadrians_wall.independent.nature import NATURAL, write_good, written
from tests.hadrians_wall.independent.phases import close
from tests.hadrians_wall.independent.world import (
    Page,
    World,
    answered,
    building_price,
    give,
    mining_price,
    neighbour,
    pay,
    prospect,
)

FACTS = facts.FACTS


def after(position: World, seat: int, move: Any) -> World:
    """The position after a move and all that it brings about."""
    then = copy(position)
    then.pages = [dict(page) for page in position.pages]
    then.pile, then.discard = set(position.pile), list(position.discard)
    then.draws, then.attack = list(position.draws), list(position.attack)
    kind = snake(type(move).__name__)
    if seat == NATURE:
        NATURAL[kind](then, move)
    else:
        DEEDS[kind](then, then.pages[seat], seat, move)
    close(then)
    return then


def fill(track: str, price: Callable[[World, Any], facts.Price]) -> Deed:
    """The next box of a track of the left sheet."""

    def deed(then: World, page: Page, seat: int, move: Any) -> None:
        pay(page, price(then, move))
        page[track] += 1
        give(page, facts.LINES[track].boxes[page[track] - 1])

    return deed


def train_guard(then: World, page: Page, seat: int, move: Any) -> None:
    pay(page, {"builder": 1})
    page["training"] = (*page["training"], then.year)
    give(page, ["sword"])


def build(then: World, page: Page, seat: int, move: Any) -> None:
    plan = facts.BUILDINGS[move.building]
    pay(page, building_price(then, move.building))
    page[plan.family] += 1
    give(page, plan.gain)


def raise_landmark(then: World, page: Page, seat: int, move: Any) -> None:
    pay(page, facts.LANDMARK_PRICE)
    page[move.landmark] = 1
    give(page, facts.LANDMARKS[move.landmark][1])


def fill_citizen(then: World, page: Page, seat: int, move: Any) -> None:
    pay(page, {"civilian": 1})
    give(page, [str(move.citizen)])


def use_forum(then: World, page: Page, seat: int, move: Any) -> None:
    pay(page, {"builder": move.builders, "servant": move.servants, "civilian": move.civilians})
    give(page, [str(move.take)])
    page["forum"] = (*page["forum"], then.year)


def hand_over(then: World, seat: int, source: str, good: str) -> None:
    """The piece goes to the neighbour, who may go on, or onto the neutral card (8.5, 8.11)."""
    beside = neighbour(then, seat, source)
    if not then.passing:
        then.pages[seat]["alarms"] += 1
    elif isinstance(beside, int):
        then.pages[beside][good] += 1
        then.pages[beside]["passed"] = False
    else:
        then.pieces += 1


def trade(then: World, page: Page, seat: int, move: Any) -> None:
    pay(page, {"resource": 1})
    if move.source == "fate":
        then.draws.append((seat, "good", move.box))
        return
    card = prospect(then, seat, move.source)
    assert card is not None
    write_good(page, move.box, facts.CARDS[card].good)
    hand_over(then, seat, move.source, "resource")


def perform(then: World, page: Page, seat: int, move: Any) -> None:
    pay(page, {"resource": 1})
    page["plays"] = written(page["plays"], move.box, then.year)
    give(page, facts.THEATRE[move.box - 1])


def train(then: World, page: Page, seat: int, move: Any) -> None:
    pay(page, {move.worker: 1})
    page[move.gladiator] += 1


def battle(then: World, page: Page, seat: int, move: Any) -> None:
    record = f"{move.gladiator}_battles"
    page[record] = (*page[record], then.year)
    then.draws.append((seat, str(move.gladiator), 0))


def fill_temple(then: World, page: Page, seat: int, move: Any) -> None:
    pay(page, {move.worker: 1})
    page["temple_boxes"] += 1
    give(page, facts.TEMPLES[page["temple_boxes"] - 1])


def bathe(then: World, page: Page, seat: int, move: Any) -> None:
    pay(page, {"resource": FACTS["baths"]["resources"][move.box - 1]})
    page["pools"] = written(page["pools"], move.box, then.year)
    page["disdain"] -= 1
    page["cleansed"] += 1


def hold_court(then: World, page: Page, seat: int, move: Any) -> None:
    price, gained, _ = facts.COURTS[move.column - 1]
    pay(page, price)
    first = 3 * move.column - 3
    page["courts"] = written(page["courts"], page["courts"].index(0, first) + 1, then.year)
    give(page, gained)


def send_diplomat(then: World, page: Page, seat: int, move: Any) -> None:
    pay(page, facts.DIPLOMAT_PRICE)
    page["diplomats"] = (*page["diplomats"], str(move.cohort))
    page[f"favours_{move.cohort}"] += 2
    give(page, ["valour"])


def scout(then: World, page: Page, seat: int, move: Any) -> None:
    pay(page, {"soldier": 1})
    page["scouts"] += 1
    before = full_rows(page["map"])
    for cell in move.cells:
        page["map"] += 2**cell
        give(page, facts.MAP[cell])
    give(page, ["valour"] * len(full_rows(page["map"]) - before))
    if move.source != "own":
        hand_over(then, seat, str(move.source), "soldier")


def full_rows(cells: int) -> set[int]:
    """The rows of the map that are complete."""
    return {row for row in range(4) if all(cells >> (row * 5 + column) & 1 for column in range(5))}


def finish(then: World, page: Page, seat: int, move: Any) -> None:
    page["passed"] = True


def choose_cohort(then: World, page: Page, seat: int, move: Any) -> None:
    track = f"cohort_{move.cohort}"
    page[track] += 1
    give(page, facts.COHORT[page[track] - 1])
    answered(page)


def choose_attribute(then: World, page: Page, seat: int, move: Any) -> None:
    give(page, [str(move.attribute)])
    answered(page)


def choose_path(then: World, page: Page, seat: int, move: Any) -> None:
    page["choice"] = move.card


def spend_favour(then: World, page: Page, seat: int, move: Any) -> None:
    attack_oracle.spend(page, [(str(move.patron), str(move.cohort))])
    through = dict(zip(facts.COHORTS, page["through"], strict=True))
    through[str(move.cohort)] -= 1
    page["through"] = tuple(through.values())
    page["facing"] = attack_oracle.may_help(page, through)


def face_attack(then: World, page: Page, seat: int, move: Any) -> None:
    page["facing"] = False


Deed = Callable[[World, Page, int, Any], None]
DEEDS: dict[str, Deed] = {
    "fill_mining": fill("mining", lambda then, move: mining_price(then)),
    "fill_guard": fill("guard", lambda then, move: {"soldier": 1}),
    "fill_cippi": fill("cippi", lambda then, move: {"resource": 1}),
    "fill_wall": fill("wall", lambda then, move: {"resource": 1}),
    "fill_fort": fill("fort", lambda then, move: {move.worker: 1}),
    "train_guard": train_guard, "build": build, "raise_landmark": raise_landmark,
    "fill_citizen": fill_citizen, "use_forum": use_forum, "trade": trade, "perform": perform,
    "train_gladiator": train, "battle": battle, "fill_temple": fill_temple, "bathe": bathe,
    "hold_court": hold_court, "send_diplomat": send_diplomat, "scout": scout, "finish": finish,
    "choose_cohort": choose_cohort, "choose_attribute": choose_attribute,
    "choose_path": choose_path, "spend_favour": spend_favour, "face_attack": face_attack,
}  # fmt: skip
