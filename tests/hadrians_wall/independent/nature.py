"""What the moves of NATURE lead to, written from the rules."""

# Functions of a table have the arguments of the table.

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tests.hadrians_wall.independent import attack_oracle, facts
from tests.hadrians_wall.independent.world import Page, World, give, receive


def written(row: tuple[int, ...], box: int, word: int) -> tuple[int, ...]:
    """A row of boxes with a number in one more of them."""
    return tuple(word if number == box else old for number, old in enumerate(row, 1))


def write_good(page: Page, box: int, good: int) -> None:
    """A good in a box of the market: renown if it is new, and the box's worker."""
    known = {one for one in page["goods"] if one}
    page["goods"] = written(page["goods"], box, good)
    if good not in known:
        give(page, facts.NEW_GOOD[len(known)])
    give(page, facts.MARKET[box - 1])


def draw(then: World, cards: Sequence[int]) -> None:
    """Cards leave the pile; when it is empty the discard becomes the pile (5)."""
    for card in cards:
        if not then.pile:
            then.pile, then.discard = set(then.discard), []
        then.pile.remove(card)


def turn_fate(then: World, move: Any) -> None:
    cards = [*move.rejected, move.card]
    draw(then, cards)
    then.discard += cards
    for page in then.pages:
        receive(page, facts.FATE[move.card].supply)
    then.phase = "deal"


def deal_cards(then: World, move: Any) -> None:
    for hand in move.hands:
        then.pages[hand.seat]["hand"] = hand.cards
    then.phase = "path"


def reveal_prospects(then: World, move: Any) -> None:
    for page, card in zip(then.pages, move.prospects, strict=True):
        assert {card, page["choice"]} == set(page["hand"])
        page["path"] = (*page["path"], page["choice"])
        page["prospects"] = (*page["prospects"], card)
        page.update(hand=(), choice=None)
    then.phase = "neutral"


def turn_neutral(then: World, move: Any) -> None:
    then.neutral = list(move.cards)


def draw_good(then: World, move: Any) -> None:
    seat, _, box = then.draws.pop(0)
    write_good(then.pages[seat], box, facts.FATE[move.card].good)
    draw(then, [move.card])
    then.discard.append(move.card)


def draw_gladiator(then: World, move: Any) -> None:
    seat, gladiator, _ = then.draws.pop(0)
    page = then.pages[seat]
    circled, wounds = page[gladiator], f"{gladiator}_wounds"
    for _ in range(facts.FATE[move.card].gladiator):
        page[wounds] = min(page[wounds] + 1, circled)
    dead = page[wounds] == circled
    give(page, (facts.DIES if dead else facts.SURVIVES)[circled - 1])
    draw(then, [move.card])
    then.discard.append(move.card)


def attack(then: World, move: Any) -> None:
    """The common cards, then each seat's own in seat order."""
    draw(then, move.cards + sum((claim.own_cards for claim in move.claims), ()))
    for page, claim in zip(then.pages, move.claims, strict=True):
        directions = [facts.FATE[card].direction for card in (*move.cards, *claim.own_cards)]
        through = attack_oracle.let_through(page, directions)
        page.update(alarms=0, own_attack=claim.own_cards, through=tuple(through.values()))
        page["facing"] = attack_oracle.may_help(page, through)
    then.attack = list(move.cards)
    then.phase = "favours"


NATURAL: dict[str, Callable[[World, Any], None]] = {
    "turn_fate": turn_fate, "deal_cards": deal_cards, "reveal_prospects": reveal_prospects,
    "turn_neutral": turn_neutral, "draw_good": draw_good, "draw_gladiator": draw_gladiator,
    "attack": attack,
}  # fmt: skip
