"""The fields of a part of a state as plain numbers, without naming them: so its contents have every
attribute, a new one too."""

from __future__ import annotations

from typing import Any, Final

NAMES_OF_NATIVE_CLASS: Final = "__mypyc_attrs__"  # its attributes, in the order of declaration


def fields_of(part: Any) -> list[Any]:
    """All attributes of a part as plain numbers, in the order of their declaration."""
    names = getattr(type(part), NAMES_OF_NATIVE_CLASS, None) or vars(part)
    return [_plain(getattr(part, name)) for name in names]


def _plain(value: Any) -> Any:
    """A value as plain numbers: vectors are lists, and parts are their contents."""
    if value is None:
        return []
    if hasattr(value, "contents"):
        return value.contents()
    # no `isinstance(value, int)`: compiled, that turns a bool into a number
    return [_plain(item) for item in value] if hasattr(value, "__len__") else value
