"""Marks in pictures: the fields of actions for which a thing stands, and the actions that fit.

A mark is one or several ways, separated by spaces; a way is one or several pairs `field=value`,
separated by commas. A field is one of an action's JSON, its value as JSON writes it, without
quotation marks; `type` is the kind of action without the slug of the game. A way fits an action
that has all of its pairs, and a mark one that fits one of its ways.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache, reduce
from operator import and_
from typing import Final

from tabularium_engines.common.json_codec import Json

Pair = tuple[str, str]  # a field and its value
Mark = tuple[tuple[Pair, ...], ...]  # ways, each of pairs

TYPE_FIELD: Final = "type"
CACHED_MARKS: Final = 4096

_PAIR: Final = r"[a-z_][a-z0-9_]*=[^\s,=]+"
_MARK: Final = re.compile(rf"{_PAIR}(,{_PAIR})*( {_PAIR}(,{_PAIR})*)*")


@lru_cache(CACHED_MARKS)
def read_mark(text: str) -> Mark:
    """The ways of a mark; raises ValueError if it is none."""
    if not _MARK.fullmatch(text):
        raise ValueError(f'"{text}" is no mark: it has ways such as row=1,column=-2')
    return tuple(tuple(map(_read_pair, way.split(","))) for way in text.split(" "))


def _read_pair(text: str) -> Pair:
    field, _, value = text.partition("=")
    return field, value


def pairs_of(action: Mapping[str, Json]) -> frozenset[Pair]:
    """All pairs of an action's JSON, as a mark writes them."""
    kind = str(action[TYPE_FIELD]).rpartition(".")[2]
    others = ((name, value_text(action[name])) for name in action if name != TYPE_FIELD)
    return frozenset([(TYPE_FIELD, kind), *others])


def value_text(value: Json) -> str:
    """A value of JSON without quotation marks."""
    return value if isinstance(value, str) else json.dumps(value)


def fits(mark: Mark, pairs: frozenset[Pair]) -> bool:
    """Whether an action with these pairs fits."""
    return any(pairs.issuperset(way) for way in mark)


def numbers_left(offers: Sequence[Mapping[str, Json]], marks: Iterable[Mark]) -> list[int]:
    """For each offered action, how many offers are left once all marks that it fits are picked."""
    pairs = [pairs_of(offer) for offer in offers]
    sets = [sum(1 << n for n, own in enumerate(pairs) if fits(mark, own)) for mark in marks]
    everything = (1 << len(offers)) - 1
    return [
        reduce(and_, (found for found in sets if found >> n & 1), everything).bit_count()
        for n in range(len(offers))
    ]
