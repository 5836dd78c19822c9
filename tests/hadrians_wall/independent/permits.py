"""Every reason for which a move is refused, written from the rules; none: it is allowed."""

# Functions of a table have the arguments of the table.
# ruff: noqa: ARG001

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from services.gamekit.game import snake
from tests.hadrians_wall.independent import facts
from tests.hadrians_wall.independent.permits_left import (
    Reasons,
    fortress,
    forum,
    guard,
    mining,
    poor,
    stones,
    training,
)
from tests.hadrians_wall.independent.world import (
    CHOICES,
    Page,
    World,
    building_price,
    fort,
    prospect,
)

FACTS = facts.FACTS


def objections(position: World, seat: int, move: Any) -> set[str]:
    """The codes of all that speaks against a move."""
    kind = snake(type(move).__name__)
    return set(RULES[kind](position, position.pages[seat], seat, move))


def build(position: World, page: Page, seat: int, move: Any) -> Reasons:
    plan = facts.BUILDINGS[move.building]
    if page[plan.track] < plan.level:
        yield "needs_infrastructure" if plan.track == "fort" else "needs_citizens"
    if page[plan.family] >= plan.size:
        yield "already_built"
    if page[plan.family] < plan.size - 1:
        yield "needs_smaller"
    yield from poor(page, building_price(position, move.building))
    if move.building in FACTS["forts"]["forbidden"].get(position.campaign, ()):
        yield "forbidden_by_campaign"


def landmark(position: World, page: Page, seat: int, move: Any) -> Reasons:
    attribute, _ = facts.LANDMARKS[move.landmark]
    if page[attribute] < FACTS["landmark_level"]:
        yield "needs_attribute"
    if page[move.landmark]:
        yield "already_built"
    yield from poor(page, facts.LANDMARK_PRICE)
    if fort(position, "no_landmarks"):
        yield "forbidden_by_campaign"


def citizen(position: World, page: Page, seat: int, move: Any) -> Reasons:
    yield from poor(page, {"civilian": 1})
    if page[move.citizen] >= 9:
        yield "track_complete"


def stall(
    page: Page, building: str, levels: list[int], marks: str, track: str, box: int
) -> Reasons:
    """A box that may be filled in any order, once its building stands."""
    if not page[building]:
        yield "not_built"
    if not 1 <= box <= len(levels):
        yield "no_such_box"
        return
    if page[marks][box - 1]:
        yield "box_filled"
    if page[track] < levels[box - 1]:
        yield "needs_citizens"


def trade(position: World, page: Page, seat: int, move: Any) -> Reasons:
    yield from poor(page, {"resource": 1})
    yield from stall(page, "market", FACTS["market"]["levels"], "goods", "traders", move.box)
    if move.source == "own":
        yield "own_prospect"
    if move.source in ("left", "right") and prospect(position, seat, move.source) is None:
        yield "no_neighbour"


def perform(position: World, page: Page, seat: int, move: Any) -> Reasons:
    yield from poor(page, {"resource": 1})
    yield from stall(page, "theatre", FACTS["theatre"]["levels"], "plays", "performers", move.box)
    if position.year in page["plays"]:
        yield "once_a_year"


def fighter(page: Page, gladiator: str) -> Reasons:
    """A gladiator of a Ludus that stands, alive."""
    if not page["ludus"]:
        yield "not_built"
    if page[gladiator] and page[gladiator] == page[f"{gladiator}_wounds"]:
        yield "gladiator_dead"


def train(position: World, page: Page, seat: int, move: Any) -> Reasons:
    yield from fighter(page, move.gladiator)
    if move.worker not in ("servant", "civilian"):
        yield "wrong_worker"
    yield from poor(page, {move.worker: 1})
    circled = page[move.gladiator]
    if circled == 6:
        yield "track_complete"
    elif page["performers"] < FACTS["ludus"]["levels"][circled]:
        yield "needs_citizens"


def battle(position: World, page: Page, seat: int, move: Any) -> Reasons:
    yield from fighter(page, move.gladiator)
    if not page[move.gladiator]:
        yield "untrained"
    if position.year in page[f"{move.gladiator}_battles"]:
        yield "once_a_year"


def temple(position: World, page: Page, seat: int, move: Any) -> Reasons:
    yield from poor(page, {move.worker: 1})
    box = page["temple_boxes"] + 1
    if box > len(facts.TEMPLES):
        yield "track_complete"
        return
    if page["temples"] < 1 + [box <= end for end in FACTS["temples"]["ends"]].index(True):
        yield "not_built"
    if page["priests"] < FACTS["temples"]["levels"][box - 1]:
        yield "needs_citizens"


def bathe(position: World, page: Page, seat: int, move: Any) -> Reasons:
    yield from stall(page, "baths", FACTS["baths"]["levels"], "pools", "apparitores", move.box)
    if 1 <= move.box <= 6:
        yield from poor(page, {"resource": FACTS["baths"]["resources"][move.box - 1]})
    if not page["disdain"]:
        yield "no_disdain"
    if page["pools"].count(position.year) >= FACTS["baths"]["per_year"]:
        yield "twice_a_year"


def court(position: World, page: Page, seat: int, move: Any) -> Reasons:
    if not page["courthouse"]:
        yield "not_built"
    if not 1 <= move.column <= 3:
        yield "no_such_column"
        return
    price, _, levels = facts.COURTS[move.column - 1]
    boxes = page["courts"][3 * move.column - 3 : 3 * move.column]
    yield from poor(page, price)
    if position.year in boxes:
        yield "once_a_year"
    if all(boxes):
        yield "track_complete"
    elif page["apparitores"] < levels[3 - boxes.count(0)]:
        yield "needs_citizens"


def diplomat(position: World, page: Page, seat: int, move: Any) -> Reasons:
    yield from poor(page, facts.DIPLOMAT_PRICE)
    sent = len(page["diplomats"])
    if sent == 3:
        yield "track_complete"
    elif page["patricians"] < FACTS["diplomats"]["levels"][sent]:
        yield "needs_citizens"
    if move.cohort in page["diplomats"]:
        yield "cohort_served"
    if fort(position, "no_diplomats"):
        yield "forbidden_by_campaign"


def scout(position: World, page: Page, seat: int, move: Any) -> Reasons:
    yield from poor(page, {"soldier": 1})
    if page["scouts"] == 5:
        yield "track_complete"
    elif page["patricians"] < FACTS["scouts"]["levels"][page["scouts"]]:
        yield "needs_citizens"
    if move.source == "fate":
        yield "no_pattern"
        return
    card = prospect(position, seat, move.source)
    if card is None:
        yield "no_neighbour"
    elif move.cells not in facts.LAYS[facts.CARDS[card].pattern]:
        yield "not_the_pattern"
    if any(page["map"] >> cell & 1 for cell in move.cells if 0 <= cell < 20):
        yield "cell_filled"


def cohort(position: World, page: Page, seat: int, move: Any) -> Reasons:
    if page[f"cohort_{move.cohort}"] == 6:
        yield "track_complete"


def attribute(position: World, page: Page, seat: int, move: Any) -> Reasons:
    if move.attribute not in [track for track, _ in CHOICES[page["agenda"][0]]]:
        yield "not_offered"
    if page[move.attribute] == 25:
        yield "track_complete"


def path(position: World, page: Page, seat: int, move: Any) -> Reasons:
    if move.card not in page["hand"]:
        yield "not_in_hand"


def favour(position: World, page: Page, seat: int, move: Any) -> Reasons:
    if not page["through"][facts.COHORTS.index(move.cohort)]:
        yield "nothing_to_cancel"
    if not page["favours" if move.patron == "temple" else f"favours_{move.cohort}"]:
        yield "no_favour"


def nothing(position: World, page: Page, seat: int, move: Any) -> Reasons:
    yield from ()


RULES: dict[str, Callable[[World, Page, int, Any], Reasons]] = {
    "fill_mining": mining, "fill_guard": guard, "train_guard": training,
    "fill_cippi": stones("cippi"), "fill_wall": stones("wall"), "fill_fort": fortress,
    "build": build, "raise_landmark": landmark, "fill_citizen": citizen, "use_forum": forum,
    "trade": trade, "perform": perform, "train_gladiator": train, "battle": battle,
    "fill_temple": temple, "bathe": bathe, "hold_court": court, "send_diplomat": diplomat,
    "scout": scout, "finish": nothing, "choose_cohort": cohort, "choose_attribute": attribute,
    "choose_path": path, "spend_favour": favour, "face_attack": nothing,
}  # fmt: skip
"""The kinds of move and what speaks against each."""
