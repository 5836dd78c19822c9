"""The webhooks database's own chain of migrations."""
