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
    "good": (0.432, 0.45, 0.416, 0.392),
    "many": (0.281, 0.434, 0.26, 0.338),
    "kind": (0.305, 0.287, 0.23, 0.127),
    "chi": (1.09, 1.16, 1.18, 1.59),
    "relief": (1.85, 1.71, 1.47, 1.05),
    "tactic": (0.579, 0.838, 0.503, 0.471),
    "shame": (0.853, 0.986, 1.49, 1.11),
    "below": (0.147, 0.105, 0.164, 0.13),
    "later": (0.311, 0.606, 0.44, 0.418),
    "drift": (0.508, 0.41, 0.447, 0.541),
    "spread": (1.9, 2.29, 2.07, 1.05),
    "weaken": (0.798, 0.614, 0.776, 0.733),
    "toll": (0.537, 0.684, 0.655, 1.12),
    "overseer": (1.07, 0.762, 0.89, 0.823),
    "overseer_year": (2.86, 1.48, 1.14, 2.21),
    "clerk": (0.271, 0.396, 0.362, 0.384),
    "clerk_year": (0.443, 0.695, 0.497, 0.403),
    "advisor": (0.164, 0.145, 0.137, 0.133),
    "advisor_year": (0.562, 0.605, 0.406, 0.528),
    "harvest": (1.1, 0.811, 1.29, 1.11),
    "donation": (1.09, 1.27, 1.95, 1.36),
    "wall": (0.433, 0.234, 0.507, 0.686),
    "build": (0.506, 0.611, 0.548, 0.746),
    "recruit": (3.03, 4.5, 5.95, 4.8),
    "hire": (0.91, 0.67, 0.758, 0.646),
    "academy": (0.542, 0.604, 0.5, 0.486),
    "tea_house": (0.777, 0.465, 0.499, 0.45),
    "missing": (0.537, 0.525, 0.59, 0.736),
    "bustle": (0.0435, 0.0524, 0.0831, 0.054),
    "alone": (0.358, 0.302, 0.268, 0.195),
    "lonely": (2.32, 2.94, 2.41, 3.02),
    "idle": (0.101, 0.0911, 0.0657, 0.0802),
    "rest": (4.19, 3.59, 3.83, 3.42),
    "firing": (5.12, 3.92, 3.27, 3.39),
    "firing_year": (0.938, 1.05, 1.02, 0.976),
    "wound": (11.6, 5.97, 15.1, 12.1),
    "spot": (0.947, 1.01, 1.69, 1.7),
    "fight": (0.591, 0.58, 0.623, 0.431),
    "tea": (0.143, 0.13, 0.155, 0.17),
    "rival": (0.185, 0.18, 0.149, 0.117),
    "card": (0.575, 0.543, 0.388, 0.246),
    "move": (0.46, 0.598, 0.677, 0.919),
    "advanced": (1.38, 2.22, 2.11, 2.25),
    "economy": (3.83, 1.7, 3.97, 2.32),
    "banners": (0.832, 1.14, 1.06, 2.2),
    "betrayal": (1.12, 1.73, 1.5, 1.41),
    "strike": (0.74, 1.16, 1.02, 0.837),
    "plan_recruit": (10.9, 8.95, 15.1, 17.8),
    "plan_sortie": (1.08, 0.419, 0.497, 0.478),
    "plan_build": (0.361, 0.305, 0.437, 0.571),
    "plan_barricade": (1.5, 1.46, 1.01, 0.813),
    "plan_pay": (1.19, 0.846, 0.809, 0.876),
    "plan_move": (0.159, 0.334, 0.268, 0.387),
    "plan_hire": (0.893, 0.88, 0.945, 1.16),
    "plan_upgrade": (0.467, 0.256, 0.165, 0.177),
    "plan_take": (1.77, 1.29, 1.21, 0.81),
    "plan_few": (0.654, 0.34, 0.435, 0.368),
}
"""Each weight for one to four seats."""

WEIGHTS = {
    seats: Weights(**{name: row[seats - 1] for name, row in LEARNED.items()})
    for seats in range(1, 5)
}
"""By the number of seats."""
