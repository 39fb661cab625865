"""The verdict of a verification: that a log is good, or its first flaw."""

from __future__ import annotations

from dataclasses import dataclass

from tabularium_log.projection.projection import Projection


class Flaw(Exception):
    """A flaw, in a sentence, and its place: the entry, the line of an export."""

    def __init__(self, sentence: str, seq: int | None = None, line: int | None = None) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.seq = seq
        self.line = line

    def __str__(self) -> str:
        return f"{describe_place(self.line, self.seq)}: {self.sentence}"


def describe_place(line: int | None, seq: int | None) -> str:
    """The place of a flaw, in words; one in no entry is in the rows next to the log."""
    places = (("line", line), ("entry", seq))
    return ", ".join(f"{name} {number}" for name, number in places if number) or "outside the log"


@dataclass(frozen=True)
class Verdict:
    """The result of checking one game."""

    game: str
    entries: int = 0
    level: int = 0  # of fairness; 0: nothing was dealt
    is_over: bool = False
    has_rules: bool = True  # whether its ruleset is installed; without, only its chain is checked
    is_signed: bool = True  # of an export: whether it has its server's receipts
    is_locked: bool = False  # it is running, and no sealing key of this server opens it
    seq: int | None = None  # of the first bad entry
    line: int | None = None  # of an export
    sentence: str = ""  # the flaw

    @property
    def is_good(self) -> bool:
        """Whether no flaw was found, and every check that is due could be made."""
        return not self.sentence

    @property
    def rules_sentence(self) -> str:
        """Whether the game was played by its rules, in a sentence."""
        if self.is_over:
            return "The rules allow every entry and the result."
        return "The game is running: it can be replayed by the rules when it is over."

    def __str__(self) -> str:
        if self.is_good:
            suffix = "" if self.is_signed else ", without signatures"
            return f"{self.game}: good, {self.entries} entries{suffix}"
        if self.is_locked:
            return self.sentence
        if not self.has_rules:
            return f"{self.game}: not installed, {self.entries} entries chained: {self.sentence}"
        return f"{self.game}: bad, {describe_place(self.line, self.seq)}: {self.sentence}"


def good_verdict(game: str, table: Projection) -> Verdict:
    """The verdict on a log that leads to this table."""
    level = table.fairness_level if table.state is not None else 0
    return Verdict(game, table.seq, level, table.phase == "over")


def bad_verdict(game: str, flaw: Flaw) -> Verdict:
    """The verdict on a log with a flaw."""
    return Verdict(game, seq=flaw.seq, line=flaw.line, sentence=flaw.sentence)


def not_installed_verdict(game: str, sentence: str, entries: int, *, is_over: bool) -> Verdict:
    """The verdict on a log whose chain is good, and whose rules are not installed."""
    return Verdict(game, entries, is_over=is_over, has_rules=False, sentence=sentence)


def locked_verdict(game: str, sentence: str) -> Verdict:
    """The verdict on a game that cannot be opened here, and so cannot be checked."""
    return Verdict(game, is_locked=True, sentence=sentence)
