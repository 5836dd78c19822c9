"""Who may call what, and about whose: every RPC of the contract, every role, one's own things,
another tenant's and what is not there, asked of everything that `vallum up` serves."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from random import Random
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import MethodDescriptor

from services.cli.serve import SERVICES
from services.runtime.auth import Role
from services.runtime.callers import SCOPES, scopes_of
from services.runtime.guard import _access as guarded
from tests.contract.asking import access, methods, request, resources, services
from tests.contract.hall import GAMES, Answer, Hall, Side, hall, token
from tests.servers import Server
from vallum.options.v1 import access_pb2

CODE = grpc.StatusCode
METHODS = methods()
ROLES = [role for role in Role if role != Role.NOBODY]
PLATFORM = (Role.SERVICE, Role.ADMIN)
NOT_SERVED: set[str] = set()
"""Services of the contract that nobody serves yet."""
AT_THE_DOOR = {"unauthenticated", "token_invalid", "forbidden", "out_of_scope"}
"""How the guard refuses."""
READS = ("Get", "List", "Watch", "Export")
MAY_ANSWER = {
    "match_not_finished": ("GetRecord",),
    "not_an_automatic_seat": ("GetPosition",),
    "not_at_the_table": ("ListActions",),
}
"""What a caller's own things may be refused with when he reads, and where."""

SERVED = [one for one in METHODS if one.containing_service.full_name not in NOT_SERVED]


def each(methods: list[MethodDescriptor]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("method", methods, ids=lambda one: one.full_name)


@pytest.fixture(scope="module")
async def there(
    redis_server: Server, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Hall]:
    """One platform for all of it."""
    url = redis_server.database(62)
    async with hall(url, tmp_path_factory.mktemp("hall")) as running:
        yield running


def roles(method: MethodDescriptor) -> list[Role]:
    return [Role(role) for role in access(method).roles]


def missing(names: Mapping[str, str], rng: Random) -> dict[str, str]:
    """Names like these of things that are not there."""
    letters = "abcdefghijkmnpqrstuvwxyz234567"
    found = {}
    for kind, name in names.items():
        body = name.partition("/")[2]
        length = rng.choice([len(body), 1, 20, 32])
        made = "".join(rng.choice(letters) for _ in range(min(length, 32)))
        near = body[:-1] + ("2" if body[-1] != "2" else "3")
        found[kind] = f"{kind}/{rng.choice([made, near])}"
    return found


def test_every_service_of_the_contract_is_asked(there: Hall) -> None:
    contract = {service.full_name for service in services()}
    assert contract - set(there.app.services) == NOT_SERVED
    assert set(there.app.services) <= contract
    assert len(contract) >= len(GAMES) + len(SERVICES)


@each(METHODS)
def test_every_rpc_says_who_may_call(method: MethodDescriptor) -> None:
    assert method.GetOptions().HasExtension(access_pb2.access)
    found = access(method)
    assert found.open or found.roles, "nobody may"
    assert not (found.open and found.roles), "what is open is open to all"
    assert access_pb2.ROLE_UNSPECIFIED not in found.roles
    assert guarded(method)[:2] == (found.open, frozenset(found.roles))


@each(SERVED)
async def test_only_the_roles_that_it_names_come_in(there: Hall, method: MethodDescriptor) -> None:
    mine, found = there.north, access(method)
    nobody = await there.ask(method, request(method, mine.of(method)), "")
    if found.open:
        assert nobody.reason not in AT_THE_DOOR
        return
    assert (nobody.code, nobody.reason) == (CODE.UNAUTHENTICATED, "unauthenticated")
    for role in ROLES:
        if role in roles(method):
            continue
        for side in (mine, there.south):
            answer = await there.ask(method, request(method, side.of(method)), token(role, mine))
            assert (answer.code, answer.reason) == (CODE.PERMISSION_DENIED, "forbidden"), role


@each([one for one in SERVED if access_pb2.ROLE_TENANT in access(one).roles])
async def test_a_key_opens_only_what_it_is_scoped_for(
    there: Hall, method: MethodDescriptor
) -> None:
    found = access(method)
    needed = found.scope or access_pb2.SCOPE_MATCHES
    for name, scope in SCOPES.items():
        narrow = token(Role.TENANT, there.north, scopes_of([name]))
        asked = request(method, missing(there.north.of(method), Random(name)))
        answer = await there.ask(method, asked, narrow)
        if scope == needed:
            assert answer.reason not in AT_THE_DOOR
        else:
            assert (answer.code, answer.reason) == (CODE.PERMISSION_DENIED, "out_of_scope"), name


@each(SERVED)
async def test_ones_own_things_are_answered(there: Hall, method: MethodDescriptor) -> None:
    mine = there.north
    for role in roles(method):
        asked = request(method, mine.of(method), **about(method, mine, role))
        answer = await there.ask(method, asked, token(role, mine))
        told = (role.name, answer)
        assert answer.reason not in AT_THE_DOOR, told
        assert answer.code not in (CODE.UNAUTHENTICATED, CODE.NOT_FOUND), told
        assert answer.code not in (CODE.INTERNAL, CODE.UNKNOWN, CODE.DEADLINE_EXCEEDED), told
        if method.name.startswith(READS):
            fine = answer.code == CODE.OK or method.name in MAY_ANSWER.get(answer.reason, ())
            assert fine, told
        if role not in PLATFORM:
            assert not marked(answer, there.south), told


def whose(method: MethodDescriptor, side: Side) -> dict[str, Any]:
    """The field in which the platform says for which tenant it asks."""
    return {"tenant": side.tenant} if "tenant" in method.input_type.fields_by_name else {}


def about(method: MethodDescriptor, side: Side, role: Role) -> dict[str, Any]:
    """What a caller says of whom he asks for, where he reads."""
    found = whose(method, side) if role in PLATFORM else {}
    if role != Role.PLAYER and method.name.startswith(READS):
        found |= {"player": side.player} if "player" in method.input_type.fields_by_name else {}
    return found


def marked(answer: Answer, side: Side) -> list[bytes]:
    """What an answer tells of a tenant."""
    return [mark for mark in side.marks() if mark in answer.body]


@each([one for one in SERVED if resources(one)])
async def test_another_tenants_things_are_not_there(there: Hall, method: MethodDescriptor) -> None:
    theirs, rng = there.south.of(method), Random(method.full_name)
    for role in roles(method):
        bearer = token(role, there.north)
        nothing = [
            await there.ask(method, request(method, missing(theirs, rng)), bearer) for _ in range(4)
        ]
        assert len(set(nothing)) == 1, "answers to ids that are not there differ"
        assert nothing[0].code in (CODE.NOT_FOUND, CODE.UNIMPLEMENTED), role.name
        answer = await there.ask(method, request(method, theirs), bearer)
        if role in PLATFORM:
            assert answer.code != CODE.NOT_FOUND, (role.name, answer)
        else:
            assert answer == nothing[0], role.name


@each([one for one in SERVED if "tenant" in one.input_type.fields_by_name])
async def test_nobody_asks_in_the_name_of_another_tenant(
    there: Hall, method: MethodDescriptor
) -> None:
    fields = whose(method, there.south)
    for role in roles(method):
        if role in PLATFORM:
            continue
        asked = request(method, there.north.of(method), **fields)
        answer = await there.ask(method, asked, token(role, there.north))
        known = {there.south.tenant.encode()}  # the caller has named it himself
        assert not set(marked(answer, there.south)) - known, (role.name, answer)
        unknown = request(method, there.north.of(method), tenant="nowhere")
        other = await there.ask(method, unknown, token(role, there.north))
        assert (other.code, other.reason) == (answer.code, answer.reason)


@each([one for one in SERVED if one.containing_service.name == "RulesService" and resources(one)])
async def test_a_match_of_another_game_is_not_there(there: Hall, method: MethodDescriptor) -> None:
    mine = method.containing_service.full_name
    for role in roles(method):
        bearer, rng = token(role, there.north), Random(method.full_name)
        nothing = await there.ask(
            method, request(method, missing(there.north.of(method), rng)), bearer
        )
        for service, names in {**there.north.names, **there.south.names}.items():
            if service.endswith(".RulesService") and service != mine:
                answer = await there.ask(method, request(method, names), bearer)
                assert answer == nothing, (role.name, service)


async def test_an_id_is_taken_for_every_game(there: Hall) -> None:
    bearer = token(Role.TENANT, there.north)
    creations = [one for one in SERVED if one.name == "CreateMatch"]
    for method in creations:
        for names in there.south.names.values():
            taken = names.get("matches", "").removeprefix("matches/")
            if taken:
                asked = request(
                    method,
                    {},
                    match_id=taken,
                    seats=[{"player": "ann"}, {"bot": "random"}, {"player": "bob"}],
                )
                answer = await there.ask(method, asked, bearer)
                assert answer.reason == "match_exists", method.full_name
