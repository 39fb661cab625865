"""The check that each stream sent the whole log, once and in order, and the records of streams that
it checks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple


class StreamedEntry(NamedTuple):
    """An entry of a game, as a stream sent it."""

    seq: int
    hash: str


class GameState(NamedTuple):
    """The state of a game, as an account stream sent it, or as the database has it."""

    seq: int
    phase: str
    is_my_turn: bool


@dataclass
class StreamRecord:
    """All entries that one stream of a game sent, over all its connections."""

    name: str
    game: str
    entries: list[StreamedEntry] = field(default_factory=list)
    is_ended: bool = False  # by a 204
    wrong_answers: list[str] = field(default_factory=list)

    @property
    def last_seq(self) -> int:
        """The seq of the last entry received."""
        return self.entries[-1].seq if self.entries else 0


@dataclass
class AccountStreamRecord:
    """All states that one stream of an account sent, by game."""

    name: str
    states_by_game: dict[str, list[GameState]] = field(default_factory=dict)
    wrong_answers: list[str] = field(default_factory=list)


def faults(
    record: StreamRecord, log_entries: Sequence[StreamedEntry], *, is_over: bool
) -> Iterator[str]:
    """Everything that is wrong with the contents of a game stream."""
    stream = f"{record.name} of {record.game}"
    yield from (f"{stream}: {answer}" for answer in record.wrong_answers)
    for previous, entry in pairwise([StreamedEntry(0, ""), *record.entries]):
        if entry.seq <= previous.seq:
            yield f"{stream}: sent {entry.seq} again after {previous.seq}"
        elif entry.seq > previous.seq + 1:
            gap = entry.seq - previous.seq - 1
            yield f"{stream}: sent {entry.seq} after {previous.seq}: {gap} lost"
    hashes = {entry.seq: entry.hash for entry in log_entries}
    for entry in record.entries:
        if hashes.get(entry.seq) != entry.hash:
            yield f"{stream}: entry {entry.seq} is not the one in the log"
    if record.last_seq != len(log_entries):
        yield f"{stream}: sent up to {record.last_seq} of {len(log_entries)}"
    if record.is_ended and not is_over:
        yield f"{stream}: was ended by 204, and the game is not over"


def account_faults(
    record: AccountStreamRecord, final_states: Mapping[str, GameState]
) -> Iterator[str]:
    """Everything that is wrong with the contents of an account stream."""
    yield from (f"{record.name}: {answer}" for answer in record.wrong_answers)
    for game, states in record.states_by_game.items():
        if any(following.seq < previous.seq for previous, following in pairwise(states)):
            yield f"{record.name}: {game} goes back in the log"
    for game, state in final_states.items():
        sent_states = record.states_by_game.get(game)
        if not sent_states:
            yield f"{record.name}: sent nothing about {game}"
        elif sent_states[-1] != state:
            yield f"{record.name}: the last state of {game} is {sent_states[-1]}, not {state}"
