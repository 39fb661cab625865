"""What is in progress: a turn, and the chain of effects of one action."""

from __future__ import annotations

from typing import Any, Final

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.common.state_fields import fields_of

NOT_BEGUN: Final[i64] = -1


class TurnProgress:
    """What the player on turn still owes, and what they have done that cannot be repeated."""

    def __init__(self, takes: i64) -> None:
        self.takes: i64 = takes  # cards still to be taken at the start of the turn
        self.discards: i64 = NOT_BEGUN  # cards still to be discarded at its end
        self.duties: i64 = 0  # other duties left at its end, a set
        self.stolen: bool = False
        self.asked: i64 = 0

    def clone(self) -> TurnProgress:
        """An independent copy."""
        copy = TurnProgress(self.takes)
        copy.discards = self.discards
        copy.duties = self.duties
        copy.stolen = self.stolen
        copy.asked = self.asked
        return copy

    def contents(self) -> list[i64]:
        """The turn as plain numbers."""
        return [int(field) for field in fields_of(self)]


class EffectChain:
    """The cards that have set off Laws, and all that cannot recur in the chain."""

    def __init__(self) -> None:
        self.actor: i64 = 0  # the seat whose action is being processed
        # cards that have set off Laws, the oldest first: seat << 8 | card
        self.waiting: vec[i64] = vec[i64]()
        self.waiting_laws: vec[i64] = vec[i64]()  # in the same order: the set of Laws of each
        self.fired_pairs: vec[i64] = vec[i64]()  # triggers that cannot recur: law << 8 | card
        self.happened: i64 = 0  # the events that cannot happen again
        self.contributed: bool = False  # whether contributions have been requested

    def clone(self) -> EffectChain:
        """An independent copy."""
        copy = EffectChain()
        copy.actor = self.actor
        copy.waiting = self.waiting[:]
        copy.waiting_laws = self.waiting_laws[:]
        copy.fired_pairs = self.fired_pairs[:]
        copy.happened = self.happened
        copy.contributed = self.contributed
        return copy

    def contents(self) -> list[Any]:
        """The chain as plain numbers."""
        waiting = [list(self.waiting), list(self.waiting_laws)]
        return [*waiting, list(self.fired_pairs), self.happened, int(self.contributed)]

    def has_fired(self, law: i64, card: i64) -> bool:
        """Whether this card has set off this Law."""
        return (law << 8) | card in self.fired_pairs

    def end(self) -> None:
        """End the chain: anything that follows belongs to a new one."""
        self.fired_pairs = vec[i64]()
        self.happened = 0
        self.contributed = False
