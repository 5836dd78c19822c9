"""Whole years, told move by move (2)."""

from __future__ import annotations

from typing import Any

from services.gamekit.game import Seat
from services.gamekit.play import start
from services.hadrians_wall.buildings import Building, Landmark
from services.hadrians_wall.cards import PlayerCard
from services.hadrians_wall.game import GAME
from services.hadrians_wall.goods import Attribute, Citizen, Cohort, Gladiator, Worker
from services.hadrians_wall.rules.baths import Bathe
from services.hadrians_wall.rules.building import Build, RaiseLandmark
from services.hadrians_wall.rules.choices import ChooseAttribute, ChooseCohort
from services.hadrians_wall.rules.citizens import FillCitizen, UseForum
from services.hadrians_wall.rules.courthouse import HoldCourt
from services.hadrians_wall.rules.defences import (
    FillCippi,
    FillFort,
    FillGuard,
    FillMining,
    FillWall,
    TrainGuard,
)
from services.hadrians_wall.rules.diplomats import SendDiplomat
from services.hadrians_wall.rules.favours import Patron, SpendFavour
from services.hadrians_wall.rules.finish import Finish
from services.hadrians_wall.rules.ludus import Battle, TrainGladiator
from services.hadrians_wall.rules.market import Trade
from services.hadrians_wall.rules.neighbours import Source
from services.hadrians_wall.rules.paths import ChoosePath
from services.hadrians_wall.rules.scouts import Scout
from services.hadrians_wall.rules.temples import FillTemple
from services.hadrians_wall.rules.theatre import Perform
from services.hadrians_wall.state import HadriansWallOptions, Phase, Sheet, State
from tests.hadrians_wall.independent import facts
from tests.hadrians_wall.independent.referee import (
    asked,
    attacked,
    changes,
    dealt,
    done,
    goods,
    objected,
    sheet,
)

CARD = PlayerCard


def test_the_first_year_of_a_player_alone() -> None:
    state = start(GAME, 1, HadriansWallOptions())
    fate = facts.fate(direction="left", gladiator=3, good=1)
    state = dealt(state, {"fate/0": fate, "player/0/1/0": "architect", "player/0/1/1": "ranger"})
    assert goods(state) == "1 soldier, 3 builder, 1 servant, 1 civilian, 2 resource"
    assert asked(state) == "path_card"

    state = done(state, ChoosePath(CARD.RANGER))
    state = dealt(state, {"neutral/1/0": "fighter", "neutral/1/1": "pontiff"})
    assert state.neutral == (CARD.FIGHTER, CARD.PONTIFF)
    # the Architect's two resources, and one of the circle that is printed as filled
    assert goods(state) == "1 soldier, 3 builder, 1 servant, 1 civilian, 5 resource"

    state = done(state, *[FillFort(Worker.BUILDER)] * 3, FillFort(Worker.SOLDIER))
    assert goods(state) == "1 servant, 2 civilian, 5 resource"
    state = done(state, FillWall(), FillWall(), FillWall())
    assert goods(state) == "1 servant, 4 civilian, 2 resource"
    state = done(state, FillWall())
    assert (sheet(state)["renown"], asked(state)) == (1, "cohort")
    state = done(state, ChooseCohort(Cohort.LEFT), FillCippi())
    assert goods(state) == "1 servant, 4 civilian"
    for citizen in (Citizen.PERFORMERS, Citizen.PRIESTS, Citizen.PATRICIANS, Citizen.APPARITORES):
        state = done(state, FillCitizen(citizen))
    assert goods(state) == "2 builder, 2 servant, 1 resource"
    state = done(state, Build(Building.MEDIUM_GRANARY), FillFort(Worker.BUILDER), FillMining())
    assert goods(state) == ""

    state = done(state, Finish())
    assert state.phase is Phase.ATTACK
    state = attacked(state, facts.fate(direction="left", good=4))
    # one card on the left, where one box of the cohort is filled: the potential of 1 is valour
    assert (state.year, state.phase) == (2, Phase.FATE)
    assert (sheet(state)["valour"], sheet(state)["disdain"]) == (1, 0)
    assert [line.points for line in GAME.score(state)[0].lines] == [1, 0, 1, 0, 0]


def veteran(**more: Any) -> State:
    """The beginning of year 4 for a player who has built much of the right sheet."""
    fields: dict[str, Any] = {
        "fort": 10, "granary": 1, "hotel": 1, "road": 1, "production": 3, "wall": 8, "guard": 7,
        "performers": 6, "theatre": 1, "apparitores": 3, "ludus": 1, "traders": 4, "market": 1,
        "priests": 3, "temples": 2, "temple_boxes": 2, "favours": 1, "baths": 1, "patricians": 2,
        "renown": 16, "piety": 14, "valour": 20, "discipline": 15, "disdain": 2,
        "path": (CARD.DEFENDER, CARD.FORAGER, CARD.PONTIFF),
        "prospects": (CARD.ENGINEER, CARD.FIGHTER, CARD.PLANNER),
    }  # fmt: skip
    options = HadriansWallOptions()
    used = (CARD.RANGER, CARD.TRAINER, CARD.VANGUARD, CARD.PLANNER, CARD.PONTIFF, CARD.ENGINEER)
    return State(options, (Sheet(**{**fields, **more}),), year=4, neutral_used=used)


def year_four(**more: Any) -> State:
    """Its actions: fate, paths and income are done."""
    fate = facts.fate(direction="left", gladiator=2, good=5)  # 2/2/1/1/2
    hand: dict[str, int | str] = {"player/0/4/0": "merchant", "player/0/4/1": "aristocrat"}
    state = dealt(veteran(**more), {"fate/0": fate, **hand})
    state = done(state, ChoosePath(CARD.ARISTOCRAT))
    return dealt(state, {"neutral/4/0": "fighter", "neutral/4/1": "architect"})


def test_a_long_chain_in_the_fourth_year() -> None:
    state = year_four(priests=3, apparitores=3)
    # 2/2/1/1/2 of fate, Ci Re of the Merchant, Ci of the hotel, 3 Re of production
    assert goods(state) == "2 soldier, 2 builder, 1 servant, 3 civilian, 6 resource"
    assert asked(state) == "road_income"
    state = done(state, ChooseAttribute(Attribute.DISCIPLINE))
    assert sheet(state)["discipline"] == 16

    # The theatre's fourth play: discipline and an apparitor. Discipline 17 marks valour, valour
    # 21 marks renown, renown 17 marks piety, piety 15 brings a servant; then the fourth
    # apparitor marks discipline once more.
    before = state
    state = done(state, Perform(4))
    assert changes(before, state) == {
        "resource": 5, "plays": (0, 0, 0, 4, 0, 0), "discipline": 18, "valour": 21, "renown": 17,
        "piety": 15, "servant": 2, "apparitores": 4,
    }  # fmt: skip

    # Two landmarks feed the tracks that they grew from.
    state = done(state, RaiseLandmark(Landmark.STATUE))
    assert sheet(state)["renown"] == 19  # and a civilian for the nineteenth
    assert goods(state) == "2 soldier, 1 builder, 2 servant, 4 civilian, 3 resource"
    state = done(state, RaiseLandmark(Landmark.COLUMN))
    assert (sheet(state)["piety"], sheet(state)["renown"]) == (17, 20)
    assert goods(state) == "2 soldier, 2 servant, 4 civilian, 1 resource"

    state = done(state, FillTemple(Worker.SERVANT), FillTemple(Worker.SERVANT))
    assert sheet(state)["piety"] == 18
    state = done(state, FillGuard(), FillGuard())
    assert (sheet(state)["discipline"], asked(state)) == (19, "cohort")  # the 19th: a builder
    state = done(state, ChooseCohort(Cohort.RIGHT), FillFort(Worker.BUILDER))
    state = done(state, *[FillCitizen(Citizen.PRIESTS)] * 4, Bathe(2))
    # priests 4 to 7: piety 19 (a servant), a servant, piety 20, a servant
    assert (sheet(state)["piety"], sheet(state)["disdain"]) == (20, 1)
    assert goods(state) == "3 servant"

    state = done(state, Finish())
    assert (goods(state), state.phase) == ("", Phase.ATTACK)
    right = [number for number, card in enumerate(facts.FATE) if card.direction == "right"]
    state = attacked(state, *right[:6])
    # six on the right, one box holds: five get through, and a favour is in hand
    assert (asked(state), sheet(state)["through"]) == ("favours", (0, 0, 5))
    state = done(state, SpendFavour(Patron.TEMPLE, Cohort.RIGHT))
    assert (sheet(state)["disdain"], state.year) == (1 + 3, 5)


def test_each_area_is_used_and_then_refused_in_one_year() -> None:
    plenty = dict.fromkeys(facts.GOODS, 40)
    fields: dict[str, Any] = {
        **plenty, "fort": 17, "granary": 1, "renown": 15, "traders": 8, "performers": 5,
        "priests": 5, "apparitores": 6, "patricians": 4, "market": 1, "theatre": 1, "ludus": 1,
        "temples": 2, "baths": 1, "courthouse": 1, "disdain": 4, "mining": 8, "guard": 10,
        "cippi": 4, "wall": 13, "prospects": (CARD.FIGHTER,),
    }  # fmt: skip
    state = State(HadriansWallOptions(), (Sheet(**fields),), year=2, phase=Phase.ACTIONS,
                  neutral=(CARD.RANGER, CARD.TRAINER))  # fmt: skip
    one = facts.fate(gladiator=1, good=2)
    for move, cards, refusal in (
        (FillMining(), (), "needs_granary"),
        (TrainGuard(), (), "once_a_year"),
        (FillGuard(), (), "needs_granary"),
        (FillCippi(), (), "needs_granary"),
        (FillWall(), (), "needs_granary"),
        (Build(Building.SMALL_ROAD), (), "already_built"),
        (RaiseLandmark(Landmark.ARCHWAY), (), "already_built"),
        (UseForum(1, 1, 0, Worker.CIVILIAN), (), "once_a_year"),
        (FillCitizen(Citizen.TRADERS), (), "track_complete"),
        (Trade(Source.LEFT, 3), (), "box_filled"),
        (Perform(2), (), "once_a_year"),
        (TrainGladiator(Gladiator.RED, Worker.SERVANT), (), ""),
        (TrainGladiator(Gladiator.RED, Worker.CIVILIAN), (), ""),
        (TrainGladiator(Gladiator.RED, Worker.SERVANT), (), "needs_citizens"),
        (Battle(Gladiator.RED), (one,), "once_a_year"),
        (FillTemple(Worker.SOLDIER), (), ""),
        (Bathe(1), (), "box_filled"),
        (Bathe(4), (), "twice_a_year"),
        (HoldCourt(1), (), "once_a_year"),
        (HoldCourt(2), (), "once_a_year"),
        (HoldCourt(3), (), "once_a_year"),
        (SendDiplomat(Cohort.LEFT), (), "cohort_served"),
        (Scout(Source.OWN, (0, 1, 5, 6)), (), "cell_filled"),
        (Finish(), (), ""),
    ):  # fmt: skip
        state = done(state, move, fate=cards)
        while asked(state) not in ("actions", ""):
            choice = ChooseCohort(Cohort.CENTRE) if asked(state) == "cohort" else \
                ChooseAttribute(Attribute.PIETY)  # fmt: skip
            state = done(state, choice)
        if refusal:
            assert refusal in objected(state, move)
    assert (state.phase, goods(state)) == (Phase.ATTACK, "")
    assert GAME.decisions(state)[0].seat != Seat(0)
