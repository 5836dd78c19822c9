"""Bag: what is owned, paid and gained."""

from __future__ import annotations

from services.gamekit.bag import Bag


class Pack(Bag, frozen=True):
    wood: int = 0
    stone: int = 0
    gold: int = 0


def test_bags_add_subtract_and_multiply_good_by_good() -> None:
    assert Pack(wood=1, gold=2) + Pack(wood=3, stone=1) == Pack(4, 1, 2)
    assert Pack(wood=1) - Pack(wood=3, stone=1) == Pack(-2, -1, 0)
    assert Pack(wood=1, gold=2) * 3 == Pack(3, 0, 6)


def test_a_bag_stays_of_its_own_kind() -> None:
    assert type(Pack(1) + Pack(1)) is Pack
    assert type(Pack(1) * 2) is Pack


def test_a_bag_covers_a_price_only_in_every_good() -> None:
    assert Pack(2, 1).covers(Pack(2, 1))
    assert Pack(2, 1).covers(Pack())
    assert not Pack(9, 0, 9).covers(Pack(stone=1))


def test_an_empty_bag_is_false() -> None:
    assert not Pack()
    assert Pack(gold=1)
    assert Pack(wood=1, stone=-1)


def test_a_bag_tells_what_is_in_it() -> None:
    assert list(Pack(wood=2, gold=1).items()) == [("wood", 2), ("gold", 1)]
    assert Pack(wood=2, gold=1).total() == 3


def test_a_bag_can_be_a_key() -> None:
    assert len({Pack(1), Pack(1), Pack(2)}) == 2
