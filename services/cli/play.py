"""`vallum play`: a match in the terminal, through the public API."""

from __future__ import annotations

from pathlib import Path

import click

from services.cli.hosting import bots, game_named
from services.cli.session import Session, told
from services.cli.token import TENANT, signing_key
from services.runtime.auth import Caller, Keys, Role
from services.runtime.calls import own_target
from services.runtime.settings import Settings
from vallum.client import VallumCallError, bot, player
from vallum.client.blocking import Client

TOKEN_LIFE = 12 * 3600


@click.command("play")
@click.argument("game")
@click.option("--seats", type=click.IntRange(1, 6), help="How many. [the fewest with a bot]")
@click.option("--bots", "policy", default="easy", show_default=True, help="Who has the others.")
@click.option("--match", "match", help="Go on with this match instead of a new one.")
@click.option("--target", help="host:port of the rules service. [a running `vallum up`]")
@click.option("--token", envvar="VALLUM_TOKEN", help="Your token. [one of PLAYER, where it can]")
@click.option("--player", "name", default="ada", show_default=True, help="Who you are.")
@click.option("--data", type=click.Path(path_type=Path), help="The data directory of `vallum up`.")
def command(  # noqa: PLR0913, PLR0917 # one for each option
    game: str,
    seats: int | None,
    policy: str,
    match: str | None,
    target: str | None,
    token: str | None,
    name: str,
    data: Path | None,
) -> None:
    """Play GAME in the terminal against bots.

    It needs a running service: start `vallum up` first. Each question is answered by a number.
    """
    settings = Settings.load(data_dir=data)
    hosted = game_named(settings, game)
    if policy not in bots(settings):
        raise click.BadParameter(
            f"{policy!r} is no bot; there is {', '.join(sorted(bots(settings)))}"
        )
    count = seats or max(2, hosted.game.meta.min_seats)
    bearer = token or minted(settings, name, given=data is not None)
    with Client(target or own_target(settings), bearer) as client:
        there = client.game(hosted.package)
        try:
            found = (
                there.get_match(match)
                if match
                else there.create_match([player(name), *[bot(policy)] * (count - 1)])
            )
            Session(there, found, name).run()
        except VallumCallError as error:
            raise click.ClickException(told(error)) from None


def minted(settings: Settings, name: str, *, given: bool) -> str:
    """A development token of a player. Raises SettingsError."""
    keys = Keys.load(signing_key(settings, given=given))
    return keys.mint(Caller(name, TENANT, Role.PLAYER), TOKEN_LIFE)
