"""The accounts service's own database."""

from __future__ import annotations

from pathlib import Path

from services.runtime.database import Database, database_url
from services.runtime.settings import Settings

SCRIPTS = Path(__file__).parent / "migrations"


def database_of(settings: Settings) -> Database:
    """Where tenants, keys and players are kept. Raises SettingsError."""
    file = settings.data_dir / "accounts.db"
    return Database(database_url(settings.accounts_db, file, "VALLUM_ACCOUNTS_DB"), SCRIPTS)
