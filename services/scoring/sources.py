"""The rules services, as the archive calls them."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from services.runtime.app import App
from services.runtime.calls import Calls, rules_target
from services.runtime.errors import NotFound
from vallum.match.v1 import match_pb2 as pb


class RulesServices:
    """`packages` are the contracts of the hosted games, "vallum.hadrians_wall.v1", by key."""

    def __init__(self, app: App, calls: Calls, packages: Mapping[str, str]) -> None:
        self._app = app
        self._calls = calls
        self._packages = packages

    async def record(self, game: str, name: str) -> pb.Record:
        """The record of a finished match. Raises VallumError."""
        package = self._packages.get(game)
        if package is None:
            raise NotFound("game_not_hosted", game=game)
        rules = import_module(f"{package}.rules_pb2")
        answer = await self._calls.unary(
            rules_target(game, self._app.settings, self._app.target),
            f"/{package}.RulesService/GetRecord",
            rules.GetRecordRequest(name=name),
            rules.GetRecordResponse,
        )
        found: pb.Record = answer.record
        if found.name != name:
            raise NotFound("match_not_found")
        return found
