"""The OpenAPI document: valid, whole, and true of the running edge."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from google.api import annotations_pb2
from google.protobuf.descriptor import ServiceDescriptor
from openapi_spec_validator import OpenAPIV30SpecValidator

from ambush.v1 import rules_pb2 as ambush
from services.cli import front
from services.edge.openapi import document, expanded, singular
from services.games import GAMES
from services.runtime.settings import Settings
from tests.edge.web import Web
from vallum.scoring.v1 import scoring_pb2


def services() -> list[ServiceDescriptor]:
    """Of every game, and the others."""
    modules: list[Any] = [import_module(f"{one.package}.rules_pb2") for one in GAMES.values()]
    games = [module.DESCRIPTOR.services_by_name["RulesService"] for module in modules]
    return [*games, scoring_pb2.DESCRIPTOR.services_by_name["ScoringService"]]


@pytest.fixture(scope="module")
def told() -> dict[str, Any]:
    return document(services())


def test_it_is_valid(told: dict[str, Any]) -> None:
    assert list(OpenAPIV30SpecValidator(told).iter_errors()) == []


def test_every_public_call_is_in_it_and_no_other(told: dict[str, Any]) -> None:
    operations = [one["operationId"] for path in told["paths"].values() for one in path.values()]
    assert len(set(operations)) == len(operations)
    public = {
        f"{service.file.package.split('.')[1]}_{method.name}"
        for service in services()
        for method in service.methods
        if method.GetOptions().HasExtension(annotations_pb2.http)
    }
    assert set(operations) == public
    assert "hadrians_wall_GetPosition" not in operations


def test_everything_that_is_referred_to_is_there(told: dict[str, Any]) -> None:
    names = {f"#/components/schemas/{name}" for name in told["components"]["schemas"]}
    assert set(references(told)) <= names


def references(value: Any) -> list[str]:
    """Every $ref below a value."""
    if isinstance(value, list):
        return [found for one in value for found in references(one)]
    if not isinstance(value, dict):
        return []
    here = [value["$ref"]] if isinstance(value.get("$ref"), str) else []
    return here + [found for one in value.values() for found in references(one)]


def test_a_change_is_a_body_and_a_question_is_in_the_address() -> None:
    paths = document([ambush.DESCRIPTOR.services_by_name["RulesService"]])["paths"]
    play = paths["/v1/ambush/matches/{match}:play"]["post"]
    body = play["requestBody"]["content"]["application/json"]["schema"]
    assert [one["name"] for one in play["parameters"]] == ["match"]
    assert play["parameters"][0]["schema"]["pattern"] == "^[a-z0-9][a-z0-9-]{0,62}$"
    assert "name" not in body["properties"]
    assert body["required"] == ["actions", "requestId"]
    assert (body["properties"]["actions"]["minItems"], play["x-roles"]) == (
        1,
        ["player", "service"],
    )
    listed = paths["/v1/ambush/matches"]["get"]["parameters"]
    assert [one["name"] for one in listed] == ["pageSize", "pageToken", "activeOnly"]
    assert listed[0]["schema"]["maximum"] == 200


def test_a_nested_question_is_spelt_field_by_field() -> None:
    paths = document([scoring_pb2.DESCRIPTOR.services_by_name["ScoringService"]])["paths"]
    names = [one["name"] for one in paths["/v1/scoring/rating"]["get"]["parameters"]]
    assert {"ladder.game", "ladder.seats", "ladder.mode"} <= set(names)


def test_what_it_says_is_what_the_contract_says(told: dict[str, Any]) -> None:
    create = told["paths"]["/v1/hadrians_wall/matches"]["post"]
    assert create["description"].startswith("CreateMatch seats a table.")
    occupant = told["components"]["schemas"]["match.v1.Occupant"]
    assert (occupant["minProperties"], occupant["maxProperties"]) == (1, 1)
    assert occupant["properties"]["player"]["description"] == "The player's id."


async def test_the_edge_serves_it(web: Web) -> None:
    answer = await web.get("/openapi.json")
    assert answer.headers["content-type"] == "application/json"
    assert OpenAPIV30SpecValidator(answer.json).is_valid()
    assert {"/v1/echo:say", "/v1/ambush/matches"} <= set(answer.json["paths"])


@pytest.mark.parametrize(
    ("template", "path", "bound"),
    [
        ("/v1/matches", "/v1/matches", set()),
        ("/v1/{name=matches/*}:play", "/v1/matches/{match}:play", {"name"}),
        ("/v1/{name=a/*/entries/*}/x", "/v1/a/{a}/entries/{entry}/x", {"name"}),
        ("/v1/{id}", "/v1/{id}", {"id"}),
    ],
)
def test_templates_become_paths(template: str, path: str, bound: set[str]) -> None:
    assert expanded(template) == (path, frozenset(bound))


def test_one_of_many() -> None:
    assert [singular(one) for one in ("matches", "entries", "players", "keys")] == [
        *("match", "entry", "player", "key")
    ]


def test_the_edge_knows_every_service_of_the_contract() -> None:
    declared = {
        f"vallum.{file.parent.parent.name}.v1.{name}"
        for file in (Path(__file__).parents[2] / "proto/vallum").rglob("*.proto")
        for name in re.findall(r"^service (\w+) ", file.read_text(), re.MULTILINE)
    }
    assert {name for name, _ in front.elsewhere(Settings())} == declared
