"""What every game must declare for a host to serve it. Each check raises `Fault`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import inspect

from services.gamekit.game import Action, Game, IllegalOptions, NatureMove, Options, Record
from services.gamekit.play import check_options
from services.gamekit.testing import CODE, Fault, expect


def kinds(game: Game[Any]) -> tuple[type[Action[Any]], ...]:
    """Every kind of move, each once."""
    return tuple(dict.fromkeys(kind for answers in game.moves.values() for kind in answers))


def check_tables(game: Game[Any]) -> None:
    """The meta data and the table of moves fit together; records hold nothing but values."""
    meta = game.meta
    expect(CODE.fullmatch(meta.key), f"key {meta.key!r} is not snake_case")
    expect(1 <= meta.min_seats <= meta.max_seats, "seat counts")
    for prompt, answers in game.moves.items():
        expect(CODE.fullmatch(prompt), f"prompt {prompt!r} is not snake_case")
        natural = [kind for kind in answers if issubclass(kind, NatureMove)]
        expect(answers and len(natural) in (0, len(answers)), f"{prompt} mixes NATURE and seats")
        expect(len(natural) < 2, f"{prompt} has two moves of NATURE")
    for prompt in meta.deferred:
        expect(issubclass(game.moves[prompt][0], NatureMove), f"{prompt} is not NATURE's")
    for prompt in meta.windows:
        expect(not issubclass(game.moves[prompt][0], NatureMove), f"{prompt} is NATURE's")
    tags = [kind.__struct_config__.tag for kind in kinds(game)]
    expect(len(set(tags)) == len(tags), "two kinds of move share a name")
    for record in (game.State, game.View, game.Options, *kinds(game)):
        for bad in impure(record):
            raise Fault(f"{record.__name__} holds {bad}")


PURE = (
    inspect.IntType,
    inspect.BoolType,
    inspect.StrType,
    inspect.NoneType,
    inspect.EnumType,
    inspect.LiteralType,
)


def impure(record: type[Record]) -> Iterator[str]:
    """Types within a record that are not values with one encoding."""
    seen: set[type] = set()
    queue: list[inspect.Type] = [inspect.type_info(record)]
    while queue:
        one = queue.pop()
        if isinstance(one, inspect.StructType):
            if one.cls not in seen:
                seen.add(one.cls)
                queue += [field.type for field in one.fields]
                if not one.cls.__struct_config__.frozen:
                    yield f"{one.cls.__name__}, which is not frozen"
        elif isinstance(one, inspect.UnionType):
            queue += one.types
        elif isinstance(one, inspect.VarTupleType):
            queue.append(one.item_type)
        elif isinstance(one, inspect.TupleType):
            queue += one.item_types
        elif not isinstance(one, PURE):
            yield type(one).__name__


def check_options_of(game: Game[Any]) -> None:
    """Default options fit every seat count; other seat counts are refused."""
    meta = game.meta
    for seats in range(meta.min_seats, meta.max_seats + 1):
        check_options(game, seats, game.Options())
    for seats in (meta.min_seats - 1, meta.max_seats + 1):
        check_refused(game, seats, game.Options())


def check_refused(game: Game[Any], seats: int, options: Options) -> None:
    """These options are refused, with a code and the field that is to blame."""
    try:
        check_options(game, seats, options)
    except IllegalOptions as refusal:
        expect(CODE.fullmatch(refusal.code), f"code {refusal.code!r}")
        expect("field" in refusal.detail, f"{refusal.code} names no field")
    else:
        raise Fault(f"{options} are accepted for {seats} seats")
