"""The legs of a game: which one is played, who began it, and the points of the first."""

from __future__ import annotations

from typing import Any

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.common.state_fields import fields_of


class Legs:
    """The current leg and the result of the first. Clones of a state share it: the second leg makes
    a new one."""

    def __init__(self, leg: i64, opener: i64, first_points: vec[i64]) -> None:
        self.leg = leg  # the current one, from 1
        self.opener = opener  # the seat that began it
        self.first_points = first_points  # by seat, once the first of two legs is over

    def next_opener(self, seats: i64) -> i64:
        """The seat that begins the next leg (R35)."""
        return (self.opener + 1) % seats

    def contents(self) -> list[Any]:
        """The legs as plain numbers."""
        return fields_of(self)
