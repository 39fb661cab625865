"""The check of a storm: the logs against the replies that the clients received."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final, NamedTuple

from games import selectors
from games.fairness.signed_hash_chain import GENESIS_HASH, Receipt, entry_hash, is_genuine
from games.models import Entry, Game
from games.projection.projection import Projection
from tests.chaos.journal import FAIL, OK, Attempt, Call

Place = tuple[str, int]
OVER: Final = "over"


class Line(NamedTuple):
    """An entry, with the choice that it answers if it is an action of the game."""

    seq: int
    seat: int | None
    action: Any
    choice: str | None
    at: str
    text: str
    hash: str

    def answers(self, call: Call) -> bool:
        """Whether it is exactly the requested action."""
        requested = (call.seat, call.choice, call.action)
        return (self.seat, self.choice, self.action) == requested


@dataclass(frozen=True)
class Log:
    """The stored log of a game."""

    game: str
    lines: tuple[Line, ...]
    seq: int  # of the head
    hash: str
    phase: str

    def line(self, seq: int) -> Line | None:
        """The entry with that seq."""
        return next((line for line in self.lines if line.seq == seq), None)

    def without(self, seq: int) -> Log:
        """The log as if that entry and all after it were lost."""
        lines = tuple(line for line in self.lines if line.seq < seq)
        return replace(self, lines=lines, seq=lines[-1].seq, hash=lines[-1].hash)


def log(game: str) -> Log:
    """The log of a game, replayed by the rules; BrokenLog if they do not allow it."""
    head = Game.objects.get(pk=game)
    rows = Entry.objects.filter(game=game).order_by("seq")
    tables = list(selectors.game_projections(game))
    choices = [
        None,
        *(_choice_answered(previous, following) for previous, following in pairwise(tables)),
    ]
    lines = tuple(
        Line(
            row.seq,
            table.entry.seat,
            table.entry.action,
            choice,
            table.entry.at,
            row.text,
            row.hash,
        )
        for row, table, choice in zip(rows, tables, choices, strict=True)
    )
    return Log(game, lines, head.seq, head.hash, head.phase)


def _choice_answered(previous: Projection, following: Projection) -> str | None:
    """The choice that an action of the game answered."""
    seat = following.entry.seat
    if seat is None or following.entry.draws is None:
        return None
    return previous.choice_token(seat)


# -- the faults ------------------------------------------------------------------------------------


def faults(
    logs: Mapping[str, Log],
    attempts: Sequence[Attempt],
    client_seats: set[Place],
    *,
    all_end: bool = True,
) -> list[str]:
    """Everything that is wrong, in words; `attended` are the seats that the clients play."""
    requested = {_key(attempt.call) for attempt in attempts}
    found_faults = [
        fault for log in logs.values() for fault in [*_chain_faults(log), *_duplicate_answers(log)]
    ]
    found_faults += [
        f"{log.game}: is not over" for log in logs.values() if all_end and log.phase != OVER
    ]
    found_faults += [
        fault
        for log in logs.values()
        for fault in _unrequested_actions(log, requested, client_seats)
    ]
    for attempt in attempts:
        found_faults += _attempt_faults(attempt, logs[attempt.call.game])
    return found_faults + list(_unresolved_calls(attempts))


def _chain_faults(log: Log) -> Iterator[str]:
    previous = GENESIS_HASH
    for seq, line in enumerate(log.lines, start=1):
        if line.seq != seq:
            yield f"{log.game}: entry {seq} is missing"
            return
        document = json.loads(line.text)
        if (document["prev"], document["seq"], document["game"]) != (previous, seq, log.game):
            yield f"{log.game}: entry {seq} does not follow the one before it"
        if entry_hash(line.text) != line.hash:
            yield f"{log.game}: entry {seq} has another hash"
        previous = line.hash
    if (log.seq, log.hash) != (len(log.lines), previous):
        yield f"{log.game}: the head is not the last entry"


def _duplicate_answers(log: Log) -> Iterator[str]:
    answer_counts = Counter((line.seat, line.choice) for line in log.lines if line.choice)
    for (seat, choice), times in answer_counts.items():
        if times > 1:
            yield f"{log.game}: seat {seat} answered the choice {choice} {times} times"


def _unrequested_actions(log: Log, requested: set[str], client_seats: set[Place]) -> Iterator[str]:
    for line in log.lines:
        if line.choice is None or line.seat is None or (log.game, line.seat) not in client_seats:
            continue
        if _key(Call(log.game, line.seat, line.choice, line.action)) not in requested:
            yield f"{log.game}: no client requested entry {line.seq}"


def _attempt_faults(attempt: Attempt, log: Log) -> Iterator[str]:
    call, answer = attempt.call, attempt.answer
    if attempt.outcome == FAIL and answer["code"] != "busy":
        if any(line.answers(call) for line in log.lines):
            yield f"{log.game}: refused ({answer['code']}), and done all the same: {call}"
    elif attempt.outcome == OK:
        line, receipt = log.line(answer["first"]), Receipt(**answer["receipt"])
        head = log.line(receipt.seq)
        if line is None or head is None:
            yield f"{log.game}: entry {answer['first']} was acknowledged, and is lost"
        elif not line.answers(call):
            yield f"{log.game}: entry {answer['first']} is not what was acknowledged"
        elif receipt.hash != head.hash or not is_genuine(receipt):
            yield f"{log.game}: the receipt for entry {receipt.seq} does not fit the log"


def _unresolved_calls(attempts: Sequence[Attempt]) -> Iterator[str]:
    resolved = {_key(attempt.call) for attempt in attempts if attempt.outcome in (OK, FAIL)}
    for key in {_key(attempt.call) for attempt in attempts} - resolved:
        yield f"never answered: {key}"


def _key(call: Call) -> str:
    return json.dumps([call.game, call.seat, call.choice, call.action], sort_keys=True)
