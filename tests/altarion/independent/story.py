"""The story of a match: setup, and round after round to the end (chapters 3, 4, 8, 10 to 12)."""

from __future__ import annotations

from collections.abc import Iterator

from tests.altarion.independent.board import DATA, KIND, STARTS, apart, touching
from tests.altarion.independent.turns import price, take_turns
from tests.altarion.independent.world import NATIONS, WHEEL, Ask, Hero, Over, Story, Word, World

BUILDINGS = {one["id"]: one["cost"] for one in DATA["special_buildings"]}


def story(world: World) -> Story:
    """From the nations to the end."""
    try:
        yield from set_up(world)
        while world.round < world.limit:
            yield from play_round(world)
        world.ending = "limit"
    except Over as over:
        world.ending = str(over)


def set_up(world: World) -> Story:
    """Chapter 3."""
    _, nations = yield Ask(-1, "nations")
    left = [*NATIONS]
    for number, (player, nation) in enumerate(zip(world.players, nations, strict=True)):
        world.drew(f"nation/{number}", left, nation)
        left = [one for one in left if one != nation]
        player.nation, player.crowns = nation, NATIONS[nation]["start_pay"]
        player.stock.update(dict.fromkeys(WHEEL, 3))
    _, world.first = yield Ask(-1, "first_player")
    world.drew("first", range(len(world.players)), world.first)
    drawn: dict[int, int] = {}
    for seat in world.order():
        drawn[seat] = yield from recruit(world)
    for seat, card in drawn.items():
        yield from place(world, seat, card)


def recruit(world: World) -> Story:
    """The top hero: an undrawn one, else the longest dead (13.1)."""
    _, card = yield Ask(-1, "hero_card")
    world.drew(f"hero/{world.recruited}", world.unseen or world.sand[:1], card)
    (world.unseen or world.sand).remove(card)
    world.recruited += 1
    return card


def place(world: World, seat: int, card: int) -> Story:
    """On a free start field, else on the nearest free field (5.1)."""
    starts = STARTS[len(world.players)][seat]
    away = {field: min(apart(field, start) for start in starts) for field in {*KIND} - world.held()}
    options = [("place_hero", one) for one in away if away[one] == min(away.values())]
    _, field = yield from world.choose(seat, "place", options)
    world.players[seat].heroes.append(Hero(card, field))


def play_round(world: World) -> Story:
    """Chapter 4."""
    world.round += 1
    begin(world)
    if world.round >= 3 and world.round % 2:
        for seat in world.order():
            if len(world.players[seat].heroes) < 3:
                yield from place(world, seat, (yield from recruit(world)))
    if world.round > 1:
        pay_tribute(world)
    collect(world)
    for seat in world.order():
        if not world.players[seat].died:
            yield from take_turns(world, seat)
    yield from trade(world)
    build_mines(world)
    for seat in world.order():
        yield from build(world, seat)


def begin(world: World) -> None:
    """The marker moves on after each round (4.0); what is once a round is free again."""
    while world.round > 1:
        world.first = (world.first + 1) % len(world.players)
        if not world.players[world.first].died:
            break
    for player in world.players:
        player.attacked.clear()
        for hero in player.heroes:
            hero.acted = hero.fought = False


def pay_tribute(world: World) -> None:
    """11.1, 11.2; three misses in a row kill, at once for all (12.1, 12.2)."""
    for seat in world.order():
        one = world.players[seat]
        due = dict.fromkeys(WHEEL, 1 + len(one.built))
        one.sent = one.pays(due)
        one.misses = 0 if one.sent else one.misses + 1
        if one.sent:
            one.stock.subtract(due)
    if doomed := [seat for seat in world.order() if world.players[seat].misses == 3]:
        world.bury(*doomed)


def collect(world: World) -> None:
    """Phases 2 and 3: a tenth of the start pay, and minerals (8.3)."""
    standing = {hero.field: seat for seat, hero in world.heroes()}
    for seat in world.order():
        one = world.players[seat]
        one.crowns += NATIONS[one.nation]["start_pay"] // 10
        one.stock.update(NATIONS[one.nation]["mines"])
        for field, mineral in one.mines.items():
            world.players[standing.get(field, seat)].stock[mineral] += 2


def trade(world: World) -> Story:
    """Chapter 10."""
    for seat in world.order():
        for other in range(len(world.players)):
            if other != seat and meet(world, seat, other):
                yield from offer(world, seat, other)


def meet(world: World, seat: int, other: int) -> bool:
    """Whether two players have heroes on touching fields (10.1)."""
    own, theirs = (world.players[one].heroes for one in (seat, other))
    return any(two.field in touching(one.field) for one in own for two in theirs)


def offers(world: World, seat: int, other: int) -> Iterator[Word]:
    """What may be offered (10.2)."""
    own, theirs = (world.players[one].stock for one in (seat, other))
    for give in WHEEL:
        for take in WHEEL:
            for count in (1, 2, 3):
                if give != take and own[give] >= count and theirs[take] >= count:
                    yield "make_offer", give, take, count


def offer(world: World, seat: int, other: int) -> Story:
    """One offer to one neighbour, and its answer (10.2, 10.3)."""
    options = [*offers(world, seat, other), ("offer_nothing",)]
    word = yield from world.choose(seat, "offer", options)
    if word[0] == "offer_nothing":
        return
    answer = yield from world.choose(other, "answer", [("accept_offer",), ("decline_offer",)])
    if answer == ("accept_offer",):
        _, give, take, count = word
        own, theirs = (world.players[one].stock for one in (seat, other))
        own.subtract({give: count, take: -count})
        theirs.subtract({take: count, give: -count})


def build_mines(world: World) -> None:
    """Phase 5 (8.2, 14.9)."""
    for seat in world.order():
        one = world.players[seat]
        for hero in one.heroes:
            mineral, hero.founding = hero.founding, ""
            if not mineral or one.crowns < price(hero) or not one.stock[mineral]:
                continue
            if world.supply(mineral):
                one.crowns -= price(hero)
                one.stock[mineral] -= 1
                one.mines[hero.field] = mineral


def build(world: World, seat: int) -> Story:
    """Phase 6 (11.3); the fifth ends the game (1.3)."""
    one = world.players[seat]
    able = {
        name: {mineral: count for mineral, count in cost.items() if mineral != "crowns"}
        for name, cost in BUILDINGS.items()
        if one.sent and name not in one.built and one.crowns >= cost["crowns"]
    }
    options = [("build_special", name) for name, cost in able.items() if one.pays(cost)]
    word = yield from world.choose(seat, "special", [*options, ("build_nothing",)])
    if word[0] == "build_special":
        one.crowns -= 25
        one.stock.subtract(able[word[1]])
        one.built.append(word[1])
        if len(one.built) == 5:
            raise Over("special")
