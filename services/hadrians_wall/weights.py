"""What things are worth to a bot of Hadrian's Wall, in points: tables learnt by play."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from services.hadrians_wall.cards import PlayerCard
from services.hadrians_wall.outlook import Nerve


class Weights(NamedTuple):
    """The tables; `tools/learn_hadrians_wall.py` says how they are learnt."""

    lasting: Mapping[str, tuple[float, float]]
    """A box, level or building: for each year to come, and once while any is to come."""
    goods: Mapping[str, tuple[float, float, float]]
    """A good in hand: before the last year, more for each year to come; in the last year."""
    paths: Mapping[PlayerCard, float]
    """What each missing point of a path is worth in year 1."""
    step: tuple[float, float]
    """The whole way to a path's next point, in year 1; in the last year."""
    aristocrat: tuple[float, float, float]
    """Points expected; fewer for each disdain, and for each year to come."""
    near: float
    """The whole way to the next gain of an attribute, in the last year."""
    nerve: Nerve


LASTING: dict[str, tuple[float, float]] = {
    "production": (0.534, -0.129),
    "hotel": (1.129, -0.056),
    "workshop": (0.79, -0.213),
    "road": (0.681, 0.004),
    "medium_granary": (2.042, 0.018),
    "large_granary": (1.171, 0.146),
    "fort": (0.292, 0.173),
    "fort_ahead": (0.031, 0.212),
    "wall": (0.325, 0.267),
    "guard": (0.296, -0.012),
    "mining": (0.186, 0.164),
    "cippi": (0.146, 0.068),
    "traders": (0.137, 0.284),
    "performers": (0.038, 0.008),
    "priests": (-0.031, -0.032),
    "apparitores": (-0.018, 0.073),
    "patricians": (0.033, -0.035),
    "theatre": (0.331, -0.033),
    "market": (0.371, 0.264),
    "courthouse": (0.201, -0.07),
    "ludus": (0.39, -0.063),
    "gladiators": (0.098, 0.01),
    "temples": (0.293, -0.077),
    "temple_boxes": (0.047, -0.073),
    "gardens": (-0.018, -0.062),
    "precinct": (-0.009, -0.094),
    "baths": (0.029, 0.194),
    "bathable": (0.39, 0.048),
    "diplomats": (-0.013, -0.33),
    "cells": (-0.012, 0.022),
    "rows": (0.057, -0.13),
    "landmark": (-0.021, 0.065),
    "stage": (0.009, -0.164),
    "near": (0.02, -0.079),
}

GOODS: dict[str, tuple[float, float, float]] = {
    "soldier": (1.05, -0.014, 0.607),
    "builder": (0.719, -0.012, 0.651),
    "servant": (0.777, 0.067, 0.546),
    "civilian": (1.332, -0.045, 0.74),
    "resource": (1.028, -0.062, 0.722),
}

PATHS: dict[PlayerCard, float] = {
    PlayerCard.ARCHITECT: 0.156,
    PlayerCard.ARISTOCRAT: 0.0,
    PlayerCard.DEFENDER: 0.105,
    PlayerCard.ENGINEER: 0.078,
    PlayerCard.FIGHTER: 0.151,
    PlayerCard.FORAGER: 0.127,
    PlayerCard.MERCHANT: 0.105,
    PlayerCard.PLANNER: 0.183,
    PlayerCard.PONTIFF: 0.058,
    PlayerCard.RANGER: 0.108,
    PlayerCard.TRAINER: 0.079,
    PlayerCard.VANGUARD: 0.062,
}

WEIGHTS = Weights(
    lasting=LASTING,
    goods=GOODS,
    paths=PATHS,
    step=(0.583, 0.252),
    aristocrat=(1.326, 0.279, 0.049),
    near=0.245,
    nerve=Nerve(valour=0.765, disdain=1.231, growth=3.037),
)
"""What the shipped bots judge by."""
