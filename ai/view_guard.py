"""The guard of views: bots receive a view and nothing else. Imports that could reach a true state
are forbidden here (`pyproject.toml`), and any value that is more than a view is refused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any, Final

from ai import bot_registry
from ai.bot_kinds import BotDecision, Budget
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed import registry as rules

PLAIN_TYPES: Final = frozenset({str, int, bool, type(None)})


class NotAView(TypeError):
    """A value that is more than a view was about to reach a bot."""


def decide_from_view(
    slug: str, version: int, bot: str, view: Any, seed: int, budget: Budget
) -> BotDecision:
    """A bot's decision from a view, seeded."""
    engine = rules.find_engine(slug, version)
    check_view(view, engine.about.view)
    return bot_registry.create_bot(bot, slug, version).choose(engine, view, FastRng(seed), budget)


def check_view(view: Any, kind: type[Any]) -> None:
    """Refuse a value that is not a view of that kind, or holds more than plain values."""
    if type(view) is not kind:
        raise NotAView(f"A {type(view).__name__} is not a view.")
    for foreign in foreign_values(view):
        raise NotAView(f"A {type(foreign).__name__} is not allowed in a view.")


def foreign_values(value: Any) -> Iterator[Any]:
    """All values inside that are mutable, or could hold more than their fields show."""
    kind = type(value)
    if kind in PLAIN_TYPES:
        return
    if kind is tuple:
        inside: Any = value
    elif is_dataclass(kind) and is_frozen(kind) and has_only_its_fields(value):
        inside = [getattr(value, field.name) for field in fields(kind)]
    else:
        yield value
        return
    for item in inside:
        yield from foreign_values(item)


def is_frozen(kind: type[Any]) -> bool:
    """Whether the dataclass is frozen."""
    return bool(kind.__dataclass_params__.frozen)


def has_only_its_fields(value: Any) -> bool:
    """Whether the object has no attributes other than its fields."""
    names = {field.name for field in fields(value)}
    return names.issuperset(vars(value))
