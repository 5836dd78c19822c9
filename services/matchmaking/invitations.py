"""Who is asked to play with whom: told by scripts in a few words, to the bus as facts.

A seat that is kept at a table is an invitation, and so is the place in a party of who has not
joined it. Scripts know when one begins and ends, but not the wire format of facts.
"""

from __future__ import annotations

from services.matchmaking.times import moment
from vallum.events.v1 import events_pb2 as ev
from vallum.match.v1 import match_pb2 as pb

WORDS = b"i"
"""The field of an outbox's entry that has them."""
NOBODY = "-"
"""What stands for a word that is empty."""
OVER = "over"


def about(game: str, mode: pb.Mode.ValueType, by: str, rematch_of: str = "") -> str:
    """What a script tells of an invitation, whoever is invited."""
    rematch = f"matches/{rematch_of}" if rematch_of else NOBODY
    return f"{game} {int(mode)} {by or NOBODY} {rematch}"


def event_of(tenant: str, entry: bytes, words: bytes) -> bytes:
    """The fact, in its envelope. `entry` is the id that the outbox gave it: its time."""
    kind, player, subject, version, *rest = words.decode().split(" ")
    event = ev.Event(
        id=f"{subject}/{version}/{player}/{kind}",
        subject=subject,
        version=int(version),
        occurred_at=moment(int(entry.partition(b"-")[0])),
        tenant=tenant,
    )
    if kind == OVER:
        event.invitation_ended.CopyFrom(ev.InvitationEnded(player=player, reason=rest[0]))
    else:
        game, mode, by, rematch = ("" if one == NOBODY else one for one in rest)
        invited = ev.PlayerInvited(player=player, game=game, by=by, rematch_of=rematch)
        invited.mode = pb.Mode.ValueType(int(mode))
        event.player_invited.CopyFrom(invited)
    return event.SerializeToString()
