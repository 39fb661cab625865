"""The base class of Laws: a text, a number, and the one or two hooks by which a Law changes the
game."""

from __future__ import annotations

from mypy_extensions import i64

from games.engines.law.card_moves import LawTable
from games.engines.law.rule_parameters import RuleParameters


class Law:
    """The Law of one card. In the hooks, `n` is its number, doubled if numbers are doubled."""

    code: str = ""
    text: str = ""  # {n}: the number, {half}: half of it, {s}: an s for the plural
    number: int = 0
    is_event: bool = False
    is_doubling: bool = False

    def amend(self, terms: RuleParameters, n: i64) -> None:
        """Change the parameters of a player bound by the Law."""

    def draw_triggers(self, terms: RuleParameters) -> i64:
        """The cards that set the Law off when they are drawn."""
        return 0

    def discard_triggers(self, terms: RuleParameters) -> i64:
        """The cards that set the Law off when they are discarded."""
        return 0

    def fire(self, table: LawTable, seat: i64, n: i64) -> None:
        """Run the Law's effect after `seat` has set it off."""

    def apply_event(self, table: LawTable, seat: i64, n: i64) -> None:
        """Run the event that `seat` has collected."""

    def number_under(self, terms: RuleParameters) -> i64:
        """The Law's number under these parameters."""
        n: i64 = self.number
        return 2 * n if terms.has_doubled_numbers else n  # R21

    def wording(self, doubled: bool) -> str:
        """The Law in words, with its number doubled or not."""
        n = self.number * (2 if doubled else 1)
        return self.text.format(n=n, half=n // 2, s="" if n == 1 else "s")
