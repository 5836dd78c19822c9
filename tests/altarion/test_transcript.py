"""A round of three players, told from the arrivals to the next round's tribute."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from services.altarion.cards import ExplorationCard, MiningCard, Nation, Special
from services.altarion.game import GAME
from services.altarion.goods import Mineral, Stock, each
from services.altarion.rules.arrivals import PlaceHero
from services.altarion.rules.dispute import KeepPeace, Loot, StartDispute
from services.altarion.rules.exploration import Explore, StopExploring
from services.altarion.rules.mines import FoundMine, RollInstead
from services.altarion.rules.mining import Mine, Pick
from services.altarion.rules.movement import ChooseHero, Move
from services.altarion.rules.trade import AcceptOffer, MakeOffer, OfferNothing
from services.altarion.rules.tribute import BuildNothing, BuildSpecial
from services.altarion.state import BoardMine, Phase
from services.gamekit.game import NATURE, NatureMove
from tests.altarion.table import (
    BRAKKA,
    CORE,
    DASHKA,
    MIRREL,
    SAEL,
    TORVIN,
    Table,
    at,
    given,
    player,
)

CINDRITE, VERDANE, UMBRINE = Mineral.CINDRITE, Mineral.VERDANE, Mineral.UMBRINE
PALEGLASS = Mineral.PALEGLASS

KINDS = sorted(
    {
        kind.__name__
        for answers in GAME.moves.values()
        for kind in answers
        if not issubclass(kind, NatureMove)
    }
)
SOURCES = "".join(path.read_text() for path in sorted(Path(__file__).parent.glob("test_*.py")))


def opening() -> Table:
    """Round 5 begins; seat 0 has drawn Dashka."""
    return given(
        player(at(BRAKKA, 29), arriving=DASHKA, stock=each(5), crowns=40, nation=Nation.VESK),
        player(at(SAEL, 31), at(MIRREL, 0), stock=each(3) + Stock(umbrine=2), nation=Nation.HADRUN),
        player(
            at(TORVIN, 38, deposits=(VERDANE,)), stock=each(4), crowns=30, nation=Nation.KESURAN
        ),
        phase=Phase.ARRIVALS,
        queue=(0,),
    )


def arrive(table: Table) -> None:
    """4.1, then phases 1 to 3: one of each is sent, pay and minerals come in."""
    assert table.asks(0, "place")
    table.plays(0, PlaceHero(55))
    assert [sheet.crowns for sheet in table.state.sheets] == [46, 6, 37]
    assert table.stock(0) == each(4) + Stock(cindrite=1, aurelin=1, verdane=1)
    assert table.stock(1) == each(2) + Stock(lazspar=1, umbrine=3, paleglass=1)
    assert table.stock(2) == each(3) + Stock(umbrine=2, paleglass=1)


def heroes_of_seat_0(table: Table) -> None:
    """Dashka explores; Brakka kills Sael, takes two pieces of umbrine, and mines."""
    assert table.answers() == [ChooseHero(BRAKKA), ChooseHero(DASHKA)]
    table.plays(0, ChooseHero(DASHKA)).rolls(3).plays(0, Move(48))
    table.plays(0, Explore()).explores(ExplorationCard.FIND, gained=(CINDRITE, UMBRINE))
    table.plays(0, StopExploring())
    assert table.asks(NATURE, "roll")
    table.rolls(2).plays(0, Move(CORE))
    assert table.answers() == [StartDispute(SAEL), StartDispute(TORVIN), KeepPeace()]
    table.plays(0, StartDispute(SAEL)).fights(3, 4)
    table.plays(0, Loot(UMBRINE), Loot(UMBRINE))
    assert table.state.sand == (SAEL,)
    table.plays(0, Mine()).mines(MiningCard.VEIN_AURELIN, (MiningCard.HARD_ROCK_AURELIN, 3))
    table.plays(0, Pick(CINDRITE))
    assert table.stock(0) == Stock(7, 5, 5, 4, 7, 4)


def heroes_of_the_others(table: Table) -> None:
    """Mirrel has no luck; Torvin spends his turn on the deposit that he found."""
    table.rolls(1).plays(1, Move(1)).plays(1, Explore()).explores(ExplorationCard.LUCK, 3)
    assert table.answers() == [FoundMine(VERDANE), RollInstead()]
    table.plays(2, FoundMine(VERDANE))


def market(table: Table) -> None:
    """Brakka and Torvin stand side by side (4b); nobody else does."""
    assert table.asks(0, "offer")
    table.plays(0, MakeOffer(CINDRITE, PALEGLASS, 2)).plays(2, AcceptOffer())
    assert table.asks(2, "offer")
    assert table.sheet(2).mines == ()
    table.plays(2, OfferNothing())


def building(table: Table) -> None:
    """Torvin's mine is paid and built (phase 5); then seat 0 alone can pay for a building."""
    assert table.sheet(2).mines == (BoardMine(38, VERDANE),)
    assert table.sheet(2).crowns == 37 - 5
    assert table.stock(2) == Stock(5, 3, 2, 3, 5, 2)
    assert table.answers() == [
        BuildSpecial(Special.NIGHT_OBSERVATORY),
        BuildSpecial(Special.GLASS_BEACON),
        BuildNothing(),
    ]
    table.plays(0, BuildSpecial(Special.NIGHT_OBSERVATORY))


def next_round(table: Table) -> None:
    """The marker has moved on; seat 0 owes two of each and lacks umbrine."""
    assert (table.state.round, table.state.first) == (6, 1)
    assert [sheet.misses for sheet in table.state.sheets] == [1, 0, 0]
    assert table.stock(0) == Stock(3, 5, 5, 4, 1, 6 - 4) + Stock(cindrite=1, aurelin=1, verdane=1)
    assert table.stock(2) == Stock(4, 2, 1 + 2, 2, 4 + 2, 1 + 1)
    assert table.sheet(0).crowns == 46 - 25 + 6


def test_a_round_of_three_players() -> None:
    table = opening()
    for chapter in (
        arrive,
        heroes_of_seat_0,
        heroes_of_the_others,
        market,
        building,
        next_round,
    ):
        chapter(table)


@pytest.mark.parametrize("kind", KINDS)
def test_every_answer_is_played_in_a_transcript(kind: str) -> None:
    inside = r"(?:[^()]|\((?:[^()]|\([^()]*\))*\))*"
    assert re.search(rf"\.plays\({inside}\b{kind}\(", SOURCES)
