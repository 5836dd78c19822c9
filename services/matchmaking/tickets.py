"""Tickets as they are stored: made, read, and changed by scripts that change all or nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, NoReturn

from services.matchmaking.asked import Asked, Queue, encode, read_asked, read_queue
from services.matchmaking.invitations import about
from services.matchmaking.storage import Answer, Corner
from services.runtime.errors import Conflict, Limited, NotFound, Refused

AT_ONCE = 100
"""Tickets that one script makes: the storage does nothing else meanwhile."""

GATHERING, WAITING, OFFERED, MATCHED = "gathering", "waiting", "offered", "matched"
ENDED = frozenset({MATCHED, "cancelled", "expired"})


class New(NamedTuple):
    """A ticket to be made. `awaited` are players of its party who have not joined."""

    id: str
    body: str
    """Hash of the request."""
    asked: Asked
    awaited: tuple[str, ...]
    now: int
    expires: int
    """Milliseconds since 1970."""


class Pending(NamedTuple):
    """What a ticket is offered: until when, to how many, and who has accepted."""

    deadline: int
    people: int
    accepted: frozenset[str]


class Ticket(NamedTuple):
    """A ticket as it is. Times are milliseconds since 1970."""

    id: str
    asked: Asked
    state: str
    reason: str
    awaited: frozenset[str]
    created: int
    since: int
    """Since when it waits."""
    expires: int
    version: int
    match: str
    offer: Pending | None = None

    @property
    def ended(self) -> bool:
        """Whether it changes no more."""
        return self.state in ENDED


class Request(NamedTuple):
    """A caller's own id for a change, and the hash of what he asks."""

    id: str
    body: str


async def create(corner: Corner, tickets: Sequence[New]) -> list[Answer]:
    """What became of each: `ok`, `again`, `reused`, or `busy` with a player and his ticket."""
    await corner.known()
    lots = [tickets[at : at + AT_ONCE] for at in range(0, len(tickets), AT_ONCE)]
    answers = await corner.run_all("create", [arguments(lot) for lot in lots])
    return [answer for lot in answers for answer in lot]


def arguments(lot: Iterable[New]) -> list[Any]:
    """As the script takes them."""
    found: list[Any] = []
    for one in lot:
        queue = one.asked.queue
        found += [one.id, one.body, GATHERING if one.awaited else WAITING, queue.id, encode(queue)]
        found += [" ".join(one.asked.players()), " ".join(one.awaited), encode(one.asked)]
        found += [f"{one.now} {one.expires}", invitation(one) if one.awaited else ""]
    return found


def invitation(new: New) -> str:
    """What those are told who have not joined: its maker asks them."""
    queue = new.asked.queue
    maker = next(one for one in new.asked.players() if one not in new.awaited)
    return about(queue.game, queue.mode_message(), maker)


async def find(corner: Corner, ids: Sequence[str]) -> list[Ticket | None]:
    """Tickets by their ids."""
    pipeline = corner.redis.pipeline(transaction=False)
    for one in ids:
        pipeline.hgetall(corner.key("ticket", one))
    rows = await pipeline.execute()
    return [
        await _read(corner, one, row) if b"b" in row else None
        for one, row in zip(ids, rows, strict=True)
    ]


async def get(corner: Corner, ticket_id: str) -> Ticket:
    """One of them. Raises NotFound `ticket_not_found`."""
    (found,) = await find(corner, [ticket_id])
    if found is None:
        raise NotFound("ticket_not_found")
    return found


async def of_player(corner: Corner, player: str) -> list[Ticket]:
    """Those that a player is in or is asked to join, oldest first."""
    pipeline = corner.redis.pipeline(transaction=False)
    pipeline.hvals(corner.key("player", player))
    pipeline.smembers(corner.key("invites", player))
    own, invited = await pipeline.execute()
    ids = sorted({one.decode() for one in (*own, *invited)})
    found = [one for one in await find(corner, ids) if one]
    return sorted(found, key=lambda one: (one.created, one.id))


async def queue_of(corner: Corner, queue_id: str) -> Queue | None:
    """What a queue is."""
    about = await corner.redis.hget(corner.key("queues"), queue_id)
    return read_queue(about) if about else None


async def join(corner: Corner, ticket_id: str, player: str, now: int, request: Request) -> None:
    """Take part. Raises NotFound, Refused `already_joined`, `ticket_ended`, `ticket_exists`."""
    settle(await corner.run("join", ticket_id, player, now, *request))


async def cancel(corner: Corner, ticket_id: str, reason: str, request: Request) -> None:
    """End it. Raises NotFound, Refused `already_matched`, `nothing_offered`."""
    settle(await corner.run("cancel", ticket_id, reason, *request))


async def accept(
    corner: Corner, ticket_id: str, players: Iterable[str], now: int, request: Request
) -> bool:
    """Accept for some of its players; whether that formed the match. Raises NotFound, Refused
    `already_matched`, `nothing_offered`, `offer_lapsed`."""
    answer = await corner.run("accept", ticket_id, " ".join(players), now, *request)
    settle(answer)
    return bool(answer[0] == b"formed")


REFUSALS = {
    b"joined": ("already_joined", "this player is in the party already"),
    b"lapsed": ("offer_lapsed", "the time to accept is over"),
    b"matched": ("already_matched", "the ticket has its match"),
    b"waiting": ("nothing_offered", "no match is offered to this ticket"),
    b"gathering": ("nothing_offered", "no match is offered to this ticket"),
}


def settle(answer: Answer) -> None:
    """Nothing where a script did, or had done, what was asked; else why not, as an error."""
    word = answer[0]
    if word in (b"ok", b"again", b"seen", b"formed"):
        return
    refuse(word, answer[1:])


def refuse(word: bytes, rest: Answer) -> NoReturn:
    """The error that a script's refusal stands for."""
    match word:
        case b"reused":
            raise Conflict("request_id_reused")
        case b"missing":
            raise NotFound("ticket_not_found")
        case b"busy":
            player, other = (one.decode() for one in rest)
            text = "one live ticket for each player and queue"
            raise Refused("ticket_exists", text, player=player, ticket=f"tickets/{other}")
        case b"many":
            raise Limited(
                "too_many_tickets", "a player waits in 20 queues", player=rest[0].decode()
            )
        case _:
            code, text = REFUSALS.get(rest[0], ("ticket_ended", "the ticket has ended"))
            raise Refused(code, text)


async def _read(corner: Corner, ticket_id: str, row: dict[bytes, bytes]) -> Ticket:
    return Ticket(
        id=ticket_id,
        asked=read_asked(row[b"b"]),
        state=row[b"st"].decode(),
        reason=row.get(b"r", b"").decode(),
        awaited=frozenset(row.get(b"w", b"").decode().split()),
        created=int(row[b"c"]),
        since=int(row[b"n"]),
        expires=int(row[b"x"]),
        version=int(row[b"v"]),
        match=row.get(b"m", b"").decode(),
        offer=await _pending(corner, row[b"o"].decode()) if row.get(b"o") else None,
    )


async def _pending(corner: Corner, offer: str) -> Pending | None:
    pipeline = corner.redis.pipeline(transaction=False)
    pipeline.hmget(corner.key("offer", offer), "x", "c")
    pipeline.smembers(corner.key("offer", offer, "yes"))
    (deadline, people), accepted = await pipeline.execute()
    if deadline is None:
        return None
    return Pending(int(deadline), int(people), frozenset(one.decode() for one in accepted))
