"""Every game's RulesService is the same but for its name, and every record has its twin."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest

from services.gamekit.declaration import kinds
from services.gamekit.game import snake
from services.gamekit.hosted import Hosted
from services.gamekit.testing import playout
from services.runtime import wire
from services.runtime.agree import agree, agree_kinds
from tests.every_game.cases import CASES, EVERY, Case

ROOT = Path(__file__).parents[2]
RULES = sorted(
    path for module in ("proto", "tests/proto") for path in (ROOT / module).rglob("rules.proto")
)
IMPORT = re.compile(r'^import "(.*)";$', re.MULTILINE)

every_game = pytest.mark.parametrize("one", EVERY.values(), ids=EVERY)
every_case = pytest.mark.parametrize("case", CASES, ids=str)


def nameless(path: Path) -> tuple[str, set[str]]:
    """A rules.proto without the name of its game: its text, and what it imports."""
    text = path.read_text()
    (package,) = re.findall(r"^package (.*);$", text, re.MULTILINE)
    key = package.split(".")[-2]
    imports = {name.replace(package.replace(".", "/"), "GAME") for name in IMPORT.findall(text)}
    text = text.replace(f"package {package};", "package GAME;")
    return IMPORT.sub("", text).replace(f'"/v1/{key}/', '"/v1/GAME/'), imports


def messages(one: Hosted, name: str) -> Any:
    """A module of a game's stubs."""
    return import_module(f"{one.package}.{name}_pb2")


@pytest.mark.parametrize("path", RULES[1:], ids=lambda path: str(path.relative_to(ROOT)))
def test_a_rules_service_is_word_for_word_that_of_every_game(path: Path) -> None:
    text, imports = nameless(path)
    first, first_imports = nameless(RULES[0])
    assert text.split("\n") == first.split("\n")
    assert imports == first_imports


def test_the_name_of_a_game_is_all_that_is_left_out() -> None:
    text, imports = nameless(ROOT / "tests/proto/ambush/v1/rules.proto")
    assert "ambush" not in text
    assert "GAME/view.proto" in imports
    assert "rpc GetPosition(" in text


@every_game
def test_the_contract_is_named_for_the_game(one: Hosted) -> None:
    service = messages(one, "rules").DESCRIPTOR.services_by_name["RulesService"]
    assert service.full_name == f"{one.package}.RulesService"
    assert one.package.split(".")[-2] == one.game.meta.key


@every_game
def test_every_kind_of_move_has_a_message_with_the_same_fields(one: Hosted) -> None:
    actions = messages(one, "actions")
    moves = {snake(kind.__name__): kind for kind in kinds(one.game)}
    assert agree_kinds(moves, actions.Action.DESCRIPTOR) == []
    for kind in moves.values():
        assert getattr(actions, kind.__name__).DESCRIPTOR.name == kind.__name__


@every_game
def test_the_options_have_a_message_that_tells_set_from_unset(one: Hosted) -> None:
    options = messages(one, "actions").Options
    assert agree(one.game.Options, options.DESCRIPTOR) == []
    assert all(field.has_presence for field in options.DESCRIPTOR.fields)
    assert wire.from_message(options(), one.game.Options) == one.game.Options()


@every_game
def test_the_view_has_a_message_with_the_same_fields(one: Hosted) -> None:
    assert agree(one.game.View, messages(one, "view").View.DESCRIPTOR) == []


@every_case
def test_moves_and_views_of_a_match_cross_the_wire_unchanged(case: Case) -> None:
    one = EVERY[case.game.meta.key]
    action, view = messages(one, "actions").Action, messages(one, "view").View
    moves = {snake(kind.__name__): kind for kind in kinds(one.game)}
    rng = Random(1)
    for step in playout(*case, seed=1):
        viewer = rng.choice(case.viewers())
        for move in (step.action, step.action.shown(step.seat, viewer)):
            message = action.FromString(wire.action_to_message(move, action).SerializeToString())
            assert wire.action_from_message(message, moves) == move
        seen = case.game.view(step.after, viewer)
        message = view.FromString(wire.to_message(seen, view).SerializeToString())
        assert wire.from_message(message, case.game.View) == seen
