"""Wakes who watches a ticket or a table."""

from services.runtime.bell import Bell, rung

__all__ = ["Bell", "rung"]
