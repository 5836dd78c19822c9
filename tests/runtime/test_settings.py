"""Settings come from VALLUM_* variables, and what cannot be used is told by its name."""

from __future__ import annotations

from pathlib import Path

import pytest

from services.runtime.settings import Settings, SettingsError


def test_without_variables_everything_has_a_default() -> None:
    assert Settings.load({}) == Settings()


def test_every_kind_of_value_is_read() -> None:
    settings = Settings.load(
        {
            "VALLUM_PARTITIONS": "4",
            "VALLUM_DATA_DIR": "~/vallum",
            "VALLUM_KEY_FILE": "/keys/a.pem",
            "VALLUM_FSYNC": "always",
            "VALLUM_EXTRA_GAMES": "tests.ambush, other.game,",
            "VALLUM_METRICS_PORT": "9464",
            "VALLUM_GRACE": "2.5",
            "VALLUM_LOG_LEVEL": " debug ",
            "UNRELATED": "x",
        }
    )
    assert settings.partitions == 4
    assert settings.data_dir == Path.home() / "vallum"
    assert settings.key_file == Path("/keys/a.pem")
    assert settings.fsync == "always"
    assert settings.extra_games == ("tests.ambush", "other.game")
    assert settings.metrics_port == 9464
    assert settings.grace == 2.5
    assert settings.log_level == "debug"


def test_an_empty_variable_is_none_at_all() -> None:
    assert Settings.load({"VALLUM_PORT": ""}) == Settings()


def test_the_command_line_goes_before_the_environment() -> None:
    environ = {"VALLUM_PORT": "1", "VALLUM_HOST": "::1"}
    settings = Settings.load(environ, port=2, host=None, data_dir="there")
    assert (settings.port, settings.host, settings.data_dir) == (2, "::1", Path("there"))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("VALLUM_PARTITIONS", "0"),
        ("VALLUM_PARTITIONS", "many"),
        ("VALLUM_PORT", "65536"),
        ("VALLUM_FSYNC", "sometimes"),
        ("VALLUM_GRACE", "-1"),
        ("VALLUM_REQUEST_LIMIT", "10"),
        ("VALLUM_LOG_LEVEL", "loud"),
    ],
)
def test_a_value_that_cannot_be_used_is_told_by_its_name(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=f"^{name}={value}: "):
        Settings.load({name: value})
