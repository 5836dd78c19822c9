"""The view: the board as data, and all that is public."""

from __future__ import annotations

from msgspec.structs import replace

from services.altarion.board import EXPLORATION_LIMIT, FIELDS, starts
from services.altarion.game import GAME
from services.altarion.goods import Mineral, Stock, each
from services.altarion.rules.arrivals import DrawNations, PlaceHero
from services.altarion.rules.dispute import StartDispute
from services.altarion.rules.trade import MakeOffer
from services.altarion.state import BoardMine, Phase, Stage
from services.altarion.view import view
from services.gamekit.chance import Chance
from services.gamekit.game import NATURE, Seat
from services.gamekit.play import start
from services.gamekit.testing import playout
from tests.altarion.table import AROUND, BRAKKA, CORE, FAR, SAEL, TORVIN, at, given, player

OWN = player(at(BRAKKA, CORE), stock=each(2), crowns=9)
OTHER = player(at(SAEL, FAR[0]))


def test_everybody_sees_the_same() -> None:
    for step in playout(GAME, 4, seed=3):
        seen = view(step.state, None)
        for seat in range(4):
            assert replace(view(step.state, Seat(seat)), seat=None) == seen


def test_no_position_holds_what_is_to_be_drawn() -> None:
    state = given(OWN, OTHER).state
    assert GAME.imagine(state, Seat(1), Chance(b"other")) == state


def test_the_board_is_told_field_by_field() -> None:
    fields = view(given(OWN, OTHER).state, None).fields
    for number, (shown, field) in enumerate(zip(fields, FIELDS, strict=True)):
        assert (shown.id, shown.q, shown.r, shown.kind) == (number, *field)
        assert shown.exploration_limit == EXPLORATION_LIMIT[field.kind]


def test_the_fields_to_choose_from_are_told() -> None:
    table = given(OWN, OTHER).rolls(1)
    assert view(table.state, Seat(1)).reachable == AROUND
    table = given(
        player(at(BRAKKA, CORE), arriving=TORVIN), OTHER, phase=Phase.ARRIVALS, queue=(0,)
    )
    assert view(table.state, None).reachable == tuple(sorted(starts(2, 0)))
    assert table.plays(0, PlaceHero(42)).state.round == 5
    assert view(table.state, None).reachable == ()


def test_a_hero_is_told_with_its_card_and_owner() -> None:
    own, other = view(given(OWN, OTHER).state, None).heroes
    assert (own.hero, own.name, own.owner, own.field) == (BRAKKA, "Brakka the Ram", 0, CORE)
    assert (own.strength, own.mining, own.ability, own.n) == (4, 1, "attack", 1)
    assert other.owner == 1


def test_the_turn_and_who_may_be_attacked_are_told() -> None:
    table = given(OWN, player(at(SAEL, 39), at(TORVIN, 0))).walks(1, 31)
    seen = view(table.state, None)
    assert seen.targets == (SAEL,)
    assert seen.turn is not None
    assert (seen.turn.seat, seen.turn.hero, seen.turn.die) == (0, BRAKKA, 1)
    assert (seen.turn.stage, seen.turn.foe, seen.turn.target) == (Stage.DISPUTE, None, None)
    after = view(table.plays(0, StartDispute(SAEL)).state, None)
    assert after.turn is not None
    assert (after.turn.foe, after.turn.target) == (1, SAEL)
    assert after.targets == ()


def test_mines_and_what_is_left_of_their_cards_are_told() -> None:
    mines = (BoardMine(7, Mineral.UMBRINE),)
    seen = view(given(player(at(BRAKKA, CORE), mines=mines), OTHER).state, None)
    (mine,) = seen.mines
    assert (mine.field, mine.mineral, mine.owner) == (7, Mineral.UMBRINE, 0)
    # Vesk twice: each has cindrite, aurelin and verdane on its card.
    assert seen.mine_cards == each(8) - Stock(cindrite=2, aurelin=2, verdane=2, umbrine=1)
    assert seen.players[0].mines == 4


def test_a_player_is_told() -> None:
    shown = view(given(OWN, OTHER).state, None).players[0]
    assert (shown.nation, shown.income, shown.crowns, shown.stock) == ("vesk", 6, 9, each(2))
    assert (shown.side, shown.start_fields) == (0, starts(2, 0))
    assert (shown.tribute_each, shown.tribute_sent, shown.misses) == (1, True, 0)


def test_piles_are_told_as_counts() -> None:
    seen = view(start(GAME, 2, GAME.Options()), None)
    assert (seen.mining.veins, seen.mining.hard_rocks, seen.mining.deposits) == (
        each(4),
        each(2),
        each(2),
    )
    assert seen.mining.used == 0
    counts = seen.exploration
    assert (counts.find, counts.might, counts.craft, counts.luck, counts.peril) == (6, 9, 9, 4, 8)
    assert seen.undrawn_heroes == tuple(range(18))


def test_an_open_offer_is_told() -> None:
    table = given(
        player(at(BRAKKA, CORE, acted=True), stock=each(1)),
        player(at(SAEL, 31, acted=True), stock=each(1)),
    ).plays(0, MakeOffer(Mineral.CINDRITE, Mineral.AURELIN, 1))
    seen = view(table.state, None)
    assert seen.offer is not None
    assert (seen.offer.give, seen.offer.take, seen.offer.amount) == ("cindrite", "aurelin", 1)
    assert (seen.talks[0].seat, seen.talks[0].partner) == (0, 1)


def test_the_setup_can_be_looked_at() -> None:
    table = given(player(nation=None), player(nation=None), phase=Phase.NATIONS, round=0, queue=())
    assert table.asks(NATURE, "nations")
    assert view(table.state, None).players[0].nation is None
    table.falls(DrawNations.resolve(table.state, Chance(b"n")))
    assert view(table.state, None).players[0].nation is not None
