"""What `vallum up` makes for whoever develops on this machine: a tenant and its API key."""

from __future__ import annotations

from typing import Any

import grpc

from services.cli.everything import Running
from services.cli.token import TENANT
from services.runtime.auth import Caller, Role
from services.runtime.callers import SCOPES
from vallum.accounts.v1 import accounts_pb2 as pb
from vallum.accounts.v1.accounts_pb2_grpc import AccountsServiceStub

NAME = "development"
TIMEOUT = 20.0


async def development_key(running: Running) -> str | None:
    """The key of the development tenant where it was made now; None where it was made before,
    because nobody can show it again."""
    token = running.keys.mint(Caller("vallum-up", "", Role.ADMIN), 60)
    options: Any = {"metadata": (("authorization", f"Bearer {token}"),), "timeout": TIMEOUT}
    async with grpc.aio.insecure_channel(running.app.target) as channel:
        stub: Any = AccountsServiceStub(channel)
        tenant = pb.CreateTenantRequest(
            tenant_id=TENANT, display_name="Development", request_id=TENANT
        )
        try:
            await stub.CreateTenant(tenant, **options)
        except grpc.aio.AioRpcError as error:
            if error.code() != grpc.StatusCode.ALREADY_EXISTS:
                raise
        there = await stub.ListKeys(pb.ListKeysRequest(tenant=TENANT, page_size=1), **options)
        if there.keys:
            return None
        key = pb.CreateKeyRequest(
            tenant=TENANT, display_name=NAME, scopes=SCOPES.values(), request_id=NAME
        )
        made = await stub.CreateKey(key, **options)
        return str(made.api_key)
