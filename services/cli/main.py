"""`vallum`: its subcommands, each in the module of its name and read only when it is called."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import click

from services.cli.console import print_json
from services.runtime.settings import SettingsError

COMMANDS = (
    "up",
    "serve",
    "health",
    "token",
    "keys",
    "webhooks",
    "games",
    "rules",
    "simulate",
    "verify",
    "stats",
    "queues",
    "ratings",
    "records",
    "demo",
    "play",
)


QUIET = {
    "GRPC_ENABLE_FORK_SUPPORT": "false",  # we fork only to start other programs
    "GRPC_VERBOSITY": "NONE",  # what matters of it we say ourselves
}
"""What keeps gRPC from writing to stderr between our own lines."""


class Vallum(click.Group):
    """Tells what is set wrongly in one line, as it does for wrong arguments; with --json also as
    an object on stdout."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order in which a newcomer needs them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command `vallum <cmd_name>`."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"services.cli.{cmd_name}").command
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Begin with what stands before the command."""
        with told("--json" in args):
            ctx.obj = "--json" in args
            return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command."""
        for name, value in QUIET.items():
            os.environ.setdefault(name, value)
        with told(ctx.obj):
            try:
                return super().invoke(ctx)
            except SettingsError as error:
                raise click.ClickException(str(error)) from None


@contextmanager
def told(as_json: bool) -> Iterator[None]:
    """Tell an error as JSON, too, where that is asked for."""
    try:
        yield
    except click.ClickException as error:
        if as_json:
            code = "bad_usage" if isinstance(error, click.UsageError) else "failed"
            print_json({"ok": False, "code": code, "message": error.format_message()})
        raise


@click.group(cls=Vallum, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="vallum")
def main() -> None:
    """Vallum hosts turn-based board games for other people's apps.

    `vallum up` starts everything on this machine. Settings are VALLUM_* variables; options of a
    command go before them.
    """
