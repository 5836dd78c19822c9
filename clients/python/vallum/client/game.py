"""The matches of one game: a method for each call of its RulesService."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Iterable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

import grpc
from google.protobuf.message import Message

from vallum.client.records import record_to_json
from vallum.client.shapes import ActionsReply, PlayReply, PositionReply, PreviewReply, ViewReply
from vallum.client.watch import Watch
from vallum.match.v1 import match_pb2 as pb

if TYPE_CHECKING:
    from vallum.client.client import Client

MatchName = str | pb.Match
"""A match, its name "matches/…", or its id."""

Values = Message | Mapping[str, Any]
"""A message, or its fields: {"fortify": {"tower": "TOWER_GATE"}}."""


class GameClient:
    """Made by `Client.game`.

    Messages are given as such or as mappings of their fields. `seat` is for a caller who has
    several; `request_id` for one who wants to be able to repeat a call after a crash of his own:
    without it each call makes a new one. Every method raises VallumCallError.
    """

    def __init__(self, client: Client, channel: grpc.aio.Channel, package: str) -> None:
        self.package = package
        self.messages: Any = import_module(f"{package}.rules_pb2")
        """The requests and responses."""
        actions: Any = import_module(f"{package}.actions_pb2")
        self.Action: Any = actions.Action
        """The message of a move: `game.Action(fortify={"tower": "TOWER_GATE"})`."""
        stubs: Any = import_module(f"{package}.rules_pb2_grpc")
        self._client = client
        self._stub: Any = stubs.RulesServiceStub(channel)

    async def create_match(
        self,
        seats: Iterable[pb.Occupant],
        *,
        options: Values | None = None,
        mode: pb.Mode.ValueType = pb.MODE_CASUAL,
        clock: pb.Clock | None = None,
        match_id: str | None = None,
        request_id: str | None = None,
    ) -> pb.Match:
        """Seat a table: `[player("ada"), bot("random")]`."""
        fields = {"seats": seats, "options": options, "mode": mode, "clock": clock}
        reply = await self._change("CreateMatch", request_id, match_id=match_id, **fields)
        return cast("pb.Match", reply.match)

    async def get_match(self, match: MatchName) -> pb.Match:
        """Where a match stands."""
        return cast("pb.Match", (await self._call("GetMatch", name=match)).match)

    async def list_matches(
        self, *, active_only: bool = False, page_size: int = 50
    ) -> AsyncIterator[pb.Match]:
        """The caller's matches, newest first, page after page."""
        fields = {"active_only": active_only, "page_size": page_size}
        token: str | None = None
        while token != "":
            page = await self._call("ListMatches", page_token=token, **fields)
            for match in page.matches:
                yield match
            token = page.next_page_token

    async def view(self, match: MatchName) -> ViewReply:
        """The position as the caller's seat sees it."""
        return cast("ViewReply", await self._call("GetView", name=match))

    async def actions(self, match: MatchName, *, seat: int | None = None) -> ActionsReply:
        """Every legal action of the caller's seat."""
        return cast("ActionsReply", await self._call("ListActions", name=match, seat=seat))

    async def play(
        self,
        match: MatchName,
        *actions: Values,
        seat: int | None = None,
        expected_version: int | None = None,
        expected_decision: int | None = None,
        request_id: str | None = None,
    ) -> PlayReply:
        """Play a sequence of actions, all or nothing."""
        reply = await self._change(
            "Play",
            request_id,
            name=match,
            actions=actions,
            seat=seat,
            expected_version=expected_version,
            expected_decision=expected_decision,
        )
        return cast("PlayReply", reply)

    async def preview(
        self, match: MatchName, *actions: Values, seat: int | None = None
    ) -> PreviewReply:
        """Where a sequence would lead, without playing it."""
        reply = await self._call("Preview", name=match, actions=actions, seat=seat)
        return cast("PreviewReply", reply)

    async def undo(
        self,
        match: MatchName,
        *,
        seat: int | None = None,
        target_version: int | None = None,
        request_id: str | None = None,
    ) -> int:
        """Take back the seat's latest action, or that of a version. Returns the version after."""
        fields = {"name": match, "seat": seat, "target_version": target_version}
        return int((await self._change("Undo", request_id, **fields)).version)

    async def resign(
        self, match: MatchName, *, seat: int | None = None, request_id: str | None = None
    ) -> int:
        """Leave a match for good. Returns the version after it."""
        return int((await self._change("Resign", request_id, name=match, seat=seat)).version)

    async def hand_over(
        self, match: MatchName, *, seat: int | None = None, request_id: str | None = None
    ) -> int:
        """Let a bot play for the seat until `come_back`. Returns the version after it."""
        return int((await self._change("HandOver", request_id, name=match, seat=seat)).version)

    async def come_back(
        self, match: MatchName, *, seat: int | None = None, request_id: str | None = None
    ) -> int:
        """Take the seat back from the bot that plays it. Returns the version after it."""
        return int((await self._change("Return", request_id, name=match, seat=seat)).version)

    async def answer(
        self,
        match: MatchName,
        *answers: Values,
        seat: int | None = None,
        request_id: str | None = None,
    ) -> int:
        """Replace all standing answers of a seat, each made by `standing`; none clears them.
        Returns how many stand."""
        fields = {"name": match, "answers": answers, "seat": seat}
        return int((await self._change("Answer", request_id, **fields)).count)

    def watch(self, match: MatchName, *, from_version: int = 0, with_view: bool = False) -> Watch:
        """Every update after `from_version`, until the match ends."""

        async def open_stream(version: int) -> Any:
            request = self._request("Watch", name=match, from_version=version, with_view=with_view)
            return self._stub.Watch(request, metadata=await self._client.metadata())

        return Watch(open_stream, self._client.patience, from_version)

    async def record(self, match: MatchName) -> dict[str, Any]:
        """A finished match, whole, as JSON values that `vallum verify` accepts."""
        return record_to_json((await self._call("GetRecord", name=match)).record)

    async def position(self, match: MatchName, seat: int) -> PositionReply:
        """What a worker may know of an automatic seat, or of NATURE (-1). For services only."""
        return cast("PositionReply", await self._call("GetPosition", name=match, seat=seat))

    async def _change(self, method: str, request_id: str | None, **fields: Any) -> Any:
        return await self._call(method, request_id=request_id or uuid.uuid4().hex, **fields)

    async def _call(self, method: str, **fields: Any) -> Any:
        request = self._request(method, **fields)
        return await self._client.call(getattr(self._stub, method), request)

    def _request(self, method: str, **fields: Any) -> Any:
        if "name" in fields:
            fields["name"] = match_name(fields["name"])
        given = {key: value for key, value in fields.items() if value is not None}
        return getattr(self.messages, f"{method}Request")(**given)


def match_name(match: MatchName) -> str:
    """ "matches/…" of a match, of its name or of its id."""
    name = match if isinstance(match, str) else match.name
    return name if "/" in name else f"matches/{name}"


def player(name: str) -> pb.Occupant:
    """A seat for a player, by id."""
    return pb.Occupant(player=name)


def bot(policy: str) -> pb.Occupant:
    """A seat for a bot, by its policy."""
    return pb.Occupant(bot=policy)


def standing(prompt: str, action: Values, unless: Iterable[str] = ()) -> Mapping[str, Any]:
    """A standing answer: `action` to every window `prompt`, unless it is about one of `unless`."""
    return {"when": {"prompt": prompt, "unless": list(unless)}, "action": action}
