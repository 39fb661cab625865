"""Fields of a view that show attributes of a state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.common.bits import bit
from tabularium_engines.common.json_codec import Between, OneOf
from tabularium_engines.common.public_fields import PublicFields

Card = Annotated[str, OneOf(("AS", "KS", "QS"))]


@dataclass(frozen=True)
class Seen:
    """A view with a field of each type, and one that no part has."""

    turn: int
    count: Annotated[int, Between(0, 9)]
    is_open: bool
    mode: Literal["fast", "slow"]
    trump: Card | None
    caller: int | None
    discards: tuple[Card, ...]
    winners: tuple[int, ...]
    votes: tuple[Card | None, ...]
    hand: tuple[Card, ...]


class Part:
    """A part of a state, with a method that is no field and an attribute that is not shown."""

    def __init__(self) -> None:
        self.turn = 0
        self.count = 0
        self.is_open = False
        self.mode = 0
        self.trump = -1
        self.caller = -1
        self.discards = numbers()
        self.winners = 0
        self.votes = numbers(-1, -1)
        self.hidden = 7

    def hand(self) -> None:
        """Not an attribute of numbers."""


def numbers(*items: int) -> vec[i64]:
    """A vector of these numbers."""
    return vec[i64](items)


PLAIN = {
    "turn": 0,
    "count": 0,
    "is_open": False,
    "mode": "fast",
    "trump": None,
    "caller": None,
    "discards": (),
    "winners": (),
    "votes": (None, None),
}


def plain(value: Any) -> Any:
    """A value that can be compared."""
    return value if isinstance(value, int) else list(value)


def filled_part() -> Part:
    """A part without an empty attribute."""
    part = Part()
    part.turn, part.count, part.is_open, part.mode = 2, 3, True, 1
    part.trump, part.caller = 2, 0
    part.discards, part.winners, part.votes = numbers(2, 0), bit(1) | bit(3), numbers(1, -1)
    return part


def testnumbers_are_shown_as_the_types_of_the_view_say() -> None:
    public = PublicFields(Seen)
    assert public.show(Part()) == PLAIN
    assert public.show(filled_part()) == {
        "turn": 2,
        "count": 3,
        "is_open": True,
        "mode": "slow",
        "trump": "QS",
        "caller": 0,
        "discards": ("QS", "AS"),
        "winners": (1, 3),
        "votes": ("KS", None),
    }


@pytest.mark.parametrize("make", [Part, filled_part])
def test_a_restored_part_is_equal(make: Any) -> None:
    public, part, restored = PublicFields(Seen), make(), Part()
    public.restore(restored, Seen(**public.show(part), hand=()))
    assert {name: plain(value) for name, value in vars(restored).items()} == {
        name: plain(value) for name, value in vars(part).items()
    }


def test_a_type_that_no_number_stands_for_is_refused() -> None:
    @dataclass(frozen=True)
    class Named:
        name: str

    class Holder:
        name = 3

    with pytest.raises(TypeError, match="no number stands for"):
        PublicFields(Named).show(Holder())
