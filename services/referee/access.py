"""Who may see and play what of a match."""

from __future__ import annotations

from services.gamekit.game import NATURE, Seat
from services.referee.folder import Live
from services.runtime.auth import Caller, Role
from services.runtime.errors import Forbidden, NotFound

PLATFORM = (Role.SERVICE, Role.ADMIN)


def may_see(live: Live, caller: Caller) -> None:
    """Another tenant's match is not there. Raises NotFound as for an unknown id."""
    if caller.role not in PLATFORM and caller.tenant != live.head.tenant:
        raise NotFound("match_not_found")


def seats_of(live: Live, caller: Caller) -> list[Seat]:
    """The seats that belong to a player, in order."""
    if caller.role != Role.PLAYER:
        return []
    return [
        Seat(index)
        for index, chair in enumerate(live.table.chairs)
        if chair.player == caller.subject
    ]


def viewing(live: Live, caller: Caller) -> Seat | None:
    """The seat through whose eyes a caller looks: his first, or a spectator's."""
    return next(iter(seats_of(live, caller)), None)


def own_seat(live: Live, caller: Caller, wanted: int | None) -> Seat:
    """The seat that a player acts for: `wanted`, or his first. Raises Forbidden."""
    own = seats_of(live, caller)
    if not own:
        raise Forbidden("not_at_the_table")
    if wanted is None:
        return own[0]
    if wanted not in own:
        raise Forbidden("not_your_seat")
    return Seat(wanted)


def playing_seat(live: Live, caller: Caller, wanted: int | None) -> Seat:
    """The seat that a caller may play now: a player his own, a worker an automatic one."""
    if caller.role == Role.SERVICE:
        seat = Seat(NATURE if wanted is None else wanted)
        if seat >= len(live.table.chairs) or not live.table.automatic(seat):
            raise Forbidden("not_an_automatic_seat")
        return seat
    seat = own_seat(live, caller, wanted)
    chair = live.table.chairs[seat]
    if chair.retired:
        raise Forbidden("resigned")
    if chair.bot:
        raise Forbidden("bot_in_charge")
    return seat
