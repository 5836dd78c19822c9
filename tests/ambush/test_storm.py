"""The end of a round: the storm that a worker plays, its losses, the next round and the last."""

from __future__ import annotations

import pytest

from services.gamekit.chance import Chance
from services.gamekit.game import NATURE, IllegalAction
from services.gamekit.play import nature_due, settle
from tests.ambush.cards import Back, Face, Garrison, Goods, Tower
from tests.ambush.game import GAME
from tests.ambush.given import A, B, after, asked, given, having, natured
from tests.ambush.moves import LoseGuard
from tests.ambush.state import AmbushOptions, Phase, State
from tests.ambush.storm import Storm, Strike


def storming(options: AmbushOptions | None = None, back: Back = Back.BEAR) -> State:
    """A storm is due."""
    return given("", "", options=options, phase=Phase.STORM, back=back)


def storm(face: Face, *rolls_and_losses: tuple[int, int]) -> Storm:
    """A storm that strikes A and B."""
    seats = zip((A, B), rolls_and_losses, strict=False)
    return Storm(face, tuple(Strike(seat, *one) for seat, one in seats))


def test_a_storm_waits_for_a_worker() -> None:
    state = storming()
    assert asked(state) == {NATURE: "storm"}
    assert nature_due(GAME, state) is None
    assert settle(GAME, state, Chance(b"")) == (state, [])
    assert nature_due(GAME, state, deferred=True) is Storm


@pytest.mark.parametrize(
    ("back", "faces"),
    [
        (Back.WOLF, {Face.PACK, Face.RIDERS, Face.HUNTERS}),
        (Back.BEAR, {Face.RAM, Face.GIANT}),
    ],
)
def test_the_card_that_is_placed_has_the_back_that_was_shown(back: Back, faces: set[Face]) -> None:
    state = storming(back=back)
    seeds = (bytes([number]) for number in range(40))
    assert {Storm.resolve(state, Chance(seed)).face for seed in seeds} == faces


def test_a_camp_loses_what_comes_over_its_guards_and_its_shield() -> None:
    state = having(storming(), B, braced=True)
    state = after(state, (NATURE, storm(Face.RAM, (1, 1), (5, 1))))
    assert [len(camp.agenda) for camp in state.camps] == [1, 1]
    assert (state.face, state.back) == (Face.RAM, None)
    assert Face.RAM not in state.horde


def test_storms_are_stronger_in_hard_matches_and_never_cost_more_than_three() -> None:
    after(storming(), (NATURE, storm(Face.RAM, (1, 1), (6, 3))))
    hard = storming(AmbushOptions(hard=True))
    after(hard, (NATURE, storm(Face.RAM, (1, 2), (6, 3))))


def test_a_storm_that_claims_anything_else_is_refused() -> None:
    for claim, code in (
        (storm(Face.PACK, (1, 1), (1, 1)), "wrong_face"),
        (storm(Face.RAM, (1, 1)), "wrong_seats"),
        (storm(Face.RAM, (1, 1), (7, 3)), r"no_such_roll \(seat=1\)"),
        (storm(Face.RAM, (1, 1), (1, 0)), r"wrong_losses \(seat=1\)"),
        (storm(Face.RAM, (1, 2), (1, 1)), r"wrong_losses \(seat=0\)"),
    ):
        with pytest.raises(IllegalAction, match=code):
            after(storming(), (NATURE, claim))


def test_a_camp_chooses_the_tower_of_each_loss_while_there_is_a_choice() -> None:
    state = after(storming(), (NATURE, storm(Face.GIANT, (1, 2), (6, 3))))
    assert asked(state) == {A: "loss", B: "loss"}
    state = after(state, (B, LoseGuard(Tower.GATE)))
    with pytest.raises(IllegalAction, match=r"tower_empty \(tower=gate\)"):
        after(state, (B, LoseGuard(Tower.GATE)))
    state = after(state, (B, LoseGuard(Tower.NORTH)))
    assert state.camps[B].guards == Garrison()
    assert asked(state) == {A: "loss"}


def test_a_loss_that_no_guard_is_left_to_take_is_a_breach() -> None:
    state = having(storming(), A, guards=Garrison(gate=1))
    state = after(state, (NATURE, storm(Face.GIANT, (1, 3), (1, 2))))
    assert (state.camps[A].guards, state.camps[A].breaches) == (Garrison(), 2)
    assert asked(state) == {B: "loss"}


def test_the_next_round_begins_when_all_losses_are_taken() -> None:
    state = after(storming(), (NATURE, storm(Face.RAM, (1, 1), (1, 1))))
    state = after(state, (A, LoseGuard(Tower.GATE)))
    assert state.round == 1
    state = after(state, (B, LoseGuard(Tower.GATE)))
    assert (state.round, state.face, asked(state)) == (2, None, {NATURE: "deal"})
    assert state.camps[A].goods == Goods(coins=6 + 2)


def test_hands_are_filled_up_to_four_each_round() -> None:
    state = given("raid raid", "shield", phase=Phase.DEAL)
    state = natured(state, "deal", "horde")
    assert [len(camp.hand) for camp in state.camps] == [4, 4]


def test_the_last_round_ends_the_match() -> None:
    state = storming(AmbushOptions(rounds=1))
    state = after(
        having(having(state, A, guards=Garrison(3, 3, 3)), B, guards=Garrison(3, 3, 3)),
        (NATURE, storm(Face.RAM, (1, 0), (1, 0))),
    )
    assert state.phase is Phase.OVER
    assert asked(state) == {}
