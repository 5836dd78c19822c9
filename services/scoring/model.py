"""Ratings and standings as a fold over rounds. Pure: the same rounds give the same numbers.

A round is all that one match, or one adjustment by an admin, says to one ladder. Rounds are folded
in the order of `Round.key`, whatever the order they arrived in.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from statistics import fmean

from msgspec.structs import replace

from services.gamekit.game import Record
from services.scoring.formula import BEST, FORMULA, Belief, Finish, aged, moved, reset
from services.scoring.ladders import Ladder, season_of

PROVISIONAL = 5
"""Matches until a rating is shown on leaderboards."""


class Who(Record, frozen=True):
    """A member of a ladder: a tenant's player; or a bot policy, which is no tenant's."""

    tenant: str
    name: str


class Entrant(Record, frozen=True):
    """Somebody's part in a round. A bot that has several seats enters several times."""

    who: Who
    finish: Finish
    score: int = 0


class Round(Record, frozen=True):
    """What happened to a ladder at a time; `cause` is "matches/…" or "adjustments/…"."""

    time_ms: int
    cause: str
    entrants: tuple[Entrant, ...] = ()
    stated: Belief | None = None
    """An admin's word on the only entrant."""

    @property
    def key(self) -> tuple[int, str]:
        """The order of the fold."""
        return self.time_ms, self.cause


class Member(Record, frozen=True):
    """Where somebody stands on a ladder."""

    belief: Belief = Belief()
    matches: int = 0
    last_ms: int = 0
    season: str = ""
    season_matches: int = 0
    season_belief: Belief = Belief()
    """As he stands on the season's own leaderboard."""

    def at(self, time_ms: int) -> Belief:
        """His belief as it counts at a time: the absence since, the seasons since."""
        if not self.season:
            return self.belief
        rested = aged(self.belief, time_ms - self.last_ms)
        return reset(rested, self.season, season_of(time_ms))

    def after(self, belief: Belief, time_ms: int, counted: int) -> Member:
        """The member after a round in which he played `counted` matches, 0 or 1."""
        season = season_of(time_ms)
        before = self.season_matches if season == self.season else 0
        return Member(belief, self.matches + counted, time_ms, season, before + counted, belief)

    def scored(self, points: float, time_ms: int) -> Member:
        """The member of a solo ladder after one more score: the best counts."""
        season = season_of(time_ms)
        top = max(points, self.belief.mu) if self.matches else points
        there = self.matches and season == self.season
        season_top = max(points, self.season_belief.mu) if there else points
        gone_on = self.after(Belief(top, 0.0), time_ms, 1)
        return replace(gone_on, season_belief=Belief(season_top, 0.0))


class Change(Record, frozen=True):
    """What a round did to one member. `place` is the best he had, 0 for an adjustment."""

    who: Who
    before: Belief
    after: Belief
    place: int
    member: Member


class Rated(Record, frozen=True):
    """What a round did."""

    round: Round
    formula: str
    season: str
    changes: tuple[Change, ...]

    @property
    def inputs(self) -> list[dict[str, object]]:
        """All that the formula was given."""
        before = {one.who: one.before for one in self.changes}
        return [
            {
                "player": one.who.name,
                "place": one.finish.place,
                "left": one.finish.left,
                "score": one.score,
                "mu": before[one.who].mu,
                "sigma": before[one.who].sigma,
            }
            for one in self.round.entrants
        ]


Members = MutableMapping[Who, Member]


def fold(ladder: Ladder, rounds: Iterable[Round], members: Members) -> Iterable[Rated]:
    """Rate rounds in their order, and let `members` go on."""
    for one in sorted(rounds, key=lambda one: one.key):
        done = rate(ladder, one, members)
        for change in done.changes:
            members[change.who] = change.member
        yield done


def rate(ladder: Ladder, one: Round, members: Mapping[Who, Member]) -> Rated:
    """What one round does to members of a ladder."""
    olds = {entrant.who: members.get(entrant.who, Member()) for entrant in one.entrants}
    season = season_of(one.time_ms)
    if ladder.solo:
        return Rated(one, BEST, season, tuple(best(one, olds)))
    before = {who: old.at(one.time_ms) for who, old in olds.items()}
    after = stated(one) if one.stated else beliefs(one, before)
    counted = 0 if one.stated else 1
    changes = tuple(
        Change(
            who,
            before[who],
            after[who],
            best_place(one, who) * counted,
            old.after(after[who], one.time_ms, counted),
        )
        for who, old in olds.items()
    )
    return Rated(one, FORMULA, season, changes)


def best_place(one: Round, who: Who) -> int:
    """The best place that somebody's seats had."""
    return min(entrant.finish.place for entrant in one.entrants if entrant.who == who)


def beliefs(one: Round, before: Mapping[Who, Belief]) -> dict[Who, Belief]:
    """Everybody's belief after a match; the mean of his seats for a bot that has several."""
    finishes = [entrant.finish for entrant in one.entrants]
    after = moved(finishes, [before[entrant.who] for entrant in one.entrants])
    seats: dict[Who, list[Belief]] = defaultdict(list)
    for entrant, belief in zip(one.entrants, after, strict=True):
        seats[entrant.who].append(belief)
    return {
        who: Belief(fmean(seat.mu for seat in own), fmean(seat.sigma for seat in own))
        if len(own) > 1
        else own[0]
        for who, own in seats.items()
    }


def stated(one: Round) -> dict[Who, Belief]:
    """What an admin has said."""
    assert one.stated is not None
    return {entrant.who: one.stated for entrant in one.entrants}


def best(one: Round, olds: Mapping[Who, Member]) -> Iterator[Change]:
    """A solo score against the best so far, both told as beliefs without doubt."""
    for entrant in one.entrants:
        old = olds[entrant.who]
        new = old.scored(float(entrant.score), one.time_ms)
        before = old.belief if old.matches else Belief(0.0, 0.0)
        yield Change(entrant.who, before, new.belief, entrant.finish.place, new)
