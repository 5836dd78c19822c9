"""Plays a match against three bots, by picking any of the legal actions.

Start `vallum up`, then: python examples/first_match.py TOKEN
"""

import argparse
import asyncio
import random

from vallum.client import Client, GameClient, VallumCallError, Watch, bot, player


async def main() -> None:
    """Play one match to its end."""
    given = arguments()
    async with Client(given.target, given.token) as client:
        game = client.game(given.game)
        match = await game.create_match([player(given.player), *[bot("greedy")] * 3])
        watch = game.watch(match)
        await asyncio.gather(tell(watch), play(game, match.name))
    assert watch.end is not None
    for place in watch.end.result.places:
        print(f"{place.place}. seat {place.seat} with {place.score}, by {place.decided_by}")


async def tell(watch: Watch) -> None:
    """Print every update, once and in order, whatever happens to the connection."""
    async for update in watch:
        print(update.version, f"seat {update.seat}", update.action.WhichOneof("kind"))


async def play(game: GameClient, match: str) -> None:
    """Answer each question of our seat, 0."""
    async for update in game.watch(match):
        if any(decision.seat == 0 for decision in update.decisions):
            await answer(game, match)


async def answer(game: GameClient, match: str) -> None:
    """Play any legal action. The question may have been answered, or have changed, meanwhile."""
    listed = await game.actions(match)
    if not listed.actions:
        return
    action = random.choice(listed.actions)  # noqa: S311
    try:
        await game.play(match, action, expected_decision=listed.decision.decision_id)
    except VallumCallError as refusal:
        print("refused:", refusal.code)


def arguments() -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("token", help="printed by `vallum up`")
    parser.add_argument("--target", default="127.0.0.1:7410")
    parser.add_argument("--player", default="ada", help="whose token it is")
    parser.add_argument("--game", default="hadrians_wall")
    return parser.parse_args()


if __name__ == "__main__":
    asyncio.run(main())
