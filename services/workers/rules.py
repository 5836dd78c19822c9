"""The rules services, as a worker calls them: blocking, over channels of its own process."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, cast

import grpc
import msgspec
from google.protobuf.message import Message

from services.gamekit.game import Action
from services.gamekit.hosted import Hosted
from services.runtime import wire
from services.runtime.calls import Bearer, rules_target
from services.runtime.settings import Settings
from services.workers.calls import OPTIONS, answered, bearer
from services.workers.queues import Turn
from services.workers.turn import Position
from vallum.client.errors import VallumCallError


class Rules:
    """Every game's RulesService. Made after the fork: channels do not survive one."""

    def __init__(self, games: Mapping[str, Hosted], settings: Settings) -> None:
        self._bearer = bearer(settings)
        self._channels: dict[str, grpc.Channel] = {}
        self.games = {
            key: GameRules(hosted, self._channel(rules_target(key, settings)), self._bearer)
            for key, hosted in games.items()
        }

    def close(self) -> None:
        """Close the channels."""
        for channel in self._channels.values():
            channel.close()

    def _channel(self, target: str) -> grpc.Channel:
        if target not in self._channels:
            self._channels[target] = grpc.insecure_channel(target, OPTIONS)
        return self._channels[target]


class GameRules:
    """The calls to one game's service that a worker makes. They raise VallumCallError."""

    def __init__(self, hosted: Hosted, channel: grpc.Channel, bearer: Bearer) -> None:
        self.game = hosted.game
        self._rules: Any = import_module(f"{hosted.package}.rules_pb2")
        self._action: Any = import_module(f"{hosted.package}.actions_pb2").Action
        self._channel = channel
        self._bearer = bearer
        self._decode = msgspec.msgpack.Decoder(hosted.game.State).decode
        self._methods = {name: self._method(name) for name in ("GetPosition", "Play")}

    def position(self, turn: Turn) -> Position:
        """Where the match stands, as the turn's seat may know it.

        Raises VallumCallError, `other_rules_version` too: such a match is for another worker.
        """
        request = self._rules.GetPositionRequest(name=f"matches/{turn.match_id}", seat=turn.seat)
        reply = self._call("GetPosition", request)
        ours = self.game.meta.rules_version
        if reply.rules_version != ours:
            raise VallumCallError("other_rules_version", grpc.StatusCode.FAILED_PRECONDITION)
        return Position(
            version=reply.version,
            decision_id=reply.decision.decision_id if reply.HasField("decision") else None,
            state=self._decode(reply.position),
            policy=reply.policy,
            draws={draw.label: draw.result for draw in reply.draws},
        )

    def play(self, turn: Turn, actions: tuple[Action[Any], ...], request_id: str) -> int:
        """Take the turn; the version that it led to. Repeated, it changes nothing."""
        request = self._rules.PlayRequest(
            name=f"matches/{turn.match_id}",
            seat=turn.seat,
            actions=[wire.action_to_message(one, self._action) for one in actions],
            expected_decision=turn.decision_id,
            request_id=request_id,
        )
        return int(self._call("Play", request).version)

    def _method(self, name: str) -> Callable[..., Any]:
        service = self._rules.DESCRIPTOR.services_by_name["RulesService"]
        method = self._channel.unary_unary(
            f"/{service.full_name}/{name}",
            request_serializer=getattr(self._rules, f"{name}Request").SerializeToString,
            response_deserializer=getattr(self._rules, f"{name}Response").FromString,
        )
        return cast("Callable[..., Any]", method)

    def _call(self, name: str, request: Message) -> Any:
        return answered(self._methods[name], request, self._bearer)
