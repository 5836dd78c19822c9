"""Telling those who are not looking: what concerns a player in all of his matches, and who wants
to play with him."""
