"""Tenants, their API keys and players, the tokens that speak for them, and who did what."""
