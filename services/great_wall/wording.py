"""Words for amounts, goods, filters and the longer primitives."""

from __future__ import annotations

from services.great_wall.amounts import ALL, Amount
from services.great_wall.effects import Attack, Gain, Recruit, Site
from services.great_wall.goods import RESOURCES, SOLDIERS, Goods
from services.great_wall.triggers import When


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
