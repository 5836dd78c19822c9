"""What things are worth to bots, in honour."""

from __future__ import annotations

from services.gamekit.game import Record


class Weights(Record, frozen=True, cache_hash=True):
    """Honour for one of each; `_year`: for each year after this one.

    Found by letting bots with weights at random play each other: `tools/learn_great_wall.py`.
    """

    good: float
    """A building good, up to sixteen of them."""
    many: float
    """A building good beyond."""
    kind: float
    """One of the first two of a kind."""
    chi: float
    relief: float
    """A chi that will return shame."""
    tactic: float
    shame: float
    """A token that a breach of this year will bring; the penalty is what the rules say."""
    below: float
    """How much honour counts that the penalty for shame would take."""
    later: float
    """How much a breach of a later year counts."""
    drift: float
    """How much a section's gap will close for each turn that is still to come."""
    spread: float
    """How uncertain that is."""
    weaken: float
    """The share of a horde's power that wounds will take away, if turns are to come."""
    toll: float
    """An own soldier that a breach would kill."""
    overseer: float
    overseer_year: float
    clerk: float
    clerk_year: float
    advisor: float
    advisor_year: float
    harvest: float
    """A good that clerks at work will gather."""
    donation: float
    wall: float
    """A wall that can be paid, for each honour it brings."""
    build: float
    recruit: float
    """A clerk in the barracks whose recruit can be paid."""
    hire: float
    academy: float
    tea_house: float
    missing: float
    """How sure a location is to be filled, for each slot that is free."""
    bustle: float
    """How much easier that is for each clan's turn that is left this year."""
    alone: float
    """How likely nobody else comes, for each slot that is free."""
    lonely: float
    """Shame that comes with an activation where nobody else has a clerk."""
    idle: float
    """A clerk without work."""
    rest: float
    firing: float
    firing_year: float
    wound: float
    """A horde that is nearly defeated."""
    spot: float
    """A spot that an own soldier covers."""
    fight: float
    """The share of the prize that a soldier on a fresh horde is sure of."""
    tea: float
    rival: float
    """How much a rival's honour counts against one's own."""
    card: float
    """A command card in hand, of the first three."""
    move: float
    """A clerk that a chosen card will move."""
    advanced: float
    """An advanced activation of a chosen card."""
    economy: float
    banners: float
    betrayal: float
    strike: float
    """A soldier that a chosen attack order will send out."""
    plan_recruit: float
    """A recruit that is going to attack."""
    plan_sortie: float
    """A soldier that may attack now."""
    plan_build: float
    """A wall to build now, for each honour."""
    plan_barricade: float
    plan_pay: float
    """A good still to be paid."""
    plan_move: float
    plan_hire: float
    plan_upgrade: float
    plan_take: float
    """A good to take."""
    plan_few: float
    """Any other small thing still to be done."""


LEARNED: dict[str, tuple[float, float, float, float]] = {
    "good": (0.55, 0.55, 0.55, 0.55),
    "many": (0.4, 0.4, 0.4, 0.4),
    "kind": (0.3, 0.3, 0.3, 0.3),
    "chi": (0.9, 0.9, 0.9, 0.9),
    "relief": (1.1, 1.1, 1.1, 1.1),
    "tactic": (0.7, 0.7, 0.7, 0.7),
    "shame": (0.9, 0.9, 0.9, 0.9),
    "below": (0.12, 0.12, 0.12, 0.12),
    "later": (0.5, 0.5, 0.5, 0.5),
    "drift": (0.5, 0.5, 0.5, 0.5),
    "spread": (1.5, 1.5, 1.5, 1.5),
    "weaken": (0.5, 0.5, 0.5, 0.5),
    "toll": (1.0, 1.0, 1.0, 1.0),
    "overseer": (0.7, 0.7, 0.7, 0.7),
    "overseer_year": (1.6, 1.6, 1.6, 1.6),
    "clerk": (0.3, 0.3, 0.3, 0.3),
    "clerk_year": (0.5, 0.5, 0.5, 0.5),
    "advisor": (0.24, 0.24, 0.24, 0.24),
    "advisor_year": (0.6, 0.6, 0.6, 0.6),
    "harvest": (0.85, 0.85, 0.85, 0.85),
    "donation": (1.2, 1.2, 1.2, 1.2),
    "wall": (0.42, 0.42, 0.42, 0.42),
    "build": (1.0, 1.0, 1.0, 1.0),
    "recruit": (3.4, 3.4, 3.4, 3.4),
    "hire": (1.2, 1.2, 1.2, 1.2),
    "academy": (0.7, 0.7, 0.7, 0.7),
    "tea_house": (0.5, 0.5, 0.5, 0.5),
    "missing": (0.66, 0.66, 0.72, 0.75),
    "bustle": (0.04, 0.04, 0.04, 0.05),
    "alone": (0.5, 0.5, 0.5, 0.5),
    "lonely": (4.0, 4.0, 4.0, 4.0),
    "idle": (0.1, 0.1, 0.1, 0.1),
    "rest": (3.5, 3.5, 3.5, 3.5),
    "firing": (4.2, 4.2, 4.2, 4.2),
    "firing_year": (1.4, 1.4, 1.4, 1.4),
    "wound": (8.0, 8.0, 8.0, 8.0),
    "spot": (1.6, 1.6, 1.6, 1.6),
    "fight": (0.5, 0.5, 0.5, 0.5),
    "tea": (0.2, 0.2, 0.2, 0.2),
    "rival": (0.18, 0.18, 0.18, 0.18),
    "card": (0.6, 0.6, 0.6, 0.6),
    "move": (0.5, 0.5, 0.5, 0.5),
    "advanced": (1.6, 1.6, 1.6, 1.6),
    "economy": (2.4, 2.4, 2.4, 2.4),
    "banners": (1.4, 1.4, 1.4, 1.4),
    "betrayal": (1.6, 1.6, 1.6, 1.6),
    "strike": (1.0, 1.0, 1.0, 1.0),
    "plan_recruit": (4.5, 4.5, 4.5, 4.5),
    "plan_sortie": (0.6, 0.6, 0.6, 0.6),
    "plan_build": (0.4, 0.4, 0.4, 0.4),
    "plan_barricade": (1.2, 1.2, 1.2, 1.2),
    "plan_pay": (0.8, 0.8, 0.8, 0.8),
    "plan_move": (0.25, 0.25, 0.25, 0.25),
    "plan_hire": (1.0, 1.0, 1.0, 1.0),
    "plan_upgrade": (0.25, 0.25, 0.25, 0.25),
    "plan_take": (0.9, 0.9, 0.9, 0.9),
    "plan_few": (0.5, 0.5, 0.5, 0.5),
}
"""Each weight for one to four seats."""

WEIGHTS = {
    seats: Weights(**{name: row[seats - 1] for name, row in LEARNED.items()})
    for seats in range(1, 5)
}
"""By the number of seats."""
