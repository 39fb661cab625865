"""The course of a game towards its end: its length so far, how it ended, and who won."""

from __future__ import annotations

from typing import Any

from mypy_extensions import i64

from tabularium_engines.common.state_fields import fields_of


class GameEnd:
    """The numbers that can end the game, and how it ended."""

    def __init__(self) -> None:
        self.quiet: i64 = 0  # turns since the last Law was collected
        self.decisions: i64 = 0
        self.winners: i64 = 0  # a set of seats
        self.ending: i64 = 0  # an index of ENDING_NAMES

    def clone(self) -> GameEnd:
        """An independent copy."""
        copy = GameEnd()
        copy.quiet = self.quiet
        copy.decisions = self.decisions
        copy.winners = self.winners
        copy.ending = self.ending
        return copy

    def contents(self) -> list[Any]:
        """The end as plain numbers."""
        return fields_of(self)
