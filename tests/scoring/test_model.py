"""Who is rated, on which ladder, and in which order."""

from __future__ import annotations

from random import Random

import pytest

from services.scoring import results
from services.scoring.formula import Belief
from services.scoring.ladders import Ladder, season_of, seasons_between, variant_of
from services.scoring.model import Member, Who, fold, rate
from services.scoring.rounds import Ended, ladders_of, round_of
from tests.scoring.given import DAY, MINUTE, NOON, finished
from vallum.match.v1 import match_pb2 as pb


def match(match_id: str, *args: object, **fields: object) -> Ended:
    event = finished(match_id, *args, **fields)  # type: ignore[arg-type]  # as given
    return results.ended(event.match_finished.match, event.tenant)


def keys(told: Ended) -> list[str]:
    return [ladder.key for ladder in ladders_of(told)]


@pytest.mark.parametrize(
    ("seats", "ladder"),
    [
        (2, "ambush/2/ranked/players"),
        (3, "ambush/3-4/ranked/players"),
        (4, "ambush/3-4/ranked/players"),
        (5, "ambush/5-6/ranked/players"),
        (6, "ambush/5-6/ranked/players"),
    ],
)
def test_players_of_a_ranked_match_are_rated_by_the_class_of_its_seats(
    seats: int, ladder: str
) -> None:
    assert keys(match("m1", range(1, seats + 1))) == [ladder]


def test_a_casual_match_rates_no_player() -> None:
    assert keys(match("m1", (1, 2, 3), mode=pb.MODE_CASUAL)) == []


def test_bots_are_rated_among_themselves_and_move_no_player() -> None:
    told = match("m1", (1, 2, 3, 4), ("bot:hard", "ann", "bot:easy", "bob"))
    assert keys(told) == ["ambush/3-4/ranked/players", "ambush/3-4/ranked/bots"]
    players, bots = ladders_of(told)
    assert [one.who for one in round_of(told, players).entrants] == [
        Who("north", "ann"),
        Who("north", "bob"),
    ]
    assert [one.who for one in round_of(told, bots).entrants] == [
        Who("", "hard"),
        Who("", "easy"),
    ]
    without = match("m1", (1, 2), ("ann", "bob"))
    moved = rate(players, round_of(told, players), {})
    alone = rate(players, round_of(without, players), {})
    assert [one.after for one in moved.changes] == [one.after for one in alone.changes]


def test_one_player_among_bots_is_not_rated() -> None:
    told = match("m1", (1, 2, 3, 4), ("ann", "bot:hard", "bot:easy", "bot:greedy"))
    assert keys(told) == ["ambush/3-4/ranked/bots"]


def test_bots_are_rated_by_casual_matches_on_a_ladder_of_their_own() -> None:
    told = match("m1", (1, 2), ("bot:hard", "bot:easy"), mode=pb.MODE_CASUAL)
    assert keys(told) == ["ambush/2/casual/bots"]


def test_the_same_policy_on_every_seat_is_compared_with_nobody() -> None:
    assert keys(match("m1", (1, 2), ("bot:hard", "bot:hard"))) == []


def test_a_policy_with_two_seats_moves_by_their_mean() -> None:
    told = match("m1", (1, 2, 3), ("bot:hard", "bot:easy", "bot:hard"))
    (bots,) = ladders_of(told)
    changes = {one.who.name: one for one in rate(bots, round_of(told, bots), {}).changes}
    assert changes["hard"].after.mu == pytest.approx((27.869049 + 21.413689) / 2, abs=1e-6)
    assert changes["hard"].place == 1
    assert changes["hard"].member.matches == 1


def test_who_sits_twice_is_rated_not_nor_are_those_with_him() -> None:
    assert keys(match("m1", (1, 2, 3), ("ann", "bob", "ann"))) == []


def test_a_solo_ladder_is_split_by_difficulty_and_fort() -> None:
    told = match("m1", (1,), ("ann",))
    assert keys(told) == []
    event = finished("m1", (1,), ("ann",))
    options = '{"difficulty":"hard","resource_passing":true,"campaign":3}'
    told = results.ended(event.match_finished.match, "north", options)
    assert keys(told) == ["ambush/1/ranked/players/hard/3"]
    assert Ladder.of("ambush/1/ranked/players/hard/3") == ladders_of(told)[0]
    assert variant_of("{}") == "/"


def test_the_best_solo_score_counts() -> None:
    ladder = Ladder("ambush", "1", "ranked", variant="normal/0")
    event = finished("m1", (1,), ("ann",))
    members: dict[Who, Member] = {}
    for number, score in enumerate((40, 61, 52)):
        event = finished(f"m{number}", (1,), ("ann",), scores=[score], at=NOON + number)
        told = results.ended(event.match_finished.match, "north", "{}")
        list(fold(ladder, [round_of(told, ladder)], members))
    (ann,) = members.values()
    assert (ann.belief.score, ann.matches) == (61.0, 3)


def test_a_season_has_its_own_best_solo_score() -> None:
    ladder = Ladder("ambush", "1", "ranked", variant="normal/0")
    ann = Member().scored(61.0, NOON).scored(40.0, NOON + 60 * DAY)
    assert ann.belief.score == 61.0
    assert ann.season_belief.score == 40.0
    assert ann.season_matches == 1
    assert ladder.solo


def test_the_order_of_arrival_does_not_matter() -> None:
    rng = Random(3)
    ladder = Ladder("ambush", "3-4", "ranked")
    people = [f"p{number}" for number in range(12)]
    rounds = [
        round_of(
            match(
                f"m{number}",
                rng.sample((1, 2, 3, 4), 4),
                rng.sample(people, 4),
                at=NOON + rng.randrange(40) * MINUTE,
            ),
            ladder,
        )
        for number in range(200)
    ]
    folds = []
    for _ in range(3):
        rng.shuffle(rounds)
        members: dict[Who, Member] = {}
        done = list(fold(ladder, rounds, members))
        folds.append((done, members))
    assert folds[0] == folds[1] == folds[2]


def test_absence_and_seasons_count_before_the_match() -> None:
    ladder = Ladder("ambush", "2", "ranked")
    members: dict[Who, Member] = {}
    first = match("m1", (1, 2))
    later = match("m2", (1, 2), at=NOON + 60 * DAY)
    list(fold(ladder, [round_of(first, ladder), round_of(later, ladder)], members))
    assert season_of(NOON) == "2026-q4"
    assert season_of(NOON + 60 * DAY) == "2027-q1"
    assert seasons_between("2026-q4", "2027-q1") == 1
    ann = members[Who("north", "ann")]
    assert (ann.matches, ann.season, ann.season_matches) == (2, "2027-q1", 1)
    again = rate(ladder, round_of(later, ladder), {Who("north", "ann"): Member()})
    assert again.changes[0].before == Belief()
