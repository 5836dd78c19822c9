"""The tables that webhooks began with."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Forward."""
    _webhooks()
    _deliveries()
    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
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


def downgrade() -> None:
    """Back."""
    for table in ("requests", "outbox", "deliveries", "webhooks"):
        op.drop_table(table)


def _webhooks() -> None:
    op.create_table(
        "webhooks",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("tenant", sa.String(length=64), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("display_name", sa.String(length=64), nullable=False),
        sa.Column("kinds", sa.Text(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("old_secret", sa.LargeBinary(), nullable=True),
        sa.Column("old_until_ms", sa.BigInteger(), nullable=True),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("reason", sa.String(length=16), nullable=False),
        sa.Column("disabled_ms", sa.BigInteger(), nullable=True),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("failing_ms", sa.BigInteger(), nullable=True),
        sa.Column("error", sa.String(length=64), nullable=False),
        sa.Column("success_ms", sa.BigInteger(), nullable=True),
        sa.Column("created_ms", sa.BigInteger(), nullable=False),
        sa.Column("deleted_ms", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("webhooks_by_tenant", "webhooks", ["tenant", "created_ms", "id"], unique=False)
    op.create_index("webhooks_by_time", "webhooks", ["created_ms", "id"], unique=False)


def _deliveries() -> None:
    op.create_table(
        "deliveries",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("webhook", sa.String(length=32), nullable=False),
        sa.Column("tenant", sa.String(length=64), nullable=False),
        sa.Column("event", sa.String(length=160), nullable=False),
        sa.Column("kind", sa.String(length=64), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("state", sa.Integer(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("created_ms", sa.BigInteger(), nullable=False),
        sa.Column("tried_ms", sa.BigInteger(), nullable=True),
        sa.Column("next_ms", sa.BigInteger(), nullable=True),
        sa.Column("hold_ms", sa.BigInteger(), nullable=False),
        sa.Column("lease", sa.String(length=64), nullable=False),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.Column("error", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("webhook", "event", name="deliveries_by_event"),
    )
    columns = ["webhook", "created_ms", "id"]
    op.create_index("deliveries_by_webhook", "deliveries", columns, unique=False)
    op.create_index("deliveries_by_time", "deliveries", ["created_ms"], unique=False)
    op.create_index("deliveries_due", "deliveries", ["state", "next_ms"], unique=False)
