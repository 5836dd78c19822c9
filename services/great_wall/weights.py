"""What things are worth to bots, in honour."""

from __future__ import annotations

from typing import NamedTuple


class Weights(NamedTuple):
    """Honour for one of each; `_year`: for each year after this one."""

    good: float = 0.6
    """A building good, up to sixteen of them."""
    chi: float = 0.5
    relief: float = 1.2
    """A chi that will return shame."""
    tactic: float = 0.9
    shame: float = 4.0
    below: float = 0.48
    """How much honour counts that the penalty for shame would take."""
    later: float = 0.6
    """How much a breach of a later year counts."""
    overseer: float = 0.3
    overseer_year: float = 1.0
    clerk: float = 0.3
    clerk_year: float = 0.8
    advisor: float = 0.24
    advisor_year: float = 0.6
    harvest: float = 0.85
    """A good that clerks at work will gather."""
    donation: float = 1.2
    wall: float = 0.45
    """A wall that can be paid, for each honour it brings."""
    build: float = 1.0
    recruit: float = 3.4
    """A clerk in the barracks whose recruit can be paid."""
    hire: float = 1.2
    academy: float = 0.7
    rest: float = 2.0
    firing: float = 2.4
    firing_year: float = 0.9
    wound: float = 6.0
    """A horde that is nearly defeated."""
    spot: float = 0.65
    """A spot that an own soldier covers."""
    fight: float = 0.5
    """The share of the prize that a soldier on a fresh horde is sure of."""
    tea: float = 0.25
    rival: float = 0.18
    """How much a rival's honour counts against one's own."""
    plan_recruit: float = 4.5
    """A recruit that is going to attack."""


WEIGHTS = Weights()
