"""The `vallum` command."""

from services.cli.main import main

__all__ = ["main"]
