"""The async client of Vallum.

    async with Client("127.0.0.1:7410", token) as client:
        game = client.game("hadrians_wall")
        match = await game.create_match([player("ada"), bot("random")])
        async for update in game.watch(match):
            ...

Every call is tried again, under the same request id, until somebody answers it; what is refused
raises `VallumCallError` with the refusal's code.
"""

from vallum.client.accounts import Accounts
from vallum.client.client import Client
from vallum.client.errors import EpochChanged, VallumCallError
from vallum.client.game import GameClient, bot, player, standing
from vallum.client.inbox import Inbox
from vallum.client.lobby import Lobby
from vallum.client.matchmaking import Matchmaking, TicketEnded, playable
from vallum.client.records import record_from_json, record_to_json
from vallum.client.retry import Retry
from vallum.client.watch import Watch

__all__ = [
    "Accounts",
    "Client",
    "EpochChanged",
    "GameClient",
    "Inbox",
    "Lobby",
    "Matchmaking",
    "Retry",
    "TicketEnded",
    "VallumCallError",
    "Watch",
    "bot",
    "playable",
    "player",
    "record_from_json",
    "record_to_json",
    "standing",
]
