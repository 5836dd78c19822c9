"""The game of Hadrian's Wall: which moves answer which question, and when a phase ends."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from msgspec.structs import replace

from services.gamekit.chance import Chance
from services.gamekit.game import (
    NATURE,
    Action,
    Decision,
    Game,
    Meta,
    Record,
    Result,
    ScoreSheet,
    Seat,
)
from services.hadrians_wall import campaign, endgame, imagination
from services.hadrians_wall.effects import Choice
from services.hadrians_wall.evaluate import evaluate
from services.hadrians_wall.forts import FORTS
from services.hadrians_wall.goods import Price
from services.hadrians_wall.rules import year
from services.hadrians_wall.rules.attack import Attack, settled
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
from services.hadrians_wall.rules.favours import FaceAttack, SpendFavour
from services.hadrians_wall.rules.finish import Finish, discard_goods
from services.hadrians_wall.rules.ludus import Battle, DrawGladiator, TrainGladiator
from services.hadrians_wall.rules.market import DrawGood, Trade
from services.hadrians_wall.rules.paths import ChoosePath, RevealProspects
from services.hadrians_wall.rules.scouts import Scout
from services.hadrians_wall.rules.temples import FillTemple
from services.hadrians_wall.rules.theatre import Perform
from services.hadrians_wall.state import HadriansWallOptions, Phase, Sheet, State, Use
from services.hadrians_wall.view import View, view

Position: TypeAlias = State

SEATS = range(6)
ACTIONS = tuple(Decision(Seat(seat), "actions") for seat in SEATS)
PATH_CARDS = tuple(Decision(Seat(seat), "path_card") for seat in SEATS)
FAVOURS = tuple(Decision(Seat(seat), "favours") for seat in SEATS)
NATURES = {
    phase: (Decision(NATURE, phase.value),)
    for phase in (Phase.FATE, Phase.DEAL, Phase.REVEAL, Phase.NEUTRAL, Phase.ATTACK)
}


class HadriansWall(Game[State]):
    """One to six seats, six years."""

    meta = Meta(
        key="hadrians_wall",
        title="Hadrian's Wall",
        min_seats=1,
        max_seats=6,
        rules_version="1",
        deferred=("attack",),
    )
    State = State
    View: type[Record] = View
    Options = HadriansWallOptions
    moves: Mapping[str, tuple[type[Action[Any]], ...]] = {
        "fate": (year.TurnFate,),
        "deal": (year.DealCards,),
        "path_card": (ChoosePath,),
        "reveal": (RevealProspects,),
        "neutral": (year.TurnNeutral,),
        "actions": (
            FillMining,
            FillGuard,
            TrainGuard,
            FillCippi,
            FillWall,
            FillFort,
            Build,
            RaiseLandmark,
            FillCitizen,
            UseForum,
            Trade,
            Perform,
            TrainGladiator,
            Battle,
            FillTemple,
            Bathe,
            HoldCourt,
            SendDiplomat,
            Scout,
            Finish,
        ),
        "cohort": (ChooseCohort,),
        "small_road": (ChooseAttribute,),
        "large_road": (ChooseAttribute,),
        "road_income": (ChooseAttribute,),
        "fate_good": (DrawGood,),
        "fate_gladiator": (DrawGladiator,),
        "attack": (Attack,),
        "favours": (SpendFavour, FaceAttack),
    }
    follow_ups = frozenset(choice.value for choice in Choice)
    """Prompts that an action brings with it."""

    def setup(self, seats: int, options: HadriansWallOptions) -> Position:
        """Blank sheets; in the campaign perhaps with the reward of the fort before."""
        reward = FORTS[options.campaign - 1].reward if options.campaign_reward else Price()
        return State(options, (year.supplied(Sheet(), reward),) * seats)

    def decisions(self, state: Position) -> tuple[Decision, ...]:
        return ASKED[state.phase](state)

    def advance(self, state: Position) -> Position:
        close = CLOSERS.get(state.phase)
        return state if close is None else close(state)

    def view(self, state: Position, seat: Seat | None) -> Record:
        return view(state, seat)

    def imagine(self, state: Position, seat: Seat | None, chance: Chance) -> Position:
        return imagination.imagine(state, seat, chance)

    def score(self, state: Position) -> tuple[ScoreSheet, ...]:
        return endgame.score(state)

    def result(self, state: Position) -> Result | None:
        over = state.phase is Phase.OVER
        return endgame.result(state, campaign.outcome(state) if over else "")

    def evaluate(self, state: Position, seat: Seat) -> float:
        return evaluate(state, seat)


def asked_nature(state: State) -> tuple[Decision, ...]:
    """A draw, a reveal or the attack is due."""
    return NATURES[state.phase]


def asked_paths(state: State) -> tuple[Decision, ...]:
    """Whoever has not put a path down yet."""
    return tuple(
        PATH_CARDS[seat] for seat, sheet in enumerate(state.sheets) if sheet.choice is None
    )


def asked_actions(state: State) -> tuple[Decision, ...]:
    """Everyone who has not stopped: first the follow-ups; who waits for a fate card waits."""
    asked = []
    for seat, sheet in enumerate(state.sheets):
        if sheet.agenda:
            asked.append(Decision(Seat(seat), sheet.agenda[0].value))
        elif not sheet.passed:
            asked.append(ACTIONS[seat])
    return waiting(state, asked) if state.draws else tuple(asked)


def waiting(state: State, asked: list[Decision]) -> tuple[Decision, ...]:
    """The same, while fate cards are due."""
    waits = {draw.seat for draw in state.draws}
    prompt = "fate_good" if state.draws[0].use is Use.GOOD else "fate_gladiator"
    return (Decision(NATURE, prompt), *(one for one in asked if one.seat not in waits))


def asked_favours(state: State) -> tuple[Decision, ...]:
    """Those who could still cancel a card."""
    return tuple(FAVOURS[seat] for seat, sheet in enumerate(state.sheets) if sheet.facing)


ASKED: dict[Phase, Callable[[State], tuple[Decision, ...]]] = {
    Phase.FATE: asked_nature,
    Phase.DEAL: asked_nature,
    Phase.PATH: asked_paths,
    Phase.REVEAL: asked_nature,
    Phase.NEUTRAL: asked_nature,
    Phase.ACTIONS: asked_actions,
    Phase.ATTACK: asked_nature,
    Phase.FAVOURS: asked_favours,
    Phase.OVER: lambda _: (),
}
"""Who is asked in each phase."""


def close_paths(state: State) -> State:
    """All have chosen: time to reveal."""
    if asked_paths(state):
        return state
    return replace(state, phase=Phase.REVEAL)


def close_neutral(state: State) -> State:
    """The neutral cards lie open, if there are any: income, and on to the actions."""
    return year.income(state) if len(state.neutral) == year.neutral_due(state) else state


def close_actions(state: State) -> State:
    """All have stopped, and nothing is left open."""
    for sheet in state.sheets:
        if not sheet.passed or sheet.agenda:
            return state
    return state if state.draws else discard_goods(state)


def close_favours(state: State) -> State:
    """Nobody has a favour left to spend on the attack."""
    return state if asked_favours(state) else settled(state)


CLOSERS: dict[Phase, Callable[[State], State]] = {
    Phase.PATH: close_paths,
    Phase.NEUTRAL: close_neutral,
    Phase.ACTIONS: close_actions,
    Phase.FAVOURS: close_favours,
}
"""What ends each phase that does not end with a move of NATURE."""

GAME = HadriansWall()
"""The rules of Hadrian's Wall."""
