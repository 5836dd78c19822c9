"""Hadrian's Wall examined from the rules alone: own facts, own model, then the engine."""
