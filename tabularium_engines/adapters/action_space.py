"""Action numbers: every action of a ruleset as small numbers that mean the same in every position,
under all options and for every number of seats.

A dense space has one number for each action. Where there would be too many, a factored space has
one number for each word instead, and an action is a sequence of words: its kind, then one word for
each of its fields. Neither changes within a version of the rules.
"""

from __future__ import annotations

import json
from abc import ABCMeta, abstractmethod
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from math import prod
from typing import Any, Final, NamedTuple

from tabularium_engines.base import About, AnyEngine
from tabularium_engines.common.action_codec import BITS_PER_FIELD, allowed_values
from tabularium_engines.common.json_codec import field_types

MAX_DENSE_SIZE: Final = 1 << 18
FIELD_MASK: Final = (1 << BITS_PER_FIELD) - 1


class ActionField(NamedTuple):
    """A field of an action, and all its values in the order of their numbers."""

    name: str
    values: tuple[Any, ...]


class ActionKind(NamedTuple):
    """A kind of action, and its fields."""

    name: str
    fields: tuple[ActionField, ...]

    @property
    def size(self) -> int:
        """How many actions of this kind there are, legal or not."""
        return prod(len(field.values) for field in self.fields)


class ActionSpace(metaclass=ABCMeta):
    """The numbers of all actions of a ruleset. An engine's action is the integer that its
    `legal_actions` returns."""

    size: int  # numbers are 0 … size-1
    max_words: int  # in one action

    def __init__(self, kinds: Sequence[ActionKind]) -> None:
        self.kinds = tuple(kinds)

    @abstractmethod
    def words_of(self, action: int) -> tuple[int, ...]:
        """The numbers that make up an engine's action: a single one in a dense space."""

    @abstractmethod
    def action_of_words(self, words: Sequence[int]) -> int | None:
        """The engine's action that these numbers make up; None if more must follow."""

    @abstractmethod
    def meaning_of(self, number: int) -> str:
        """A number in words."""

    def digest(self) -> str:
        """The digest of the whole table: equal digests give every number the same meaning."""
        table = [type(self).__name__, self.size, self.kinds]
        return sha256(json.dumps(table, ensure_ascii=False).encode()).hexdigest()


class DenseActionSpace(ActionSpace):
    """One number for each action: the kinds one after the other, and the last field of a kind
    counts fastest."""

    max_words = 1

    def __init__(self, kinds: Sequence[ActionKind]) -> None:
        super().__init__(kinds)
        self._firsts: list[int] = []
        self.size = 0
        for kind in self.kinds:
            self._firsts.append(self.size)
            self.size += kind.size

    def number_of(self, action: int) -> int:
        """The number of an engine's action."""
        kind_number, *values = split_action(action, self.kinds)
        offset = 0
        for field, value in zip(self.kinds[kind_number].fields, values, strict=True):
            offset = offset * len(field.values) + value
        return self._firsts[kind_number] + offset

    def action_of(self, number: int) -> int:
        """The engine's action of a number."""
        if not 0 <= number < self.size:
            raise ValueError(f"action numbers are 0 to {self.size - 1}, not {number}")
        kind_number = sum(first <= number for first in self._firsts) - 1
        offset, values = number - self._firsts[kind_number], list[int]()
        for field in reversed(self.kinds[kind_number].fields):
            offset, value = divmod(offset, len(field.values))
            values.append(value)
        return join_action([kind_number, *reversed(values)])

    def words_of(self, action: int) -> tuple[int, ...]:
        return (self.number_of(action),)

    def action_of_words(self, words: Sequence[int]) -> int | None:
        return self.action_of(words[0]) if words else None

    def meaning_of(self, number: int) -> str:
        kind_number, *values = split_action(self.action_of(number), self.kinds)
        kind = self.kinds[kind_number]
        named = zip(kind.fields, values, strict=True)
        return " ".join([kind.name, *[f"{field.name}={field.values[v]}" for field, v in named]])


class FactoredActionSpace(ActionSpace):
    """One number for each word: first the kinds, then the values of each field by its name. Fields
    of the same name in several kinds share their words."""

    def __init__(self, kinds: Sequence[ActionKind]) -> None:
        super().__init__(kinds)
        self.size = len(self.kinds)
        self._firsts: dict[ActionField, int] = {}
        for field in (field for kind in self.kinds for field in kind.fields):
            if field not in self._firsts:
                self._firsts[field] = self.size
                self.size += len(field.values)
        self.max_words = 1 + max(len(kind.fields) for kind in self.kinds)

    def words_of(self, action: int) -> tuple[int, ...]:
        kind_number, *values = split_action(action, self.kinds)
        named = zip(self.kinds[kind_number].fields, values, strict=True)
        return (kind_number, *[self._firsts[field] + value for field, value in named])

    def action_of_words(self, words: Sequence[int]) -> int | None:
        if not words:
            return None
        fields = self.kinds[words[0]].fields
        if len(words) <= len(fields):
            return None
        named = zip(fields, words[1:], strict=True)
        return join_action([words[0], *[word - self._firsts[field] for field, word in named]])

    def meaning_of(self, number: int) -> str:
        if number < len(self.kinds):
            return self.kinds[number].name
        for field, first in self._firsts.items():
            if first <= number < first + len(field.values):
                return f"{field.name}={field.values[number - first]}"
        raise ValueError(f"action numbers are 0 to {self.size - 1}, not {number}")


def action_space(engine: AnyEngine) -> ActionSpace:
    """The space of an engine's actions: dense, unless that had too many numbers."""
    return _action_space(engine.about)


@cache
def _action_space(about: About) -> ActionSpace:
    kinds = [_action_kind(kind) for kind in about.actions]
    is_dense = sum(kind.size for kind in kinds) <= MAX_DENSE_SIZE
    return DenseActionSpace(kinds) if is_dense else FactoredActionSpace(kinds)


def _action_kind(kind: type[Any]) -> ActionKind:
    fields = (
        ActionField(name, tuple(allowed_values(hint))) for name, hint in field_types(kind).items()
    )
    return ActionKind(kind.kind, tuple(fields))


def split_action(action: int, kinds: Sequence[ActionKind]) -> list[int]:
    """The kind of an engine's action, and the number of each field's value."""
    kind_number = int(action) & FIELD_MASK
    fields = range(1, 1 + len(kinds[kind_number].fields))
    return [kind_number, *[int(action) >> BITS_PER_FIELD * f & FIELD_MASK for f in fields]]


def join_action(parts: Sequence[int]) -> int:
    """The engine's action of a kind and of the numbers of its values."""
    return sum(part << BITS_PER_FIELD * place for place, part in enumerate(parts))
