"""The tables of a game: every seat count, with the options found from type hints."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from random import Random
from typing import Any, Literal, get_args, get_origin

from games.engines.base import Engine
from games.engines.common import codec

COMBINATIONS = 4  # of several deviations at once, drawn with a fixed seed


@dataclass(frozen=True)
class Table:
    """A game about to begin: the engine, the variant and the number of seats."""

    engine: Engine[Any, Any]
    options: Any
    seats: int

    def __str__(self) -> str:
        return f"{self.engine.about.slug}-{self.seats}-{called(self.options)}"


def called(options: Any) -> str:
    """A variant named by its differences from the default: "laws_kept=True"."""
    default = type(options)()
    names = [f.name for f in fields(options)]
    told = [name for name in names if getattr(options, name) != getattr(default, name)]
    return "+".join(f"{name}={getattr(options, name)}" for name in told) or "default"


def tables(engine: Engine[Any, Any]) -> list[Table]:
    """Every seat count with every variant."""
    fewest, most = engine.about.seats
    options = variants(engine.about.options)
    return [
        Table(engine, variant, seats) for seats in range(fewest, most + 1) for variant in options
    ]


def variants(kind: type[Any]) -> list[Any]:
    """The default, each single deviation from it, and a few combinations, without duplicates."""
    default = kind()
    allowed = {name: list(values(hint)) for name, hint in codec.field_types(kind).items()}
    single = [
        replace(default, **{name: value}) for name, listed in allowed.items() for value in listed
    ]
    chance = Random(kind.__qualname__)
    several = [
        replace(
            default, **{name: chance.choice(listed) for name, listed in allowed.items() if listed}
        )
        for _ in range(COMBINATIONS)
    ]
    return list(dict.fromkeys([default, *single, *several]))


def values(hint: Any) -> Iterator[Any]:
    """The values of an option to try: all of a few values, the bounds of a range, none of other
    types."""
    if hint is bool:
        yield from (False, True)
    elif get_origin(hint) is Literal:
        yield from get_args(hint)
    else:
        limit = next(iter(get_args(hint)[1:]), None)
        if isinstance(limit, codec.Between):
            yield from (limit.low, limit.high)
        elif isinstance(limit, codec.OneOf):
            yield from limit.values
