"""Observation tensors: a view as a fixed number of floats, made from the view alone, so that two
worlds that look the same to a seat give the same tensor."""

from __future__ import annotations

import types
from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from tabularium_engines.adapters.action_space import action_space
from tabularium_engines.adapters.tensor_layouts import (
    CategoryLayout,
    CountsLayout,
    Floats,
    KeyedLayout,
    Layout,
    NothingLayout,
    NumberLayout,
    OptionalLayout,
    RecordLayout,
    SequenceLayout,
    write_binary,
)
from tabularium_engines.adapters.tensor_shapes import (
    BySeat,
    Derived,
    Keyed,
    Ordered,
    Seats,
    Shape,
    Words,
    shapes_of,
)
from tabularium_engines.base import AnyEngine
from tabularium_engines.common.json_codec import OneOf, field_types


class UndeclaredShape(TypeError):
    """A view has a value of unbounded size, and no shape limits it."""

    def __init__(self, place: str) -> None:
        super().__init__(
            f"The size of {place} is not bounded by its type: give its shape, such as"
            f' {{"{place}": Ordered(8)}}.'
        )


class Observer:
    """Makes the observation tensors of a game. `shapes` adds to those that the library knows, or
    replaces them."""

    def __init__(self, engine: AnyEngine, shapes: Mapping[str, Shape] | None = None) -> None:
        about, space = engine.about, action_space(engine)
        layouts = _Layouts({**shapes_of(about.slug), **(shapes or {})}, about.seats[1])
        self.layout = layouts.of_record(about.view)
        self._word_bits = space.size.bit_length()
        self.size = self.layout.size + (space.max_words - 1) * self._word_bits

    def tensor(self, view: Any, words: Sequence[int] = ()) -> list[float]:
        """The tensor of a view and of the words of an action that its seat has begun."""
        floats = [0.0] * self.size
        self.fill(floats, view, words)
        return floats

    def fill(self, floats: Floats, view: Any, words: Sequence[int] = ()) -> None:
        """Write the tensor into a list or an array of zeros, which is faster for a large one."""
        self.layout.write(view, floats, 0)
        for place, word in enumerate(words):
            write_binary(word + 1, floats, self.layout.size + place * self._word_bits)


class _Layouts:
    """The layouts of the types in a view."""

    def __init__(self, shapes: Mapping[str, Shape], seats: int) -> None:
        self._shapes = shapes
        self._seats = seats

    def of_record(self, kind: type[Any], left_out: str = "") -> RecordLayout:
        """The layout of a dataclass, without a field that its place shows."""
        return RecordLayout(
            {
                name: self.of_hint(hint, self._place_of(kind, name))
                for name, hint in field_types(kind).items()
                if name != left_out
            }
        )

    def _place_of(self, kind: type[Any], name: str) -> str:
        """A field of a dataclass, by the class or base that has a shape for it."""
        places = [f"{base.__name__}.{name}" for base in kind.__mro__]
        return next((place for place in places if place in self._shapes), places[0])

    def of_hint(self, hint: Any, place: str) -> Layout:
        """The layout of a type at a place in the view."""
        shape, origin = self._shapes.get(place), get_origin(hint)
        if isinstance(shape, Derived):
            return NothingLayout()
        if origin in (Union, types.UnionType):
            return OptionalLayout(self.of_hint(_without_none(hint), place))
        if isinstance(shape, Words):
            return CategoryLayout(shape.values)
        if values := listed_values(hint):
            return CategoryLayout(values)
        if origin is tuple:
            return self._of_tuple(get_args(hint), place, shape)
        if is_dataclass(hint) and isinstance(hint, type):
            return self.of_record(hint)
        if hint in (int, bool) or origin is Annotated:
            return NumberLayout()
        raise UndeclaredShape(place)

    def _of_tuple(self, items: tuple[Any, ...], place: str, shape: Shape | None) -> Layout:
        item, inside = items[0], f"{place}[]"
        if items[-1] is not Ellipsis:
            members = {str(n): self.of_hint(each, inside) for n, each in enumerate(items)}
            return _FixedTupleLayout(members)
        if isinstance(shape, Keyed):
            return self._of_keyed(item, shape)
        if isinstance(shape, Seats):
            return CountsLayout(range(self._seats))
        if isinstance(shape, Ordered):
            return SequenceLayout(self.of_hint(item, inside), shape.capacity, shape.keeps_first)
        if isinstance(shape, BySeat) or (shape is None and item is int):
            return SequenceLayout(self.of_hint(item, inside), self._seats, keeps_first=True)
        if values := listed_values(_without_none(item)):
            return CountsLayout(values)
        raise UndeclaredShape(place)

    def _of_keyed(self, record: type[Any], shape: Keyed) -> Layout:
        listed = shape.values or listed_values(field_types(record)[shape.field])
        values = listed or tuple(range(self._seats))
        return KeyedLayout(self.of_record(record, shape.field), shape.field, values)


class _FixedTupleLayout(RecordLayout):
    """The items of a tuple of fixed length, one after the other."""

    def write(self, value: Any, floats: Floats, start: int) -> None:
        for item, member in zip(value, self.members, strict=True):
            member.layout.write(item, floats, start + member.offset)


def listed_values(hint: Any) -> tuple[Any, ...]:
    """All values of a type that lists them; else none."""
    if get_origin(hint) is Literal:
        return get_args(hint)
    limit = get_args(hint)[1] if get_origin(hint) is Annotated else None
    return limit.values if isinstance(limit, OneOf) else ()


def _without_none(hint: Any) -> Any:
    """The type beside None; any other type itself."""
    if get_origin(hint) not in (Union, types.UnionType):
        return hint
    (inner,) = (each for each in get_args(hint) if each is not type(None))
    return inner
