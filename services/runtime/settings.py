"""Everything that can be set from outside, read once from VALLUM_* variables."""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self, get_origin

import msgspec
from msgspec import Meta

PREFIX = "VALLUM_"

Fsync = Literal["memory", "everysec", "always"]
"""What an acknowledged write survives: nothing, all but the last second, everything."""

Port = Annotated[int, Meta(ge=0, le=65535)]
Count = Annotated[int, Meta(ge=1)]
Seconds = Annotated[float, Meta(gt=0)]
Processes = Annotated[int, Meta(ge=0, le=256)]
Rate = Annotated[float, Meta(ge=0)]
Network = Annotated[str, Meta(pattern=r"^[0-9a-f.:]+/[0-9]{1,3}$")]
Target = Annotated[str, Meta(pattern=r"^[a-z0-9_]+=[^\s=]+:[0-9]+$")]


class SettingsError(ValueError):
    """A variable holds something that cannot be used; the text names both."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of a process. Field `redis_url` is read from VALLUM_REDIS_URL, and so on."""

    redis_url: str = "redis://127.0.0.1:6379/0"
    """Where matches and the bus live."""
    broker_url: str = "redis://127.0.0.1:6379/1"
    """Celery's own database or server: flushing it touches no match."""
    data_dir: Path = Path(".data")
    """What `vallum up` keeps between runs."""
    fsync: Fsync = "everysec"
    """How the embedded Redis writes to disk."""
    partitions: Annotated[int, Meta(ge=1, le=100)] = 16
    """How many ways matches and the bus are split. Fixed for the life of the data."""
    extra_games: tuple[str, ...] = ()
    """Modules that host further games, comma-separated."""

    host: str = "127.0.0.1"
    """Where the gRPC server listens."""
    port: Port = 7410
    """Its port; 0 takes a free one."""
    metrics_port: Port | None = None
    """Where Prometheus scrapes, on the same host; unset: nowhere."""
    request_limit: Annotated[int, Meta(ge=1024, le=4 * 1024 * 1024)] = 64 * 1024
    """The most bytes a request may have."""
    grace: Seconds = 10.0
    """Seconds that calls in flight get to finish when the server stops."""

    key_file: Path | None = None
    """PEM of the Ed25519 key: the private one mints tokens, the public one only verifies."""
    scoring_db: str = ""
    """Where results, ratings and the archive are kept: sqlite:///FILE or postgresql://…; empty: a
    file in `data_dir`."""
    matchmaking_db: str = ""
    """Where the rules of matchmaking queues are kept, as `scoring_db`."""
    scoring_target: str = ""
    """Where the scoring service is, as host:port, if it is not at `host:port`."""
    accounts_target: str = ""
    """Where the accounts service is, as host:port, if it is not at `host:port`."""
    matchmaking_target: str = ""
    """Where the matchmaking service is, as host:port, if it is not at `host:port`."""
    notices_target: str = ""
    """Where the notices service is, as host:port, if it is not at `host:port`."""
    accounts_db: str = ""
    """Where tenants, keys and players are kept, as `scoring_db` says it."""
    notices_db: str = ""
    """Where webhooks and what they are told are kept, as `scoring_db` says it."""
    webhook_allow_private: tuple[Network, ...] = ()
    """Networks that webhooks may call though they are not public, comma-separated: 10.1.0.0/16. In
    these no TLS is asked for."""

    edge_port: Port = 7400
    """Where the edge takes gRPC, gRPC-Web and JSON, on `host`; 0 takes a free one."""
    edge_origins: tuple[str, ...] = ("http://localhost:*", "http://127.0.0.1:*")
    """Whose web pages may call, comma-separated; `:*` at the end is any port, `*` everybody."""
    edge_certificate: Path | None = None
    """PEM of the edge's certificate with its chain: it takes TLS, and nothing else."""
    edge_private_key: Path | None = None
    """PEM of its private key."""
    edge_deadline: Annotated[float, Meta(ge=1, le=3600)] = 30.0
    """Seconds that a call through the edge may take, if it is no stream."""
    edge_flood: Annotated[int, Meta(ge=0)] = 1000
    """The most calls a second that the edge takes from one address; 0: any number."""
    edge_proxies: Annotated[int, Meta(ge=0, le=16)] = 0
    """How many proxies in front of the edge add the client's address to x-forwarded-for."""
    rate_player: Rate = 100.0
    """Calls a second that a player may make; 0: any number."""
    rate_tenant: Rate = 1000.0
    """Calls a second that a tenant's backend and its players may make together; 0: any number."""
    rate_burst: Annotated[float, Meta(ge=1, le=3600)] = 10.0
    """How many seconds' worth of calls one who has been quiet may make at once."""

    log_level: Literal["debug", "info", "warning", "error"] = "info"
    otlp_endpoint: str = ""
    """Where spans go, as http://host:port; empty: nowhere."""

    rules_targets: tuple[Target, ...] = ()
    """Where workers find the rules service of a game that is not at `host:port`: game=host:port,
    comma-separated."""
    extra_bots: tuple[str, ...] = ()
    """Modules with further bot policies, comma-separated."""
    bots_processes: Processes = 0
    """Processes of a worker that takes bots' turns; 0: one for each core."""
    invasions_processes: Processes = 0
    """Processes of a worker that resolves what NATURE does in its own time."""
    clocks_processes: Processes = 1
    """Processes of a worker that acts on expired clocks."""
    webhooks_processes: Processes = 1
    """Processes of a worker that calls webhooks."""
    bot_think: Seconds = 15.0
    """Seconds that a bot may think about one turn; then the fallback policy takes it."""
    worker_silence: Seconds = 90.0
    """Seconds without any task begun after which a worker that has work is started again."""

    replica: str = socket.gethostname()
    """Names this process among those of its service, the same after a restart."""
    bus_tries: Count = 5
    """How often a fact is handled before it is parked among the dead letters."""
    bus_retry: Seconds = 1.0
    """Seconds before a fact that failed is tried again; three times as long after each failure."""
    bus_idle: Seconds = 30.0
    """Seconds after which the facts of a silent consumer are taken over."""
    bus_timeout: Seconds = 60.0
    """Seconds that one handler may take for one fact."""
    bus_keep: Annotated[float, Meta(ge=0)] = 300.0
    """Seconds that facts stay on the bus after every group has handled them."""

    @classmethod
    def load(cls, environ: Mapping[str, str] | None = None, **given: Any) -> Self:
        """From the environment; `given` (a command line) goes before it. Raises SettingsError."""
        environ = os.environ if environ is None else environ
        values: dict[str, Any] = {}
        for field in msgspec.structs.fields(cls):
            name = PREFIX + field.name.upper()
            if given.get(field.name) is not None:
                values[field.name] = _read(field.name, given[field.name], field.type)
            elif environ.get(name, "").strip():
                values[field.name] = _read(name, environ[name].strip(), field.type)
        return cls(**values)

    def environ(self) -> dict[str, str]:
        """As variables, for a child process: `load` reads the same from them."""
        values = msgspec.structs.asdict(self)
        return {
            PREFIX + name.upper(): _told(value)
            for name, value in values.items()
            if value is not None
        }


def _told(value: Any) -> str:
    match value:
        case tuple():
            return ",".join(value)
        case Path():
            return str(value.absolute())
        case _:
            return str(value)


def _read(name: str, value: Any, kind: Any) -> Any:
    if get_origin(kind) is tuple and isinstance(value, str):
        value = [part.strip() for part in value.split(",") if part.strip()]
    try:
        return msgspec.convert(value, kind, strict=False, dec_hook=_path)
    except msgspec.ValidationError as error:
        raise SettingsError(f"{name}={value}: {error}") from None


def _path(kind: type, value: Any) -> Any:
    if issubclass(kind, Path):
        return Path(value).expanduser()
    raise NotImplementedError(kind)
