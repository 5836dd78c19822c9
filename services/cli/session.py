"""A person at a terminal, in one match: what he is shown, and what he types."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

import click
from rich.rule import Rule

from services.cli.changes import changes
from services.cli.console import out
from services.cli.showing import (
    brief,
    name_of,
    numbered,
    plain,
    questions,
    scores,
    view_of,
)
from vallum.client import VallumCallError
from vallum.client.blocking import GameClient
from vallum.client.shapes import ActionsReply, Update
from vallum.match.v1 import match_pb2 as pb

HELP = """\
  NUMBER       play that action          p NUMBER...  what actions would change
  v            the position              s            the scores, line by line
  l            list the actions again    /WORDS       list those with these words
  u            take back your last move, where the game lets you
  r            resign                    q            leave; the match waits for you"""


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
        self.seen: Any = None
        """The position as it was last told."""
        self.moves: list[str] = []
        """What was done since then."""
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
        with self.game.watch(self.match, from_version=self.version, with_view=True) as watch:
            for update in watch:
                self.version = update.version
                self.tell(update)
                if self.version >= version:
                    break
        self.explain()

    def waited(self) -> bool:
        """Tell what the others do until it is our turn; False once the match has ended."""
        with self.game.watch(self.match, from_version=self.version, with_view=True) as watch:
            for update in watch:
                self.version = update.version
                self.tell(update)
                if any(one.seat == self.seat for one in update.decisions):
                    return True
            self.explain()
            if watch.end is not None:
                self.finish(watch.end.result)
        return False

    def answered(self, listed: ActionsReply) -> bool:
        """One of our questions; False when we leave."""
        self.explain()
        asked = f"{plain(listed.decision.prompt)} {listed.decision.about}".strip()
        out.print(Rule(f"{asked} · {self.points()}"))
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
                    if click.confirm("Leave the match for good?"):
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
            case [first, *rest] if first.startswith("/"):
                self.offer(listed, " ".join([first[1:], *rest]))
            case ["p", *numbers] if numbers and all(one.isdecimal() for one in numbers):
                self.tried(listed, [int(one) for one in numbers])
            case _:
                out.print(HELP, markup=False)

    def offer(self, listed: ActionsReply, words: str = "") -> None:
        """The legal actions, numbered; those alone that have some words."""
        out.print(numbered([brief(one) for one in listed.actions], words))

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
        self.moves.append(f"you: {brief(action)}")
        return True

    def tried(self, listed: ActionsReply, wanted: Sequence[int]) -> None:
        """Show where actions would lead."""
        chosen = [listed.actions[one - 1] for one in wanted if 1 <= one <= len(listed.actions)]
        reply = self.game.preview(self.match, *chosen, seat=self.seat)
        seen = self.seen
        for action, step in zip(chosen, reply.steps, strict=False):
            own = next((one for one in step.sheets if one.seat == self.seat), None)
            total = f", {own.total} points" if own else ""
            out.print(f"after {brief(action)}{total}", markup=False)
            self.compare(seen, step.view)
            seen = step.view
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
        """What somebody did, and once the position is known what came of it."""
        if update.seat != self.seat or update.event:
            move = plain(update.event) if update.event else brief(update.action)
            self.moves.append(f"{name_of(update.seat, self.names)}: {move}")
        if update.HasField("view"):  # type: ignore[attr-defined]  # it is a message
            self.explain(update.view)

    def explain(self, view: Any = None) -> None:
        """The moves that have not been told, alike ones together, and what they have changed."""
        for move, alike in groupby(self.moves):
            count = len(list(alike))
            out.print(f"{move} x{count}" if count > 1 else move, markup=False)
        self.moves = []
        if view is not None:
            self.compare(self.seen, view)
            self.seen = view

    def compare(self, before: Any, after: Any) -> None:
        """What is different now."""
        for line in changes(before, after, self.names) if before is not None else ():
            out.print(f"    {line}", markup=False, style="dim")

    def points(self) -> str:
        """Everybody's, in a line."""
        sheets = self.game.view(self.match).sheets
        return ", ".join(f"{name_of(one.seat, self.names)} {one.total}" for one in sheets)

    def position(self) -> None:
        """The position, and who is asked what."""
        there = self.game.view(self.match)
        self.seen = there.view
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


def told(error: VallumCallError) -> str:
    """An error in one line."""
    detail = ", ".join(f"{key}={value}" for key, value in error.metadata.items())
    return f"{plain(error.code)}{f' ({detail})' if detail else ''}"
