"""The scoring service's own database."""

from __future__ import annotations

from pathlib import Path

from services.runtime.database import Database, database_url
from services.runtime.settings import Settings

SCRIPTS = Path(__file__).parent / "migrations"


def database_of(settings: Settings) -> Database:
    """Where results, ratings and the archive are kept. Raises SettingsError."""
    file = settings.data_dir / "scoring.db"
    return Database(database_url(settings.scoring_db, file, "VALLUM_SCORING_DB"), SCRIPTS)
