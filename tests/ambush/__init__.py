"""Ambush: the conformance game. Small but nasty, hosted in tests and never shipped."""
