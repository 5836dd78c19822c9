"""The record of a match that was played in this process, as the host would have written it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Raw

from services.gamekit.chance import commitment
from services.gamekit.hosted import Hosted
from services.gamekit.play import Entry
from services.referee.folder import Folder, Head, Live, Written
from services.referee.log import keys
from services.referee.messages import record_message
from services.referee.record import FORMAT, Header, Occupant, canonical
from services.referee.store import Linked
from services.referee.table import moved
from services.referee.turn import Step
from vallum.client import record_to_json

TIME_MS = 0
"""A simulated match happens at no time: the same seed gives the same record, byte for byte."""


def record_text(
    hosted: Hosted,
    match_id: str,
    bots: Sequence[str],
    options: Any,
    seed: bytes,
    entries: Sequence[Entry],
) -> bytes:
    """The record of a finished match whose entries are known, as JSON."""
    live = begun(hosted, match_id, bots, options, seed)
    log = [appended(live, entry) for entry in entries]
    values = record_to_json(record_message(live, log))
    return msgspec.json.format(msgspec.json.encode(values), indent=1) + b"\n"


def begun(hosted: Hosted, match_id: str, bots: Sequence[str], options: Any, seed: bytes) -> Live:
    """A match before its first entry."""
    meta = hosted.game.meta
    header = Header(
        format=FORMAT,
        name=f"matches/{match_id}",
        game=meta.key,
        rules_version=meta.rules_version,
        seats=tuple(Occupant(bot=bot) for bot in bots),
        options=Raw(canonical(options)),
        seed_commitment=commitment(seed),
        create_time_ms=TIME_MS,
    )
    head = Head(header, tenant="", mode="MODE_CASUAL", seed=seed.hex(), body="")
    return Live(match_id, head, Folder(hosted), keys(meta.key, match_id, 1))


def appended(live: Live, entry: Entry) -> Linked:
    """One entry more, linked to the chain."""
    after = moved(live.game, live.table, entry.seat, entry.action, TIME_MS)
    step = Step(entry.seat, entry.action, entry.draws, after)
    written = Written.of(live, [step], "", TIME_MS)
    (frame,), ((text, link),) = written.frames, written.entries
    live.step(frame, link)
    return Linked(frame.entry, text, link)
