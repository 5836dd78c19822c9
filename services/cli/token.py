"""`vallum token`: a token for development."""

from __future__ import annotations

import re
import time
from pathlib import Path

import click

from services.cli.console import json_option, print_json
from services.runtime.auth import Caller, Keys, Role, role_named
from services.runtime.settings import Settings, SettingsError

UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
ROLES = [role.name.lower() for role in Role if role != Role.NOBODY]
TENANT = "dev"


class Duration(click.ParamType[int]):
    """90, 90s, 15m, 12h, 7d: seconds."""

    name = "duration"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
        """Seconds."""
        found = re.fullmatch(r"([1-9]\d{0,8})([smhd]?)", str(value))
        if not found:
            self.fail(f"{value!r} is no duration: 90s, 15m, 12h, 7d", param, ctx)
        return int(found[1]) * UNITS[found[2] or "s"]


class Name(click.ParamType[str]):
    """The id of a player or a tenant, as the contract allows it."""

    name = "name"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        """The same."""
        text = str(value)
        if not re.fullmatch(r"[A-Za-z0-9_.:@-]{1,64}", text):
            self.fail(f"{text!r} is no id: 1 to 64 letters, digits and any of _.:@-", param, ctx)
        return text


@click.command("token")
@click.argument("player", type=Name())
@click.option("--role", type=click.Choice(ROLES), default="player", show_default=True)
@click.option(
    "--tenant", type=Name(), default=TENANT, show_default=True, help="Whose player it is."
)
@click.option("--ttl", type=Duration(), default="12h", show_default=True, help="90s, 15m, 12h, 7d.")
@click.option("--data", type=click.Path(path_type=Path), help="The data directory of `vallum up`.")
@json_option
def command(
    player: str, role: str, tenant: str, ttl: int, data: Path | None, as_json: bool
) -> None:
    """Print a token for PLAYER, signed with the key that `vallum up` keeps in its data directory
    (or with VALLUM_KEY_FILE)."""
    settings = Settings.load(data_dir=data)
    keys = Keys.load(signing_key(settings, given=data is not None))
    token = keys.mint(Caller(player, tenant, role_named(role)), ttl)
    if as_json:
        expires = int(time.time()) + ttl
        told = {"token": token, "player": player, "tenant": tenant, "role": role}
        print_json(told | {"expires_at": expires})
    else:
        click.echo(token)


def signing_key(settings: Settings, *, given: bool) -> Path:
    """The file with the key. Raises SettingsError."""
    if settings.key_file and not given:
        return settings.key_file
    path = key_file(settings)
    if not path.exists():
        raise SettingsError(
            f"there is no key in {settings.data_dir}: `vallum up --data {settings.data_dir}` "
            "makes one"
        )
    return path


def key_file(settings: Settings) -> Path:
    """Where `vallum up` keeps its key."""
    return settings.data_dir / "key.pem"
