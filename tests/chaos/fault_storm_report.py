"""The report of a fault storm: its figures, and the check of every promise against the records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Final

from games.models import Game, Player
from tests.chaos import log_check, readiness_check, stream_check
from tests.chaos.fault_storm import FaultStorm, injection_counts
from tests.chaos.journal import OK, Attempt, attempts
from tests.chaos.log_check import GameSeat, Log
from tests.chaos.stream_check import GameState, StreamedEntry
from tests.chaos.watchers import NDJSON, AccountWatcher, GameWatcher

WINDOW_SECONDS: Final = 10
# During a fault, a bot or a request of each of the 8 tables may fail every two seconds, with a
# traceback of about forty lines. Streams log a line a second.
MAX_TRACEBACKS: Final = 8 * WINDOW_SECONDS // 2
MAX_LINES: Final = 40 * MAX_TRACEBACKS


@dataclass(frozen=True)
class FaultStormReport:
    """The figures of one fault storm."""

    stores: str
    faults_injected: dict[str, int]
    injections: list[dict[str, Any]]
    games: int
    entries: int
    acknowledged: int
    unanswered: dict[str, int]  # requests of players, by reason
    streams: int
    connections: int  # of streams
    streamed_entries: int  # entries, by streams of games
    recovery_longest: float  # seconds from the end of a fault to the growth of the last table
    readiness_statuses: dict[str, int]  # in the replies of readyz
    max_lines: int  # in the log within ten seconds
    max_tracebacks: int
    faults: list[str]

    def document(self) -> dict[str, Any]:
        """The report as JSON."""
        return asdict(self)

    def __str__(self) -> str:
        lines = (f"{name.replace('_', ' ')}: {value}" for name, value in asdict(self).items())
        return "\n".join(lines)


def build_report(stores: str, storm: FaultStorm) -> FaultStormReport:
    """The figures, and everything that is wrong."""
    logs, faults = log_check.readable_logs()
    journals = [table.journal for table in storm.tables if not table.is_absent]
    all_attempts = [attempt for journal in journals for attempt in attempts(journal)]
    faults += [
        *_log_faults(storm, logs, all_attempts),
        *_stream_faults(storm, logs),
        *_service_faults(storm),
    ]
    game_watchers = [watcher for watcher in storm.watchers if isinstance(watcher, GameWatcher)]
    recovery_seconds = [
        seconds
        for injection in storm.injections
        for seconds in injection.recovery_seconds.values()
        if seconds is not None
    ]
    status_counts = Counter(reply.status for reply in storm.readiness_poller.replies)
    return FaultStormReport(
        stores=stores,
        faults_injected=injection_counts(storm.injections),
        injections=[injection.document() for injection in storm.injections],
        games=len(logs),
        entries=sum(len(log.entries) for log in logs.values()),
        acknowledged=sum(attempt.outcome == OK for attempt in all_attempts),
        unanswered=dict(_failure_reasons(storm)),
        streams=len(storm.watchers),
        connections=sum(watcher.statuses.total() for watcher in storm.watchers),
        streamed_entries=sum(
            len(record.entries) for watcher in game_watchers for record in watcher.records
        ),
        recovery_longest=max(recovery_seconds, default=0.0),
        readiness_statuses=dict(sorted(status_counts.items())),
        max_lines=storm.instance.max_in_window(storm.instance.lines, WINDOW_SECONDS),
        max_tracebacks=storm.instance.max_in_window(storm.instance.tracebacks, WINDOW_SECONDS),
        faults=faults,
    )


def _log_faults(storm: FaultStorm, logs: dict[str, Log], all_attempts: list[Attempt]) -> list[str]:
    client_seats: set[GameSeat] = {
        (game, 0) for table in storm.tables for game in table.games if not table.is_absent
    }
    missing_games = [game for table in storm.tables for game in table.games if game not in logs]
    if missing_games:
        return [f"{game}: was acknowledged, and is not there" for game in missing_games]
    faults = log_check.faults(logs, all_attempts, client_seats, must_be_over=False)
    return [*faults, *log_check.detection_faults(logs, all_attempts, client_seats)]


def _stream_faults(storm: FaultStorm, logs: dict[str, Log]) -> Iterator[str]:
    for watcher in storm.watchers:
        if isinstance(watcher, GameWatcher):
            for record in watcher.records:
                log = logs[record.game]
                entries = [StreamedEntry(entry.seq, entry.hash) for entry in log.entries]
                yield from stream_check.faults(record, entries, is_over=log.phase == log_check.OVER)
        elif isinstance(watcher, AccountWatcher):
            yield from stream_check.account_faults(watcher.record, final_states(watcher))


def final_states(watcher: AccountWatcher) -> dict[str, GameState]:
    """The states of the account's games. A client that reads NDJSON has no id to resume from: its
    last connection began with the games that were not over."""
    seats: dict[str, int] = {}
    players = Player.objects.filter(account=watcher.account)
    for game, seat in players.values_list("game", "seat"):
        seats[game] = seats.get(game, 0) | 1 << seat
    games = Game.objects.filter(pk__in=seats)
    if watcher.media_type == NDJSON:
        games = games.exclude(phase=Game.Phase.OVER)
    return {
        game.pk: GameState(game.seq, game.phase, bool(game.awaited & seats[game.pk]))
        for game in games
    }


def _service_faults(storm: FaultStorm) -> Iterator[str]:
    for injection in storm.injections:
        for table, seconds in injection.recovery_seconds.items():
            if seconds is None:
                yield f"table {table} did not go on after {injection.kind}"
    waits = [wait for table in storm.tables for wait in table.waits]
    idle_intervals = readiness_check.idle_bots(storm.observer.observations)
    idle_intervals += readiness_check.idle_writes(waits, storm.ended_at)
    yield from readiness_check.false_ready_faults(storm.readiness_poller.replies, idle_intervals)
    yield from dict.fromkeys(answer for table in storm.tables for answer in table.wrong_answers)
    yield from storm.instance.leftovers
    yield from _internal_errors(storm)
    line_count = storm.instance.max_in_window(storm.instance.lines, WINDOW_SECONDS)
    if line_count > MAX_LINES:
        yield f"{line_count} lines of log in {WINDOW_SECONDS} s"
    traceback_count = storm.instance.max_in_window(storm.instance.tracebacks, WINDOW_SECONDS)
    if traceback_count > MAX_TRACEBACKS:
        yield f"{traceback_count} tracebacks in {WINDOW_SECONDS} s"


def _failure_reasons(storm: FaultStorm) -> Counter[str]:
    return sum((table.failure_reasons for table in storm.tables), Counter())


def _internal_errors(storm: FaultStorm) -> Iterator[str]:
    """Replies with status 500. Of the injected faults, only a secret that cannot be decrypted
    excuses them."""
    reasons = _failure_reasons(storm)
    player_count = sum(count for reason, count in reasons.items() if reason.startswith("500"))
    stream_count = sum(watcher.statuses[500] for watcher in storm.watchers)
    poll_count = sum(reply.status == "500" for reply in storm.readiness_poller.replies)
    is_excused = any(injection.kind == "secret-altered" for injection in storm.injections)
    if player_count + stream_count and not is_excused:
        counts = f"{player_count} requests of players and {stream_count} of watchers"
        yield f"500 was answered to {counts}"
    if poll_count:
        yield f"500 was answered to {poll_count} requests for readiness"
