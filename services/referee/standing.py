"""Private standing answers to response windows, kept for each seat outside the log."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from redis.asyncio import Redis

from services.gamekit.game import Action, Record, Seat
from services.referee.contract import Contract
from services.referee.due import STANDING_DELAY_MS, due_of
from services.referee.folder import Live
from services.referee.host import now_ms
from services.referee.record import canonical
from services.runtime.errors import InvalidRequest


class Stands(Record, frozen=True):
    """One answer: what is played, unless the window is about one of `unless`."""

    action: msgspec.Raw
    unless: tuple[str, ...]


read_all = msgspec.json.Decoder(dict[str, Stands]).decode


class Standing:
    """The standing answers of every seat of one game's matches."""

    def __init__(self, redis: Redis, contract: Contract) -> None:
        self.redis: Any = redis  # its types do not tell bytes from str
        self.contract = contract

    async def replace(self, live: Live, seat: Seat, answers: Sequence[Any]) -> int:
        """Set all answers of a seat; an open window is answered after the usual delay.

        Raises InvalidRequest `no_window`, `wrong_prompt`, `unknown_action`.
        """
        kept = {
            one.when.prompt: Stands(
                msgspec.Raw(canonical(self._checked(live, one))), tuple(one.when.unless)
            )
            for one in answers
        }
        pipeline = self.redis.pipeline(transaction=True)
        pipeline.hset(live.keys.standing, str(seat), msgspec.json.encode(kept))
        decision = live.table.decision(seat)
        if decision and decision.prompt in kept:
            due = due_of("standing", live.id, live.table, decision)
            pipeline.zadd(live.keys.due, {due: now_ms() + STANDING_DELAY_MS})
        await pipeline.execute()
        return len(kept)

    async def answer(self, live: Live, seat: Seat) -> Action[Any] | None:
        """What stands for the seat's open question, if anything does."""
        decision = live.table.decision(seat)
        stored = await self.redis.hget(live.keys.standing, str(seat))
        if decision is None or not stored:
            return None
        stands = read_all(stored).get(decision.prompt)
        if stands is None or decision.about in stands.unless:
            return None
        return live.folder.script.action(stands.action)

    def _checked(self, live: Live, one: Any) -> Action[Any]:
        prompt = one.when.prompt
        if prompt not in live.game.meta.windows:
            raise InvalidRequest("no_window", fields=[("answers.when.prompt", "not a window")])
        action = self.contract.action(one.action)
        if type(action) not in live.game.moves[prompt]:
            raise InvalidRequest("wrong_prompt", fields=[("answers.action", "does not answer it")])
        return action
