"""`vallum queues`: who waits where."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import uvloop
from rich.table import Table

from services.cli.console import json_option, out, print_json
from services.matchmaking.asked import read_queue
from services.matchmaking.storage import Corner, Storage
from services.matchmaking.times import now_ms
from services.runtime.redis import check_server, connect
from services.runtime.settings import Settings


@click.command("queues")
@click.option("--data", "data_dir", type=click.Path(path_type=Path), help="As of `vallum up`.")
@json_option
def command(data_dir: Path | None, as_json: bool) -> None:
    """List every queue in which tickets wait: its tenant, game and mode, how many wait, and for
    how long the first has.

    VALLUM_REDIS_URL names the Redis that the services use; `vallum up` prints its own.
    """
    rows = uvloop.run(queues(Settings.load(data_dir=data_dir)))
    if as_json:
        print_json({"queues": rows})
        return
    table = Table("tenant", "game", "mode", "options", "waiting", "oldest, s", "queue")
    for row in rows:
        table.add_row(*(str(row[name]) for name in COLUMNS))
    out.print(table)


COLUMNS = ("tenant", "game", "mode", "options", "waiting", "oldest_s", "queue")


async def queues(settings: Settings) -> list[dict[str, Any]]:
    """Every queue, by tenant, the fullest first. Raises SettingsError."""
    async with connect(settings.redis_url) as redis:
        await check_server(redis, need_aof=False)
        found = [row for corner in await Storage(redis).tenants() for row in await _of(corner)]
    return sorted(found, key=lambda row: (row["tenant"], -row["waiting"], row["queue"]))


async def _of(corner: Corner) -> list[dict[str, Any]]:
    about = await corner.redis.hgetall(corner.key("queues"))
    rows = []
    for name, body in about.items():
        queue, key = read_queue(body), corner.key("queue", name.decode())
        first = await corner.redis.zrange(key, 0, 0, withscores=True)
        if not first:
            continue
        rows.append(
            {
                "tenant": corner.tenant,
                "game": queue.game,
                "mode": queue.mode,
                "options": queue.options_json,
                "waiting": await corner.redis.zcard(key),
                "oldest_s": round((now_ms() - first[0][1]) / 1000, 1),
                "queue": name.decode(),
            }
        )
    return rows
