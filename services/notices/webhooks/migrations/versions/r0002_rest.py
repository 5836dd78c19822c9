"""A webhook that fails is left alone for a while."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Forward."""
    op.add_column("webhooks", sa.Column("rest_ms", sa.BigInteger(), nullable=True))


def downgrade() -> None:
    """Back."""
    op.drop_column("webhooks", "rest_ms")
