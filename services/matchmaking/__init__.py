"""Players find one another: tickets, parties, tables."""
