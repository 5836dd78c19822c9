"""The texts of the cards in a viewer's sight, and the automated general's score."""

from __future__ import annotations

from collections.abc import Iterator

from services.gamekit.game import Record, Seat
from services.great_wall.cards.hordes import TYPE_OF
from services.great_wall.endgame import general_score as general_honour
from services.great_wall.state import State
from services.great_wall.text import TEXTS


class CardText(Record, frozen=True):
    """What a card says."""

    card: str
    text: str


LOOKED_UP = {name: CardText(name, text) for name, text in TEXTS.items()}


def texts(state: State, seat: Seat | None) -> tuple[CardText, ...]:
    """Each card in sight once, in the order of their names."""
    return tuple(LOOKED_UP[name] for name in sorted(set(in_sight(state, seat))))


def in_sight(state: State, seat: Seat | None) -> Iterator[str]:
    """The names of the cards that a viewer sees."""
    for clan in state.clans:
        yield from (*clan.active, *clan.generals, *clan.advisors, *clan.discard)
        yield from [clan.general] if clan.general else []
    yield from (*state.advisor_track, *state.artifacts)
    yield from (TYPE_OF[horde.card] for row in state.hordes for horde in row)
    for played in state.track:
        if played:
            yield f"qin_{played.command}" if played.clan == state.qin else played.command
    if seat is not None:
        own = state.clans[seat]
        yield from (*own.tactics, *own.commands)


def general_score(state: State) -> int | None:
    """What the automated general would score now."""
    return general_honour(state) if state.qin >= 0 else None
