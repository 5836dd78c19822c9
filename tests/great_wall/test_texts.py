"""What players read is made of what is carried out."""

from __future__ import annotations

import pytest

from services.great_wall.amounts import n
from services.great_wall.cards.advisors import ADVISORS, Advisor
from services.great_wall.cards.scripts import ABILITIES
from services.great_wall.effects import Ability, Gain
from services.great_wall.game import GAME
from services.great_wall.text import TEXTS, ability
from services.great_wall.triggers import Trigger
from tests.great_wall.table import LEFT, facing, owning, table

WORDED = {
    "toll_collector": "Income: gain 2 gold.",
    "yang_ye": "On you defeat: gain 2 x support honour.",
    "tea_merchant": """
        After command step: pay 1 gold, then move the tea marker up by 1, then gain 2 honour.
    """,
    "herald": "Always: spearman costs 1 stone less.",
    "rally_point": """
        On recruit (with spearman): gain 1 resources of choice. For 2 chi instead: recruit up to 1
        spearman for free.
    """,
    "economy": """
        You: move up to 3 clerks. Others: move up to 2 clerks (distinct locations). Then you:
        upgrade up to 1 overseers for 1 less, then take the income of up to 1 overseers.
    """,
    "iron_lancers": "Always: spearman may not cover the upper row.",
    "jade_seal": "Game end: gain overseer levels (at most 12) honour.",
    "quarry": """
        4 or 5 slots, shame icon: gather stone, upgrade the overseer (2 wood, 3 wood then 4 wood),
        donate 1.
    """,
}


@pytest.mark.parametrize("card", WORDED)
def test_a_text(card: str) -> None:
    assert TEXTS[card] == " ".join(WORDED[card].split())


def test_a_changed_effect_changes_the_text() -> None:
    richer = Ability(Trigger.INCOME, (Gain(honour=n(7)),))
    assert ability(richer) == "Income: gain 7 honour."


def test_no_two_different_abilities_read_the_same() -> None:
    texts: dict[str, Ability] = {}
    for name, one in ABILITIES.items():
        assert texts.setdefault(TEXTS[name], one) == one


def test_the_view_has_the_text_of_every_card_in_sight() -> None:
    state = owning(facing(table(), LEFT, "leader_left"), active=(Advisor.JINSHI,))
    view = GAME.view(state, None)
    assert isinstance(view, GAME.View)
    texts = {one.card: one.text for one in view.texts}
    assert texts["jinshi"] == ability(ADVISORS[Advisor.JINSHI])
    assert "leader" in texts
    assert "despotism" not in texts  # it is in hands, which a spectator does not see
