"""The tables of the scoring service.

What was told (results, corrections, adjustments) is only ever added to. What follows from it
(rounds, changes, standings) is made anew whenever something is told late.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
)

METADATA = MetaData()

EVENTS = Table(
    "events",
    METADATA,
    Column("id", String(160), primary_key=True),
    Column("handled_ms", BigInteger, nullable=False),
)
"""The ids of facts that had their effect."""

RESULTS = Table(
    "results",
    METADATA,
    Column("match_id", String(64), primary_key=True),
    Column("tenant", String(64), nullable=False),
    Column("game", String(32), nullable=False),
    Column("rules_version", String(64), nullable=False),
    Column("mode", String(8), nullable=False),
    Column("seat_count", Integer, nullable=False),
    Column("finished_ms", BigInteger, nullable=False),
    Column("event_id", String(160), nullable=False),
    Column("options_json", Text),
    Column("archived", Boolean, nullable=False),
    Column("imported", Boolean, nullable=False),
    Column("match", LargeBinary, nullable=False),
    Index("results_by_time", "finished_ms", "match_id"),
    Index("results_by_tenant", "tenant", "finished_ms", "match_id"),
    Index("results_by_game", "game", "mode", "seat_count"),
    Index("results_unarchived", "archived"),
)
"""Every finished match as it ended; `match` is the contract's message."""

SEATS = Table(
    "seats",
    METADATA,
    Column("match_id", String(64), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("tenant", String(64), nullable=False),
    Column("player", String(64), nullable=False),
    Column("bot", String(64), nullable=False),
    Column("retired", Boolean, nullable=False),
    Column("place", Integer, nullable=False),
    Column("score", Integer, nullable=False),
    Column("decided_by", String(64), nullable=False),
    Column("finished_ms", BigInteger, nullable=False),
    Index("seats_by_player", "tenant", "player", "finished_ms", "match_id"),
)
"""Who sat where, and how he finished."""

LINES = Table(
    "score_lines",
    METADATA,
    Column("match_id", String(64), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("key", String(64), nullable=False),
    Column("points", Integer, nullable=False),
    Column("detail", Text, nullable=False),
)
"""The score sheets, a row a line."""

CORRECTIONS = Table(
    "corrections",
    METADATA,
    Column("id", String(160), primary_key=True),
    Column("match_id", String(64), nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    Column("author", String(64), nullable=False),
    Column("reason", Text, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Index("corrections_by_match", "match_id", "at_ms", "id"),
)
"""What counts of a result instead; `body` is the contract's Correction."""

ADJUSTMENTS = Table(
    "adjustments",
    METADATA,
    Column("id", String(160), primary_key=True),
    Column("ladder", String(160), nullable=False),
    Column("tenant", String(64), nullable=False),
    Column("name", String(64), nullable=False),
    Column("mu", Float(53), nullable=False),
    Column("sigma", Float(53), nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    Column("author", String(64), nullable=False),
    Column("reason", Text, nullable=False),
    Index("adjustments_by_ladder", "ladder", "at_ms", "id"),
)
"""Ratings that an admin has stated."""

LADDERS = Table(
    "ladders",
    METADATA,
    Column("key", String(160), primary_key=True),
    Column("head_ms", BigInteger, nullable=False),
    Column("head_cause", String(160), nullable=False),
)
"""Every ladder with the last round that was folded. Its row is locked while it is folded."""

ENTRIES = Table(
    "entries",
    METADATA,
    Column("ladder", String(160), primary_key=True),
    Column("time_ms", BigInteger, primary_key=True, autoincrement=False),
    Column("cause", String(160), primary_key=True),
    Column("due", Boolean, nullable=False),
    Index("entries_due", "due", "ladder"),
    Index("entries_by_cause", "cause"),
)
"""Which matches and adjustments a ladder is the fold of, and which it must still take in."""

ROUNDS = Table(
    "rounds",
    METADATA,
    Column("ladder", String(160), primary_key=True),
    Column("time_ms", BigInteger, primary_key=True, autoincrement=False),
    Column("cause", String(160), primary_key=True),
    Column("season", String(8), nullable=False),
    Column("formula", String(16), nullable=False),
    Column("inputs_json", Text, nullable=False),
    Index("rounds_by_cause", "cause"),
)
"""What each round gave to the formula."""

CHANGES = Table(
    "changes",
    METADATA,
    Column("ladder", String(160), primary_key=True),
    Column("time_ms", BigInteger, primary_key=True, autoincrement=False),
    Column("cause", String(160), primary_key=True),
    Column("tenant", String(64), primary_key=True),
    Column("name", String(64), primary_key=True),
    Column("mu_before", Float(53), nullable=False),
    Column("sigma_before", Float(53), nullable=False),
    Column("mu_after", Float(53), nullable=False),
    Column("sigma_after", Float(53), nullable=False),
    Column("place", Integer, nullable=False),
    Column("member", LargeBinary, nullable=False),
    Index("changes_by_member", "ladder", "tenant", "name", "time_ms", "cause"),
    Index("changes_by_cause", "cause"),
)
"""What each round did to each of its members, and what he then was."""

STANDINGS = Table(
    "standings",
    METADATA,
    Column("ladder", String(160), primary_key=True),
    Column("season", String(8), primary_key=True),
    Column("tenant", String(64), primary_key=True),
    Column("name", String(64), primary_key=True),
    Column("mu", Float(53), nullable=False),
    Column("sigma", Float(53), nullable=False),
    Column("score", Float(53), nullable=False),
    Column("matches", Integer, nullable=False),
    Column("shown", Boolean, nullable=False),
    Column("last_ms", BigInteger, nullable=False),
    Column("member", LargeBinary, nullable=False),
    Column("version", Integer, nullable=False),
    Column("boarded", Boolean, nullable=False),
    Index("standings_by_member", "tenant", "name", "season"),
    Index("standings_unboarded", "boarded"),
)
"""Where everybody stands: of all time (season "") and in each season. `boarded`: the leaderboard
in Redis has it."""

RECORDS = Table(
    "records",
    METADATA,
    Column("match_id", String(64), primary_key=True),
    Column("tenant", String(64), nullable=False),
    Column("game", String(32), nullable=False),
    Column("finished_ms", BigInteger, nullable=False),
    Column("archived_ms", BigInteger, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Index("records_by_time", "finished_ms", "match_id"),
)
"""The archive; `body` is the contract's Record, deflated."""

OUTBOX = Table(
    "outbox",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("event", LargeBinary, nullable=False),
)
"""Facts that are true and must still be published."""
