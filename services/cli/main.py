"""`vallum`: its subcommands, each in the module of its name and read only when it is called."""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

import click

from services.runtime.settings import SettingsError

COMMANDS = (
    "up",
    "serve",
    "health",
    "token",
    "keys",
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


class Vallum(click.Group):
    """Tells what is set wrongly in one line, as it does for wrong arguments."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order in which a newcomer needs them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command `vallum <cmd_name>`."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"services.cli.{cmd_name}").command
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command."""
        # We fork only to start other programs: gRPC need not care, and say so, when we do.
        os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "false")
        try:
            return super().invoke(ctx)
        except SettingsError as error:
            raise click.ClickException(str(error)) from None


@click.group(cls=Vallum, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="vallum")
def main() -> None:
    """Vallum hosts turn-based board games for other people's apps.

    `vallum up` starts everything on this machine. Settings are VALLUM_* variables; options of a
    command go before them.
    """
