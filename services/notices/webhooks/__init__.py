"""Telling tenants' backends what happens, at addresses that they have named."""
