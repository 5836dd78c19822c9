"""The accounts database's own chain of migrations."""
