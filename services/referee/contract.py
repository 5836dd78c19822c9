"""A game's generated messages, and the way between them and its records."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from services.gamekit.game import Action, Options, Record
from services.gamekit.hosted import Hosted
from services.referee.record import Script
from services.runtime import wire


class Contract:
    """The messages of one game. `self.PlayResponse` and so on are its generated classes."""

    def __init__(self, hosted: Hosted) -> None:
        package = hosted.package
        self._rules: Any = import_module(f"{package}.rules_pb2")
        actions: Any = import_module(f"{package}.actions_pb2")
        view: Any = import_module(f"{package}.view_pb2")
        self.service = self._rules.DESCRIPTOR.services_by_name["RulesService"]
        self.Action = actions.Action
        self.View = view.View
        self._options = hosted.game.Options
        self._kinds = Script(hosted.game).kinds

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rules, name)

    def action(self, message: Any) -> Action[Any]:
        """An action that a client sent. Raises InvalidRequest `unknown_action`."""
        return wire.action_from_message(message, self._kinds)

    def action_message(self, action: Action[Any]) -> Any:
        """An action as clients read it."""
        return wire.action_to_message(action, self.Action)

    def options(self, message: Any) -> Options:
        """Match options. Raises InvalidRequest."""
        return wire.from_message(message, self._options)

    def view(self, record: Record) -> Any:
        """A view as clients read it."""
        return wire.to_message(record, self.View)
