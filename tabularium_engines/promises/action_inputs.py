"""Inputs for `Engine.encode`: every well-formed action, and many malformed documents."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import MISSING, fields
from functools import cache
from itertools import product
from math import prod
from random import Random
from typing import Any, Literal, get_args, get_origin

from tabularium_engines.base import AnyEngine
from tabularium_engines.common import json_codec

MAX_ACTIONS_PER_KIND = 5000  # beyond that a sample is drawn


@cache
def well_formed_actions(engine: AnyEngine) -> tuple[Any, ...]:
    """All actions that the schema admits; of a kind with very many, a fixed sample."""
    return tuple(action for kind in engine.about.actions for action in actions_of_kind(kind))


def actions_of_kind(kind: type[Any]) -> Iterator[Any]:
    """All actions of one kind, or a sample."""
    values_by_field = [field_values(hint) for hint in json_codec.field_types(kind).values()]
    if prod(len(choices) for choices in values_by_field) <= MAX_ACTIONS_PER_KIND:
        yield from (kind(*combination) for combination in product(*values_by_field))
        return
    chance = Random(kind.__qualname__)
    for _ in range(MAX_ACTIONS_PER_KIND):
        yield kind(*(chance.choice(choices) for choices in values_by_field))


def field_values(hint: Any) -> list[Any]:
    """All values of a field of an action."""
    if hint is bool:
        return [False, True]
    if get_origin(hint) is Literal:
        return list(get_args(hint))
    limit = get_args(hint)[1]
    if isinstance(limit, json_codec.OneOf):
        return list(limit.values)
    return list(range(limit.low, limit.high + 1))


def optional_members(engine: AnyEngine, document: dict[str, Any]) -> dict[str, Any]:
    """The members of an action's document that may be left out, each with its default."""
    kind = type(engine.action_codec.from_json(document))
    return {member.name: member.default for member in fields(kind) if member.default is not MISSING}


def malformed_documents(document: dict[str, Any], optional: Collection[str]) -> list[Any]:
    """Malformed variants of a legal action's document, of which some members are optional."""
    documents: list[Any] = [
        None,
        True,
        7,
        0.5,
        "play",
        [],
        [document],
        {},
        {"kind": document["type"]},
    ]
    wrong_types = (
        None,
        3,
        "",
        "start",
        "chess.castle",
        document["type"].upper(),
        [document["type"]],
    )
    documents += [document | {"type": kind} for kind in wrong_types]
    documents.append(document | {"surprise": 1})
    for name, value in document.items():
        if name not in optional:
            documents.append({other: document[other] for other in document if other != name})
        if name != "type":
            documents += [document | {name: wrong_value} for wrong_value in invalid_values(value)]
    return documents


def invalid_values(value: Any) -> list[Any]:
    """Values that are invalid in the place of this one."""
    invalid: list[Any] = [None, [value], {"value": value}, -1000, 10**30, 1.5, "nonsense"]
    if value != "":
        invalid.append("")
    if not isinstance(value, bool):
        invalid.append(True)
    return invalid


def sample_actions(engine: AnyEngine, count: int, seed: int) -> list[Any]:
    """Some well-formed actions, at least one of each kind."""
    chance = Random(seed)
    actions = well_formed_actions(engine)
    one_of_each = [chance.choice(group) for group in actions_by_kind(engine).values()]
    return one_of_each + chance.sample(actions, min(count, len(actions)))


@cache
def actions_by_kind(engine: AnyEngine) -> dict[type[Any], list[Any]]:
    """The well-formed actions by kind."""
    kinds: dict[type[Any], list[Any]] = {kind: [] for kind in engine.about.actions}
    for action in well_formed_actions(engine):
        kinds[type(action)].append(action)
    return kinds
