"""The tables of the matchmaking service. Tickets and tables are not here: they live in Redis."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, MetaData, String, Table, Text

METADATA = MetaData()

POLICIES = Table(
    "policies",
    METADATA,
    Column("tenant", String(64), primary_key=True),
    Column("game", String(32), primary_key=True),
    Column("mode", String(8), primary_key=True),
    Column("body", Text, nullable=False),
    Column("author", String(64), nullable=False),
    Column("stated_ms", BigInteger, nullable=False),
)
"""What was stated of a tenant's queues; tenant "": of all that have stated nothing. `body` is the
Policy as JSON."""

REQUESTS = Table(
    "requests",
    METADATA,
    Column("id", String(64), primary_key=True),
    Column("body", String(64), nullable=False),
    Column("at_ms", BigInteger, nullable=False),
)
"""The requests that stated them, with the hash of what they said."""
