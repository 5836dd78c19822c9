"""A hero's turn: found a mine, or roll, walk, fight and act (chapters 5 to 9)."""

from __future__ import annotations

from collections import Counter

from tests.altarion.independent.board import KIND, ends, touching
from tests.altarion.independent.world import WHEEL, Ask, Hero, Story, World

TESTS = {
    "might": ("strength", 6),
    "craft": ("mining", 6),
    "luck": ("", 4),
    "peril": ("strength", 7),
}
"""What is added to the die, and what must be reached (2.8)."""


def price(hero: Hero) -> int:
    """Crowns for a mine (8.2)."""
    return 5 - hero.able("thrift")


def take_turns(world: World, seat: int) -> Story:
    """A player takes each hero once, in any order (5.3)."""
    own = world.players[seat].heroes
    while waiting := [hero for hero in own if not hero.acted]:
        options = [("choose_hero", hero.card) for hero in waiting]
        _, card = yield from world.choose(seat, "hero", options)
        yield from take_turn(world, seat, next(hero for hero in waiting if hero.card == card))


def take_turn(world: World, seat: int, hero: Hero) -> Story:
    """5.3: (a) a mine, or (b) everything else."""
    hero.acted, hero.fresh = True, False
    own = world.players[seat]
    options = [
        ("found_mine", mineral)
        for mineral in hero.deposits
        if own.crowns >= price(hero) and own.stock[mineral] and world.supply(mineral)
        if not world.mined(hero.field)
    ]
    word = yield from world.choose(seat, "spend", [*options, ("roll_instead",)])
    hero.deposits = []
    if word[0] == "found_mine":
        hero.founding = word[1]
        return
    die = yield from walk(world, seat, hero)
    if (yield from fight(world, seat, hero, die)):
        word = yield from world.choose(seat, "action", [("mine",), ("explore",)])
        yield from (mine if word == ("mine",) else explore)(world, seat, hero)


def walk(world: World, seat: int, hero: Hero) -> Story:
    """5.4, 5.5; gives the die."""
    _, die = yield Ask(-1, "roll")
    world.rolled(seat, hero, "move/1", die)
    steps, held = (die + 1) // 2, world.held()
    fields = ends(hero.field, steps, held)
    if hero.able("stride"):
        fields |= ends(hero.field, steps + 1, held)
    _, hero.field = yield from world.choose(seat, "move", [("move", field) for field in fields])
    return die


def fight(world: World, seat: int, hero: Hero, die: int) -> Story:
    """Chapter 9; whether the hero lives to act."""
    foes = {
        foe.card: (other, foe)
        for other, foe in world.heroes()
        if other != seat
        and world.round >= 5
        and die < 5
        and foe.field in touching(hero.field)
        and not (hero.fought or foe.fought or foe.fresh)
        and other not in world.players[seat].attacked
    }
    options = [("start_dispute", card) for card in foes]
    word = yield from world.choose(seat, "dispute", [*options, ("keep_peace",)])
    if word[0] == "keep_peace":
        return True
    other, foe = foes[word[1]]
    world.players[seat].attacked.add(other)
    hero.fought = foe.fought = True
    _, attack, defence = yield Ask(-1, "duel")
    world.rolled(seat, hero, "attack/1", attack)
    world.rolled(other, foe, "defend/1", defence)
    ahead = attack + hero.of("strength") + hero.able("attack")
    ahead -= defence + foe.of("strength") + foe.able("defend")
    if ahead > 0:
        yield from despoil(world, (seat, hero), (other, foe))
    elif ahead < 0:
        yield from despoil(world, (other, foe), (seat, hero))
        return False
    return True


def despoil(world: World, winner: tuple[int, Hero], loser: tuple[int, Hero]) -> Story:
    """9.6, 9.7."""
    take, give = (world.players[one].stock for one, _ in (winner, loser))
    for left in range(2 + winner[1].able("plunder"), 0, -1):
        kinds = [mineral for mineral in WHEEL if give[mineral]]
        if give.total() <= left:
            take.update(give)
            give.clear()
            break
        options = [("loot", mineral) for mineral in kinds]
        _, mineral = yield from world.choose(winner[0], "loot", options)
        take[mineral] += 1
        give[mineral] -= 1
    seat, hero = loser
    world.players[seat].heroes.remove(hero)
    world.sand.append(hero.card)
    if not world.players[seat].heroes:
        world.bury(seat)


def mine(world: World, seat: int, hero: Hero) -> Story:
    """Chapter 6."""
    _, cards = yield Ask(-1, "mining")
    good, found = True, set[str]()
    easy = KIND[hero.field] == "outcrop" or hero.able("sure")
    for number, (card, roll) in enumerate(cards, 1):
        world.card("mining", card)
        kind, _, mineral = card.rpartition("_")
        if kind == "hard_rock" and not easy:
            world.rolled(seat, hero, f"rock/{number}", roll)
            good &= roll >= 3
        else:
            assert roll is None
        if kind == "deposit":
            found.add(mineral)
    world.used["mining"].update(card for card, _ in cards)
    if not world.mined(hero.field):
        hero.deposits = [mineral for mineral in WHEEL if mineral in found]
    for _ in range(hero.of("mining") + hero.able("ore") if good else 0):
        _, mineral = yield from world.choose(seat, "pick", [("pick", one) for one in WHEEL])
        world.players[seat].stock[mineral] += 1


def explore(world: World, seat: int, hero: Hero) -> Story:
    """Chapter 7."""
    limit = {"core": 4, "ruins": 3}.get(KIND[hero.field], 2) + hero.able("deep")
    cards: list[str] = []
    while True:
        _, card, roll, gained, lost = yield Ask(-1, "exploration")
        world.card("exploration", card)
        cards.append(card)
        good = tried(world, seat, hero, (card, len(cards)), roll)
        if good:
            win(world, seat, hero, len(cards), gained)
        assert good or not gained
        lose(world, seat, hero, lost, 2 if card == "peril" and not good else 0)
        if not good or len(cards) == limit:
            break
        word = yield from world.choose(seat, "more", [("draw_again",), ("stop_exploring",)])
        if word == ("stop_exploring",):
            break
    world.used["exploration"].update(cards)


def tried(world: World, seat: int, hero: Hero, card: tuple[str, int], roll: int | None) -> bool:
    """Whether a card is positive (2.8)."""
    kind, number = card
    if kind == "find":
        assert roll is None
        return True
    assert roll is not None
    world.rolled(seat, hero, f"trial/{number}", roll)
    parameter, least = TESTS[kind]
    return roll + hero.of(parameter) + hero.able("lore") >= least


def win(world: World, seat: int, hero: Hero, number: int, gained: tuple[str, ...]) -> None:
    """Two random minerals (7.2)."""
    assert len(gained) == 2
    for which, mineral in enumerate(gained, 2 * number - 1):
        world.rolled(seat, hero, f"mineral/{which}", WHEEL.index(mineral) + 1)
    world.players[seat].stock.update(gained)


def lose(world: World, seat: int, hero: Hero, lost: tuple[str, ...], due: int) -> None:
    """Random pieces of one's own (7.3, 13.2)."""
    stock: Counter[str] = world.players[seat].stock
    assert len(lost) == min(due, stock.total())
    for number, mineral in enumerate(lost, 1):
        pieces = [WHEEL.index(one) + 1 for one in stock.elements()]
        label = f"loss/{world.round}/{seat}/{hero.card}/{number}"
        world.drew(label, pieces, WHEEL.index(mineral) + 1)
        stock[mineral] -= 1
