"""Whose results and ratings a caller may see."""

from __future__ import annotations

from services.runtime.auth import Role, caller
from services.runtime.errors import InvalidRequest, NotFound
from services.scoring.ladders import BOTS, Ladder
from services.scoring.model import Who

PLATFORM = (Role.SERVICE, Role.ADMIN)


def is_platform() -> bool:
    """Whether the caller sees every tenant's matches."""
    return caller().role in PLATFORM


def tenant_seen(asked: str) -> str | None:
    """The tenant whose matches are listed: the caller's own; for the platform the one it asks
    for, or None for everybody's."""
    return (asked or None) if is_platform() else caller().tenant


def may_see(tenant: str) -> None:
    """Another tenant's match is not there. Raises NotFound as for an unknown id."""
    if not is_platform() and tenant != caller().tenant:
        raise NotFound("match_not_found")


def member_asked(ladder: Ladder | None, name: str, tenant: str) -> Who:
    """Whom a request is about: a bot, a player of the caller's tenant, or the caller himself."""
    if ladder is not None and ladder.population == BOTS:
        if not name:
            raise InvalidRequest(fields=[("player", "name a bot")])
        return Who("", name)
    if not name:
        if caller().role != Role.PLAYER:
            raise InvalidRequest(fields=[("player", "name a player")])
        name = caller().subject
    return Who(tenant if is_platform() else caller().tenant, name)
