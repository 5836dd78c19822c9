"""The tables of webhooks. A copy of them signs nothing: secrets are sealed with the key of the key
file."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from services.runtime.repeats import requests_table

METADATA = MetaData()

WEBHOOKS = Table(
    "webhooks",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("tenant", String(64), nullable=False),
    Column("url", Text, nullable=False),
    Column("display_name", String(64), nullable=False),
    Column("kinds", Text, nullable=False),
    Column("secret", LargeBinary, nullable=False),
    Column("old_secret", LargeBinary),
    Column("old_until_ms", BigInteger),
    Column("enabled", Boolean, nullable=False),
    Column("reason", String(16), nullable=False),
    Column("disabled_ms", BigInteger),
    Column("failures", Integer, nullable=False),
    Column("failing_ms", BigInteger),
    Column("rest_ms", BigInteger),
    Column("error", String(64), nullable=False),
    Column("success_ms", BigInteger),
    Column("created_ms", BigInteger, nullable=False),
    Column("deleted_ms", BigInteger),
    Index("webhooks_by_tenant", "tenant", "created_ms", "id"),
    Index("webhooks_by_time", "created_ms", "id"),
)
"""Addresses that are told; `kinds` with spaces between, "" is all; `reason` says why one is not
enabled; one that fails is left alone until `rest_ms`."""

DELIVERIES = Table(
    "deliveries",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("webhook", String(32), nullable=False),
    Column("tenant", String(64), nullable=False),
    Column("event", String(160), nullable=False),
    Column("kind", String(64), nullable=False),
    Column("subject", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("state", Integer, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("tried_ms", BigInteger),
    Column("next_ms", BigInteger),
    Column("hold_ms", BigInteger, nullable=False),
    Column("lease", String(64), nullable=False),
    Column("status", Integer, nullable=False),
    Column("error", String(64), nullable=False),
    UniqueConstraint("webhook", "event", name="deliveries_by_event"),
    Index("deliveries_by_webhook", "webhook", "created_ms", "id"),
    Index("deliveries_by_time", "created_ms"),
    Index("deliveries_due", "state", "next_ms"),
)
"""What is told, once for each webhook and fact. `next_ms`: when it is tried, null: not at all.
Until `hold_ms` it is in somebody's hand: `lease` is the attempt that has it, or "" while workers
have only been told of it; 0 while nobody has."""

REQUESTS = requests_table(METADATA)

OUTBOX = Table(
    "outbox",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("event", LargeBinary, nullable=False),
)
"""Facts that are true and must still be published."""
