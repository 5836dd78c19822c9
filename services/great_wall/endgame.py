"""Final scoring (R13): a table of lines, the places, and how a solo match ends (R15.6)."""

from __future__ import annotations

from collections.abc import Callable

from services.gamekit.game import Result, ScoreLine, ScoreSheet, Seat
from services.gamekit.ranking import ranked
from services.great_wall.amounts import Counter, per
from services.great_wall.cards.artifacts import ARTIFACTS, SECRET
from services.great_wall.cards.board import QIN_ARTIFACT_HONOUR, SHAME_PENALTY
from services.great_wall.cards.hordes import FACE_OF
from services.great_wall.counting import amount
from services.great_wall.state import Clan, State
from services.great_wall.tasks.task import Event, Phase

NOTHING = Event()
SUPPORTERS = per(Counter.SUPPORT_PAIRS)
"""What his supporting advisors are worth to the automated general."""


def honour_track(clan: Clan) -> ScoreLine:
    """The honour marker."""
    return ScoreLine("honour", clan.honour)


def shame(clan: Clan) -> ScoreLine:
    """Shame under soldiers, no further down than 0 (R0.6)."""
    tokens = sum(clan.frozen)
    return ScoreLine("shame", -min(clan.honour, SHAME_PENALTY * tokens), f"{tokens} tokens")


def hordes(clan: Clan) -> ScoreLine:
    """Claimed hordes without shame."""
    clean = [claim.card for claim in clan.claimed if not claim.shame]
    return ScoreLine("hordes", sum(FACE_OF[card].honour for card in clean), f"{len(clean)} cards")


LINES: tuple[Callable[[Clan], ScoreLine], ...] = (honour_track, shame, hordes)


def artifacts(state: State, index: int) -> list[ScoreLine]:
    """The artifacts in play; what counts hidden resources only at the end."""
    shown = [one for one in state.artifacts if state.phase is Phase.OVER or one not in SECRET]
    return [
        ScoreLine(artifact, amount(state, index, ARTIFACTS[artifact], NOTHING))
        for artifact in shown
    ]


def sheet(state: State, seat: int) -> ScoreSheet:
    """One seat's sheet."""
    clan = state.clans[seat]
    lines = (*(line(clan) for line in LINES), *artifacts(state, seat))
    return ScoreSheet(Seat(seat), lines, sum(line.points for line in lines))


def score(state: State) -> tuple[ScoreSheet, ...]:
    """The sheets as they stand."""
    return tuple(sheet(state, seat) for seat in range(state.seats))


def general_score(state: State) -> int:
    """The automated general's honour as it stands: he has no shame (R15.5, R15.6)."""
    clan = state.clans[state.qin]
    return (
        clan.honour
        + hordes(clan).points
        + QIN_ARTIFACT_HONOUR * len(state.artifacts)
        + amount(state, state.qin, SUPPORTERS, NOTHING)
    )


def result(state: State) -> Result | None:
    """Most honour wins; tea order breaks every tie."""
    if state.phase is not Phase.OVER:
        return None
    standings = {
        one.seat: {"score": one.total, "tea": -state.tea.index(one.seat)} for one in score(state)
    }
    return Result(ranked(standings), outcome(state))


def outcome(state: State) -> str:
    """What ended the match; alone, whether it was won: only with more honour, and never by
    an empty shame pool."""
    if state.seats > 1:
        return state.ending
    mine, his = score(state)[0].total, general_score(state)
    won = state.ending != "shame" and mine > his
    return f"{'won' if won else 'lost'} {mine}:{his}, {state.ending}"
