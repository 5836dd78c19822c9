"""The course of a year: fate, cards, income, stopping (section 2)."""

from __future__ import annotations

from msgspec.structs import replace

from services.gamekit.chance import Chance, Dealt
from services.gamekit.game import NATURE, Seat
from services.gamekit.play import play, settle, start
from services.hadrians_wall.cards import FATE, PlayerCard
from services.hadrians_wall.effects import Choice
from services.hadrians_wall.game import GAME
from services.hadrians_wall.rules.finish import Finish
from services.hadrians_wall.rules.paths import ChoosePath
from services.hadrians_wall.rules.year import DealCards, TurnFate
from services.hadrians_wall.state import HadriansWallOptions, Phase, State
from tests.hadrians_wall.table import after, given, refused


def dealt(seats: int, hands: dict[int, tuple[str, str]], fate: int = 0, **more: str) -> State:
    """The start of a match, once year 1's cards are dealt."""
    results: dict[str, int | str] = {"fate/0": fate}
    for seat, hand in hands.items():
        results |= {f"player/{seat}/1/{number}": card for number, card in enumerate(hand)}
    return settle(GAME, start(GAME, seats, HadriansWallOptions()), Dealt(results | more))[0]


def test_everyone_takes_what_the_fate_card_brings() -> None:
    state = dealt(3, dict.fromkeys(range(3), ("engineer", "fighter")), fate=17)
    for sheet in state.sheets:
        assert (sheet.soldier, sheet.builder, sheet.servant) == (2, 2, 3)
        assert (sheet.civilian, sheet.resource) == (1, 0)


def test_one_card_becomes_a_path_and_the_other_the_prospect() -> None:
    state = dealt(3, dict.fromkeys(range(3), ("engineer", "fighter")), fate=17)
    for seat in range(3):
        assert state.phase is Phase.PATH
        state = play(GAME, state, Seat(seat), ChoosePath(PlayerCard.ENGINEER))
    state, _ = settle(GAME, state, Chance(b""))
    for sheet in state.sheets:
        assert sheet.path == (PlayerCard.ENGINEER,)
        assert sheet.prospects == (PlayerCard.FIGHTER,)
        assert sheet.soldier == 3  # the prospect's soldier; and 1 resource of production
        assert sheet.resource == 1
    assert state.phase is Phase.ACTIONS


def test_a_path_must_be_in_hand_and_is_hidden_from_others() -> None:
    state = dealt(3, dict.fromkeys(range(3), ("engineer", "fighter")))
    assert refused(state, ChoosePath(PlayerCard.MERCHANT)) == "not_in_hand"
    assert refused(state, ChoosePath(None)) == "not_in_hand"
    chosen = ChoosePath(PlayerCard.FIGHTER)
    assert chosen.shown(Seat(0), Seat(0)) == chosen
    assert chosen.shown(Seat(0), Seat(1)) == chosen.shown(Seat(0), None) == ChoosePath(None)


def test_dealt_cards_are_shown_to_their_seat_alone() -> None:
    state, entries = settle(GAME, start(GAME, 2, HadriansWallOptions()), Chance(b"a"))
    deal = entries[1].action
    assert isinstance(deal, DealCards)
    mine, other = deal.shown(NATURE, Seat(0)).hands
    assert mine.cards == state.sheets[0].hand
    assert other.cards == ()


def test_alone_two_neutral_cards_are_turned_up_after_the_choice() -> None:
    state = dealt(1, {0: ("engineer", "fighter")})
    neutral = {"neutral/1/0": "ranger", "neutral/1/1": "trainer"}
    state = play(GAME, state, Seat(0), ChoosePath(PlayerCard.FIGHTER))
    state, _ = settle(GAME, state, Dealt(neutral))
    assert state.neutral == (PlayerCard.RANGER, PlayerCard.TRAINER)


def test_buildings_pay_every_year_and_roads_ask() -> None:
    hand = (PlayerCard.RANGER, PlayerCard.FIGHTER)
    state = given(3, hotel=2, workshop=1, road=2, production=4)
    sheets = tuple(replace(one, hand=hand, choice=hand[0]) for one in state.sheets)
    state = GAME.advance(replace(state, sheets=sheets, phase=Phase.PATH))
    state, _ = settle(GAME, state, Chance(b""))
    sheet = state.sheets[0]
    assert (sheet.civilian, sheet.builder, sheet.resource) == (2, 1, 4)
    assert sheet.agenda == (Choice.ROAD_INCOME, Choice.ROAD_INCOME)


def test_unspent_goods_are_returned_when_all_have_stopped() -> None:
    state = after(given(seats=2, soldier=3, resource=2), Finish())
    assert state.sheets[0].soldier == 3
    state = after(state, Finish(), seat=1)
    assert state.phase is Phase.ATTACK
    assert (state.sheets[0].soldier, state.sheets[0].resource) == (0, 0)


def test_at_magnis_the_first_fate_card_is_drawn_again_until_it_shows_two_soldiers() -> None:
    options = HadriansWallOptions(campaign=10)
    poor = [number for number, face in enumerate(FATE) if face.supply.soldier < 2][:2]
    draws = Dealt({"fate/0": poor[0], "fate/1": poor[1], "fate/2": 0})
    move = TurnFate.resolve(start(GAME, 1, options), draws)
    assert move == TurnFate(0, tuple(poor))
    state = play(GAME, start(GAME, 1, options), NATURE, move)
    assert state.discard == (*poor, 0)
    assert refused(start(GAME, 1, options), TurnFate(poor[0]), NATURE) == "too_few_soldiers"
    assert refused(start(GAME, 1, options), TurnFate(1, (0,)), NATURE) == "not_to_be_rejected"


def test_the_discard_is_shuffled_in_when_the_pile_has_run_out() -> None:
    blank = start(GAME, 3, HadriansWallOptions())
    state = replace(blank, pile=(), discard=tuple(reversed(range(48))), drawn=48)
    state = play(GAME, state, NATURE, TurnFate.resolve(state, Dealt({"fate/48": 7})))
    assert (len(state.pile), state.discard) == (47, (7,))


def test_a_seat_draws_each_of_its_cards_once_in_a_game() -> None:
    state = given(1, path=(PlayerCard.RANGER,), prospects=(PlayerCard.FIGHTER,))
    state = replace(state, phase=Phase.DEAL, year=2)
    move = DealCards.resolve(state, Chance(b"x"))
    assert not {PlayerCard.RANGER, PlayerCard.FIGHTER} & set(move.hands[0].cards)
    twice = DealCards((replace(move.hands[0], cards=(PlayerCard.RANGER, PlayerCard.TRAINER)),))
    assert refused(state, twice, NATURE) == "not_in_deck"
