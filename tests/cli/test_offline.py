"""The commands that need no server."""

from __future__ import annotations

import json
from pathlib import Path

import jwt
import pytest

from services.cli.main import COMMANDS
from services.runtime.auth import Keys, Role, Verifier
from tests.cli.given import as_json, vallum


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_says_what_it_is_for(command: str) -> None:
    result = vallum(command, "--help")
    assert result.exit_code == 0
    assert "Usage: " in result.stdout
    assert len(result.stdout.splitlines()[2].strip()) > 10
    assert f"\n  {command} " in vallum("--help").stdout


def test_games_lists_what_is_hosted() -> None:
    listed = as_json(vallum("games", "--json"))["games"]
    assert {one["game"] for one in listed} >= {"ambush", "hadrians_wall"}
    told = next(one for one in listed if one["game"] == "ambush")
    assert (told["min_seats"], told["max_seats"], told["package"]) == (2, 4, "ambush.v1")
    assert "Ambush" in vallum("games").stdout


def test_rules_tell_options_with_their_defaults() -> None:
    told = as_json(vallum("rules", "ambush", "--json"))
    assert told["options"]["rounds"] == {"type": "integer", "default": 3}
    assert told["options"]["hard"] == {"type": "boolean", "default": False}
    assert told["prompts"]["orders"] == ["fortify", "forage", "place_order"]
    assert (told["deferred"], told["windows"]) == (["storm"], ["reply"])
    assert "rounds" in vallum("rules", "ambush").stdout
    assert as_json(vallum("rules", "hadrians_wall", "--json"))["options"]


def test_a_game_that_is_not_there_is_refused_with_those_that_are() -> None:
    for arguments in (("rules", "chess"), ("simulate", "chess", "--seats", "2")):
        result = vallum(*arguments)
        assert result.exit_code == 2
        assert "'chess' is not hosted here; there is altarion, ambush, " in result.stderr


def test_a_token_says_who_it_is_for(tmp_path: Path) -> None:
    keys = Keys.ensure(tmp_path / "key.pem")
    given = ("--role", "service", "--tenant", "acme", "--ttl", "15m")
    told = as_json(vallum("token", "bob", "--data", tmp_path, "--json", *given))
    caller = Verifier(keys).verify(told["token"])
    assert (caller.subject, caller.tenant, caller.role) == ("bob", "acme", Role.SERVICE)
    claims = jwt.decode(told["token"], options={"verify_signature": False})
    assert claims["exp"] - claims["iat"] == 900
    assert abs(told["expires_at"] - claims["exp"]) <= 1
    plain = vallum("token", "bob", "--data", tmp_path).stdout
    assert Verifier(keys).verify(plain.strip()).role is Role.PLAYER


def test_a_token_may_be_signed_with_a_key_of_ones_own(tmp_path: Path) -> None:
    keys = Keys.ensure(tmp_path / "mine.pem")
    told = vallum("token", "bob", key_file=str(tmp_path / "mine.pem"))
    assert Verifier(keys).verify(told.stdout.strip()).subject == "bob"


@pytest.mark.parametrize("wrong", [("--ttl", "soon"), ("--ttl", "0s"), ("--role", "king")])
def test_a_token_has_a_known_role_and_a_life(wrong: tuple[str, str], tmp_path: Path) -> None:
    Keys.ensure(tmp_path / "key.pem")
    assert vallum("token", "bob", "--data", tmp_path, *wrong).exit_code == 2


def test_where_there_is_no_key_the_way_to_one_is_told(tmp_path: Path) -> None:
    result = vallum("token", "bob", "--data", tmp_path)
    assert result.exit_code == 1
    assert f"vallum up --data {tmp_path}" in result.stderr


SIMULATE = ("simulate", "ambush", "--seats", 3, "--games", 3, "--seed", "7")


def test_a_simulation_prints_one_object(tmp_path: Path) -> None:
    result = vallum(*SIMULATE, "--bots", "random,greedy", "--json", "--record", tmp_path)
    told = as_json(result)
    assert result.exit_code == 0
    assert result.stderr == ""
    assert (told["game"], told["seats"], told["games"], told["finished"]) == ("ambush", 3, 3, 3)
    assert told["moves"] > 0
    assert told["moves_per_second"] > 0
    assert {"mean", "min", "max", "ci95", "seats"} <= set(told["scores"])
    assert set(told["bots"]) == {"random", "greedy"}
    records = sorted(tmp_path.iterdir())
    assert len(records) == 3
    assert vallum("verify", *records).exit_code == 0


def test_a_simulation_tells_people_the_same() -> None:
    result = vallum(*SIMULATE)
    assert "3 of 3 games finished" in result.stdout
    assert "seat 2" in result.stdout


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (("--bots", "random,genius"), "'genius' is no bot; there is "),
        (("--options", '{"rounds": 9}'), "bad_rounds"),
        (("--options", '{"colour": 1}'), "colour"),
        (("--options", "rounds"), "Ambush: "),
        (("--seats", "9"), "bad_seats"),
        (("--seed", "../x"), "a seed is"),
        (("--record", "/dev/null/x"), "cannot write"),
        (("--games", "0"), "--games"),
    ],
)
def test_a_simulation_that_cannot_be_is_refused(wrong: tuple[str, str], told: str) -> None:
    result = vallum(*SIMULATE, *wrong)
    assert result.exit_code == 2
    assert told in result.stderr


def test_a_simulation_in_which_a_game_fails_has_failed() -> None:
    result = vallum(*SIMULATE, "--bots", "stubborn", "--json", extra_bots="tests.lab.stubborn")
    assert result.exit_code == 1
    assert as_json(result)["finished"] == 0
    plain = vallum(*SIMULATE, "--bots", "stubborn", extra_bots="tests.lab.stubborn")
    assert "game 0 failed: IllegalAction" in plain.stderr


def test_verify_names_the_first_wrong_entry_and_fails(tmp_path: Path) -> None:
    vallum(*SIMULATE, "--record", tmp_path, "--json")
    good, bad, _ = sorted(tmp_path.iterdir())
    values = json.loads(bad.read_bytes())
    values["entries"][9]["hash"] = "0" * 64
    bad.write_text(json.dumps(values))
    result = vallum("verify", good, bad, tmp_path / "none.json", "--json")
    assert result.exit_code == 1
    told = as_json(result)
    assert not told["ok"]
    first, second, third = told["records"]
    assert (first["ok"], first["game"]) == (True, "ambush")
    assert (second["ok"], second["entry"], second["code"]) == (False, 10, "wrong_hash")
    assert (third["ok"], third["code"]) == (False, "unreadable_file")
    plain = vallum("verify", bad)
    assert plain.exit_code == 1
    assert "entry 10: wrong_hash" in plain.stderr
