"""Input that a game may receive by mistake or in malice: every well-formed action, and many
malformed documents."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from math import prod
from random import Random
from typing import Any, Literal, get_args, get_origin

from games.engines.base import Engine
from games.engines.common import codec

MOST = 5000  # of one kind; beyond that a sample is drawn


@cache
def well_formed(engine: Engine[Any, Any]) -> tuple[Any, ...]:
    """All actions that the schema admits; of a kind with very many, a fixed sample."""
    return tuple(action for kind in engine.about.actions for action in of_kind(kind))


def of_kind(kind: type[Any]) -> Iterator[Any]:
    """All actions of one kind, or a sample."""
    allowed = [values(hint) for hint in codec.field_types(kind).values()]
    if prod(len(listed) for listed in allowed) <= MOST:
        yield from (kind(*combination) for combination in product(*allowed))
        return
    chance = Random(kind.__qualname__)
    for _ in range(MOST):
        yield kind(*(chance.choice(listed) for listed in allowed))


def values(hint: Any) -> list[Any]:
    """All values of a field of an action."""
    if hint is bool:
        return [False, True]
    if get_origin(hint) is Literal:
        return list(get_args(hint))
    limit = get_args(hint)[1]
    if isinstance(limit, codec.OneOf):
        return list(limit.values)
    return list(range(limit.low, limit.high + 1))


def malformed(document: dict[str, Any]) -> list[Any]:
    """Corruptions of a legal action's document."""
    spoilt: list[Any] = [None, True, 7, 0.5, "play", [], [document], {}, {"kind": document["type"]}]
    strange = (None, 3, "", "start", "chess.castle", document["type"].upper(), [document["type"]])
    spoilt += [document | {"type": kind} for kind in strange]
    spoilt.append(document | {"surprise": 1})
    for name, value in document.items():
        spoilt.append({other: kept for other, kept in document.items() if other != name})
        if name != "type":
            spoilt += [document | {name: wrong} for wrong in misfits(value)]
    return spoilt


def misfits(value: Any) -> list[Any]:
    """Values that are not valid in the place of this one."""
    wrong: list[Any] = [None, [value], {"value": value}, -1000, 10**30, 1.5, "nonsense", ""]
    if not isinstance(value, bool):
        wrong.append(True)
    return wrong


def sampled(engine: Engine[Any, Any], number: int, seed: int) -> list[Any]:
    """Some of the well-formed actions, with every kind among them."""
    chance = Random(seed)
    everything = well_formed(engine)
    one_each = [chance.choice(listed) for listed in by_kind(engine).values()]
    return one_each + chance.sample(everything, min(number, len(everything)))


@cache
def by_kind(engine: Engine[Any, Any]) -> dict[type[Any], list[Any]]:
    """The well-formed actions by kind."""
    kinds: dict[type[Any], list[Any]] = {kind: [] for kind in engine.about.actions}
    for action in well_formed(engine):
        kinds[type(action)].append(action)
    return kinds
