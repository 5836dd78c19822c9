"""The OpenAPI document of the JSON interface, made from the contract.

What a call is named, may be asked for and answers comes from descriptors and their options; what
it is for comes from the comments of the proto files, where tools/openapi.py has collected them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from google.api import annotations_pb2
from google.protobuf.descriptor import Descriptor, FieldDescriptor, MethodDescriptor
from google.protobuf.descriptor import ServiceDescriptor as Service

from services.edge.schemas import STATUS, Schemas, is_repeated, pattern
from vallum.options.v1 import access_pb2

Json = dict[str, Any]

VERBS = ("get", "put", "post", "delete", "patch")
VARIABLE = re.compile(r"\{([^=}]+)(?:=([^}]+))?\}")
INFO = {
    "title": "Vallum",
    "version": "1",
    "description": "Turn-based board games, hosted. Every call is one of the gRPC contract; what "
    "is said there holds here. An error is a google.rpc.Status, and its ErrorInfo has a stable "
    "reason.",
}
BEARER = {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}
STREAM = " The answer is a stream: one JSON object a line."


class Call(NamedTuple):
    """A way to make a call by HTTP."""

    method: MethodDescriptor
    verb: str
    template: str
    body: str


def document(services: Iterable[Service]) -> Json:
    """The document for the public calls of some services."""
    words = comments()
    schemas = Schemas(words)
    paths: dict[str, Json] = {}
    tags: list[Json] = []
    for service in services:
        calls = [call for method in service.methods for call in calls_of(method)]
        if calls:
            tags.append({"name": tag(service), "description": words.get(service.full_name, "")})
        for call in calls:
            path, _ = expanded(call.template)
            paths.setdefault(path, {})[call.verb] = operation(call, schemas, words)
    return {
        "openapi": "3.0.3",
        "info": INFO,
        "servers": [{"url": "/"}],
        "security": [{"token": []}],
        "tags": tags,
        "paths": paths,
        "components": {"securitySchemes": {"token": BEARER}, "schemas": schemas.made()},
    }


def calls_of(method: MethodDescriptor) -> Iterator[Call]:
    """Every HTTP form of a method; none if it is internal."""
    rule = method.GetOptions().Extensions[annotations_pb2.http]
    for one in (rule, *rule.additional_bindings):
        for verb in VERBS:
            if template := getattr(one, verb):
                yield Call(method, verb, template, one.body)


def operation(call: Call, schemas: Schemas, words: dict[str, str]) -> Json:
    """What the document says of one call."""
    method = call.method
    access = method.GetOptions().Extensions[access_pb2.access]
    path, bound = expanded(call.template)
    fields = [one for one in method.input_type.fields if one.name not in bound]
    told: Json = {
        "operationId": f"{tag(method.containing_service)}_{method.name}",
        "tags": [tag(method.containing_service)],
        "summary": method.name,
        "description": words.get(method.full_name, "")
        + (STREAM if method.server_streaming else ""),
        "parameters": [*_path(call, path)],
        "responses": {
            "200": _content("The answer.", schemas.reference(method.output_type)),
            "default": _content("Not done, and why.", {"$ref": f"#/components/schemas/{STATUS}"}),
        },
        "x-roles": [access_pb2.Role.Name(role)[5:].lower() for role in access.roles],
    }
    if access.open:
        told["security"] = []
    if call.body:
        body = schemas.message(method.input_type, without=bound)
        told["requestBody"] = {"required": True, "content": {"application/json": {"schema": body}}}
    else:
        told["parameters"] += [*_query(fields, schemas)]
    return told


def expanded(template: str) -> tuple[str, frozenset[str]]:
    """`/v1/{name=matches/*}:play` -> ("/v1/matches/{match}:play", {"name"})."""
    bound: set[str] = set()

    def spell(found: re.Match[str]) -> str:
        bound.add(found[1])
        parts = (found[2] or "*").split("/")
        names = [singular(parts[at - 1]) if at else found[1] for at in range(len(parts))]
        return "/".join(
            f"{{{name}}}" if part.startswith("*") else part
            for part, name in zip(parts, names, strict=True)
        )

    return VARIABLE.sub(spell, template), frozenset(bound)


def singular(collection: str) -> str:
    """Tells one of many: matches -> match, entries -> entry, players -> player."""
    for end, instead in (("ies", "y"), ("ches", "ch"), ("s", "")):
        if collection.endswith(end):
            return collection.removesuffix(end) + instead
    return collection


def tag(service: Service) -> str:
    """vallum.hadrians_wall.v1.RulesService -> hadrians_wall."""
    return service.file.package.removeprefix("vallum.").split(".")[0]


@cache
def comments() -> dict[str, str]:
    """The comments of the proto files by full name; none where nobody has collected them."""
    file = files("services.edge").joinpath("comments.json")
    found: dict[str, str] = json.loads(file.read_text()) if file.is_file() else {}
    return found


def _path(call: Call, path: str) -> Iterator[Json]:
    """Parameters for what is in the path; one that stands alone keeps the rule of its field."""
    names = re.findall(r"\{(\w+)\}", path)
    for name in names:
        schema = {"type": "string", "pattern": "^[^/:]+$"}
        if len(names) == 1 and (found := VARIABLE.search(call.template)):
            field = call.method.input_type.fields_by_name[found[1]]
            prefix = (found[2] or "*").removesuffix("*")
            rule = pattern(field).removeprefix("^")
            if rule.startswith(prefix) and rule:
                schema["pattern"] = f"^{rule.removeprefix(prefix)}"
        yield {"name": name, "in": "path", "required": True, "schema": schema}


def _content(description: str, schema: Json) -> Json:
    return {"description": description, "content": {"application/json": {"schema": schema}}}


def _query(
    fields: Iterable[FieldDescriptor], schemas: Schemas, prefix: str = "", above: str = ""
) -> Iterator[Json]:
    """Parameters for what a GET cannot say in its path; a message is spelt field by field."""
    for field in fields:
        name = prefix + field.json_name
        kind: Descriptor | None = field.message_type
        if kind is None or schemas.is_known(kind):
            yield {
                "name": name,
                "in": "query",
                "description": schemas.words.get(field.full_name, ""),
                "required": not above and schemas.is_required(field),
                "schema": schemas.field(field),
            }
        elif not is_repeated(field) and kind.full_name not in above:
            yield from _query(kind.fields, schemas, f"{name}.", f"{above} {kind.full_name}")
