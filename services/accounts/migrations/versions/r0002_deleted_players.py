"""Players may be deleted: what a tenant calls them may be unset."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

TEXT = sa.String(length=128)


def upgrade() -> None:
    """Forward."""
    with op.batch_alter_table("players") as players:
        players.add_column(sa.Column("deleted_ms", sa.BigInteger(), nullable=True))
        players.alter_column("external_id", existing_type=TEXT, nullable=True)
    op.create_index("players_by_deletion", "players", ["deleted_ms"], unique=False)


def downgrade() -> None:
    """Back. Who was deleted is gone for good."""
    op.drop_index("players_by_deletion", table_name="players")
    op.execute(sa.text("DELETE FROM players WHERE external_id IS NULL"))
    with op.batch_alter_table("players") as players:
        players.alter_column("external_id", existing_type=TEXT, nullable=False)
        players.drop_column("deleted_ms")
