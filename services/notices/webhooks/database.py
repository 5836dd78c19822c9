"""The database of webhooks."""

from __future__ import annotations

from pathlib import Path

from services.runtime.database import Database, database_url
from services.runtime.settings import Settings

SCRIPTS = Path(__file__).parent / "migrations"


def database_of(settings: Settings) -> Database:
    """Where webhooks and their deliveries are kept. Raises SettingsError."""
    file = settings.data_dir / "notices.db"
    return Database(database_url(settings.notices_db, file, "VALLUM_NOTICES_DB"), SCRIPTS)
