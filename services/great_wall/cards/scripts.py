"""Every list of effects by name: a task on the stack holds the name and a step."""

from __future__ import annotations

from collections.abc import Iterator

from services.great_wall.cards.advisors import ADVISORS, Advisor
from services.great_wall.cards.board import PLACES
from services.great_wall.cards.commands import (
    COMMANDS,
    REED_CARD,
    REED_SOLO_BOTTOM,
    REED_VISIT,
    SOLO,
    Command,
    CommandCard,
)
from services.great_wall.cards.generals import GENERALS
from services.great_wall.cards.tactics import TACTICS
from services.great_wall.effects import Ability, Choose, Effects, MoveClerks, MoveTea, Reach
from services.great_wall.passives import ModifyCost
from services.great_wall.triggers import Trigger

ABILITIES: dict[str, Ability] = {
    **{general: card.ability for general, card in GENERALS.items()},
    **dict[str, Ability](ADVISORS.items()),
}
"""What a general or an active advisor can do."""

CHEAPER: dict[Advisor, ModifyCost] = {
    advisor: effect
    for advisor, ability in ADVISORS.items()
    for effect in ability.do
    if isinstance(effect, ModifyCost)
}
"""Advisors that change a cost."""

BY_TRIGGER: dict[Trigger, frozenset[str]] = {
    trigger: frozenset(name for name, ability in ABILITIES.items() if ability.trigger is trigger)
    for trigger in Trigger
}
"""Cards by their trigger."""

SOLE_TEA = "tea_house/sole"
"""The tea house, for a single player who filled all its slots."""


def parts(name: str, card: CommandCard) -> Iterator[tuple[str, Effects]]:
    """The three parts of a command card."""
    yield f"{name}/top", card.top
    yield f"{name}/others", card.others
    yield f"{name}/bottom", card.bottom


def written() -> Iterator[tuple[str, Effects]]:
    """What the tables say, card by card."""
    for command, card in COMMANDS.items():
        yield from parts(command, card)
    for command, card in SOLO.items():
        yield from parts(f"qin_{command}", card)
    yield from parts(Command.REED_STIRRING, REED_CARD)
    yield f"{Command.REED_STIRRING}/solo", REED_SOLO_BOTTOM
    for name, ability in ABILITIES.items():
        yield name, ability.do
    for tactic, card_ in TACTICS.items():
        yield f"{tactic}/basic", card_.basic
        yield f"{tactic}/boosted", card_.boosted
    for location, place in PLACES.items():
        yield f"{location}/each", place.each
        yield f"{location}/together", place.together
    yield SOLE_TEA, (MoveTea(0),)
    for name, effects in REED_VISIT.items():
        yield f"reed/{name}", effects


def with_branches(name: str, effects: Effects) -> Iterator[tuple[str, Effects]]:
    """A script, and one for each option of its choices: `economy/bottom/0.1`."""
    yield name, effects
    for at, effect in enumerate(effects):
        if isinstance(effect, Choose):
            for option, steps in enumerate(effect.options):
                yield from with_branches(branch(name, at, option), steps)


def branch(name: str, at: int, option: int) -> str:
    """The script of an option of the choice that is step `at` of another script."""
    return f"{name}/{at}.{option}"


SCRIPTS: dict[str, Effects] = dict(
    one for name, effects in written() for one in with_branches(name, effects)
)

APART = frozenset(
    name
    for name, effects in SCRIPTS.items()
    if any(isinstance(one, MoveClerks) and one.to is Reach.DISTINCT for one in effects)
)
"""Frames that say: move clerks to different locations."""
