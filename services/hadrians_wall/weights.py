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
    "production": (0.56, -0.124),
    "hotel": (1.116, -0.069),
    "workshop": (0.825, -0.253),
    "road": (0.69, -0.012),
    "medium_granary": (1.999, 0.034),
    "large_granary": (1.235, 0.166),
    "fort": (0.272, 0.204),
    "fort_ahead": (0.04, 0.25),
    "wall": (0.299, 0.279),
    "guard": (0.291, -0.037),
    "mining": (0.204, 0.08),
    "cippi": (0.159, 0.097),
    "traders": (0.134, 0.272),
    "performers": (0.036, 0.029),
    "priests": (-0.037, -0.036),
    "apparitores": (-0.03, 0.074),
    "patricians": (0.027, -0.04),
    "theatre": (0.345, -0.065),
    "market": (0.364, 0.277),
    "courthouse": (0.206, -0.057),
    "ludus": (0.413, -0.049),
    "gladiators": (0.091, 0.041),
    "temples": (0.292, -0.029),
    "temple_boxes": (0.037, -0.064),
    "gardens": (-0.03, -0.046),
    "precinct": (-0.013, -0.112),
    "baths": (0.021, 0.164),
    "bathable": (0.386, 0.023),
    "diplomats": (-0.017, -0.326),
    "cells": (-0.027, 0.057),
    "rows": (0.051, -0.155),
    "landmark": (-0.027, 0.105),
    "stage": (0.021, -0.172),
    "near": (0.03, -0.071),
}

GOODS: dict[str, tuple[float, float, float]] = {
    "soldier": (1.097, -0.012, 0.554),
    "builder": (0.767, -0.008, 0.719),
    "servant": (0.766, 0.063, 0.564),
    "civilian": (1.273, -0.04, 0.753),
    "resource": (1.067, -0.078, 0.666),
}

PATHS: dict[PlayerCard, float] = {
    PlayerCard.ARCHITECT: 0.154,
    PlayerCard.ARISTOCRAT: 0.0,
    PlayerCard.DEFENDER: 0.103,
    PlayerCard.ENGINEER: 0.076,
    PlayerCard.FIGHTER: 0.162,
    PlayerCard.FORAGER: 0.13,
    PlayerCard.MERCHANT: 0.106,
    PlayerCard.PLANNER: 0.173,
    PlayerCard.PONTIFF: 0.064,
    PlayerCard.RANGER: 0.115,
    PlayerCard.TRAINER: 0.078,
    PlayerCard.VANGUARD: 0.072,
}

WEIGHTS = Weights(
    lasting=LASTING,
    goods=GOODS,
    paths=PATHS,
    step=(0.648, 0.275),
    aristocrat=(1.178, 0.287, 0.051),
    near=0.247,
    nerve=Nerve(valour=0.735, disdain=1.466, growth=2.954),
)
"""What the shipped bots judge by."""
