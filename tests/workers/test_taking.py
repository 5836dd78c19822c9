from __future__ import annotations

from time import monotonic
from typing import Any

import pytest

from services.bots import policies
from services.gamekit.game import Action, IllegalAction
from services.workers.queues import Turn
from services.workers.taking import Taker, TurnFailed
from tests.workers.scripted import TURN, ScriptedHost, refused, silent
from vallum.client.errors import VallumCallError


class Judge(ScriptedHost):
    """Refuses as a real host does: with the rules' own code in a status."""

    def play(self, turn: Turn, actions: tuple[Action[Any], ...], request_id: str) -> int:
        try:
            return super().play(turn, actions, request_id)
        except IllegalAction as refusal:
            raise refused(refusal.code) from None


def taker(host: ScriptedHost, think: float = 5.0) -> Taker:
    return Taker({"ambush": host}, policies(("tests.workers.policies",)), think)


def test_a_turn_is_played_under_the_id_of_its_task() -> None:
    host = Judge("greedy")
    assert taker(host).take(TURN) == "played"
    assert [request_id for request_id, _ in host.played] == ["m1:7:0"]


def test_whoever_takes_a_turn_again_plays_the_same() -> None:
    hosts = [Judge("random") for _ in range(5)]
    for host in hosts:
        taker(host).take(TURN)
    assert all(host.played == hosts[0].played for host in hosts)


@pytest.mark.parametrize("policy", ["raising", "cheating", "garbling"])
def test_a_policy_that_fails_twice_is_replaced_by_the_fallback(policy: str) -> None:
    host = Judge(policy)
    assert taker(host).take(TURN) == "fallback"
    assert [request_id for request_id, _ in host.played] == ["m1:7:0:fallback"]


def test_a_policy_that_fails_once_is_tried_again() -> None:
    host = Judge("random", [refused("not_in_hand")])
    assert taker(host).take(TURN) == "played"


def test_a_policy_that_hangs_is_stopped() -> None:
    host = Judge("hanging")
    began = monotonic()
    assert taker(host, think=0.1).take(TURN) == "fallback"
    assert 0.2 <= monotonic() - began < 2.0


def test_a_policy_that_has_brought_down_its_process_twice_is_not_asked_again() -> None:
    host = Judge("hanging")
    assert taker(host, think=60.0).take(TURN, failed=2) == "fallback"


def test_a_policy_that_is_not_known_is_replaced_by_the_fallbacks_moves() -> None:
    host = Judge("of_a_later_version")
    assert taker(host).take(TURN) == "played"


def test_a_turn_is_planned_anew_while_the_match_moves_on() -> None:
    host = Judge("random", [refused("cannot_afford")] * 3)
    host.moves_on = True
    assert taker(host).take(TURN) == "played"
    assert host.asked == 4
    assert [request_id for request_id, _ in host.played] == ["m1:7:0"]


@pytest.mark.parametrize("code", ["stale_decision", "game_over", "not_an_automatic_seat"])
def test_a_turn_that_is_not_open_any_more_is_left_alone(code: str) -> None:
    host = Judge("random", [refused(code)])
    assert taker(host).take(TURN) == "superseded"
    assert not host.played


def test_a_turn_whose_question_is_another_by_now_is_not_even_thought_about() -> None:
    host = Judge("hanging")
    host.decision_id = 8
    assert taker(host, think=60.0).take(TURN) == "superseded"


def test_a_host_that_does_not_answer_is_no_fault_of_the_policy() -> None:
    host = Judge("random", [silent()])
    with pytest.raises(VallumCallError, match="unavailable"):
        taker(host).take(TURN)
    assert not host.played


def test_a_turn_for_which_nothing_is_accepted_is_given_up() -> None:
    host = Judge("random", [refused("no")] * 100)
    with pytest.raises(TurnFailed):
        taker(host).take(TURN)
