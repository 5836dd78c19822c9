"""The matchmaking database's own chain of migrations."""
