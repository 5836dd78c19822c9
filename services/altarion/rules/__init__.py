"""The moves of Altarion, a chapter of the rules a file."""
