"""The sixteen forts of the campaign: rule, goals and challenge, met and missed (7)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from services.gamekit.chance import Chance, Dealt
from services.gamekit.game import NATURE, IllegalAction, Seat
from services.gamekit.play import play, settle, start
from services.hadrians_wall.buildings import Building, Landmark
from services.hadrians_wall.cards import PlayerCard
from services.hadrians_wall.game import GAME
from services.hadrians_wall.goods import Cohort, Worker
from services.hadrians_wall.rules.attack import Attack
from services.hadrians_wall.rules.building import Build, RaiseLandmark
from services.hadrians_wall.rules.defences import FillCippi, FillMining, FillWall
from services.hadrians_wall.rules.diplomats import SendDiplomat
from services.hadrians_wall.rules.paths import ChoosePath
from services.hadrians_wall.rules.year import TurnFate
from services.hadrians_wall.state import HadriansWallOptions, Phase, Sheet, State
from tests.hadrians_wall.independent import facts
from tests.hadrians_wall.independent.facts import FACTS, price
from tests.hadrians_wall.independent.referee import done, refused, sheet
from tests.hadrians_wall.independent.setting import given, seated

FORTS = range(1, 17)
CARDS = (PlayerCard.DEFENDER, PlayerCard.VANGUARD, PlayerCard.FIGHTER, PlayerCard.FORAGER)


def marks(*counts: int) -> dict[str, Any]:
    """Renown, piety, valour and discipline."""
    return dict(zip(facts.ATTRIBUTES, counts, strict=True))


WALLS = {"wall": 21, "guard": 18, "production": 9, "cohort_left": 6}
TEN = {**WALLS, "path": CARDS}  # 3 + 3 + 1 + 3 points of paths
TWELVE = {**TEN, "cohort_centre": 6, "cohort_right": 6}
LARGE = {"granary": 2, "hotel": 2, "workshop": 2, "road": 2}
CITIZENS = dict.fromkeys(facts.CITIZENS, 9)
GOODS = {"goods": (1, 2, 3, 4, 5, 6, 1, 1)}
SEVEN_GOODS = {"goods": (1, 2, 3, 4, 5, 6, 1, 0)}
LANDMARKS = {"archway": 1, "monolith": 1, "column": 1}
ROWS = {"fort": 21, "wall": 21, "cippi": 7}
ARENA = {"red": 6, "red_wounds": 6, "blue": 6}
MAP = {"map": 2**20 - 1}

JUDGED: list[tuple[int, dict[str, Any], str]] = [
    (1, {"wall": 21, **marks(20, 20, 20, 10)}, "held, challenge met"),
    (1, {"wall": 21, **marks(20, 20, 19, 11)}, "held"),
    (1, {"wall": 21, **marks(20, 20, 20, 9)}, "lost"),
    (1, {"wall": 20, **marks(25, 25, 25, 25)}, "lost"),
    (2, {"road": 2, **marks(25, 25, 20, 0)}, "held, challenge met"),
    (2, {"road": 2, **marks(25, 25, 21, 0), "disdain": 1}, "held"),
    (2, {"road": 1, **marks(25, 25, 20, 0)}, "lost"),
    (2, {"road": 2, **marks(25, 25, 20, 0), "disdain": 1}, "lost"),
    (3, {**CITIZENS, **marks(17, 17, 17, 19)}, "held, challenge met"),
    (3, {**CITIZENS, **marks(25, 25, 16, 4)}, "held"),
    (3, {**CITIZENS, "traders": 8, **marks(25, 25, 25, 25)}, "lost"),
    (3, {**CITIZENS, **marks(17, 17, 17, 18)}, "lost"),
    (4, marks(20, 20, 15, 10), "held, challenge met"),
    (4, marks(25, 19, 19, 2), "held"),
    (4, marks(20, 20, 15, 9), "lost"),
    (5, {**LARGE, **marks(25, 25, 15, 10)}, "held, challenge met"),
    (5, {**LARGE, **marks(25, 25, 25, 9)}, "held"),
    (5, {**LARGE, "workshop": 1, **marks(25, 25, 25, 25)}, "lost"),
    (5, {**LARGE, **marks(25, 25, 14, 10)}, "lost"),
    (6, {"baths": 1, "valour": 23, **TEN}, "held, challenge met"),
    (6, {"baths": 1, "valour": 23, **TEN, "cohort_left": 5}, "held"),
    (6, {"baths": 1, "valour": 22, **TEN}, "lost"),
    (6, {"baths": 0, "valour": 25, **TEN}, "lost"),
    (7, {"temples": 3, "temple_boxes": 14, **marks(20, 25, 20, 0)}, "held, challenge met"),
    (7, {"temples": 3, "temple_boxes": 14, **marks(19, 25, 21, 0)}, "held"),
    (7, {"temples": 3, "temple_boxes": 13, **marks(25, 25, 25, 25)}, "lost"),
    (7, {"temples": 3, "temple_boxes": 14, **marks(20, 24, 20, 0)}, "lost"),
    (8, ARENA, "held, challenge met"),
    (8, {**ARENA, "favours_spent": 1}, "held"),
    (8, {**ARENA, "blue": 5}, "lost"),
    (8, {**ARENA, "disdain": 1}, "lost"),
    (9, {**GOODS, **LANDMARKS, **marks(25, 25, 25, 5)}, "held, challenge met"),
    (9, {**GOODS, **LANDMARKS, **marks(24, 25, 25, 6)}, "held"),
    (9, {**GOODS, "archway": 1, "statue": 1, **marks(25, 25, 25, 5)}, "held"),
    (9, {**SEVEN_GOODS, **LANDMARKS, **marks(25, 25, 25, 25)}, "lost"),
    (9, {**GOODS, **LANDMARKS, **marks(25, 25, 25, 4)}, "lost"),
    (10, marks(25, 25, 10, 0), "held, challenge met"),
    (10, {**marks(25, 25, 11, 0), "disdain": 1}, "held"),
    (10, marks(25, 25, 9, 0), "lost"),
    (11, marks(25, 15, 15, 15), "held, challenge met"),
    (11, marks(25, 25, 14, 6), "held"),
    (11, marks(25, 25, 14, 5), "lost"),
    (12, {**marks(25, 25, 10, 0), **TEN}, "held, challenge met"),
    (12, {**marks(25, 25, 25, 0), **TEN, "cohort_left": 0}, "held"),
    (12, {**marks(25, 25, 25, 25), **TEN, "disdain": 1}, "lost"),
    (12, {**marks(25, 25, 9, 0), **TEN}, "lost"),
    (13, {**TWELVE, **ROWS, **marks(25, 25, 18, 0)}, "held, challenge met"),
    (13, {**TEN, **ROWS, **marks(25, 25, 25, 0)}, "held"),
    (13, {**TWELVE, **ROWS, "cippi": 6, **marks(25, 25, 25, 25)}, "lost"),
    (13, {**TWELVE, **ROWS, "fort": 20, **marks(25, 25, 25, 25)}, "lost"),
    (13, {**TWELVE, **ROWS, "wall": 20, **marks(25, 25, 25, 25)}, "lost"),
    (13, {**TWELVE, **ROWS, **marks(25, 25, 17, 0)}, "lost"),
    (14, {**MAP, **marks(25, 25, 25, 0)}, "held, challenge met"),
    (14, {**MAP, **marks(25, 25, 25, 1), "disdain": 1}, "held"),
    (14, {"map": 2**20 - 2, **marks(25, 25, 25, 25)}, "lost"),
    (14, {**MAP, **marks(25, 25, 24, 0)}, "lost"),
    (15, marks(25, 25, 0, 0), "held, challenge met"),
    (15, marks(25, 24, 0, 0), "held"),
    (15, {**marks(25, 25, 25, 25), "disdain": 1}, "lost"),
    (16, {"guard": 18, **marks(15, 15, 15, 0)}, "held, challenge met"),
    (16, {"guard": 18, **marks(15, 15, 15, 0), "disdain": 1}, "held"),
    (16, {"guard": 17, **marks(15, 15, 15, 15)}, "lost"),
    (16, {"guard": 18, **marks(15, 15, 14, 14)}, "lost"),
]
NAMES = [
    "Segedunum", "Pons Aelius", "Condercum", "Vindobala", "Onnum", "Cilurnum", "Brocolitia",
    "Vercovicium", "Aesica", "Magnis", "Banna", "Camboglanna", "Uxelodunum", "Aballava",
    "Coggabata", "Maia",
]  # fmt: skip


@pytest.mark.parametrize(("fort", "fields", "verdict"), JUDGED)
def test_a_fort_is_judged(fort: int, fields: dict[str, Any], verdict: str) -> None:
    options = HadriansWallOptions(campaign=fort)
    result = GAME.result(State(options, (Sheet(**fields),), year=6, phase=Phase.OVER))
    assert result is not None
    assert result.outcome.split("; ")[1] == f"{NAMES[fort - 1]} {verdict}"


def test_each_fort_is_judged_held_lost_and_beyond() -> None:
    for fort in FORTS:
        verdicts = {verdict for number, _, verdict in JUDGED if number == fort}
        assert verdicts == {"held", "held, challenge met", "lost"}


def at(number: int, /, **fields: Any) -> State:
    """A year's actions at a fort."""
    return given(options=HadriansWallOptions(campaign=number), **fields)


@pytest.mark.parametrize("fort", range(17))
def test_one_or_two_neutral_cards_a_year(fort: int) -> None:
    state = start(GAME, 1, HadriansWallOptions(campaign=fort))
    state, _ = settle(GAME, state, Chance(b"fort"))
    state = done(state, ChoosePath(state.sheets[0].hand[0]))
    state, _ = settle(GAME, state, Chance(b"fort"))
    assert len(state.neutral) == (1 if fort in FACTS["forts"]["one_neutral"] else 2)


@pytest.mark.parametrize("fort", range(17))
def test_one_attack_card_more_every_year(fort: int) -> None:
    more = 1 if fort in FACTS["forts"]["all_cards_more"] else 0
    for year, cards in enumerate(FACTS["attack"]["normal"], 1):
        state = replace(at(fort, year=year), phase=Phase.ATTACK)
        assert len(Attack.resolve(state, Chance(b"fort")).cards) == cards + more


@pytest.mark.parametrize("fort", range(17))
def test_mining_boxes_may_cost_two_servants(fort: int) -> None:
    due = 2 if fort in FACTS["forts"]["mining_two_servants"] else 1
    assert sheet(done(at(fort, servant=due), FillMining()))["servant"] == 0
    assert refused(at(fort, servant=due - 1), FillMining()) == "cannot_afford"


@pytest.mark.parametrize("fort", range(17))
def test_diplomats_and_landmarks_may_be_forbidden(fort: int) -> None:
    diplomat = at(fort, patricians=1, **facts.DIPLOMAT_PRICE)
    if fort in FACTS["forts"]["no_diplomats"]:
        assert refused(diplomat, SendDiplomat(Cohort.LEFT)) == "forbidden_by_campaign"
    else:
        done(diplomat, SendDiplomat(Cohort.LEFT))
    for name, (attribute, _) in facts.LANDMARKS.items():
        landmark = at(fort, **{attribute: 15}, **facts.LANDMARK_PRICE)
        if fort in FACTS["forts"]["no_landmarks"]:
            assert refused(landmark, RaiseLandmark(Landmark(name))) == "forbidden_by_campaign"
        else:
            done(landmark, RaiseLandmark(Landmark(name)))


@pytest.mark.parametrize("fort", range(17))
def test_buildings_may_be_forbidden_or_dearer(fort: int) -> None:
    for name, plan in facts.BUILDINGS.items():
        cost = dict(plan.price)
        cost["resource"] = cost.get("resource", 0) + (fort in FACTS["forts"]["dear_buildings"])
        state = at(fort, **{plan.track: plan.level, plan.family: plan.size - 1}, **cost)
        if name in FACTS["forts"]["forbidden"].get(fort, ()):
            assert refused(state, Build(Building(name))) == "forbidden_by_campaign"
            continue
        done(state, Build(Building(name)))
        for good, count in cost.items():
            if count:
                poor = seated(state, 0, **{good: count - 1})
                assert refused(poor, Build(Building(name))) == "cannot_afford"


@pytest.mark.parametrize("fort", range(17))
def test_wall_and_cippi_may_have_to_wait_for_the_third_year(fort: int) -> None:
    for year in facts.YEARS:
        state = at(fort, year=year, fort=1, resource=2)
        if fort in FACTS["forts"]["no_wall_before_year_3"] and year < 3:
            assert refused(state, FillWall()) == "forbidden_by_campaign"
            assert refused(state, FillCippi()) == "forbidden_by_campaign"
        else:
            done(state, FillWall(), FillCippi())


def test_at_magnis_the_first_fate_card_must_show_two_soldiers() -> None:
    poor = [number for number, card in enumerate(facts.FATE) if card.supply["soldier"] < 2]
    rich = [number for number, card in enumerate(facts.FATE) if card.supply["soldier"] == 2]
    state = start(GAME, 1, HadriansWallOptions(campaign=10))
    draws = {f"fate/{number}": card for number, card in enumerate([*poor[:4], rich[0]])}
    move = TurnFate.resolve(state, Dealt(draws))
    then = play(GAME, state, NATURE, move)
    assert (then.fate, then.discard) == (rich[0], (*poor[:4], rich[0]))
    assert then.sheets[0].soldier == 2
    for card in range(48):
        if card in poor:
            with pytest.raises(IllegalAction, match="too_few_soldiers"):
                TurnFate(card).check(state, Seat(-1))
        else:
            TurnFate(card).check(state, Seat(-1))
    later = replace(state, year=2)
    assert TurnFate.resolve(later, Dealt({"fate/0": poor[0]})) == TurnFate(poor[0])
    other = start(GAME, 1, HadriansWallOptions())
    assert TurnFate.resolve(other, Dealt({"fate/0": poor[0]})) == TurnFate(poor[0])


@pytest.mark.parametrize("fort", range(2, 17))
def test_the_reward_of_the_fort_before_is_held_from_the_start(fort: int) -> None:
    reward = price(FACTS["forts"]["rewards"][fort - 2])
    options = HadriansWallOptions(campaign=fort, campaign_reward=True)
    page = sheet(start(GAME, 1, options))
    assert {good: page[good] for good in facts.GOODS} == dict.fromkeys(facts.GOODS, 0) | reward
    without = sheet(start(GAME, 1, HadriansWallOptions(campaign=fort)))
    assert not any(without[good] for good in facts.GOODS)


def test_temples_may_be_filled_by_any_worker_at_every_fort() -> None:
    assert {worker.value for worker in Worker} == set(facts.WORKERS)
