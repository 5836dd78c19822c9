"""The engine's attack against the oracle's, on random sheets, cards and favours (6)."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from services.gamekit.chance import Chance
from services.gamekit.game import NATURE, Seat
from services.gamekit.play import play
from services.hadrians_wall.game import GAME
from services.hadrians_wall.goods import Cohort, Difficulty
from services.hadrians_wall.rules.attack import Attack
from services.hadrians_wall.rules.favours import FaceAttack, Patron, SpendFavour
from services.hadrians_wall.state import HadriansWallOptions, Phase, Sheet, State
from tests.hadrians_wall.independent import attack_oracle, facts
from tests.hadrians_wall.independent.world import Page, world

Favours = list[tuple[str, str]]


def random_sheet(rng: Random) -> Sheet:
    """A sheet as an attack may find it: goods are discarded, everything else is open."""
    fields: dict[str, Any] = {f"cohort_{one}": rng.randint(0, 6) for one in facts.COHORTS}
    fields |= {one: rng.randint(0, 25) for one in facts.ATTRIBUTES}
    if rng.random() < 0.6:
        fields |= {f"favours_{one}": rng.randint(0, 2) for one in facts.COHORTS}
        fields["favours"] = rng.randint(0, 3)
    return Sheet(
        **fields, disdain=rng.randint(0, 11), alarms=rng.choice((0, 0, 0, 1, 4)), passed=True
    )


def random_attack(rng: Random) -> State:
    """A table of one to six seats at the end of a year."""
    seats = rng.randint(1, 6)
    options = HadriansWallOptions(
        difficulty=rng.choice(tuple(Difficulty)), campaign=rng.choice((0, 12)) if seats == 1 else 0
    )
    gone = rng.sample(range(48), rng.randint(0, 48))
    return State(
        options,
        tuple(random_sheet(rng) for _ in range(seats)),
        year=rng.randint(1, 6),
        phase=Phase.ATTACK,
        pile=tuple(sorted(set(range(48)) - set(gone))),
        discard=tuple(gone),
        pieces=rng.choice((0, 0, 1, 3)) if seats < 3 else 0,
    )


def one_favour(rng: Random, sheet: Sheet) -> tuple[str, str]:
    """A favour that may be spent now, or `("", "")` for no more."""
    able = [("", "")]
    for cohort, count in zip(facts.COHORTS, sheet.through, strict=True):
        if count and sheet.favours:
            able.append(("temple", cohort))
        if count and getattr(sheet, f"favours_{cohort}"):
            able.append(("diplomat", cohort))
    return rng.choice(able)


def faced(rng: Random, state: State) -> tuple[State, list[Favours]]:
    """The attack's end, and the favours that each seat spent on it."""
    spent: list[Favours] = [[] for _ in state.sheets]
    while state.phase is Phase.FAVOURS:
        seat = rng.choice([decision.seat for decision in GAME.decisions(state)])
        patron, cohort = one_favour(rng, state.sheets[seat])
        if patron:
            spent[seat].append((patron, cohort))
            state = play(GAME, state, seat, SpendFavour(Patron(patron), Cohort(cohort)))
        else:
            state = play(GAME, state, seat, FaceAttack())
    return state, spent


def expected(page: Page, year: int, directions: list[str], favours: Favours) -> Page:
    """The sheet that the oracle foresees."""
    page = attack_oracle.struck(page, year, directions, favours)
    page.update(alarms=0, passed=False)
    return page


def resolve_one(rng: Random) -> int:
    """One attack, on as many cases as there are seats."""
    state = random_attack(rng)
    move = Attack.resolve(state, Chance(rng.randbytes(8)))
    due = attack_oracle.due(
        state.year, str(state.options.difficulty), state.options.campaign, state.pieces
    )
    assert len(move.cards) == due
    coming = [
        [facts.FATE[card].direction for card in (*move.cards, *claim.own_cards)]
        for claim in move.claims
    ]
    pages = world(state).pages
    then = play(GAME, state, NATURE, move)
    for sheet, page, directions in zip(then.sheets, pages, coming, strict=True):
        if then.phase is Phase.FAVOURS:
            through = attack_oracle.let_through(page, directions)
            assert sheet.through == tuple(through.values())
            assert sheet.facing == attack_oracle.may_help(page, through)
    then, spent = faced(rng, then)
    assert [len(claim.own_cards) for claim in move.claims] == [page["alarms"] for page in pages]
    for found, page, directions, favours in zip(
        world(then).pages, pages, coming, spent, strict=True
    ):
        assert found == expected(page, state.year, directions, favours)
    assert then.phase is (Phase.OVER if state.year == 6 else Phase.FATE)
    assert sorted((*then.pile, *then.discard)) == list(range(48))
    return len(state.sheets)


def cases(seed: int, count: int) -> Iterator[int]:
    """Attacks until so many seats have resolved theirs."""
    rng = Random(seed)
    seen = 0
    while seen < count:
        seen += resolve_one(rng)
        yield seen


def test_engine_and_oracle_agree_on_five_thousand_attacks() -> None:
    assert max(cases(1, 5_000)) >= 5_000


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_engine_and_oracle_agree_on_a_hundred_thousand_attacks() -> None:
    assert max(cases(2, 100_000)) >= 100_000


@pytest.mark.parametrize("year", facts.YEARS)
def test_all_that_gets_through_is_judged_against_the_potential(year: int) -> None:
    potential = facts.FACTS["attack"]["potential"][year - 1]
    for through in range(15):
        disdain, valour = attack_oracle.verdict(year, through)
        assert disdain == min(through, potential)
        assert valour == max(0, potential - through)


def test_the_last_year_of_a_hard_match_with_nobody_to_hold_the_wall() -> None:
    options = HadriansWallOptions(difficulty=Difficulty.HARD)
    state = State(options, (Sheet(passed=True),), year=6, phase=Phase.ATTACK)
    then = play(GAME, state, NATURE, Attack.resolve(state, Chance(b"hard")))
    assert (then.sheets[0].disdain, then.sheets[0].valour) == (4, 0)
    assert then.phase is Phase.OVER
    strong = Sheet(cohort_left=6, cohort_centre=6, cohort_right=6, favours=3)
    held = replace(state, sheets=(strong,))
    then = play(GAME, held, NATURE, Attack.resolve(held, Chance(b"hard")))
    while then.phase is Phase.FAVOURS:
        then = play(GAME, then, Seat(0), FaceAttack())
    assert then.sheets[0].disdain + then.sheets[0].valour == 4
