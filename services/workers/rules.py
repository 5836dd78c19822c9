"""The rules services, as a worker calls them: blocking, over channels of its own process."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, cast

import grpc
import msgspec
from google.protobuf.message import Message

from services.gamekit.game import Action
from services.gamekit.hosted import Hosted
from services.runtime import wire
from services.runtime.app import EVERYWHERE
from services.runtime.auth import Caller, Keys, Role
from services.runtime.settings import Settings, SettingsError
from services.runtime.telemetry import current_traceparent
from services.workers.queues import Turn
from services.workers.turn import Position
from vallum.client.errors import VallumCallError, call_error
from vallum.client.retry import Retry

TOKEN_LIFE = 3600.0
SUBJECT = "workers"
RETRY = Retry(patience=8.0, timeout=5.0)
"""A host that restarts is waited for; after that the host itself announces the turn again."""

OPTIONS = (
    ("grpc.max_receive_message_length", 4 * 1024 * 1024),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 1_000),
)


class Rules:
    """Every game's RulesService. Made after the fork: channels do not survive one."""

    def __init__(self, games: Mapping[str, Hosted], settings: Settings) -> None:
        self._bearer = Bearer(settings)
        self._channels: dict[str, grpc.Channel] = {}
        self.games = {
            key: GameRules(hosted, self._channel(target_of(key, settings)), self._bearer)
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
        """The answer, however often the connection breaks within RETRY.patience."""
        until, failures = time.monotonic() + RETRY.patience, 0
        while True:
            try:
                return self._methods[name](
                    request, timeout=RETRY.timeout, metadata=self._bearer.metadata()
                )
            except grpc.RpcError as error:
                failed = call_error(cast("grpc.aio.AioRpcError", error))  # it has the same methods
            failures += 1
            pause = RETRY.pause(failures)
            if not failed.transient or time.monotonic() + pause > until:
                raise failed
            time.sleep(pause)


class Bearer:
    """Says who calls: a token of role service, minted anew before it runs out."""

    def __init__(self, settings: Settings) -> None:
        if settings.key_file is None:
            raise SettingsError("VALLUM_KEY_FILE: workers need the private key to sign their calls")
        self._keys = Keys.load(settings.key_file)
        self._caller = Caller(SUBJECT, "", Role.SERVICE)
        self._token = self._keys.mint(self._caller, TOKEN_LIFE)
        self._renew = time.monotonic() + TOKEN_LIFE / 2

    def metadata(self) -> tuple[tuple[str, str], ...]:
        """The metadata of a call."""
        if time.monotonic() > self._renew:
            self._token = self._keys.mint(self._caller, TOKEN_LIFE)
            self._renew = time.monotonic() + TOKEN_LIFE / 2
        bearer = ("authorization", f"Bearer {self._token}")
        trace = current_traceparent()
        return (bearer, ("traceparent", trace)) if trace else (bearer,)


def target_of(game: str, settings: Settings) -> str:
    """host:port of a game's rules service."""
    targets = dict(target.split("=", 1) for target in settings.rules_targets)
    host = "127.0.0.1" if settings.host in EVERYWHERE else settings.host
    return targets.get(game, f"{host}:{settings.port}")
