"""The laboratory: matches played and records verified in this process, with no server."""
