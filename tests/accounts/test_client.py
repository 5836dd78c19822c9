"""The client of a studio's backend: it has an API key, and looks after tokens by itself."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any, NamedTuple

import grpc
import pytest

from services.referee.bind import rules
from services.runtime import bell
from services.runtime.settings import Settings
from tests.accounts.given import Office, Studio, office
from tests.ambush.hosted import HOSTED
from tests.client.given import QUICK
from tests.referee.given import BOTS, Refused
from tests.until import until
from vallum.client import Accounts, Client, Retry, VallumCallError, blocking, player, tokens
from vallum.client.tokens import Handed, Renewed
from vallum.match.v1 import match_pb2 as match_pb

GAME = "ambush.v1"


class House(NamedTuple):
    """Accounts and a host at one address, and a studio."""

    office: Office
    studio: Studio

    @property
    def target(self) -> str:
        """host:port."""
        return self.office.app.target

    def client(self, api_key: str = "") -> Client:
        """A backend's."""
        return Client(self.target, api_key=api_key or self.studio.api_key, retry=QUICK)


@pytest.fixture
async def house(settings: Settings) -> AsyncIterator[House]:
    async with office(settings, rules(HOSTED, BOTS)) as there:
        yield House(there, await there.studio("acme"))


async def test_a_key_is_all_that_a_backend_needs(house: House) -> None:
    async with house.client() as client:
        game = client.game(GAME)
        match = await game.create_match([player("ann"), player("bob")])
        assert [one.name async for one in game.list_matches()] == [match.name]
        mine = await Accounts(client).ensure_player("user-1", display_name="Ann")
        assert (mine.tenant, mine.external_id) == ("acme", "user-1")
        assert [one async for one in Accounts(client).players()] == [mine]
        assert (await Accounts(client).rename(mine, "Bea")).display_name == "Bea"
        app = await Accounts(client).player_token("user-1", ttl=60)
        assert app.player.name == mine.name
        left = await Accounts(client).delete(mine)
        assert (await Accounts(client).player(mine.name)) == left


async def test_a_player_of_the_tenant_plays_through_the_same_key(house: House) -> None:
    async with house.client() as client:
        people = [client.as_player(one, display_name=one.title()) for one in ("ann", "bob")]
        names = [(await Accounts(client).ensure_player(one)).name for one in ("ann", "bob")]
        ids = [one.removeprefix("players/") for one in names]
        match = await client.game(GAME).create_match([player(one) for one in ids])
        listed = await people[0].game(GAME).actions(match)
        await people[0].game(GAME).play(match, listed.actions[0])
        with pytest.raises(VallumCallError, match="forbidden"):
            await client.game(GAME).play(match, listed.actions[0], seat=0)
        await people[1].close()  # it is the backend's connection
        assert (await people[1].game(GAME).get_match(match)).name == match.name


async def test_tokens_are_exchanged_once_for_many_calls(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = count_exchanges(monkeypatch)
    async with house.client() as client:
        game = client.game(GAME)
        calls = (game.create_match([player("ann"), player("bob")]) for _ in range(10))
        await asyncio.gather(*calls)
    assert counted == [1]


def count_exchanges(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many tokens clients fetch from now on."""
    counted, before = [0], Renewed._replace

    async def count(self: Renewed) -> None:
        counted[0] += 1
        await before(self)

    monkeypatch.setattr(Renewed, "_replace", count)
    return counted


async def test_tokens_are_renewed_before_they_end(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = count_exchanges(monkeypatch)
    monkeypatch.setattr(tokens, "EARLY", 0.0)
    async with house.client() as client:
        for _ in range(3):
            await client.game(GAME).create_match([player("ann"), player("bob")])
    assert counted == [3]


async def test_a_token_that_is_refused_is_replaced(house: House) -> None:
    async with house.client() as client:
        game = client.game(GAME)
        match = await game.create_match([player("ann"), player("bob")])
        held: Any = client._tokens
        for bad in ("nonsense", (await spoilt(house))):
            held._token = bad
            assert (await game.get_match(match)).name == match.name
            held._token = bad
            assert [one.version async for one in short(game.watch(match))]


async def spoilt(house: House) -> str:
    """A token whose key was revoked."""
    made = await house.studio.backend.call("CreateKey", scopes=house.studio.key.scopes)
    clerk = await house.office.exchange(made.api_key)
    await house.studio.backend.call("RevokeKey", name=made.key.name)

    async def over() -> bool:
        try:
            await clerk.call("ListKeys")
        except Refused as refusal:
            return refusal.code == "token_revoked"
        return False

    await until(over)
    return clerk.token


async def short(watch: Any) -> AsyncIterator[Any]:
    """The first update of a stream."""
    async with asyncio.timeout(20):
        async for one in watch:
            yield one
            return


async def test_a_stream_outlives_its_token(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bell, "HEARTBEAT_S", 0.1)
    async with house.client() as client:
        made = await house.studio.backend.call("CreateKey", scopes=house.studio.key.scopes)
        other = house.client(made.api_key)
        game = client.game(GAME)
        match = await game.create_match([player("ann"), player("ann")])
        held: Any = client._tokens
        held._token = await other._tokens.get()  # the stream begins with the other key's token
        watch = game.watch(match)
        seen = []
        refused = asyncio.Event()
        before = held.renew

        def renew(code: str) -> bool:
            refused.set()
            assert code == "token_revoked"
            return bool(before(code))

        monkeypatch.setattr(held, "renew", renew)

        async def follow() -> None:
            async for one in watch:
                seen.append(one.version)  # noqa: PERF401 # one by one, as they come

        following = asyncio.create_task(follow())
        await house.studio.backend.call("RevokeKey", name=made.key.name)
        await asyncio.wait_for(refused.wait(), 20)
        ann = house.office.asks("ann", tenant="acme").token
        async with Client(house.target, ann, retry=QUICK) as app:
            await app.game(GAME).resign(match, seat=0)
        await asyncio.wait_for(following, 20)
        assert seen == list(range(1, len(seen) + 1))
        assert watch.end is not None
        await other.close()


async def test_a_key_that_is_over_is_told_as_it_is(house: House) -> None:
    await house.studio.backend.call("RevokeKey", name=house.studio.key.name)
    for key in (house.studio.api_key, "vallum_nonsense"):
        async with house.client(key) as client:
            with pytest.raises(VallumCallError, match="key_invalid"):
                await client.game(GAME).get_match("one")
            with pytest.raises(VallumCallError, match="key_invalid"):
                await anext(aiter(client.game(GAME).watch("one")))


async def test_a_token_that_counts_is_used_while_no_other_can_be_had(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house.client() as client:
        game, held = client.game(GAME), client._tokens
        match = await game.create_match([player("ann"), player("bob")])
        assert isinstance(held, Renewed)
        tried = []

        async def away(retry: Retry) -> str:
            tried.append(retry)
            raise VallumCallError("storage_unavailable", grpc.StatusCode.UNAVAILABLE)

        monkeypatch.setattr(held, "_fetch", away)
        held._renew = 0.0
        assert (await game.get_match(match)).name == match.name
        assert [one.patience for one in tried] == [tokens.SHORT]
        held._renew = held._over = 0.0
        with pytest.raises(VallumCallError, match="storage_unavailable"):
            await game.get_match(match)


async def test_the_same_without_an_event_loop(house: House) -> None:
    def plays() -> tuple[str, list[str]]:
        with blocking.Client(house.target, api_key=house.studio.api_key, retry=QUICK) as client:
            ann = client.as_player("ann")
            name = blocking.Accounts(client).ensure_player("ann").name.removeprefix("players/")
            match = ann.game(GAME).create_match([player(name), player(name)])
            ann.game(GAME).resign(match, seat=0)
            ann.close()
            found = client.game(GAME).get_match(match)
            people = [one.name for one in blocking.Accounts(client).players()]
            return match_pb.MatchState.Name(found.state), people

    state, people = await asyncio.to_thread(plays)
    assert state == "MATCH_STATE_FINISHED"
    assert len(people) == 1


async def test_a_function_that_gives_tokens_may_wait(house: House) -> None:
    async def given() -> str:
        return house.studio.backend.token

    async with Client(house.target, given, retry=QUICK) as client:
        assert [one async for one in client.game(GAME).list_matches()] == []
    assert Handed(given).renew("token_expired")
    assert not Handed("fixed").renew("token_expired")


def test_a_token_and_a_key_are_one_too_many() -> None:
    async def both() -> None:
        Client("127.0.0.1:1", "token", api_key="vallum_key")

    with pytest.raises(TypeError, match="not both"):
        asyncio.run(both())


async def test_the_key_is_not_shown_by_what_is_printed(house: House) -> None:
    client = house.client()
    assert house.studio.api_key not in f"{client!r} {client._tokens!r} {vars(client)!r}"
    await client.close()
