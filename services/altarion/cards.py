"""Every card of Altarion, one a line: nations, heroes, both piles, special buildings."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from services.altarion.goods import WHEEL, Mineral, Stock

CINDRITE, AURELIN, VERDANE, LAZSPAR, UMBRINE, PALEGLASS = WHEEL


class Nation(StrEnum):
    """One of the six nations."""

    VESK = "vesk"
    ORVANE = "orvane"
    TAMVIR = "tamvir"
    HADRUN = "hadrun"
    KESURAN = "kesuran"
    ILMOOR = "ilmoor"


class NationCard(NamedTuple):
    """What is printed on a nation card (2.4). Pay and income are crowns."""

    favours: Mineral
    start_pay: int
    income: int
    mines: tuple[Mineral, Mineral, Mineral]


NATIONS = {
    Nation.VESK: NationCard(CINDRITE, 60, 6, (CINDRITE, AURELIN, VERDANE)),
    Nation.ORVANE: NationCard(AURELIN, 70, 7, (AURELIN, AURELIN, VERDANE)),
    Nation.TAMVIR: NationCard(VERDANE, 60, 6, (VERDANE, UMBRINE, CINDRITE)),
    Nation.HADRUN: NationCard(LAZSPAR, 60, 6, (LAZSPAR, UMBRINE, PALEGLASS)),
    Nation.KESURAN: NationCard(UMBRINE, 70, 7, (UMBRINE, UMBRINE, PALEGLASS)),
    Nation.ILMOOR: NationCard(PALEGLASS, 60, 6, (PALEGLASS, AURELIN, LAZSPAR)),
}


class Ability(StrEnum):
    """What a hero is good at (2.6)."""

    ATTACK = "attack"
    DEFEND = "defend"
    STRIDE = "stride"
    SURE = "sure"
    ORE = "ore"
    LORE = "lore"
    DEEP = "deep"
    THRIFT = "thrift"
    PLUNDER = "plunder"


class HeroCard(NamedTuple):
    """A hero: two parameters whose sum is 5, and one ability of strength `n` (2.5)."""

    name: str
    strength: int
    mining: int
    ability: Ability
    n: int

    def bonus(self, ability: Ability) -> int:
        """The `n` of an ability that the hero has, 0 for any other."""
        return self.n if self.ability is ability else 0


HEROES = (
    HeroCard("Brakka the Ram", 4, 1, Ability.ATTACK, 1),
    HeroCard("Sael Whitehand", 2, 3, Ability.ATTACK, 2),
    HeroCard("Old Torvin", 3, 2, Ability.DEFEND, 1),
    HeroCard("Mirrel Quickgate", 1, 4, Ability.DEFEND, 2),
    HeroCard("Dashka Longstride", 4, 1, Ability.STRIDE, 1),
    HeroCard("Pip Farwander", 2, 3, Ability.STRIDE, 1),
    HeroCard("Ondo Stonesense", 1, 4, Ability.SURE, 1),
    HeroCard("Grubha Ironpick", 3, 2, Ability.SURE, 1),
    HeroCard("Hathe Deepbucket", 3, 2, Ability.ORE, 1),
    HeroCard("Ruvi Goldthumb", 2, 3, Ability.ORE, 1),
    HeroCard("Kaspar Ninelives", 4, 1, Ability.LORE, 1),
    HeroCard("Elowet the Reader", 1, 4, Ability.LORE, 1),
    HeroCard("Jorm Cavewalker", 3, 2, Ability.DEEP, 1),
    HeroCard("Tilla Lampbearer", 2, 3, Ability.DEEP, 1),
    HeroCard("Benno Boltwright", 1, 4, Ability.THRIFT, 5),
    HeroCard("Sister Aune", 2, 3, Ability.THRIFT, 5),
    HeroCard("Varg the Taker", 4, 1, Ability.PLUNDER, 2),
    HeroCard("Nessa Redhook", 3, 2, Ability.PLUNDER, 2),
)
"""The hero cards; a hero's number is its place here."""


class MiningCard(StrEnum):
    """A card of the mining pile (2.7)."""

    VEIN_CINDRITE = "vein_cindrite"
    VEIN_AURELIN = "vein_aurelin"
    VEIN_VERDANE = "vein_verdane"
    VEIN_LAZSPAR = "vein_lazspar"
    VEIN_UMBRINE = "vein_umbrine"
    VEIN_PALEGLASS = "vein_paleglass"
    HARD_ROCK_CINDRITE = "hard_rock_cindrite"
    HARD_ROCK_AURELIN = "hard_rock_aurelin"
    HARD_ROCK_VERDANE = "hard_rock_verdane"
    HARD_ROCK_LAZSPAR = "hard_rock_lazspar"
    HARD_ROCK_UMBRINE = "hard_rock_umbrine"
    HARD_ROCK_PALEGLASS = "hard_rock_paleglass"
    DEPOSIT_CINDRITE = "deposit_cindrite"
    DEPOSIT_AURELIN = "deposit_aurelin"
    DEPOSIT_VERDANE = "deposit_verdane"
    DEPOSIT_LAZSPAR = "deposit_lazspar"
    DEPOSIT_UMBRINE = "deposit_umbrine"
    DEPOSIT_PALEGLASS = "deposit_paleglass"


class Seam(NamedTuple):
    """What a mining card is: how many are in the pile, the least roll that makes it positive
    (0: always), and the mineral of a mine that it allows."""

    copies: int
    least: int = 0
    deposit: Mineral | None = None


MINING: dict[MiningCard, Seam] = {
    **{MiningCard(f"vein_{mineral}"): Seam(4) for mineral in WHEEL},
    **{MiningCard(f"hard_rock_{mineral}"): Seam(2, least=3) for mineral in WHEEL},
    **{MiningCard(f"deposit_{mineral}"): Seam(2, deposit=mineral) for mineral in WHEEL},
}


class ExplorationCard(StrEnum):
    """A card of the exploration pile (2.8)."""

    FIND = "find"
    MIGHT = "might"
    CRAFT = "craft"
    LUCK = "luck"
    PERIL = "peril"


class Parameter(StrEnum):
    """What a trial adds to the die."""

    STRENGTH = "strength"
    MINING = "mining"
    NOTHING = "nothing"


class Trial(NamedTuple):
    """What an exploration card is: positive when die and parameter reach `least` (0: always),
    else that many pieces of minerals are lost."""

    copies: int
    parameter: Parameter = Parameter.NOTHING
    least: int = 0
    losses: int = 0


EXPLORATION = {
    ExplorationCard.FIND: Trial(6),
    ExplorationCard.MIGHT: Trial(9, Parameter.STRENGTH, least=6),
    ExplorationCard.CRAFT: Trial(9, Parameter.MINING, least=6),
    ExplorationCard.LUCK: Trial(4, least=4),
    ExplorationCard.PERIL: Trial(8, Parameter.STRENGTH, least=7, losses=2),
}


class Special(StrEnum):
    """A special building, in the wheel order of its own mineral (2.9)."""

    EMBER_SPIRE = "ember_spire"
    SUN_VAULT = "sun_vault"
    ROOT_DOME = "root_dome"
    TIDE_ARCHIVE = "tide_archive"
    NIGHT_OBSERVATORY = "night_observatory"
    GLASS_BEACON = "glass_beacon"


SPECIALS = {
    Special.EMBER_SPIRE: Stock(cindrite=6, aurelin=4, verdane=2),
    Special.SUN_VAULT: Stock(aurelin=6, verdane=4, lazspar=2),
    Special.ROOT_DOME: Stock(verdane=6, lazspar=4, umbrine=2),
    Special.TIDE_ARCHIVE: Stock(lazspar=6, umbrine=4, paleglass=2),
    Special.NIGHT_OBSERVATORY: Stock(umbrine=6, paleglass=4, cindrite=2),
    Special.GLASS_BEACON: Stock(paleglass=6, cindrite=4, aurelin=2),
}
"""The minerals that a special building costs; the crowns are in tracks.py."""
