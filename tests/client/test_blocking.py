"""The client that waits: the same calls from programs without an event loop."""

from __future__ import annotations

import asyncio
import inspect
from typing import Any

import pytest

from services.runtime.auth import Caller, Role
from tests.client.given import QUICK, House
from tests.referee.given import KEYS
from vallum.client import (
    Accounts,
    GameClient,
    Inbox,
    Lobby,
    Matchmaking,
    VallumCallError,
    blocking,
    player,
)


def client(house: House, name: str = "ann") -> blocking.Client:
    token = KEYS.mint(Caller(name, "north", Role.PLAYER))
    return blocking.Client(house.world.app.target, token, retry=QUICK)


def plays_alone(house: House) -> tuple[list[int], Any]:
    """A player with both seats of a match, who watches while it goes on."""
    with client(house) as ann:
        game = ann.game("ambush.v1")
        match = game.create_match([player("ann"), player("ann")], options={"rounds": 1})
        seen = []
        with game.watch(match) as watch:
            for update in watch:
                seen.append(update.version)
                for seat in [one.seat for one in game.get_match(match).decisions if one.seat >= 0]:
                    if listed := game.actions(match, seat=seat).actions:
                        game.play(match, listed[0], seat=seat)
                if len(seen) == 6:
                    break
        names = [one.name for one in game.list_matches()]
        assert names == [match.name]
        return seen, game.get_match(match)


async def test_a_match_is_played_and_watched(house: House) -> None:
    seen, match = await asyncio.to_thread(plays_alone, house)
    assert seen == [1, 2, 3, 4, 5, 6]
    assert match.version >= 6


async def test_a_refusal_is_raised_with_its_code(house: House) -> None:
    def asks() -> None:
        with client(house) as ann:
            ann.game("ambush.v1").get_match("nothing")

    with pytest.raises(VallumCallError, match="match_not_found"):
        await asyncio.to_thread(asks)


async def test_its_thread_ends_with_it(house: House) -> None:
    def looks() -> bool:
        with client(house) as ann:
            list(ann.game("ambush.v1").list_matches())
        return ann.loop.alive

    assert not await asyncio.to_thread(looks)


@pytest.mark.parametrize(
    ("facade", "whole"),
    [
        (blocking.Accounts, Accounts),
        (blocking.GameClient, GameClient),
        (blocking.Matchmaking, Matchmaking),
        (blocking.Lobby, Lobby),
        (blocking.Inbox, Inbox),
    ],
)
def test_nothing_is_missing(facade: type, whole: type) -> None:
    def calls(kind: type) -> set[str]:
        return {name for name, _ in inspect.getmembers(kind, callable) if name[0] != "_"}

    assert calls(facade) == calls(whole)
