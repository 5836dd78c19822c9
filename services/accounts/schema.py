"""The tables of the accounts service. Nothing in them lets anybody in: secrets of API keys are
hashed, and signing keys are sealed with the key of the key file."""

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

TENANTS = Table(
    "tenants",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("display_name", String(64), nullable=False),
    Column("suspended", Boolean, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Index("tenants_by_time", "created_ms", "id"),
)
"""Customers of the platform."""

KEYS = Table(
    "api_keys",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("tenant", String(32), nullable=False),
    Column("display_name", String(64), nullable=False),
    Column("digest", LargeBinary, nullable=False),
    Column("scopes", Integer, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("expires_ms", BigInteger),
    Column("revoked_ms", BigInteger),
    Column("used_ms", BigInteger),
    Column("replaces", String(32), nullable=False),
    Index("api_keys_by_tenant", "tenant", "created_ms", "id"),
    Index("api_keys_by_time", "created_ms", "id"),
    Index("api_keys_by_expiry", "expires_ms"),
    Index("api_keys_by_revocation", "revoked_ms"),
)
"""API keys; `digest` is the SHA-256 of the whole key, `scopes` a bit each."""

PLAYERS = Table(
    "players",
    METADATA,
    Column("id", String(64), primary_key=True),
    Column("tenant", String(32), nullable=False),
    Column("external_id", String(128)),
    Column("display_name", String(64), nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("deleted_ms", BigInteger),
    UniqueConstraint("tenant", "external_id", name="players_by_external_id"),
    Index("players_by_tenant", "tenant", "created_ms", "id"),
    Index("players_by_time", "created_ms", "id"),
    Index("players_by_deletion", "deleted_ms"),
)
"""Who plays. Of who was deleted the id and the times are left."""

AUDIT = Table(
    "audit",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("at_ms", BigInteger, nullable=False),
    Column("tenant", String(32), nullable=False),
    Column("actor", Text, nullable=False),
    Column("key", String(32), nullable=False),
    Column("action", String(64), nullable=False),
    Column("target", String(160), nullable=False),
    Column("detail", Text, nullable=False),
    Index("audit_by_tenant", "tenant", "id"),
)
"""Who did what; only ever added to."""

REQUESTS = requests_table(METADATA)

SIGNING = Table(
    "signing_keys",
    METADATA,
    Column("kid", String(64), primary_key=True),
    Column("public", LargeBinary, nullable=False),
    Column("sealed", LargeBinary, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("use_ms", BigInteger, nullable=False),
    Column("retire_ms", BigInteger),
)
"""Keys that tokens are, were or will be signed with; `sealed` is the private half, encrypted."""

TRUST = Table(
    "trust",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("version", BigInteger, nullable=False),
)
"""One row: the version of what is said of keys. Whoever changes that raises it, and so waits for
whoever else does."""

OUTBOX = Table(
    "outbox",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("event", LargeBinary, nullable=False),
)
"""Facts that are true and must still be published."""
