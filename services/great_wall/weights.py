"""What things are worth to bots, in honour."""

from __future__ import annotations

from services.gamekit.game import Record


class Weights(Record, frozen=True, cache_hash=True):
    """Honour for one of each; `_year`: for each year after this one.

    Found by letting bots play with and against weights a little off: `tools/climb_great_wall.py`.
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
    """A place in the tea order, for each year after this one."""
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
    "good": (0.542, 0.499, 0.448, 0.558),
    "many": (0.157, 0.863, 0.143, 0.306),
    "kind": (0.138, 0.356, 0.2, 0.0328),
    "chi": (0.856, 1.36, 2.21, 0.554),
    "relief": (1.64, 2.09, 1.53, 2.02),
    "tactic": (0.671, 0.272, 0.156, 0.122),
    "shame": (1.42, 0.9, 1.74, 1.3),
    "below": (0.0973, 0.15, 0.144, 0.112),
    "later": (0.171, 0.203, 0.318, 0.156),
    "drift": (1.55, 0.583, 2.8, 1.09),
    "spread": (2.06, 4.81, 0.898, 2.62),
    "weaken": (1.64, 2.01, 0.544, 0.439),
    "toll": (0.495, 0.421, 0.228, 3.16),
    "overseer": (0.882, 1.03, 0.699, 1.14),
    "overseer_year": (1.24, 3.5, 4.37, 4.07),
    "clerk": (2.18, 1.3, 0.49, 1.61),
    "clerk_year": (0.187, 0.652, 0.3, 1.25),
    "advisor": (1.96, 0.0732, 0.249, 0.085),
    "advisor_year": (0.298, 0.803, 0.302, 0.177),
    "harvest": (0.285, 0.683, 0.898, 0.434),
    "donation": (3.66, 3.75, 6.39, 6.77),
    "wall": (0.184, 0.227, 0.544, 0.282),
    "build": (0.194, 0.517, 0.488, 1.63),
    "recruit": (12.6, 13.0, 16.8, 18.4),
    "hire": (0.255, 0.493, 0.257, 0.432),
    "academy": (0.0864, 0.567, 0.472, 0.424),
    "missing": (0.451, 0.251, 0.32, 0.321),
    "bustle": (0.174, 0.319, 0.316, 1.2),
    "alone": (0.839, 0.613, 0.249, 0.0968),
    "lonely": (5.87, 2.27, 2.41, 1.69),
    "idle": (0.168, 0.0424, 0.0228, 0.0522),
    "rest": (0.272, 1.46, 1.55, 1.11),
    "firing": (4.01, 4.64, 3.32, 2.08),
    "firing_year": (3.87, 0.374, 1.18, 0.166),
    "wound": (4.76, 2.33, 61.0, 10.4),
    "spot": (0.749, 0.387, 1.39, 1.03),
    "fight": (0.0221, 0.356, 0.248, 0.841),
    "tea": (1.83, 4.28, 3.0, 3.0),
    "rival": (4.66, 0.121, 0.121, 0.038),
    "card": (0.116, 0.25, 0.617, 0.0328),
    "move": (1.14, 0.517, 0.452, 0.274),
    "advanced": (6.99, 2.1, 1.03, 1.44),
    "economy": (4.27, 7.38, 4.44, 11.1),
    "banners": (0.0948, 1.05, 1.51, 3.11),
    "betrayal": (0.313, 1.21, 1.06, 0.3),
    "strike": (0.564, 0.881, 1.32, 0.874),
    "plan_recruit": (47.9, 54.9, 77.7, 118.0),
    "plan_sortie": (3.46, 0.589, 0.351, 2.29),
    "plan_build": (10.4, 0.903, 2.2, 0.431),
    "plan_barricade": (4.84, 0.899, 1.0, 0.836),
    "plan_pay": (1.43, 0.8, 0.774, 1.11),
    "plan_move": (0.302, 0.167, 0.124, 0.219),
    "plan_hire": (2.26, 1.07, 0.667, 0.866),
    "plan_upgrade": (1.77, 0.485, 0.215, 0.212),
    "plan_take": (12.6, 2.08, 2.45, 1.13),
    "plan_few": (1.21, 0.693, 0.565, 0.356),
}
"""Each weight for one to four seats."""

WEIGHTS = {
    seats: Weights(**{name: row[seats - 1] for name, row in LEARNED.items()})
    for seats in range(1, 5)
}
"""By the number of seats."""
