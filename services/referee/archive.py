"""What the host asks of whoever keeps finished matches when it has let them go."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from services.referee.access import PLATFORM
from services.runtime.app import App
from services.runtime.auth import Caller, Keys
from services.runtime.calls import Calls, signing
from services.runtime.errors import NotFound
from vallum.match.v1 import match_pb2 as pb
from vallum.scoring.v1 import scoring_pb2 as sc


class Kept(NamedTuple):
    """A match from the archive."""

    match: pb.Match
    tenant: str
    record: pb.Record


class Archive(Protocol):
    """Keeps finished matches."""

    async def get(self, name: str, *, with_record: bool = False) -> Kept:
        """A match. Raises NotFound `match_not_found`, Unavailable."""
        ...

    async def close(self) -> None:
        """End every call."""
        ...


class NoArchive:
    """Keeps none."""

    async def get(self, name: str, *, with_record: bool = False) -> Kept:
        """Raises NotFound."""
        raise NotFound("match_not_found")

    async def close(self) -> None:
        """Nothing is open."""


class ScoringArchive:
    """The scoring service's archive, in this process where the settings name no other."""

    def __init__(self, app: App, keys: Keys | None = None) -> None:
        self._app = app
        self._calls = Calls(keys or signing(app.settings), "rules")

    async def get(self, name: str, *, with_record: bool = False) -> Kept:
        """A match. Raises NotFound `match_not_found`, Unavailable."""
        request = sc.GetArchivedRequest(name=name, with_record=with_record)
        path = "/vallum.scoring.v1.ScoringService/GetArchived"
        target = self._app.settings.scoring_target or self._app.target
        answer = await self._calls.unary(target, path, request, sc.GetArchivedResponse)
        return Kept(answer.match, answer.tenant, answer.record)

    async def close(self) -> None:
        """End every call."""
        await self._calls.close()


def may_see_kept(kept: Kept, game: str, caller: Caller) -> Kept:
    """Another tenant's match, and another game's, is not there. Raises NotFound."""
    known = caller.role in PLATFORM or caller.tenant == kept.tenant
    if not known or kept.match.game != game:
        raise NotFound("match_not_found")
    return kept
