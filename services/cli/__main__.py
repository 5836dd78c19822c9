"""`python -m services.cli` is `vallum`."""

from services.cli.main import main

main(prog_name="vallum")
