"""The tables of a game: every seat count with every variant, derived from type hints."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from random import Random
from typing import Any, Literal, get_args, get_origin

from tabularium_engines.base import AnyEngine
from tabularium_engines.common import json_codec

COMBINATIONS = 4  # of several deviations at once, drawn with a fixed seed


@dataclass(frozen=True)
class Table:
    """A game about to begin: the engine, the variant and the number of seats."""

    engine: AnyEngine
    options: Any
    seats: int

    def __str__(self) -> str:
        about = self.engine.about
        version = f"-v{about.version}" if about.version > 1 else ""
        return f"{about.slug}{version}-{self.seats}-{variant_name(self.options)}"


def variant_name(options: Any) -> str:
    """The name of a variant, by its differences from the default: "laws_kept=True"."""
    default = type(options)()
    names = [f.name for f in fields(options)]
    changed_names = [name for name in names if getattr(options, name) != getattr(default, name)]
    return "+".join(f"{name}={getattr(options, name)}" for name in changed_names) or "default"


def tables(engine: AnyEngine) -> list[Table]:
    """Every seat count with every variant that fits it."""
    fewest, most = engine.about.seats
    options = variants(engine.about.options)
    return [
        Table(engine, variant, seats)
        for seats in range(fewest, most + 1)
        for variant in options
        if engine.misfit(variant, seats) is None
    ]


def single_variants(kind: type[Any]) -> list[Any]:
    """The default and each single deviation from it, without duplicates."""
    default = kind()
    changes = [
        replace(default, **{name: value})
        for name, choices in _values_by_name(kind).items()
        for value in choices
    ]
    return list(dict.fromkeys([default, *changes]))


def variants(kind: type[Any]) -> list[Any]:
    """The default, each single deviation from it, and a few combinations, without duplicates."""
    default, values_by_name = kind(), _values_by_name(kind)
    chance = Random(kind.__qualname__)
    combinations = [
        replace(
            default,
            **{name: chance.choice(choices) for name, choices in values_by_name.items() if choices},
        )
        for _ in range(COMBINATIONS)
    ]
    return list(dict.fromkeys([*single_variants(kind), *combinations]))


def _values_by_name(kind: type[Any]) -> dict[str, list[Any]]:
    return {name: list(option_values(hint)) for name, hint in json_codec.field_types(kind).items()}


def option_values(hint: Any) -> Iterator[Any]:
    """The values of an option to try: all of a few values, the bounds of a range, none of other
    types."""
    if hint is bool:
        yield from (False, True)
    elif get_origin(hint) is Literal:
        yield from get_args(hint)
    else:
        limit = next(iter(get_args(hint)[1:]), None)
        if isinstance(limit, json_codec.Between):
            yield from (limit.low, limit.high)
        elif isinstance(limit, json_codec.OneOf):
            yield from limit.values
