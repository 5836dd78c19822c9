"""An attack: somebody with a valid token who writes another tenant's ids wherever an id may be
written, as gRPC, as gRPC-Web and as JSON. He learns nothing, and nothing of theirs changes."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from itertools import count
from random import Random
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import FieldDescriptor, MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from services.games import GAMES
from services.runtime.auth import Role
from tests.contract.asking import access, kind_of, methods, request, resources
from tests.contract.gate import Gate, gate
from tests.contract.hall import Side, token
from tests.contract.test_access_matrix import about, missing
from tests.servers import Server

BOUND = (Role.PLAYER, Role.TENANT)
"""Those who see one tenant's things alone."""
METHODS = [
    one
    for one in methods()
    if {Role(role) for role in access(one).roles} & set(BOUND) and one.input_type.fields
]
SHIPPED = {one.package for one in GAMES.values()}
DISTINCT = [one for one in METHODS if one.containing_service.file.package not in SHIPPED]
"""Of the rules services, which are word for word the same, that of the test game."""
FAULTS = (grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN, grpc.StatusCode.UNAVAILABLE)
SAME_SPACE = ("match_exists",)
"""Where ids are one space over all tenants (docs/api.md): the answer tells that one is in use."""
TAKEN_ALREADY = ("already_at_a_table", "ticket_exists", "too_many_webhooks")
"""How one of two calls is refused because the other has had its effect."""
ANNOUNCED = re.compile(r"update_time \{[^}]*\}")
"""What an automatic turn that nobody takes changes by itself, when it is announced again."""
_numbers = count(1)


@pytest.fixture(scope="module")
async def there(
    redis_server: Server, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Gate]:
    async with gate(redis_server.database(60), tmp_path_factory.mktemp("gate")) as running:
        yield running


def roles(method: MethodDescriptor) -> list[Role]:
    return [Role(role) for role in access(method).roles if Role(role) in BOUND]


NAMING = [one for one in METHODS if resources(one)]


@pytest.mark.parametrize("method", NAMING, ids=lambda one: one.full_name)
async def test_what_is_theirs_is_not_there_in_any_dialect(
    there: Gate, method: MethodDescriptor
) -> None:
    theirs, rng = there.hall.south.of(method), Random(method.full_name)
    for role in roles(method):
        bearer = token(role, there.hall.north)
        nothing = await there.in_every_dialect(
            method, request(method, missing(theirs, rng)), bearer
        )
        answers = await there.in_every_dialect(method, request(method, theirs), bearer)
        assert answers == nothing, role.name
        for dialect, answer in answers.items():
            told = (role.name, dialect, answer)
            assert answer.code in (grpc.StatusCode.NOT_FOUND, grpc.StatusCode.UNIMPLEMENTED), told
            assert answer.reason, told


async def test_their_ids_mean_nothing_wherever_they_are_written(there: Gate) -> None:
    north, south, rng = there.hall.north, there.hall.south, Random(1)
    before, sent = await everything_of(there, south), 0
    for method in DISTINCT:
        for role in roles(method):
            bearer = token(role, north)
            for asked, other, known in written(method, north, south, rng):
                answer, control = await asyncio.gather(
                    there.hall.ask(method, asked, bearer), there.hall.ask(method, other, bearer)
                )
                sent += 1
                told = (method.full_name, role.name, asked, answer)
                assert answer.code not in FAULTS, told
                assert not [one for one in south.marks() - known if one in answer.body], told
                if not {answer.reason, control.reason} & {*TAKEN_ALREADY, *SAME_SPACE}:
                    same = (answer.code, answer.reason) == (control.code, control.reason)
                    assert same, (told, control)
    assert sent > 300
    after = await everything_of(there, south)
    assert {name: after[name] for name in after if after[name] != before[name]} == {}


def written(
    method: MethodDescriptor, north: Side, south: Side, rng: Random
) -> Iterator[tuple[Message, Message, set[bytes]]]:
    """Requests that name something of the south in one field, the same with an id that is not
    there, and what of the south the first one says itself."""
    plain = request(method, north.of(method), **about(method, north, Role.TENANT))
    for path in texts(plain.DESCRIPTOR):
        for name in fitting(path[-1], south, rng):
            yield (
                put(plain, path, name),
                put(plain, path, like(name, rng)),
                {mark for mark in south.marks() if mark in name.encode()},
            )


def fitting(field: Any, south: Side, rng: Random) -> list[str]:
    """What of the south may be written in a field: names of the kind that it takes, or, where it
    takes any text, ids of every kind and some names."""
    names = sorted({name for names in south.names.values() for name in names.values()})
    if kind := kind_of(field):
        return [name for name in names if name.startswith(f"{kind}/")]
    bare = [name.partition("/")[2] for name in rng.sample(names, 2)]
    return [*bare, south.player, south.tenant, rng.choice(names)]


def like(name: str, rng: Random) -> str:
    """A name of the same form, of what is not there."""
    kind, slash, body = name.rpartition("/")
    letters = (rng.choice("23456789") if one.isalnum() else one for one in body[2:])
    return kind + slash + body[:2] + "".join(letters)


def texts(kind: Any, above: tuple[FieldDescriptor, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path to each field that holds text, at most two messages deep."""
    for field in kind.fields:
        path = (*above, field)
        if field.message_type is None:
            if field.type == FieldDescriptor.TYPE_STRING and field.name != "request_id":
                yield path
        elif len(path) < 3 and not field.message_type.GetOptions().map_entry:
            yield from texts(field.message_type, path)


def put(message: Message, path: tuple[Any, ...], text: str) -> Message:
    """A copy with a text at a path."""
    made: Any = type(message)()
    made.CopyFrom(message)
    there, (*way, last) = made, path
    for field in way:
        found = getattr(there, field.name)
        there = (found[0] if found else found.add()) if field.is_repeated else found
    if last.is_repeated:
        getattr(there, last.name)[:] = [text]
    else:
        setattr(there, last.name, text)
    if "request_id" in made.DESCRIPTOR.fields_by_name:
        made.request_id = f"x{next(_numbers)}"
    return made  # type: ignore[no-any-return]  # a message, as it was made


async def everything_of(there: Gate, side: Side) -> dict[str, str]:
    """All that a tenant and its player can read of their own, but for what time alone changes."""
    found = {}
    for method in METHODS:
        if not method.name.startswith(("Get", "List")) or method.name == "GetPosition":
            continue
        for role in roles(method):
            asked = request(method, side.of(method), **about(method, side, role))
            answer = await there.hall.ask(method, asked, token(role, side))
            told = GetMessageClass(method.output_type)
            text = str(told.FromString(answer.body)) if not answer.reason else answer.reason
            found[f"{role.name} {method.full_name}"] = ANNOUNCED.sub("", text)
    for name in [name for name in found if name.endswith(("Ticket", "ListTickets"))]:
        del found[name]  # they tell how long they have waited
    return found
