"""A process that stores a result, says so, and is then killed before it can rate it."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from services.runtime.settings import Settings
from services.scoring import results
from services.scoring.database import database_of
from services.scoring.rating import rate_due
from vallum.events.v1 import events_pb2 as ev


async def main(url: str, event: ev.Event, last: str) -> None:
    """Do as the service does, up to `last`: "stored" or "rated"; then wait to be killed."""
    database = database_of(Settings(scoring_db=url))
    async with database.begin() as connection:
        await results.store(connection, [event], 0)
    if last == "rated":
        await rate_due(database)
    sys.stdout.write(f"{last}\n")
    sys.stdout.flush()
    await asyncio.Event().wait()


if __name__ == "__main__":
    told = ev.Event.FromString(Path(sys.argv[2]).read_bytes())
    asyncio.run(main(sys.argv[1], told, sys.argv[3]))
