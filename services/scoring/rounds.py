"""What a finished match says to which ladders: who is rated there, and as what. Pure."""

from __future__ import annotations

from services.gamekit.game import Record
from services.scoring.formula import Finish
from services.scoring.ladders import (
    BOTS,
    CASUAL,
    PLAYERS,
    RANKED,
    SEAT_CLASSES,
    Ladder,
    variant_of,
)
from services.scoring.model import Entrant, Round, Who


class Seated(Record, frozen=True):
    """A seat of a finished match, with the place that counts."""

    player: str
    bot: str
    left: bool
    place: int
    score: int


class Ended(Record, frozen=True):
    """A finished match, as far as ladders are concerned; `options_json` once it is archived."""

    match_id: str
    tenant: str
    game: str
    mode: str
    time_ms: int
    seats: tuple[Seated, ...]
    options_json: str | None = None
    void: bool = False


def ladders_of(match: Ended) -> tuple[Ladder, ...]:
    """The ladders that a match may move, whatever its places turn out to be."""
    if len(match.seats) == 1:
        if match.options_json is None or not match.seats[0].player:
            return ()
        variant = variant_of(match.options_json)
        return (Ladder(match.game, SEAT_CLASSES[1], match.mode, PLAYERS, variant),)
    seats = SEAT_CLASSES[len(match.seats)]
    both = (
        Ladder(match.game, seats, match.mode, PLAYERS),
        Ladder(match.game, seats, match.mode, BOTS),
    )
    return tuple(ladder for ladder in both if entrants(match, ladder))


def round_of(match: Ended, ladder: Ladder) -> Round:
    """What a match says to a ladder; nobody enters where it is void."""
    found = () if match.void else entrants(match, ladder)
    return Round(match.time_ms, f"matches/{match.match_id}", found)


def entrants(match: Ended, ladder: Ladder) -> tuple[Entrant, ...]:
    """Who is rated: players by ranked matches among themselves, bots among themselves by all."""
    if ladder.population == BOTS:
        found = [
            Entrant(Who("", one.bot), Finish(one.place), one.score)
            for one in match.seats
            if one.bot and not one.player
        ]
    elif match.mode == RANKED or ladder.solo:
        found = [
            Entrant(Who(match.tenant, one.player), Finish(one.place, one.left), one.score)
            for one in match.seats
            if one.player
        ]
    else:
        found = []
    names = {one.who for one in found}
    if ladder.solo:
        return tuple(one for one in found if not one.finish.left)
    twice = ladder.population == PLAYERS and len(names) < len(found)
    return () if len(names) < 2 or twice else tuple(found)


def mode_of(mode: int) -> str:
    """A mode of the contract as ladders name it."""
    return RANKED if mode == 2 else CASUAL
