"""What a seat is shown, and what it may imagine."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from services.gamekit.chance import Chance
from services.gamekit.game import Seat
from services.gamekit.play import allowed, legal
from services.gamekit.testing import playout
from services.hadrians_wall.buildings import Building
from services.hadrians_wall.cards import PlayerCard
from services.hadrians_wall.effects import CIVILIAN, RENOWN
from services.hadrians_wall.game import GAME
from services.hadrians_wall.goods import Price
from services.hadrians_wall.offers import Area
from services.hadrians_wall.rules.finish import Finish
from services.hadrians_wall.rules.neighbours import Source
from services.hadrians_wall.state import Phase, State
from services.hadrians_wall.view import Own, view
from tests.hadrians_wall.table import given, seated


def own(state: State, seat: int = 0) -> Own:
    """What a seat sees of itself."""
    shown = view(state, Seat(seat)).own
    assert shown is not None
    return shown


def test_both_ways_to_split_the_cards_are_counted_out() -> None:
    hand = (PlayerCard.ARCHITECT, PlayerCard.FIGHTER)
    state = given(hand=hand, soldier=2, hotel=1, workshop=2, production=3, road=1)
    first, second = own(replace(state, phase=Phase.PATH)).splits
    assert (first.path, first.prospect, first.attributes) == (*hand, 1)
    assert first.goods == Price(soldier=3, builder=2, civilian=1, resource=3)
    assert second.goods == Price(soldier=2, builder=2, civilian=1, resource=5)


def test_an_offer_says_what_the_next_box_costs_and_gives() -> None:
    shown = own(given(fort=12, wall=7, builder=1, servant=1, resource=2, hotel=1))
    offers = {(offer.area, offer.building): offer for offer in shown.offers}
    wall = offers[Area.WALL, None]
    assert (wall.box, wall.deals[0].price, wall.deals[0].gain) == (8, Price(resource=1), (RENOWN,))
    assert wall.refused == "needs_granary"
    hotel = offers[Area.HOTEL, Building.LARGE_HOTEL]
    assert (hotel.deals[0].gain, hotel.refused) == ((RENOWN, CIVILIAN), "needs_infrastructure")


def test_every_area_has_an_offer() -> None:
    built = given(market=1, theatre=1, ludus=1, temples=1, baths=1, courthouse=1, red=1, blue=1)
    found = {offer.area for state in (given(), built) for offer in own(state).offers}
    assert found == set(Area)


def test_an_offer_is_refused_where_no_move_is_allowed() -> None:
    compared = 0
    for step in playout(GAME, 2, seed=3):
        if type(step.action) in GAME.moves["actions"]:
            moves = [move for move in legal(GAME, step.state, step.seat) if move != Finish()]
            offered = [
                offer
                for offer in own(step.state, step.seat).offers
                if not offer.refused and not offer.by_icon
            ]
            assert bool(offered) == bool(moves)
            compared += 1
    assert compared > 50


def test_prospects_within_reach_are_listed_with_their_worth() -> None:
    state = given(seats=3, goods=(1, 6, 0, 0, 0, 0, 0, 0))
    state = seated(state, 1, prospects=(PlayerCard.RANGER,))
    state = seated(state, 2, prospects=(PlayerCard.FIGHTER,))
    found = {one.source: (one.good, len(one.renown)) for one in own(state).prospects}
    assert found == {Source.OWN: (1, 0), Source.LEFT: (6, 0), Source.RIGHT: (5, 1)}


def test_paths_of_others_are_shown_at_the_end_alone() -> None:
    state = seated(given(seats=3), 1, path=(PlayerCard.RANGER,))
    before = view(state, Seat(0)).sheets[1]
    assert (before.paths, before.path_count) == ((), 1)
    end = view(replace(state, phase=Phase.OVER), None)
    assert end.sheets[1].paths == (PlayerCard.RANGER,)


def test_what_is_imagined_never_holds_a_card_that_was_seen() -> None:
    rng = Random(5)
    for step in playout(GAME, 4, seed=5):
        imagined = GAME.imagine(step.state, Seat(0), Chance(rng.randbytes(8)))
        assert imagined.sheets[0] == step.state.sheets[0]
        for real, other in zip(step.state.sheets[1:], imagined.sheets[1:], strict=True):
            secret = (*other.path, *other.hand)
            assert not set(secret) & set(real.prospects)
            assert len(set(secret)) == len(secret) == len(real.path) + len(real.hand)
            assert other.choice is None or other.choice in other.hand


def test_a_candidate_that_is_listed_as_legal_is_allowed() -> None:
    for step in playout(GAME, 3, seed=8)[::7]:
        for decision in GAME.decisions(step.state):
            for action in legal(GAME, step.state, decision.seat):
                assert allowed(action, step.state, decision.seat)
