"""Every artifact has a test of what it scores."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from services.great_wall.cards.advisors import Advisor
from services.great_wall.cards.artifacts import Artifact
from services.great_wall.cards.hordes import HordeCard
from services.great_wall.endgame import score
from services.great_wall.goods import Goods
from services.great_wall.state import Claim, State
from services.great_wall.tasks.task import Phase
from tests.great_wall.table import LEFT, RIGHT, owning, standing, table


def points(state: State, artifact: Artifact) -> int:
    """What seat 0 scores for it at the end."""
    state = replace(state, artifacts=(artifact,), phase=Phase.OVER)
    (line,) = [line for line in score(state)[0].lines if line.key == artifact]
    return line.points


def test_every_artifact_has_its_test() -> None:
    assert not [one for one in Artifact if f"test_{one}" not in globals()]


def test_hou_yi_bow() -> None:
    """Four honour for each archer on the highest walls; without a wall there is none."""
    state = standing(standing(table(), 0, LEFT, firing=2), 0, RIGHT, firing=1)
    assert points(replace(state, walls=(2, 0, 1)), Artifact.HOU_YI_BOW) == 8
    assert points(replace(state, walls=(2, 0, 2)), Artifact.HOU_YI_BOW) == 12
    assert points(state, Artifact.HOU_YI_BOW) == 0


def test_jade_seal() -> None:
    assert points(owning(table(), overseers=(3, 0, 2, 1)), Artifact.JADE_SEAL) == 6
    assert points(owning(table(), overseers=(3, 3, 3, 3)), Artifact.JADE_SEAL) == 12


def test_bronze_tripod() -> None:
    clean = tuple(Claim(card) for card in tuple(HordeCard)[:9])
    shamed = (Claim(HordeCard.WAR_DRUMS_RIGHT, 1),)
    assert points(owning(table(), claimed=clean[:3] + shamed), Artifact.BRONZE_TRIPOD) == 6
    assert points(owning(table(), claimed=clean), Artifact.BRONZE_TRIPOD) == 16


def test_roll_of_officials() -> None:
    cards = tuple(Advisor)
    state = owning(table(), active=cards[:2], supporting=cards[2:3], reserve=1)
    assert points(state, Artifact.ROLL_OF_OFFICIALS) == 10
    assert points(owning(state, supporting=cards[2:12]), Artifact.ROLL_OF_OFFICIALS) == 20


def test_sealed_granary() -> None:
    state = owning(table(), goods=Goods(3, 2, 1, 1))
    assert points(state, Artifact.SEALED_GRANARY) == 3
    assert points(owning(table(), goods=Goods(20, 20, 20, 20)), Artifact.SEALED_GRANARY) == 15


@pytest.mark.parametrize("artifact", Artifact)
def test_what_counts_hidden_goods_is_shown_only_at_the_end(artifact: Artifact) -> None:
    lines = {line.key for line in score(table(artifacts=(artifact,)))[0].lines}
    assert (artifact in lines) == (artifact is not Artifact.SEALED_GRANARY)
