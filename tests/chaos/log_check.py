"""The check of the logs against the replies that a storm's clients received."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final, NamedTuple

from games import position_cache, selectors
from games.audit import stored_game_verifier
from games.log_store import read_entries
from games.models import Game
from tabularium_engines.common.replayable_log import BrokenLog
from tabularium_log.fairness.encryption import UnlockError
from tabularium_log.fairness.signed_hash_chain import GENESIS_HASH, Receipt, entry_hash, is_genuine
from tabularium_log.projection.projection import Projection
from tests.chaos.journal import FAIL, OK, Attempt, Call

GameSeat = tuple[str, int]
OVER: Final = "over"


class LogEntry(NamedTuple):
    """An entry, with the choice that it answers if it is an action of the game."""

    seq: int
    seat: int | None
    action: Any
    choice: str | None
    at: str
    text: str
    hash: str

    def is_action_of(self, call: Call) -> bool:
        """Whether it is exactly the action that the call requested."""
        action_of_call = (call.seat, call.choice, call.action)
        return (self.seat, self.choice, self.action) == action_of_call


@dataclass(frozen=True)
class Log:
    """The stored log of a game."""

    game: str
    entries: tuple[LogEntry, ...]
    seq: int  # of the head
    hash: str
    phase: str

    def entry(self, seq: int) -> LogEntry | None:
        """The entry with that seq."""
        return next((entry for entry in self.entries if entry.seq == seq), None)

    def prefix_before(self, seq: int) -> Log:
        """The log as if that entry and all after it were lost."""
        entries = tuple(entry for entry in self.entries if entry.seq < seq)
        return replace(self, entries=entries, seq=entries[-1].seq, hash=entries[-1].hash)


def stored_log(game: str) -> Log:
    """The log of a game, replayed by the rules; BrokenLog if they do not allow it."""
    head = Game.objects.get(pk=game)
    rows = read_entries(game, 0, head.seq)
    tables = list(selectors.game_projections(game))
    choices = [
        None,
        *(_answered_choice(previous, following) for previous, following in pairwise(tables)),
    ]
    entries = tuple(
        LogEntry(
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
    return Log(game, entries, head.seq, head.hash, head.phase)


def _answered_choice(previous: Projection, following: Projection) -> str | None:
    """The choice that an action of the game answered."""
    seat = following.entry.seat
    if seat is None or following.entry.draws is None:
        return None
    return previous.choice_token(seat)


def readable_logs() -> tuple[dict[str, Log], list[str]]:
    """Every log, replayed from its first entry, and the faults of those that are broken."""
    position_cache.cache.clear()
    logs, log_faults = {}, []
    for game in Game.objects.values_list("pk", flat=True):
        verdict = stored_game_verifier.verify_game(game)
        try:
            logs[game] = stored_log(game)
        except (BrokenLog, UnlockError) as problem:
            log_faults.append(f"{game}: {problem}")
        log_faults += [] if verdict.is_good else [str(verdict)]
    return logs, log_faults


# -- the faults ------------------------------------------------------------------------------------


def faults(
    logs: Mapping[str, Log],
    attempts: Sequence[Attempt],
    client_seats: set[GameSeat],
    *,
    must_be_over: bool = True,
) -> list[str]:
    """Everything that is wrong, in words. The clients play `client_seats`."""
    requested_keys = {_key(attempt.call) for attempt in attempts}
    all_faults = [
        fault for log in logs.values() for fault in [*_chain_faults(log), *_duplicate_answers(log)]
    ]
    all_faults += [
        f"{log.game}: is not over" for log in logs.values() if must_be_over and log.phase != OVER
    ]
    all_faults += [
        fault
        for log in logs.values()
        for fault in _unrequested_actions(log, requested_keys, client_seats)
    ]
    for attempt in attempts:
        all_faults += _attempt_faults(attempt, logs[attempt.call.game])
    return all_faults + list(_unresolved_calls(attempts))


def _chain_faults(log: Log) -> Iterator[str]:
    previous = GENESIS_HASH
    for seq, entry in enumerate(log.entries, start=1):
        if entry.seq != seq:
            yield f"{log.game}: entry {seq} is missing"
            return
        document = json.loads(entry.text)
        if (document["prev"], document["seq"], document["game"]) != (previous, seq, log.game):
            yield f"{log.game}: entry {seq} does not follow the one before it"
        if entry_hash(entry.text) != entry.hash:
            yield f"{log.game}: entry {seq} has another hash"
        previous = entry.hash
    if (log.seq, log.hash) != (len(log.entries), previous):
        yield f"{log.game}: the head is not the last entry"


def _duplicate_answers(log: Log) -> Iterator[str]:
    answer_counts = Counter((entry.seat, entry.choice) for entry in log.entries if entry.choice)
    for (seat, choice), count in answer_counts.items():
        if count > 1:
            yield f"{log.game}: seat {seat} answered the choice {choice} {count} times"


def _unrequested_actions(
    log: Log, requested_keys: set[str], client_seats: set[GameSeat]
) -> Iterator[str]:
    for entry in log.entries:
        if entry.choice is None or entry.seat is None:
            continue
        if (log.game, entry.seat) not in client_seats:
            continue
        if _key(Call(log.game, entry.seat, entry.choice, entry.action)) not in requested_keys:
            yield f"{log.game}: no client requested entry {entry.seq}"


def _attempt_faults(attempt: Attempt, log: Log) -> Iterator[str]:
    call, answer = attempt.call, attempt.answer
    if attempt.outcome == FAIL and answer["code"] != "busy":
        if any(entry.is_action_of(call) for entry in log.entries):
            yield f"{log.game}: refused ({answer['code']}), and done all the same: {call}"
    elif attempt.outcome == OK:
        entry, receipt = log.entry(answer["first"]), Receipt(**answer["receipt"])
        head = log.entry(receipt.seq)
        if entry is None or head is None:
            yield f"{log.game}: entry {answer['first']} was acknowledged, and is lost"
        elif not entry.is_action_of(call):
            yield f"{log.game}: entry {answer['first']} is not what was acknowledged"
        elif receipt.hash != head.hash or not is_genuine(receipt):
            yield f"{log.game}: the receipt for entry {receipt.seq} does not fit the log"


def _unresolved_calls(attempts: Sequence[Attempt]) -> Iterator[str]:
    resolved_keys = {_key(attempt.call) for attempt in attempts if attempt.outcome in (OK, FAIL)}
    for key in {_key(attempt.call) for attempt in attempts} - resolved_keys:
        yield f"never answered: {key}"


def _key(call: Call) -> str:
    return json.dumps([call.game, call.seat, call.choice, call.action], sort_keys=True)


def detection_faults(
    logs: dict[str, Log], all_attempts: list[Attempt], client_seats: set[GameSeat]
) -> list[str]:
    """The failure of this check to detect a lost entry: an acknowledged one is removed from a copy,
    and must be reported."""
    attempt = next((attempt for attempt in reversed(all_attempts) if attempt.outcome == OK), None)
    if attempt is None:
        return ["no action of a client was acknowledged"]
    game, seq = attempt.call.game, attempt.answer["first"]
    damaged_logs = {**logs, game: logs[game].prefix_before(seq)}
    is_detected = any(
        f"entry {seq} was acknowledged, and is lost" in fault
        for fault in faults(damaged_logs, all_attempts, client_seats)
    )
    return [] if is_detected else ["the check does not detect a lost entry"]
