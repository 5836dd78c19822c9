"""What a seat sees, and what it does not (R0.7, R18.12)."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from services.gamekit.chance import Chance
from services.gamekit.game import Seat
from services.great_wall.cards.advisors import Advisor
from services.great_wall.cards.commands import Command
from services.great_wall.cards.tactics import Tactic
from services.great_wall.game import GAME
from services.great_wall.goods import Goods, Resource
from services.great_wall.rules.taking import TakeGood
from services.great_wall.state import Played, State
from services.great_wall.tasks.locations import Paying
from services.great_wall.tasks.seasons import Commanding, Revealing, Turn
from tests.great_wall.table import (
    LEFT,
    answered,
    asked,
    done,
    facing,
    own,
    owning,
    perform,
    run,
    table,
)


def seen(state: State, seat: int | None) -> Any:
    """The view of a seat."""
    return GAME.view(state, None if seat is None else Seat(seat))


def test_others_see_no_goods_and_no_cards() -> None:
    rich = owning(table(), goods=Goods(4, 3, 2, 1), tactics=(Tactic.RANSOM,))
    poor = owning(table(), goods=Goods(), tactics=(Tactic.VOLLEY,))
    for viewer in (1, None):
        assert seen(rich, viewer) == seen(poor, viewer)
    assert seen(rich, 0).own.goods == Goods(4, 3, 2, 1)
    assert seen(rich, 1).clans[0].tactics == 1


def test_a_chosen_command_is_seen_by_its_seat_alone_until_it_is_revealed() -> None:
    state = owning(run(table(2), Commanding(), Revealing()), chosen=Command.ECONOMY)
    assert seen(state, 0).own.command is Command.ECONOMY
    assert seen(state, 1).clans[0].command is None
    assert seen(state, 1).clans[0].ready


def test_gains_and_payments_are_public_as_they_happen() -> None:
    state = perform(table(), "raise_banners/bottom/0.1")
    state = answered(state, TakeGood(Resource.CHI))
    flow = seen(state, 2).flows[-1]
    assert (flow.clan, flow.goods) == (0, Goods(chi=1))


def test_the_view_counts_how_an_assault_would_stand() -> None:
    state = facing(table(walls=(1, 0, 0), barricades=(1, 0, 0)), LEFT, "vanguard_left")
    section = seen(state, None).sections[0]
    assert (section.defence, section.offence, section.free_firing) == (5, 6, 1)
    assert [spot.reward for spot in section.hordes[0].spots] == list("hcoht")


def test_a_view_says_what_is_asked_for_whom() -> None:
    state = perform(replace(table(2), active=1), "economy/others", 2)
    pending = seen(state, 0).pending
    assert (pending.task, pending.clan, pending.source, pending.left) == (
        "moving",
        2,
        "economy/others",
        2,
    )


def test_what_is_imagined_can_pay_what_is_due() -> None:
    state = run(owning(table(), goods=Goods(wood=15)), Paying(0, 15))
    for seed in range(20):
        world = GAME.imagine(state, Seat(1), Chance(b"%d" % seed))
        goods = own(world).goods
        assert goods.wood + goods.stone + goods.gold >= 15


def test_a_position_survives_its_encoding_and_is_small() -> None:
    state = facing(table(4), LEFT, "vanguard_left")
    data = msgspec.msgpack.encode(state)
    assert msgspec.msgpack.decode(data, type=State) == state
    assert len(data) < 6000


def test_the_smuggler_sees_the_neutral_clans_frame() -> None:  # R18.13
    track = (Played(2, Command.REED_STIRRING), None, None, None)
    state = owning(table(2, track=track), active=(Advisor.SMUGGLER,))
    state = run(state, Turn())
    state = done(state)  # the neutral clan's own clerks
    state = answered(done(state)) if asked(state)[0] == (0, "clerk") else state
    assert asked(state) == [(0, "trigger")]
