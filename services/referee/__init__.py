"""The host: it keeps matches of any game, and knows none."""
