"""The tables that the service began with."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Forward."""

    op.create_table(
        "adjustments",
        sa.Column("id", sa.String(length=160), nullable=False),
        sa.Column("ladder", sa.String(length=160), nullable=False),
        sa.Column("tenant", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("mu", sa.Float(precision=53), nullable=False),
        sa.Column("sigma", sa.Float(precision=53), nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.Column("author", sa.String(length=64), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("adjustments_by_ladder", "adjustments", ["ladder", "at_ms", "id"], unique=False)
    op.create_table(
        "changes",
        sa.Column("ladder", sa.String(length=160), nullable=False),
        sa.Column("time_ms", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("cause", sa.String(length=160), nullable=False),
        sa.Column("tenant", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("mu_before", sa.Float(precision=53), nullable=False),
        sa.Column("sigma_before", sa.Float(precision=53), nullable=False),
        sa.Column("mu_after", sa.Float(precision=53), nullable=False),
        sa.Column("sigma_after", sa.Float(precision=53), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("member", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("ladder", "time_ms", "cause", "tenant", "name"),
    )
    op.create_index("changes_by_cause", "changes", ["cause"], unique=False)
    op.create_index(
        "changes_by_member",
        "changes",
        ["ladder", "tenant", "name", "time_ms", "cause"],
        unique=False,
    )
    op.create_table(
        "corrections",
        sa.Column("id", sa.String(length=160), nullable=False),
        sa.Column("match_id", sa.String(length=64), nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.Column("author", sa.String(length=64), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(
        "corrections_by_match", "corrections", ["match_id", "at_ms", "id"], unique=False
    )
    op.create_table(
        "entries",
        sa.Column("ladder", sa.String(length=160), nullable=False),
        sa.Column("time_ms", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("cause", sa.String(length=160), nullable=False),
        sa.Column("due", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("ladder", "time_ms", "cause"),
    )
    op.create_index("entries_by_cause", "entries", ["cause"], unique=False)
    op.create_index("entries_due", "entries", ["due", "ladder"], unique=False)
    op.create_table(
        "events",
        sa.Column("id", sa.String(length=160), nullable=False),
        sa.Column("handled_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "ladders",
        sa.Column("key", sa.String(length=160), nullable=False),
        sa.Column("head_ms", sa.BigInteger(), nullable=False),
        sa.Column("head_cause", sa.String(length=160), nullable=False),
        sa.PrimaryKeyConstraint("key"),
    )
    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "records",
        sa.Column("match_id", sa.String(length=64), nullable=False),
        sa.Column("tenant", sa.String(length=64), nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("finished_ms", sa.BigInteger(), nullable=False),
        sa.Column("archived_ms", sa.BigInteger(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("match_id"),
    )
    op.create_index("records_by_time", "records", ["finished_ms", "match_id"], unique=False)
    op.create_table(
        "results",
        sa.Column("match_id", sa.String(length=64), nullable=False),
        sa.Column("tenant", sa.String(length=64), nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("rules_version", sa.String(length=64), nullable=False),
        sa.Column("mode", sa.String(length=8), nullable=False),
        sa.Column("seat_count", sa.Integer(), nullable=False),
        sa.Column("finished_ms", sa.BigInteger(), nullable=False),
        sa.Column("event_id", sa.String(length=160), nullable=False),
        sa.Column("options_json", sa.Text(), nullable=True),
        sa.Column("archived", sa.Boolean(), nullable=False),
        sa.Column("imported", sa.Boolean(), nullable=False),
        sa.Column("match", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("match_id"),
    )
    op.create_index("results_by_game", "results", ["game", "mode", "seat_count"], unique=False)
    op.create_index(
        "results_by_tenant", "results", ["tenant", "finished_ms", "match_id"], unique=False
    )
    op.create_index("results_by_time", "results", ["finished_ms", "match_id"], unique=False)
    op.create_index("results_unarchived", "results", ["archived"], unique=False)
    op.create_table(
        "rounds",
        sa.Column("ladder", sa.String(length=160), nullable=False),
        sa.Column("time_ms", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("cause", sa.String(length=160), nullable=False),
        sa.Column("season", sa.String(length=8), nullable=False),
        sa.Column("formula", sa.String(length=16), nullable=False),
        sa.Column("inputs_json", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("ladder", "time_ms", "cause"),
    )
    op.create_index("rounds_by_cause", "rounds", ["cause"], unique=False)
    op.create_table(
        "score_lines",
        sa.Column("match_id", sa.String(length=64), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("match_id", "seat", "number"),
    )
    op.create_table(
        "seats",
        sa.Column("match_id", sa.String(length=64), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("tenant", sa.String(length=64), nullable=False),
        sa.Column("player", sa.String(length=64), nullable=False),
        sa.Column("bot", sa.String(length=64), nullable=False),
        sa.Column("retired", sa.Boolean(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("score", sa.Integer(), nullable=False),
        sa.Column("decided_by", sa.String(length=64), nullable=False),
        sa.Column("finished_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("match_id", "seat"),
    )
    op.create_index(
        "seats_by_player", "seats", ["tenant", "player", "finished_ms", "match_id"], unique=False
    )
    op.create_table(
        "standings",
        sa.Column("ladder", sa.String(length=160), nullable=False),
        sa.Column("season", sa.String(length=8), nullable=False),
        sa.Column("tenant", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("mu", sa.Float(precision=53), nullable=False),
        sa.Column("sigma", sa.Float(precision=53), nullable=False),
        sa.Column("score", sa.Float(precision=53), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.Column("shown", sa.Boolean(), nullable=False),
        sa.Column("last_ms", sa.BigInteger(), nullable=False),
        sa.Column("member", sa.LargeBinary(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("boarded", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("ladder", "season", "tenant", "name"),
    )
    op.create_index("standings_by_member", "standings", ["tenant", "name", "season"], unique=False)
    op.create_index("standings_unboarded", "standings", ["boarded"], unique=False)


def downgrade() -> None:
    """Back."""

    op.drop_index("standings_unboarded", table_name="standings")
    op.drop_index("standings_by_member", table_name="standings")
    op.drop_table("standings")
    op.drop_index("seats_by_player", table_name="seats")
    op.drop_table("seats")
    op.drop_table("score_lines")
    op.drop_index("rounds_by_cause", table_name="rounds")
    op.drop_table("rounds")
    op.drop_index("results_unarchived", table_name="results")
    op.drop_index("results_by_time", table_name="results")
    op.drop_index("results_by_tenant", table_name="results")
    op.drop_index("results_by_game", table_name="results")
    op.drop_table("results")
    op.drop_index("records_by_time", table_name="records")
    op.drop_table("records")
    op.drop_table("outbox")
    op.drop_table("ladders")
    op.drop_table("events")
    op.drop_index("entries_due", table_name="entries")
    op.drop_index("entries_by_cause", table_name="entries")
    op.drop_table("entries")
    op.drop_index("corrections_by_match", table_name="corrections")
    op.drop_table("corrections")
    op.drop_index("changes_by_member", table_name="changes")
    op.drop_index("changes_by_cause", table_name="changes")
    op.drop_table("changes")
    op.drop_index("adjustments_by_ladder", table_name="adjustments")
    op.drop_table("adjustments")
