"""Layouts: how a value of a view becomes a fixed number of floats, by its type."""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from collections.abc import Sequence
from typing import Any, Final, NamedTuple, Protocol

MAX_ONE_HOT: Final = 64  # of more values the number is written in binary


class Floats(Protocol):
    """A list or an array of floats."""

    def __getitem__(self, place: int, /) -> Any:
        """The float at a place."""

    def __setitem__(self, place: int, value: float, /) -> None:
        """Change the float at a place."""


class Layout(metaclass=ABCMeta):
    """The place of a value among the floats of a tensor; floats that a value leaves are 0."""

    size: int

    @abstractmethod
    def write(self, value: Any, floats: Floats, start: int) -> None:
        """Write a value into `floats`, which are 0 from `start` on."""


class NumberLayout(Layout):
    """A number or a flag, as it is."""

    size = 1

    def write(self, value: Any, floats: Floats, start: int) -> None:
        floats[start] = float(value)


class NothingLayout(Layout):
    """A value that follows from others, and is left out."""

    size = 0

    def write(self, value: Any, floats: Floats, start: int) -> None:
        pass


class CategoryLayout(Layout):
    """One of listed values: one-hot or, of many values, its number in binary, from 1."""

    def __init__(self, values: Sequence[Any]) -> None:
        self._numbers = {value: number for number, value in enumerate(values)}
        self._is_one_hot = len(values) <= MAX_ONE_HOT
        self.size = len(values) if self._is_one_hot else len(values).bit_length()

    def write(self, value: Any, floats: Floats, start: int) -> None:
        number = self._numbers[value]
        if self._is_one_hot:
            floats[start + number] = 1.0
        else:
            write_binary(number + 1, floats, start)


def write_binary(number: int, floats: Floats, start: int) -> None:
    """Write the bits of a number, the lowest first."""
    while number:
        floats[start] = float(number & 1)
        number >>= 1
        start += 1


class OptionalLayout(Layout):
    """A flag and, unless the value is None, the value."""

    def __init__(self, inner: Layout) -> None:
        self._inner = inner
        self.size = 1 + inner.size

    def write(self, value: Any, floats: Floats, start: int) -> None:
        if value is not None:
            floats[start] = 1.0
            self._inner.write(value, floats, start + 1)


class Member(NamedTuple):
    """A field of a record, its layout, and its place in it."""

    name: str
    layout: Layout
    offset: int


class RecordLayout(Layout):
    """The fields of a dataclass, one after the other."""

    def __init__(self, layouts: dict[str, Layout]) -> None:
        self.members: list[Member] = []
        self.size = 0
        for name, layout in layouts.items():
            self.members.append(Member(name, layout, self.size))
            self.size += layout.size

    def write(self, value: Any, floats: Floats, start: int) -> None:
        for name, layout, offset in self.members:
            layout.write(getattr(value, name), floats, start + offset)


class CountsLayout(Layout):
    """How often each of the listed values occurs in a collection whose order means nothing; the
    last float counts all others, such as hidden cards."""

    def __init__(self, values: Sequence[Any]) -> None:
        self._numbers = {value: number for number, value in enumerate(values)}
        self.size = len(values) + 1

    def write(self, value: Any, floats: Floats, start: int) -> None:
        for item in value:
            floats[start + self._numbers.get(item, self.size - 1)] += 1.0


class SequenceLayout(Layout):
    """The length of a list, and one place per item with a flag. A longer list keeps its last items,
    or its first ones."""

    def __init__(self, item: Layout, capacity: int, keeps_first: bool) -> None:
        self._item = item
        self._capacity = capacity
        self._keeps_first = keeps_first
        self.size = 1 + capacity * (1 + item.size)

    def write(self, value: Any, floats: Floats, start: int) -> None:
        floats[start] = float(len(value))
        kept = value[: self._capacity] if self._keeps_first else value[-self._capacity :]
        place = start + 1
        for item in kept:
            floats[place] = 1.0
            self._item.write(item, floats, place + 1)
            place += 1 + self._item.size


class KeyedLayout(Layout):
    """Records that differ in a field, each at the place of its value there, with a flag."""

    def __init__(self, record: RecordLayout, key: str, values: Sequence[Any]) -> None:
        self._record = record
        self._key = key
        self._places = {value: n * (1 + record.size) for n, value in enumerate(values)}
        self.size = len(values) * (1 + record.size)

    def write(self, value: Any, floats: Floats, start: int) -> None:
        for record in value:
            place = start + self._places[getattr(record, self._key)]
            floats[place] = 1.0
            self._record.write(record, floats, place + 1)
