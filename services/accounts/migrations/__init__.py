"""The scoring database's own chain of migrations."""
