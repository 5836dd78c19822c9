"""The text of cards and locations, made of the same data as their effects."""

from __future__ import annotations

from typing import assert_never

from services.great_wall.cards import artifacts
from services.great_wall.cards.board import PLACES
from services.great_wall.cards.commands import COMMANDS, REED_CARD, SOLO, Command, CommandCard
from services.great_wall.cards.hordes import FACES
from services.great_wall.cards.scripts import ABILITIES
from services.great_wall.cards.tactics import TACTICS
from services.great_wall.effects import (
    ALL,
    Ability,
    AdvancedActivation,
    Amount,
    Attack,
    Build,
    Choose,
    CopyCard,
    DiscardShame,
    Donate,
    DrawTactics,
    Effect,
    Effects,
    Forbid,
    Gain,
    Hire,
    Lose,
    ModifyCost,
    ModifyValue,
    MoveClerks,
    MoveSoldiers,
    MoveTea,
    OverseerIncome,
    Pay,
    Reach,
    Reclaim,
    Recruit,
    SaveSoldier,
    Site,
    Trigger,
    UpgradeOverseer,
    When,
    Wound,
)
from services.great_wall.goods import RESOURCES, SOLDIERS, Goods


def plain(word: str) -> str:
    """`on_last_wound` -> "on last wound"."""
    return word.replace("_", " ")


def joined(words: list[str], last: str) -> str:
    """ "a, b or c"."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def number(amount: Amount) -> str:
    """ "2", "4 + 2 x track economy", "support (at most 4)"."""
    if amount == ALL:
        return "all"
    words = []
    if amount.per:
        counted = " x ".join(plain(counter) for counter in amount.per)
        words.append(counted if amount.times == 1 else f"{amount.times} x {counted}")
    if amount.plus or not words:
        words.insert(0, str(amount.plus))
    most = "" if amount.most is None else f" (at most {amount.most})"
    return " + ".join(words) + most


def goods(some: Goods) -> list[str]:
    """ "2 gold" and so on."""
    return [f"{count} {name}" for name, count in some.items()]


def kinds(types: tuple[str, ...], every: tuple[str, ...], name: str) -> str:
    """Some types, or the general name for all of them."""
    return name if types == every else joined([plain(one) for one in types], "or")


def gain(effect: Gain) -> str:
    """What is taken."""
    words = goods(effect.goods)
    if effect.wild != Amount():
        choice = kinds(effect.kinds, RESOURCES, "resources")
        apart = "different " if effect.different else ""
        words.append(f"{number(effect.wild)} {apart}{choice} of choice")
    if effect.honour != Amount():
        words.append(f"{number(effect.honour)} honour")
    return f"gain {joined(words, 'and')}"


def recruit(effect: Recruit) -> str:
    """Who is recruited at what price."""
    price = ""
    if effect.price is not None:
        price = f" for {effect.price} resources of choice each" if effect.price else " for free"
    elif effect.discount:
        price = f", each for {effect.discount} resource less"
    return (
        f"recruit up to {number(effect.count)} {kinds(effect.types, SOLDIERS, 'soldiers')}{price}"
    )


def attack(effect: Attack) -> str:
    """Who attacks from where."""
    must = "must attack" if effect.mandatory else "may attack"
    zones = joined([f"in {plain(zone)}" for zone in effect.zones], "or")
    each = "" if effect.per_section > 9 else f", {effect.per_section} a section"
    return (
        f"{number(effect.count)} {kinds(effect.types, SOLDIERS, 'soldiers')} {zones} {must}{each}"
    )


def site(where: Site) -> str:
    """In which section."""
    return "" if where is Site.ANY else f" ({plain(where)})"


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


def condition(when: When) -> str:
    """The filters in words."""
    words = []
    if when.location:
        words.append(f"at {plain(when.location)}")
    if when.special:
        words.append("at a special location")
    if when.min_clerks:
        words.append(f"with at least {when.min_clerks} own clerks there")
    if when.type:
        words.append(f"with {when.type}")
    if when.on_card:
        words.append(f"with own {kinds(when.on_card, SOLDIERS, 'soldier')} on the horde")
    if when.in_firing:
        words.append("with an own archer in a firing spot of the section")
    if when.what:
        words.append(f"for {when.what}")
    if when.horde_row:
        words.append(f"in row {when.horde_row}")
    if when.no_soldier_on_card:
        words.append("for each player without a soldier on the card")
    return f" ({', '.join(words)})" if words else ""


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
