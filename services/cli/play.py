"""`vallum play`: a match in the terminal, through the public API."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from rich.rule import Rule

from services.cli.console import out
from services.cli.hosting import bots, game_named
from services.cli.showing import (
    brief,
    name_of,
    numbered,
    plain,
    questions,
    scores,
    view_of,
)
from services.cli.token import TENANT, signing_key
from services.runtime.auth import Caller, Keys, Role
from services.runtime.calls import own_target
from services.runtime.settings import Settings
from vallum.client import VallumCallError, bot, player
from vallum.client.blocking import Client, GameClient
from vallum.client.shapes import ActionsReply, Update
from vallum.match.v1 import match_pb2 as pb

TOKEN_LIFE = 12 * 3600
HELP = """\
  NUMBER       play that action          p NUMBER...  try actions without playing them
  v            the position              s            the scores so far
  u            take back your last move  l            list the actions again
  r            resign                    q            leave; the match waits for you"""


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


def told(error: VallumCallError) -> str:
    """An error in one line."""
    detail = ", ".join(f"{key}={value}" for key, value in error.metadata.items())
    return f"{plain(error.code)}{f' ({detail})' if detail else ''}"


class Session:
    """One person at one match, from now until it ends or he leaves."""

    def __init__(self, game: GameClient, match: pb.Match, player_name: str) -> None:
        self.game = game
        self.match = match.name
        self.names = [one.player or f"{one.bot} {one.index}" for one in match.seats]
        self.seat = next(
            (one.index for one in match.seats if one.player == player_name), len(self.names)
        )
        self.version = match.version
        if self.seat < len(self.names):
            self.names[self.seat] = "you"

    def run(self) -> None:
        """Until the end."""
        out.print(f"{self.match}; seats: {', '.join(self.names)}", markup=False)
        out.print(HELP, markup=False)
        self.position()
        while True:
            listed = self.game.actions(self.match, seat=self.seat)
            self.heard(listed.version)
            if listed.actions:
                if not self.answered(listed):
                    out.print(f"vallum play ... --match {self.match} goes on with it")
                    return
            elif not self.waited():
                return

    def heard(self, version: int) -> None:
        """Tell what has happened up to a version that is there."""
        if self.version >= version:
            return
        with self.game.watch(self.match, from_version=self.version) as watch:
            for update in watch:
                self.version = update.version
                self.tell(update)
                if self.version >= version:
                    return

    def waited(self) -> bool:
        """Tell what the others do until it is our turn; False once the match has ended."""
        with self.game.watch(self.match, from_version=self.version) as watch:
            for update in watch:
                self.version = update.version
                self.tell(update)
                if any(one.seat == self.seat for one in update.decisions):
                    return True
            if watch.end is not None:
                self.finish(watch.end.result)
        return False

    def answered(self, listed: ActionsReply) -> bool:
        """One of our questions; False when we leave."""
        out.print(Rule(f"{plain(listed.decision.prompt)} {listed.decision.about}".strip()))
        self.offer(listed)
        while True:
            try:
                words = click.prompt("", prompt_suffix="> ", type=str).split()
            except click.Abort:
                return False
            match words:
                case ["q"]:
                    return False
                case ["r"]:
                    self.game.resign(self.match, seat=self.seat)
                    return True
                case ["u"]:
                    if self.undone():
                        return True
                case [number] if number.isdecimal():
                    if self.played(listed, int(number)):
                        return True
                case _:
                    self.show(words, listed)

    def show(self, words: Sequence[str], listed: ActionsReply) -> None:
        """What was asked for that changes nothing."""
        match words:
            case ["v"]:
                self.position()
            case ["s"]:
                out.print(scores(self.game.view(self.match).sheets, self.names))
            case ["l"]:
                self.offer(listed)
            case ["p", *numbers] if numbers and all(one.isdecimal() for one in numbers):
                self.tried(listed, [int(one) for one in numbers])
            case _:
                out.print(HELP, markup=False)

    def offer(self, listed: ActionsReply) -> None:
        """The legal actions, numbered."""
        out.print(numbered([brief(one) for one in listed.actions]))

    def played(self, listed: ActionsReply, number: int) -> bool:
        """Play an action; False where it is refused."""
        if not 1 <= number <= len(listed.actions):
            out.print(f"1 to {len(listed.actions)}")
            return False
        action = listed.actions[number - 1]
        try:
            self.game.play(
                self.match,
                action,
                seat=self.seat,
                expected_decision=listed.decision.decision_id,
            )
        except VallumCallError as refusal:
            out.print(f"refused: {told(refusal)}", markup=False)
            return refusal.code == "stale_decision"
        out.print(f"you: {brief(action)}", markup=False)
        return True

    def tried(self, listed: ActionsReply, wanted: Sequence[int]) -> None:
        """Show where actions would lead."""
        chosen = [listed.actions[one - 1] for one in wanted if 1 <= one <= len(listed.actions)]
        reply = self.game.preview(self.match, *chosen, seat=self.seat)
        for action, step in zip(chosen, reply.steps, strict=False):
            own = next((one for one in step.sheets if one.seat == self.seat), None)
            total = f", {own.total} points" if own else ""
            out.print(f"after {brief(action)}{total}", markup=False)
        if reply.steps:
            self.draw(reply.steps[-1].view)
        if reply.refused:
            out.print(f"then refused: {plain(reply.refused)}", markup=False)

    def undone(self) -> bool:
        """Take our latest action back; False where that is refused."""
        try:
            self.game.undo(self.match, seat=self.seat)
        except VallumCallError as refusal:
            out.print(f"refused: {told(refusal)}", markup=False)
            return False
        return True

    def tell(self, update: Update) -> None:
        """What somebody did."""
        if update.seat == self.seat and not update.event:
            return
        move = plain(update.event) if update.event else brief(update.action)
        out.print(f"{name_of(update.seat, self.names)}: {move}", markup=False)

    def position(self) -> None:
        """The position, and who is asked what."""
        there = self.game.view(self.match)
        self.draw(there.view)
        if there.decisions:
            out.print(f"asked: {questions(there.decisions, self.names)}", markup=False)

    def draw(self, view: Any) -> None:
        """A view."""
        for part in view_of(view, self.names):
            out.print(part, markup=False) if isinstance(part, str) else out.print(part)

    def finish(self, result: pb.Result) -> None:
        """How it ended."""
        out.print(Rule("the end"))
        out.print(scores(result.sheets, self.names))
        for one in result.places:
            by = f", by {plain(one.decided_by)}" if one.decided_by else ""
            out.print(f"{one.place}. {name_of(one.seat, self.names)} with {one.score}{by}")
