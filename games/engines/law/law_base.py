"""What is a Law? A text, a number, and the one or two hooks by which it changes the game."""

from __future__ import annotations

from mypy_extensions import i64

from games.engines.law.card_moves import LawTable
from games.engines.law.rule_parameters import RuleParameters


class Law:
    """The Law of one card. `n` is its number wherever it is given: doubled, if numbers are."""

    code: str = ""
    text: str = ""  # {n} is the number, {half} half of it, {s} an s where there are several
    number: int = 0
    is_event: bool = False
    is_doubling: bool = False

    def amend(self, terms: RuleParameters, n: i64) -> None:
        """Change the terms of a player whom the Law binds."""

    def draw_triggers(self, terms: RuleParameters) -> i64:
        """The cards that set the Law off when they are drawn."""
        return 0

    def discard_triggers(self, terms: RuleParameters) -> i64:
        """The cards that set the Law off when they are discarded."""
        return 0

    def fire(self, table: LawTable, seat: i64, n: i64) -> None:
        """Do what follows when `seat` has set the Law off."""

    def apply_event(self, table: LawTable, seat: i64, n: i64) -> None:
        """Do what an event does when `seat` has collected it."""

    def number_under(self, terms: RuleParameters) -> i64:
        """The Law's number for a player with these terms."""
        n: i64 = self.number
        return 2 * n if terms.has_doubled_numbers else n  # R21

    def wording(self, doubled: bool) -> str:
        """The Law in words, for a player for whom numbers are doubled or not."""
        n = self.number * (2 if doubled else 1)
        return self.text.format(n=n, half=n // 2, s="" if n == 1 else "s")
