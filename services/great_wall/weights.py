"""What things are worth to bots, in honour."""

from __future__ import annotations

from typing import NamedTuple


class Weights(NamedTuple):
    """Honour for one of each; `_year`: for each year after this one.

    Found by letting bots with weights at random play each other: `tools/learn_great_wall.py`.
    """

    good: float = 0.55
    """A building good, up to sixteen of them."""
    many: float = 0.4
    """A building good beyond."""
    kind: float = 0.3
    """One of the first two of a kind."""
    chi: float = 0.9
    relief: float = 1.1
    """A chi that will return shame."""
    tactic: float = 0.7
    shame: float = 0.9
    """A token that a breach of this year will bring; the penalty is what the rules say."""
    below: float = 0.12
    """How much honour counts that the penalty for shame would take."""
    later: float = 0.5
    """How much a breach of a later year counts."""
    drift: float = 0.5
    """How much a section's gap will close for each turn that is still to come."""
    spread: float = 1.5
    """How uncertain that is."""
    weaken: float = 0.5
    """The share of a horde's power that wounds will take away, if turns are to come."""
    toll: float = 1.0
    """An own soldier that a breach would kill."""
    overseer: float = 0.7
    overseer_year: float = 1.6
    clerk: float = 0.3
    clerk_year: float = 0.5
    advisor: float = 0.24
    advisor_year: float = 0.6
    harvest: float = 0.85
    """A good that clerks at work will gather."""
    donation: float = 1.2
    wall: float = 0.42
    """A wall that can be paid, for each honour it brings."""
    build: float = 1.0
    recruit: float = 3.4
    """A clerk in the barracks whose recruit can be paid."""
    hire: float = 1.2
    academy: float = 0.7
    tea_house: float = 0.5
    missing: float = 0.62
    """How sure a location is to be filled, for each slot that is free."""
    alone: float = 0.5
    """How likely nobody else comes, for each slot that is free."""
    lonely: float = 4.0
    """Shame that comes with an activation where nobody else has a clerk."""
    idle: float = 0.1
    """A clerk without work."""
    rest: float = 3.5
    firing: float = 4.2
    firing_year: float = 1.4
    wound: float = 8.0
    """A horde that is nearly defeated."""
    spot: float = 1.6
    """A spot that an own soldier covers."""
    fight: float = 0.5
    """The share of the prize that a soldier on a fresh horde is sure of."""
    tea: float = 0.2
    rival: float = 0.18
    """How much a rival's honour counts against one's own."""
    card: float = 0.6
    """A command card in hand, of the first three."""
    move: float = 0.5
    """A clerk that a chosen card will move."""
    advanced: float = 1.6
    """An advanced activation of a chosen card."""
    economy: float = 2.4
    banners: float = 1.4
    betrayal: float = 1.6
    strike: float = 1.0
    """A soldier that a chosen attack order will send out."""
    plan_recruit: float = 4.5
    """A recruit that is going to attack."""
    plan_sortie: float = 0.6
    """A soldier that may attack now."""
    plan_build: float = 0.4
    """A wall to build now, for each honour."""
    plan_barricade: float = 1.2
    plan_pay: float = 0.8
    """A good still to be paid."""
    plan_move: float = 0.25
    plan_hire: float = 1.0
    plan_upgrade: float = 0.25
    plan_take: float = 0.9
    """A good to take."""
    plan_few: float = 0.5
    """Any other small thing still to be done."""


WEIGHTS = Weights()
