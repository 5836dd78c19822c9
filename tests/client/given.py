"""Clients of a host that runs in this process on a real storage."""

from __future__ import annotations

from typing import Any

from services.gamekit.game import NATURE
from services.runtime.auth import Caller, Role
from tests.referee.given import KEYS, World, take_nature
from vallum.client import Client, GameClient, Retry
from vallum.match.v1 import match_pb2 as pb

QUICK = Retry(patience=10, timeout=5, first_pause=0.01, longest_pause=0.05)


class House:
    """A host, and people's clients."""

    def __init__(self, world: World) -> None:
        self.world = world

    def client(self, name: str = "ann", target: str = "", **given: Any) -> Client:
        """Somebody's client; `target` where it is not the host itself."""
        token = KEYS.mint(Caller(name, "north", Role.PLAYER))
        return Client(target or self.world.app.target, token, **{"retry": QUICK, **given})

    async def to_the_end(self, match: str, *players: GameClient) -> pb.Match:
        """Everybody plays the first legal action, NATURE what is due."""
        worker = self.world.person("worker", Role.SERVICE)
        while (there := await players[0].get_match(match)).decisions:
            seat = there.decisions[0].seat
            if seat == NATURE:
                await take_nature(worker, match)
            else:
                listed = await players[seat].actions(match, seat=seat)
                await players[seat].play(match, listed.actions[0], seat=seat)
        return there
