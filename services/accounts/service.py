"""The accounts service's calls: the contract on one side, the tables on the other."""

from __future__ import annotations

from typing import Any

from services.accounts import keys, players, tenants
from services.accounts.audit import entries, note
from services.accounts.requests import repeated
from services.accounts.schema import KEYS, PLAYERS, TENANTS
from services.accounts.signing import Signing
from services.accounts.tokens import minted
from services.accounts.upkeep import Upkeep
from services.runtime.auth import Caller, Role, caller
from services.runtime.database import Database
from services.runtime.errors import Unauthenticated
from services.runtime.keys import Keys
from services.runtime.pages import page
from services.runtime.rows import now_ms, one, timestamp
from services.runtime.tenancy import tenant_named, tenant_seen
from vallum.accounts.v1 import accounts_pb2 as pb


class AccountsService:
    """Answers AccountsService. Method names are the contract's."""

    def __init__(self, database: Database, signing: Signing, upkeep: Upkeep) -> None:
        self._database = database
        self._signing = signing
        self._upkeep = upkeep

    async def ExchangeKey(self, request: Any, _: Any) -> Any:
        """See the contract. Codes: `key_invalid`, `tenant_suspended`."""
        async with self._database.reading() as connection:
            row = await keys.admitted(connection, request.api_key)
        who = Caller(row.tenant, row.tenant, Role.TENANT, row.id, row.scopes)
        token, expires = minted(self._signing, who, request, row.expires_ms)
        if keys.is_stale(row):
            async with self._database.begin() as connection:
                await keys.used(connection, row)
        return pb.ExchangeKeyResponse(
            token=token, expire_time=expires, tenant=row.tenant, scopes=keys.message(row).scopes
        )

    async def GetKeySet(self, _request: Any, _: Any) -> Any:
        """See the contract."""
        found = {key.kid: jwk(key) for key in self._signing.public()}
        return pb.GetKeySetResponse(keys=found.values())

    async def IssuePlayerToken(self, request: Any, _: Any) -> Any:
        """See the contract. Codes: `player_not_found`, `tenant_not_found`."""
        if request.WhichOneof("player") == "name":
            async with self._database.reading() as connection:
                row = await players.living(connection, request.name)
        else:
            row, _created = await self._ensured(request)
        who = Caller(row.id, row.tenant, Role.PLAYER, caller().key)
        token, expires = minted(self._signing, who, request, await self._end_of_key())
        return pb.IssuePlayerTokenResponse(
            token=token, expire_time=expires, player=players.message(row)
        )

    async def EnsurePlayer(self, request: Any, _: Any) -> Any:
        """See the contract. Code: `tenant_not_found`."""
        row, created = await self._ensured(request)
        return pb.EnsurePlayerResponse(player=players.message(row), created=created)

    async def GetPlayer(self, request: Any, _: Any) -> Any:
        """See the contract. Code: `player_not_found`."""
        async with self._database.reading() as connection:
            row = await players.found(connection, request.name)
        return pb.GetPlayerResponse(player=players.message(row))

    async def ListPlayers(self, request: Any, _: Any) -> Any:
        """See the contract. Codes: `tenant_not_found`, `bad_page_token`."""
        async with self._database.reading() as connection:
            tenant, there = tenant_seen(request.tenant), PLAYERS.c.deleted_ms.is_(None)
            rows, token = await page(connection, PLAYERS, tenant, request, there)
        return pb.ListPlayersResponse(players=map(players.message, rows), next_page_token=token)

    async def UpdatePlayer(self, request: Any, _: Any) -> Any:
        """See the contract. Codes: `player_not_found`, `request_id_reused`."""
        async with self._database.begin() as connection:
            row = await players.change(connection, request)
        return pb.UpdatePlayerResponse(player=players.message(row))

    async def DeletePlayer(self, request: Any, _: Any) -> Any:
        """See the contract. Codes: `player_not_found`, `request_id_reused`."""
        async with self._database.begin() as connection:
            row = await players.delete(connection, request)
        await self._upkeep.tell()
        return pb.DeletePlayerResponse(player=players.message(row))

    async def CreateKey(self, request: Any, _: Any) -> Any:
        """See the contract. Codes: `tenant_not_found`, `request_id_reused`."""
        async with self._database.begin() as connection:
            row, text = await keys.create(connection, request)
        return pb.CreateKeyResponse(key=keys.message(row), api_key=text)

    async def GetKey(self, request: Any, _: Any) -> Any:
        """See the contract. Code: `key_not_found`."""
        async with self._database.reading() as connection:
            row = await keys.found(connection, request.name)
        return pb.GetKeyResponse(key=keys.message(row))

    async def ListKeys(self, request: Any, _: Any) -> Any:
        """See the contract. Codes: `tenant_not_found`, `bad_page_token`."""
        async with self._database.reading() as connection:
            rows, token = await page(connection, KEYS, tenant_seen(request.tenant), request)
        return pb.ListKeysResponse(keys=map(keys.message, rows), next_page_token=token)

    async def RotateKey(self, request: Any, _: Any) -> Any:
        """See the contract. Codes: `key_not_found`, `key_over`, `request_id_reused`."""
        async with self._database.begin() as connection:
            row, text, old = await keys.rotate(connection, request)
        await self._upkeep.tell()
        return pb.RotateKeyResponse(key=keys.message(row), api_key=text, replaced=keys.message(old))

    async def RevokeKey(self, request: Any, _: Any) -> Any:
        """See the contract. Codes: `key_not_found`, `request_id_reused`."""
        async with self._database.begin() as connection:
            row = await keys.revoke(connection, request)
        await self._upkeep.tell()
        return pb.RevokeKeyResponse(key=keys.message(row))

    async def ListAuditEntries(self, request: Any, _: Any) -> Any:
        """See the contract. Codes: `tenant_not_found`, `bad_page_token`."""
        async with self._database.reading() as connection:
            found, token = await entries(connection, tenant_seen(request.tenant), request)
        return pb.ListAuditEntriesResponse(entries=found, next_page_token=token)

    async def GetTenant(self, request: Any, _: Any) -> Any:
        """See the contract. Code: `tenant_not_found`."""
        async with self._database.reading() as connection:
            row = await tenants.found(connection, request.name.removeprefix("tenants/"))
        return pb.GetTenantResponse(tenant=tenants.message(row))

    async def ListTenants(self, request: Any, _: Any) -> Any:
        """See the contract. Code: `bad_page_token`."""
        async with self._database.reading() as connection:
            rows, token = await page(connection, TENANTS, None, request)
        return pb.ListTenantsResponse(tenants=map(tenants.message, rows), next_page_token=token)

    async def CreateTenant(self, request: Any, _: Any) -> Any:
        """See the contract. Codes: `tenant_exists`, `request_id_reused`."""
        async with self._database.begin() as connection:
            row = await tenants.create(connection, request)
        return pb.CreateTenantResponse(tenant=tenants.message(row))

    async def UpdateTenant(self, request: Any, _: Any) -> Any:
        """See the contract. Codes: `tenant_not_found`, `request_id_reused`."""
        async with self._database.begin() as connection:
            row = await tenants.change(connection, request)
        await self._upkeep.tell()
        return pb.UpdateTenantResponse(tenant=tenants.message(row))

    async def RotateSigningKey(self, request: Any, _: Any) -> Any:
        """See the contract. Code: `request_id_reused`."""
        new = Keys.generate()
        async with self._database.begin() as connection:
            known = await repeated(connection, request, new.kid, now_ms())
            if known is None:
                ending = request.end_others
                await self._signing.rotate(connection, new, end_others=ending)
                detail = "the others ended" if ending else ""
                await note(connection, "RotateSigningKey", "", f"signingKeys/{new.kid}", detail)
            new, use_ms = await self._signing.found(connection, known or new.kid)
        await self._upkeep.tell()
        return pb.RotateSigningKeyResponse(key=jwk(new), use_time=timestamp(use_ms))

    async def _ensured(self, request: Any) -> tuple[Any, bool]:
        """The player with the external id that a request names."""
        tenant = tenant_named(request.tenant)
        async with self._database.reading() as connection:
            await tenants.found(connection, tenant)
            known = await players.known(connection, tenant, request.external_id)
        if known is not None:
            return known, False
        async with self._database.begin() as connection:
            return await players.ensure(
                connection, tenant, request.external_id, request.display_name
            )

    async def _end_of_key(self) -> int | None:
        """When the key that the caller came with ends. Raises Unauthenticated if it has."""
        if not caller().key:
            return None
        async with self._database.reading() as connection:
            row = await one(connection, KEYS, caller().key)
        if row is None or keys.over(row, now_ms()):
            raise Unauthenticated("token_revoked")
        return row.expires_ms  # type: ignore[no-any-return]  # rows have no types


def jwk(key: Keys) -> pb.JsonWebKey:
    """A key as the key set has it."""
    return pb.JsonWebKey(**key.jwk())
