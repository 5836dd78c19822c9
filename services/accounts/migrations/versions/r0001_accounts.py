"""The tables that the service began with."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Forward."""

    op.create_table(
        "api_keys",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("tenant", sa.String(length=32), nullable=False),
        sa.Column("display_name", sa.String(length=64), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("scopes", sa.Integer(), nullable=False),
        sa.Column("created_ms", sa.BigInteger(), nullable=False),
        sa.Column("expires_ms", sa.BigInteger(), nullable=True),
        sa.Column("revoked_ms", sa.BigInteger(), nullable=True),
        sa.Column("used_ms", sa.BigInteger(), nullable=True),
        sa.Column("replaces", sa.String(length=32), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("api_keys_by_expiry", "api_keys", ["expires_ms"], unique=False)
    op.create_index("api_keys_by_revocation", "api_keys", ["revoked_ms"], unique=False)
    op.create_index("api_keys_by_tenant", "api_keys", ["tenant", "created_ms", "id"], unique=False)
    op.create_index("api_keys_by_time", "api_keys", ["created_ms", "id"], unique=False)
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.Column("tenant", sa.String(length=32), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("key", sa.String(length=32), nullable=False),
        sa.Column("action", sa.String(length=64), nullable=False),
        sa.Column("target", sa.String(length=160), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("audit_by_tenant", "audit", ["tenant", "id"], unique=False)
    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "players",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("tenant", sa.String(length=32), nullable=False),
        sa.Column("external_id", sa.String(length=128), nullable=False),
        sa.Column("display_name", sa.String(length=64), nullable=False),
        sa.Column("created_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("tenant", "external_id", name="players_by_external_id"),
    )
    op.create_index("players_by_tenant", "players", ["tenant", "created_ms", "id"], unique=False)
    op.create_index("players_by_time", "players", ["created_ms", "id"], unique=False)
    op.create_table(
        "requests",
        sa.Column("caller", sa.Text(), nullable=False),
        sa.Column("request_id", sa.String(length=64), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.Column("target", sa.String(length=160), nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("caller", "request_id"),
    )
    op.create_index("requests_by_time", "requests", ["at_ms"], unique=False)
    op.create_table(
        "signing_keys",
        sa.Column("kid", sa.String(length=64), nullable=False),
        sa.Column("public", sa.LargeBinary(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("created_ms", sa.BigInteger(), nullable=False),
        sa.Column("use_ms", sa.BigInteger(), nullable=False),
        sa.Column("retire_ms", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("kid"),
    )
    op.create_table(
        "tenants",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("display_name", sa.String(length=64), nullable=False),
        sa.Column("suspended", sa.Boolean(), nullable=False),
        sa.Column("created_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("tenants_by_time", "tenants", ["created_ms", "id"], unique=False)
    op.create_table(
        "trust",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )


def downgrade() -> None:
    """Back."""

    op.drop_table("trust")
    op.drop_index("tenants_by_time", table_name="tenants")
    op.drop_table("tenants")
    op.drop_table("signing_keys")
    op.drop_index("requests_by_time", table_name="requests")
    op.drop_table("requests")
    op.drop_index("players_by_time", table_name="players")
    op.drop_index("players_by_tenant", table_name="players")
    op.drop_table("players")
    op.drop_table("outbox")
    op.drop_index("audit_by_tenant", table_name="audit")
    op.drop_table("audit")
    op.drop_index("api_keys_by_time", table_name="api_keys")
    op.drop_index("api_keys_by_tenant", table_name="api_keys")
    op.drop_index("api_keys_by_revocation", table_name="api_keys")
    op.drop_index("api_keys_by_expiry", table_name="api_keys")
    op.drop_table("api_keys")
