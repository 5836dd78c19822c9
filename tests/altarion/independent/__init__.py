"""Altarion examined from the rules document alone: a second model of the whole game."""
