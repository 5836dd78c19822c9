"""The text of cards and locations, made of the same data as their effects."""

from __future__ import annotations

from typing import assert_never

from services.great_wall.amounts import Amount
from services.great_wall.cards import artifacts
from services.great_wall.cards.board import PLACES
from services.great_wall.cards.commands import COMMANDS, REED_CARD, SOLO, Command, CommandCard
from services.great_wall.cards.hordes import FACES
from services.great_wall.cards.scripts import ABILITIES
from services.great_wall.cards.tactics import TACTICS
from services.great_wall.effects import (
    Ability,
    AdvancedActivation,
    Attack,
    Build,
    Choose,
    CopyCard,
    DiscardShame,
    Donate,
    DrawTactics,
    Effect,
    Effects,
    Gain,
    Hire,
    Lose,
    MoveClerks,
    MoveSoldiers,
    MoveTea,
    OverseerIncome,
    Pay,
    Reach,
    Reclaim,
    Recruit,
    SaveSoldier,
    UpgradeOverseer,
    Wound,
)
from services.great_wall.passives import Forbid, ModifyCost, ModifyValue
from services.great_wall.triggers import Trigger
from services.great_wall.wording import (
    attack,
    condition,
    gain,
    goods,
    joined,
    number,
    plain,
    recruit,
    site,
)


def step(effect: Effect) -> str:  # noqa: C901, PLR0912, PLR0915  # one case a primitive
    """One primitive in words."""
    match effect:
        case Gain():
            return gain(effect)
        case Pay():
            return f"pay {joined(goods(effect.goods), 'and')}"
        case Lose():
            return f"lose {number(effect.count)} resource of choice"
        case MoveClerks():
            where = "" if effect.to is Reach.ANY else f" ({plain(effect.to)} locations)"
            return f"move up to {number(effect.count)} clerks{where}"
        case AdvancedActivation():
            lowest = " (the lowest of his track)" if effect.lowest_qin else ""
            return f"advanced activation of up to {number(effect.count)} locations{lowest}"
        case Recruit():
            return recruit(effect)
        case Attack():
            return attack(effect)
        case Wound():
            return f"place up to {number(effect.count)} wounds ({plain(effect.where)})"
        case UpgradeOverseer():
            where = f" at {plain(effect.where)}" if effect.where else ""
            cheap = f" for {effect.discount} less" if effect.discount else ""
            return f"upgrade up to {number(effect.count)} overseers{where}{cheap}"
        case OverseerIncome():
            return f"take the income of up to {number(effect.count)} overseers"
        case DrawTactics():
            return f"draw {number(effect.count)} tactic cards"
        case DiscardShame():
            return f"discard up to {number(effect.count)} shame"
        case Build():
            free = "for free " if effect.free else ""
            return f"build {free}up to {number(effect.count)} {effect.what}{site(effect.site)}"
        case SaveSoldier():
            return f"save up to {number(effect.count)} soldiers"
        case Hire():
            return f"hire up to {number(effect.count)} {effect.what}"
        case MoveSoldiers():
            return f"perform up to {number(effect.count)} logistics moves"
        case Donate():
            return f"donate up to {number(effect.count)} {effect.of}"
        case MoveTea():
            up = f"up by {effect.steps}" if effect.steps else "to the top"
            return f"move the tea marker {up}"
        case Reclaim():
            return f"reclaim up to {number(effect.count)} command cards"
        case CopyCard():
            return "copy another player's command card"
        case Choose():
            return "choose: " + joined([steps(option) for option in effect.options], "or")
        case ModifyCost():
            less = f"{-effect.by} {effect.of or 'of any resource'}"
            return f"{effect.what} costs {less} less"
        case ModifyValue():
            by = f" {number(effect.by)}" if effect.by != Amount() else ""
            return f"{plain(effect.what)}: {plain(effect.op)}{by}"
        case Forbid():
            return f"{effect.type} may not cover the upper row"
        case _:
            assert_never(effect)


def steps(effects: Effects) -> str:
    """A list of effects."""
    return ", then ".join(step(effect) for effect in effects) or "nothing"


def ability(one: Ability) -> str:
    """An ability: when, under what condition, what."""
    head = "Always" if one.trigger is Trigger.PASSIVE else plain(one.trigger).capitalize()
    return f"{head}{condition(one.when)}: {steps(one.do)}."


def command(card: CommandCard) -> str:
    """The three parts of a command card."""
    top, others, bottom = steps(card.top), steps(card.others), steps(card.bottom)
    return f"You: {top}. Others: {others}. Then you: {bottom}."


def place_text(name: str) -> str:
    """A location."""
    place = next(one for location, one in PLACES.items() if location == name)
    slots = f"{joined([str(one) for one in place.slots], 'or')} slots" if place.slots else "special"
    if place.resource:
        costs = joined([" ".join(goods(cost)) for cost in place.overseer_cost], "then")
        what = f"gather {place.resource}, upgrade the overseer ({costs})"
        what += "" if place.resource == "chi" else ", donate 1"
    elif place.each:
        what = f"for each clerk: {steps(place.each)}"
    else:
        what = steps(place.together)
    return f"{slots}{', shame icon' if place.shame_icon else ''}: {what}."


def tactic_texts() -> dict[str, str]:
    """The tactic cards."""
    return {
        tactic: f"{plain(card.window).capitalize()}{condition(card.when)}: {steps(card.basic)}. "
        f"For {card.boost} chi instead: {steps(card.boosted)}."
        for tactic, card in TACTICS.items()
    }


TEXTS: dict[str, str] = {
    **{name: ability(one) for name, one in ABILITIES.items()},
    **tactic_texts(),
    **{name: ability(one) for name, one in artifacts.ABILITIES.items()},
    **{name: command(card) for name, card in COMMANDS.items()},
    **{f"qin_{name}": command(card) for name, card in SOLO.items()},
    Command.REED_STIRRING: command(REED_CARD),
    **{
        kind: ability(face.ability) if face.ability else "No ability."
        for kind, face in FACES.items()
    },
    **{location: place_text(location) for location in PLACES},
}
"""The text of every card and location by its name."""
