"""A bot of your own: it plays every match that it is seated in, whatever the game, by ListActions.

It knows no rules: of a few legal actions it plays the one after which its score is highest. It
comes to tables where a seat is kept for it. Start `vallum up`, then:

    API_KEY=vallum_... python examples/bot.py marvin
"""

import asyncio
import os
import random
import sys
from collections import defaultdict

from google.protobuf.message import Message

from vallum.client import Accounts, Client, GameClient, Inbox, Lobby, VallumCallError

TARGET = os.environ.get("VALLUM", "http://127.0.0.1:7400").removeprefix("http://")
TRIES = 6


async def main(name: str) -> None:
    """Do what each notice asks for, for ever; matches go on side by side."""
    async with (
        Client(TARGET, api_key=os.environ["API_KEY"]) as studio,
        asyncio.TaskGroup() as group,
    ):
        me, locks = studio.as_player(name), defaultdict[str, asyncio.Lock](asyncio.Lock)
        print(name, "is", (await Accounts(studio).ensure_player(name)).name, flush=True)
        async for notice in Inbox(me).watch():
            for turn in [*notice.turns.turns, notice.turn]:
                if turn.match:
                    seat, lock = turn.decision.seat, locks[turn.match]
                    group.create_task(play(me.game(turn.game), turn.match, seat, lock))
            for invited in [*notice.turns.invitations, notice.invited]:
                if invited.table:
                    group.create_task(sit(Lobby(me), invited.table))


async def play(game: GameClient, match: str, seat: int, lock: asyncio.Lock) -> None:
    """Answer questions until there is none left for us."""
    try:
        async with lock:
            while (listed := await game.actions(match, seat=seat)).actions:
                some = random.sample(listed.actions, min(TRIES, len(listed.actions)))
                points = [await promise(game, match, seat, action) for action in some]
                best, decision = some[points.index(max(points))], listed.decision.decision_id
                await game.play(match, best, seat=seat, expected_decision=decision)
                print(match, f"seat {seat}:", best.WhichOneof("kind"), flush=True)
    except VallumCallError as refusal:
        print(match, "refused:", refusal, flush=True)


async def promise(game: GameClient, match: str, seat: int, action: Message) -> int:
    """Our points after an action; what we cannot see of it is imagined."""
    steps = (await game.preview(match, action, seat=seat)).steps
    return max((one.total for step in steps for one in step.sheets if one.seat == seat), default=0)


async def sit(lobby: Lobby, table: str) -> None:
    """Take the seat that is kept for us."""
    try:
        await lobby.ready(await lobby.join(table))
    except VallumCallError as refusal:
        print(table, "refused:", refusal, flush=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
