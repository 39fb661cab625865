"""The ownership of lines: branches with their laws and owners, and the merging of bridged
branches."""

from __future__ import annotations

from typing import Any

from librt.vecs import append, vec
from mypy_extensions import i64


class Branch:
    """A line with its law. Never changed: each change of a branch makes a new one."""

    def __init__(self, axis: i64, start: i64, size: i64, law: vec[i64], tokens: vec[i64]) -> None:
        self.axis: i64 = axis
        self.start: i64 = start  # the place of its first card
        self.size: i64 = size
        self.law: vec[i64] = law  # its clauses, the oldest first
        self.tokens: vec[i64] = tokens  # the seat that laid each clause's token; the last one owns

    @property
    def owner(self) -> i64:
        """The seat whose token is on top."""
        return self.tokens[len(self.tokens) - 1]

    @property
    def level(self) -> i64:
        """The number of clauses in its law."""
        return len(self.law)

    def with_clause(self, clause: i64, seat: i64) -> Branch:
        """The branch with one more clause, which makes it the seat's."""
        law, tokens = append(self.law[:], clause), append(self.tokens[:], seat)
        return Branch(self.axis, self.start, self.size, law, tokens)

    def with_line(self, start: i64, size: i64) -> Branch:
        """The same law on a longer line."""
        if start == self.start and size == self.size:
            return self
        return Branch(self.axis, start, size, self.law, self.tokens)

    def contents(self) -> list[Any]:
        """The branch as plain numbers."""
        return [self.axis, self.start, self.size, list(self.law), list(self.tokens)]


def unclaimed_branch(axis: i64, start: i64, size: i64) -> Branch:
    """A line that has no law yet."""
    return Branch(axis, start, size, vec[i64](), vec[i64]())


def merge_branches(older: Branch, younger: Branch) -> Branch:
    """The branch that two branches become: both laws, and one stack of tokens."""  # R22
    if younger.level >= older.level:
        return _stack_branches(older, younger)
    return _stack_branches(younger, older)


def _stack_branches(lower: Branch, upper: Branch) -> Branch:
    """Put one stack upon the other; of a clause that both have, the lower token goes back."""
    law = vec[i64]()
    tokens = vec[i64]()
    for index in range(lower.level):
        if not is_among(lower.law[index], upper.law):
            law = append(law, lower.law[index])
            tokens = append(tokens, lower.tokens[index])
    for index in range(upper.level):
        law = append(law, upper.law[index])
        tokens = append(tokens, upper.tokens[index])
    return Branch(upper.axis, upper.start, upper.size, law, tokens)


def is_among(number: i64, numbers: vec[i64]) -> bool:
    """Whether a number is among others."""
    for other in numbers:
        if other == number:
            return True
    return False
