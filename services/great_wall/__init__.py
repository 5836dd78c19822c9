"""The Great Wall: its rules as pure functions over frozen values."""
