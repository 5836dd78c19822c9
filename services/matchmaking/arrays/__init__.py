"""Choosing tables with arrays: a queue may have a hundred thousand tickets."""
