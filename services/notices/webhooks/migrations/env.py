"""Runs migrations on the connection that `Database.migrate` hands over."""

from __future__ import annotations

from alembic import context

from services.notices.webhooks.schema import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    transactional_ddl=True,
)
context.run_migrations()
