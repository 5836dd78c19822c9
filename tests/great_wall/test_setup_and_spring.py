"""The setup (R1) and spring (R3)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from services.gamekit.chance import Chance, Dealt
from services.gamekit.game import IllegalOptions, Seat
from services.gamekit.play import play, settle, start
from services.great_wall.cards.advisors import Advisor
from services.great_wall.cards.generals import GENERALS, General
from services.great_wall.cards.hordes import SECTION_OF, HordeCard
from services.great_wall.game import GAME
from services.great_wall.goods import Location, Section
from services.great_wall.options import Difficulty, GreatWallOptions
from services.great_wall.rules.setup import ChooseLeader
from services.great_wall.rules.spring import Invade, Promote, RefillTrack
from services.great_wall.state import State
from services.great_wall.tasks.seasons import Begin, Invading, Promoting, Refilling
from services.great_wall.tasks.task import Phase
from tests.great_wall.table import (
    CENTRE,
    LEFT,
    RIGHT,
    asked,
    drawn,
    facing,
    own,
    refused,
    run,
    table,
)

OPTIONS = GreatWallOptions()


def dealt(seats: int) -> State:
    """Until everybody has to choose a general."""
    return settle(GAME, start(GAME, seats, OPTIONS), Chance(b"setup"))[0]


def led(seats: int) -> State:
    """Everybody has taken the first general and advisor."""
    state = dealt(seats)
    for seat in range(seats):
        clan = state.clans[seat]
        move = ChooseLeader(clan.generals[0], clan.advisors[0])
        state = play(GAME, state, Seat(seat), move)
    return drawn(state)


@pytest.mark.parametrize(
    ("seats", "pool", "hordes", "sections", "barricades", "deck"),
    [(1, 10, 2, 2, 6, 14), (2, 20, 2, 2, 6, 14), (3, 30, 3, 3, 9, 21), (4, 40, 4, 3, 9, 20)],
)
def test_the_board_by_player_count(  # R1.1, R1.3
    seats: int, pool: int, hordes: int, sections: int, barricades: int, deck: int
) -> None:
    state = dealt(seats)
    assert state.shame_pool == pool
    assert sum(len(rows) for rows in state.hordes) == hordes
    assert len(state.setup.sections) == sections
    assert sum(state.barricades) == barricades
    assert len(state.horde_deck) == deck
    assert state.walls == (0, 0, 0)
    if seats < 3:
        assert not state.hordes[0]
        assert all(SECTION_OF[card] is not LEFT for card in state.horde_deck)


def test_the_first_hordes_go_to_different_sections() -> None:  # R1.3
    assert [len(rows) for rows in dealt(3).hordes] == [1, 1, 1]
    rows = [len(rows) for rows in dealt(4).hordes]
    assert (sorted(rows), max(rows)) == ([1, 1, 2], 2)


def test_what_every_seat_begins_with() -> None:  # R1.2
    state = led(3)
    assert len(state.artifacts) == 3
    assert len(state.advisor_track) == 4
    clan = own(state)
    assert (clan.clerks, clan.reserve, clan.pool, clan.honour) == (5, 3, (10, 4, 2), 0)
    assert len(clan.commands) == 6


def test_a_general_is_kept_and_an_advisor_made_active() -> None:  # R1.4, R1.7
    state = dealt(2)
    assert asked(state) == [(0, "leader"), (1, "leader")]
    clan = own(state)
    general, advisor = clan.generals[1], clan.advisors[1]
    stranger = next(one for one in General if one not in clan.generals)
    assert refused(state, ChooseLeader(stranger, advisor)) == "not_dealt"
    move = ChooseLeader(general, advisor)
    assert move.shown(Seat(0), Seat(1)) == ChooseLeader(None, None)
    state = play(GAME, state, Seat(0), move)
    assert own(state).general is None
    assert asked(state) == [(1, "leader")]
    other = own(state, 1)
    state = play(GAME, state, Seat(1), ChooseLeader(other.generals[0], other.advisors[0]))
    state = drawn(state)
    assert (own(state).general, own(state).active) == (general, (advisor,))
    assert own(state).supporting == (clan.advisors[0],)


def test_generals_bring_goods_cards_and_the_tea_order() -> None:  # R1.5
    state = led(4)
    for clan in state.clans:
        assert clan.general is not None
        assert clan.goods == GENERALS[clan.general].goods
        assert len(clan.tactics) == GENERALS[clan.general].tactics
    values = [GENERALS[General(str(own(state, seat).general))].tea for seat in state.tea]
    assert values == sorted(values, reverse=True)


def test_the_first_year_starts_with_fall() -> None:  # R1.6
    state = led(2)
    assert (state.phase, state.year) == (Phase.FALL, 1)
    assert asked(state) == [(0, "command"), (1, "command")]


def test_options_are_checked() -> None:
    for difficulty in Difficulty:
        start(GAME, 1, GreatWallOptions(difficulty))
    with pytest.raises(IllegalOptions, match="difficulty_needs_solo"):
        start(GAME, 2, GreatWallOptions(Difficulty.HARD))


def test_difficulty_gives_honour_to_begin_with() -> None:
    for difficulty, mine, his in (
        (Difficulty.EASY, 30, 0),
        (Difficulty.NORMAL, 0, 0),
        (Difficulty.HARD, 0, 50),
        (Difficulty.VERY_HARD, 0, 100),
    ):
        state = start(GAME, 1, GreatWallOptions(difficulty))
        assert (own(state).honour, own(state, 2).honour) == (mine, his)


def spring(state: State) -> State:
    """After the spring, when the first seat is asked in summer or fall."""
    return drawn(run(state, Begin(Phase.SPRING)))


def test_hordes_come_as_the_year_says() -> None:  # R3.1, R3.2
    for seats, counts in ((3, (1, 2, 2, 2, 2)), (4, (3, 3, 3, 5))):
        for year, count in enumerate(counts, 1):
            state = replace(table(seats), year=year, back=LEFT, indicator=LEFT)
            state = spring(state)
            assert state.year == year + 1
            assert sum(len(rows) for rows in state.hordes) == count


def invaded(state: State, card: HordeCard, back: Section) -> State:
    """NATURE places this card and then shows this back."""
    state = run(replace(state, back=SECTION_OF[card]), Invading())
    results = {"horde/0/face": card, "horde/1/back": back}
    return play(GAME, state, Seat(-1), Invade.resolve(state, Dealt(results)))


def test_a_horde_goes_to_the_leftmost_section_without_one() -> None:  # R3.2a
    state = facing(table(), LEFT, "outriders_left")
    state = invaded(state, HordeCard.LEADER_RIGHT, RIGHT)
    assert [len(rows) for rows in state.hordes] == [1, 1, 0]
    assert (state.back, state.indicator) == (RIGHT, RIGHT)


def besieged(rows: int) -> State:
    """Hordes in every section, so many in the right one."""
    state = facing(facing(table(), LEFT, "outriders_left"), CENTRE, "outriders_centre")
    for card in ("outriders_right", "vanguard_left", "vanguard_right")[:rows]:
        state = facing(state, RIGHT, card)
    return state


def test_else_to_the_section_on_the_back_that_is_now_on_top() -> None:  # R3.2b
    state = invaded(besieged(1), HordeCard.LEADER_LEFT, RIGHT)
    assert [horde.card for horde in state.hordes[2]] == ["outriders_right", "leader_left"]


def test_a_full_section_means_a_raid() -> None:  # R3.2c
    state = invaded(besieged(3), HordeCard.LEADER_LEFT, RIGHT)
    assert state.shame_pool == 30 - 3
    assert state.horde_discard == (HordeCard.LEADER_LEFT,)
    nearly = invaded(replace(besieged(3), shame_pool=2), HordeCard.LEADER_LEFT, RIGHT)
    assert nearly.shame_pool == 0


def test_the_discards_are_the_new_deck_when_a_card_is_due() -> None:  # R3.3
    state = table(horde_deck=(), horde_discard=(HordeCard.LEADER_RIGHT,), indicator=LEFT)
    state = drawn(run(state, Invading()))
    assert own(state).honour == 0
    assert state.hordes[0][0].card is HordeCard.LEADER_RIGHT
    assert (state.back, state.indicator) == (None, RIGHT)
    empty = run(table(horde_deck=(), horde_discard=()), Invading())
    assert asked(empty) == []


def test_a_false_claim_about_a_horde_is_refused() -> None:
    state = run(replace(besieged(1), back=LEFT), Invading())
    true = Invade(HordeCard.LEADER_LEFT, RIGHT, RIGHT)
    assert refused(state, replace(true, card=HordeCard.LEADER_RIGHT)) == "wrong_face"
    assert refused(state, replace(true, back=None)) == "wrong_back"
    assert refused(state, replace(true, section=LEFT)) == "wrong_section"


def test_two_advisors_leave_the_track_and_it_is_refilled() -> None:  # R3.4
    track = (Advisor.JINSHI, Advisor.WARDEN, Advisor.HERALD, Advisor.EXAMINER)
    deck = tuple(sorted(set(Advisor) - set(track)))
    state = spring(table(advisor_track=track, advisor_deck=deck, back=LEFT, indicator=LEFT))
    assert state.advisor_track[:2] == track[2:]
    assert len(state.advisor_track) == 4
    assert state.advisor_discard == (Advisor.JINSHI, Advisor.WARDEN)


def test_the_advisors_discards_are_shuffled_in_or_spaces_stay_empty() -> None:  # R3.4
    few = table(advisor_deck=(Advisor.JINSHI,), advisor_discard=(Advisor.WARDEN,))
    assert len(drawn(run(few, Refilling())).advisor_track) == 2
    none = table(advisor_deck=(), advisor_discard=())
    assert asked(run(none, Refilling())) == []
    state = run(few, Refilling())
    assert refused(state, RefillTrack((Advisor.JINSHI,))) == "wrong_size"
    assert refused(state, RefillTrack((Advisor.JINSHI, Advisor.HERALD))) == "not_in_deck"


def test_one_of_the_discarded_advisors_supports_the_general() -> None:  # R15.6
    two = (Advisor.JINSHI, Advisor.WARDEN)
    state = run(table(1), Promoting(two))
    assert refused(state, Promote(Advisor.HERALD)) == "not_discarded"
    state = play(GAME, state, Seat(-1), Promote(Advisor.WARDEN))
    assert own(state, 2).supporting == (Advisor.WARDEN,)
    assert state.advisor_discard == (Advisor.JINSHI,)


def test_the_general_and_the_neutral_clan_are_set_up() -> None:  # R14.1, R15.1
    state = led(1)
    reed, qin = own(state, 1), own(state, 2)
    assert state.tea == (0, 2, 1)
    assert reed.desks[:3] == (1, 1, 1)
    assert (reed.pool, reed.clerks) == ((10, 0, 0), 0)
    assert (qin.pool, qin.clerks, qin.overseers) == ((8, 4, 0), 8, (1, 1, 1, 1))
    assert len(qin.supporting) == 2
    assert sorted(state.location_track) == sorted([*Location][:4] + [Location.BARRACKS])
    assert led(2).tea[-1] == 2
