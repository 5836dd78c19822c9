"""Each season as a transcript, and whole matches at one, two and four seats.

A transcript names who is asked what and what is answered; NATURE's moves stand between.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from services.gamekit.chance import Chance
from services.gamekit.game import NATURE, Action, Seat
from services.gamekit.play import legal, nature_due, open_decision, play, settle, start
from services.great_wall.cards.advisors import Advisor
from services.great_wall.cards.commands import Command
from services.great_wall.cards.hordes import HordeCard
from services.great_wall.game import GAME
from services.great_wall.goods import Goods, Location, Resource, Section, Zone
from services.great_wall.options import GreatWallOptions
from services.great_wall.rules.attacks import Strike
from services.great_wall.rules.building import BuildWall, PayCost
from services.great_wall.rules.choices import Done, PickOption
from services.great_wall.rules.clerks import MoveClerk
from services.great_wall.rules.fall import ChooseCommand, PlaceCommand
from services.great_wall.rules.killing import SaveSoldier
from services.great_wall.rules.locations import ActivateLocation
from services.great_wall.rules.overseers import RaiseOverseer
from services.great_wall.rules.production import DonateGood
from services.great_wall.rules.recruiting import RecruitSoldier
from services.great_wall.rules.shame import PlaceShame, ReturnShame
from services.great_wall.rules.summer import ScoreDiscard, TakeBack
from services.great_wall.rules.tactics import UseAbility
from services.great_wall.rules.winter import Assault, Fatal
from services.great_wall.state import Played, State
from services.great_wall.tasks.seasons import Begin
from services.great_wall.tasks.task import Phase
from tests.great_wall.table import (
    ARCHER,
    CENTRE,
    LEFT,
    RIGHT,
    SPEARMAN,
    clerks,
    facing,
    own,
    owning,
    run,
    standing,
    table,
)

Line = tuple[int, str, Action[Any]]


def transcript(state: State, *lines: Line) -> State:
    """Play a season line by line, NATURE between."""
    chance = Chance(b"transcript")
    for seat, prompt, move in lines:
        state, _ = settle(GAME, state, chance)
        decision = open_decision(GAME, state, Seat(seat))
        assert decision is not None, (GAME.decisions(state), move)
        assert decision.prompt == prompt
        state = play(GAME, state, Seat(seat), move)
    return settle(GAME, state, chance)[0]


def test_a_spring() -> None:
    """Year 3 at three seats: two hordes, one of them a raid; two advisors go, two come."""
    state = facing(facing(table(), LEFT, "outriders_left"), CENTRE, "outriders_centre")
    for card in ("outriders_right", "vanguard_left", "vanguard_right"):
        state = facing(state, RIGHT, card)
    track = (Advisor.JINSHI, Advisor.WARDEN, Advisor.HERALD, Advisor.EXAMINER)
    deck = (HordeCard.LEADER_LEFT, HordeCard.LEADER_RIGHT, HordeCard.WAR_DRUMS_RIGHT)
    state = replace(state, year=2, advisor_track=track, horde_deck=deck, back=LEFT, indicator=LEFT)
    state = replace(state, advisor_deck=tuple(sorted(set(Advisor) - set(track))))
    state = transcript(run(state, Begin(Phase.SPRING)))
    assert (state.year, state.phase, state.shame_pool) == (3, Phase.SUMMER, 30 - 2 * 3)
    assert HordeCard.LEADER_LEFT in state.horde_discard
    assert state.indicator is RIGHT
    assert state.advisor_track[:2] == (Advisor.HERALD, Advisor.EXAMINER)


def test_a_summer() -> None:
    """Income, an ability, shame returned, cards scored and taken back."""
    state = owning(
        table(2),
        overseers=(0, 0, 0, 2),
        active=(Advisor.TOLL_COLLECTOR,),
        frozen=(1, 0, 0),
        discard=(Command.DESPOTISM, Command.ECONOMY),
        commands=(Command.BETRAYAL, Command.ATTACK_ORDER),
    )
    track = (Played(0, Command.WORK_HARDER), Played(1, Command.ECONOMY), None, None)
    state = run(replace(state, track=track, phase=Phase.SUMMER), Begin(Phase.SUMMER))
    state = transcript(
        state,
        (0, "trigger", UseAbility(Advisor.TOLL_COLLECTOR)),
        (0, "shame_return", ReturnShame(SPEARMAN, None)),
        (0, "command_cards", ScoreDiscard()),
        (1, "command_cards", TakeBack()),
    )
    assert own(state).goods == Goods(gold=2)
    assert own(state).honour == 6
    assert Command.ECONOMY in own(state, 1).commands
    assert state.phase is Phase.FALL


def test_a_fall() -> None:
    """Two seats and the neutral clan: seat 0 builds a wall, seat 1 recruits."""
    state = owning(table(2), goods=Goods(3, 3, 0, 2))
    state = owning(state, 1, goods=Goods(2, 3, 0, 2))
    state = facing(clerks(state, 1, barracks=2), RIGHT, "outriders_right")
    quarry, camp = Location.QUARRY, Location.BUILDERS_ENCAMPMENT
    to_quarry, to_barracks = MoveClerk(None, quarry), MoveClerk(None, Location.BARRACKS)
    price = Goods(stone=2, wood=1)
    state = transcript(
        run(state, Begin(Phase.FALL)),
        (1, "command", ChooseCommand(Command.ATTACK_ORDER)),
        (0, "command", ChooseCommand(Command.ECONOMY)),
        (0, "space", PlaceCommand(0)),
        (1, "space", PlaceCommand(1)),
        # seat 0: Economy
        (0, "clerk", to_quarry),
        (0, "clerk", to_quarry),
        (0, "clerk", MoveClerk(None, camp)),
        (1, "clerk", to_quarry),
        (1, "clerk", to_barracks),
        (0, "clerk", Done()),  # for the neutral clan
        (0, "overseer", RaiseOverseer(quarry, SPEARMAN)),  # one cheaper: a single wood
        (0, "activation", ActivateLocation(camp)),
        (0, "choice", PickOption(1)),
        (0, "build", BuildWall(RIGHT)),
        (0, "payment", PayCost(Goods(2, 3))),
        (0, "activation", ActivateLocation(quarry)),
        (0, "overseer", Done()),
        (1, "overseer", Done()),
        (0, "donation", DonateGood(Resource.STONE)),
        (1, "donation", Done()),
        (0, "donation", Done()),  # for the neutral clan
        (1, "shame", PlaceShame(SPEARMAN, None)),  # alone in the barracks
        (1, "recruit", RecruitSoldier(SPEARMAN, RIGHT, True, price)),
        (1, "recruit", Done()),
        (1, "forced_attack", Strike(Zone.RECRUIT, SPEARMAN, RIGHT, 0, (7,))),
        # seat 1: Attack Order; nobody has a target
        (0, "choice", PickOption(0)),
        (0, "clerk", MoveClerk(None, Location.TEMPLE)),
        (1, "choice", Done()),  # for the neutral clan
        # the neutral clan
        (0, "clerk", Done()),
        (0, "clerk", Done()),
        (1, "clerk", Done()),
        (0, "build", Done()),
    )
    assert state.walls == (0, 0, 1)
    assert own(state).honour == 5 + 2
    assert own(state).overseers == (0, 1, 0, 0)
    assert state.warehouse == Goods(stone=1)
    assert own(state, 1).goods == Goods(1, 2, 1, 2)
    assert (state.phase, GAME.decisions(state)[0].prompt) == (Phase.WINTER, "assault")


def test_a_winter() -> None:
    """A shot, an assault that is held, a breach; then the next year's spring."""
    state = facing(table(2, walls=(0, 1, 1)), CENTRE, "war_drums_centre")
    state = facing(state, RIGHT, "vanguard_right", spearmen={1: (8,)})
    state = standing(state, 0, RIGHT, firing=1)
    state = owning(owning(state, goods=Goods(chi=2)), 1, pool=(9, 4, 2))
    state = replace(state, back=RIGHT, indicator=RIGHT, phase=Phase.WINTER)
    state = transcript(
        run(state, Begin(Phase.WINTER)),
        (0, "forced_attack", Strike(Zone.FIRING, ARCHER, RIGHT, 0, (1,))),
        (-1, "assault", held(CENTRE, 3, 3)),
        (-1, "assault", breach(RIGHT, 3, 6, HordeCard.VANGUARD_RIGHT, 0)),
        (0, "shame", PlaceShame(SPEARMAN, None)),
        (0, "save", SaveSoldier(None, ARCHER)),
        (1, "save", Done()),
    )
    assert (state.year, state.breaches, state.shame_pool) == (2, 1, 19)
    assert own(state).rest[7] == 1
    assert own(state, 1).pool == (10, 4, 2)
    assert state.hordes[2][0].marks[8] == 1


def held(section: Section, defence: int, offence: int) -> Action[Any]:
    """An assault that is held."""
    return Assault(section, defence, offence, False, (), ())


def breach(
    section: Section, defence: int, offence: int, card: HordeCard, *shamed: int
) -> Action[Any]:
    """An assault that breaches the wall."""
    seats = tuple(Seat(seat) for seat in shamed)
    return Assault(section, defence, offence, True, seats, (Fatal(card, 1),))


def match(seats: int, seed: int) -> Iterator[State]:
    """A whole match of players who look one move ahead."""
    rng, chance = Random(seed), Chance(b"match %d" % seed)
    state = start(GAME, seats, GreatWallOptions())
    while GAME.decisions(state):
        while kind := nature_due(GAME, state, deferred=True):
            state = play(GAME, state, NATURE, kind.resolve(state, chance))
            yield state
        for decision in GAME.decisions(state)[:1]:
            answers = list(legal(GAME, state, decision.seat))
            some = rng.sample(answers, min(12, len(answers)))
            state = max(
                (play(GAME, state, decision.seat, move) for move in some),
                key=lambda after: GAME.evaluate(after, decision.seat),
            )
            yield state


@pytest.mark.parametrize("seats", [1, 2, 4])
def test_a_whole_match(seats: int) -> None:
    """Every season is played, something is built and somebody is shamed; places follow scores."""
    states = list(match(seats, 3))
    end = states[-1]
    assert {state.phase for state in states} >= {Phase.FALL, Phase.SUMMER, Phase.WINTER}
    assert end.phase is Phase.OVER
    assert any(any(state.walls) for state in states)
    assert any(any(clan.frozen) for state in states for clan in state.clans)
    result = GAME.result(end)
    assert result is not None
    scores = [place.score for place in result.places]
    assert scores == sorted(scores, reverse=True)
    assert [place.place for place in result.places] == list(range(1, seats + 1))
