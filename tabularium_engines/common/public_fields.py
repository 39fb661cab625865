"""Public fields: attributes of a state that a view shows under the same name, and back again.

A state has numbers where a view has names. The type of the view's field says which: `int` and
`bool` show the number itself, `Literal` and `OneOf` the name at that index, `X | None` None for -1,
and `tuple[X, ...]` the members of a set, or all of a vector if the attribute is one.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.common.bits import bit, members
from tabularium_engines.common.json_codec import OneOf, field_types

_Convert = Callable[[Any], Any]
_Field = tuple[str, _Convert, _Convert]  # the name, to the view, to the state
_NONE = -1
_SHOWN_TYPES: tuple[type[Any], ...] = (int, vec)


class PublicFields:
    """Converts the numbers and vectors that a part of a state has in common with a kind of view.
    Never give it a part with a hidden attribute that the view has a field for."""

    def __init__(self, view_type: type[Any]) -> None:
        self._view_type = view_type
        self._fields_by_part: dict[type[Any], list[_Field]] = {}

    def show(self, part: Any) -> dict[str, Any]:
        """The values of the view's fields that the part has."""
        return {name: to_view(getattr(part, name)) for name, to_view, _ in self._fields_of(part)}

    def restore(self, part: Any, view: Any) -> None:
        """Set the attributes of the part that the view shows."""
        for name, _, to_state in self._fields_of(part):
            setattr(part, name, to_state(getattr(view, name)))

    def _fields_of(self, part: Any) -> list[_Field]:
        found = self._fields_by_part.get(type(part))
        if found is None:
            hints = field_types(self._view_type)
            values = {name: getattr(part, name, None) for name in hints}
            found = [
                _public_field(name, hints[name], value)
                for name, value in values.items()
                if isinstance(value, _SHOWN_TYPES)
            ]
            self._fields_by_part[type(part)] = found
        return found


def to_ints(numbers: Iterable[int]) -> tuple[int, ...]:
    """The numbers as a view has them."""
    return tuple([int(number) for number in numbers])


def _public_field(name: str, hint: Any, value: Any) -> _Field:
    if isinstance(value, int):
        return (name, *_conversions(hint))
    to_view, to_state = _conversions(get_args(hint)[0])
    return (
        name,
        lambda numbers: tuple([to_view(number) for number in numbers]),
        lambda shown: vec[i64]([to_state(item) for item in shown]),
    )


def _conversions(hint: Any) -> tuple[_Convert, _Convert]:
    """The conversions of one number to the view and back."""
    if hint is int or hint is bool:
        return hint, hint
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Union or origin is types.UnionType:
        (inner,) = [argument for argument in arguments if argument is not type(None)]
        to_view, to_state = _conversions(inner)
        return (
            lambda number: None if number == _NONE else to_view(number),
            lambda item: _NONE if item is None else to_state(item),
        )
    if origin is tuple:
        to_view, to_state = _conversions(arguments[0])
        return (
            lambda numbers: tuple([to_view(number) for number in members(numbers)]),
            lambda shown: sum([bit(to_state(item)) for item in shown]),
        )
    if origin is Annotated and isinstance(arguments[1], OneOf):
        return _conversions_of_names(arguments[1].values)
    if origin is Annotated:
        return _conversions(arguments[0])
    if origin is Literal:
        return _conversions_of_names(arguments)
    raise TypeError(f"no number stands for {hint}")


def _conversions_of_names(names: tuple[Any, ...]) -> tuple[_Convert, _Convert]:
    numbers = {name: number for number, name in enumerate(names)}
    return names.__getitem__, numbers.__getitem__
