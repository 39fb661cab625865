"""The contents of streams, and the check that they were the whole log, once and in order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple


class Told(NamedTuple):
    """An entry of a game, as a stream sent it."""

    seq: int
    hash: str


class Stand(NamedTuple):
    """The state of a game, as an account stream sent it, or as the database has it."""

    seq: int
    phase: str
    my_turn: bool


@dataclass
class Heard:
    """All that one stream of a game sent, over all its connections."""

    name: str
    game: str
    told: list[Told] = field(default_factory=list)
    is_ended: bool = False  # by a 204
    false_answers: list[str] = field(default_factory=list)

    @property
    def last(self) -> int:
        """The seq of the last entry received."""
        return self.told[-1].seq if self.told else 0


@dataclass
class HeardOfAll:
    """All that one stream of an account sent, by game."""

    name: str
    told: dict[str, list[Stand]] = field(default_factory=dict)
    false_answers: list[str] = field(default_factory=list)


def faults(heard: Heard, log: Sequence[Told], *, is_over: bool) -> Iterator[str]:
    """Everything that is wrong with the contents of a game stream."""
    where = f"{heard.name} of {heard.game}"
    yield from (f"{where}: {answer}" for answer in heard.false_answers)
    for before, entry in pairwise([Told(0, ""), *heard.told]):
        if entry.seq <= before.seq:
            yield f"{where}: told {entry.seq} again after {before.seq}"
        elif entry.seq > before.seq + 1:
            yield f"{where}: told {entry.seq} after {before.seq}: {entry.seq - before.seq - 1} lost"
    kept = {entry.seq: entry.hash for entry in log}
    for entry in heard.told:
        if kept.get(entry.seq) != entry.hash:
            yield f"{where}: entry {entry.seq} is not the one in the log"
    if heard.last != len(log):
        yield f"{where}: told up to {heard.last} of {len(log)}"
    if heard.is_ended and not is_over:
        yield f"{where}: was ended by 204, and the game is not over"


def account_faults(heard: HeardOfAll, truth: Mapping[str, Stand]) -> Iterator[str]:
    """Everything that is wrong with the contents of an account stream."""
    yield from (f"{heard.name}: {answer}" for answer in heard.false_answers)
    for game, stands in heard.told.items():
        if any(after.seq < before.seq for before, after in pairwise(stands)):
            yield f"{heard.name}: {game} goes back in the log"
    for game, stand in truth.items():
        told = heard.told.get(game)
        if not told:
            yield f"{heard.name}: never heard of {game}"
        elif told[-1] != stand:
            yield f"{heard.name}: the last word on {game} is {told[-1]}, not {stand}"
