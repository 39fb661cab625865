"""The verdict of a storm with watchers: every promise checked against the observations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Final

from games.models import Game, Player
from tests.chaos import log_check, readiness_check, stream_check
from tests.chaos.fault_storm import RECOVERY_TIMEOUT, Storm, injection_counts
from tests.chaos.journal import OK, Attempt, attempts
from tests.chaos.kill_storm_run import detection_faults, readable_logs
from tests.chaos.log_check import Log
from tests.chaos.stream_check import GameState, StreamedEntry
from tests.chaos.watchers import LINES, AccountWatcher, GameWatcher

WINDOW: Final = 10  # seconds
# While a fault lasts, each of the 8 tables may have a bot or a request fail every two seconds, with
# a traceback of about forty lines. Streams write a line a second.
MAX_TRACEBACKS: Final = 8 * WINDOW // 2
MAX_LINES: Final = 40 * MAX_TRACEBACKS


@dataclass(frozen=True)
class Verdict:
    """The figures of one storm with watchers."""

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
    recovery_longest: float  # seconds from the end of a fault until the last table went on
    readiness_statuses: dict[str, int]  # in the replies of readyz
    max_lines: int  # in the log within ten seconds
    max_tracebacks: int
    faults: list[str]

    def document(self) -> dict[str, Any]:
        """The verdict as JSON."""
        return asdict(self)

    def __str__(self) -> str:
        lines = (f"{name.replace('_', ' ')}: {value}" for name, value in asdict(self).items())
        return "\n".join(lines)


def build_verdict(stores: str, storm: Storm) -> Verdict:
    """The figures, and everything that is wrong."""
    logs, faults = readable_logs()
    journals = [table.journal for table in storm.tables if not table.is_absent]
    all_attempts = [attempt for journal in journals for attempt in attempts(journal)]
    faults += [
        *_log_faults(storm, logs, all_attempts),
        *_stream_faults(storm, logs),
        *_service_faults(storm),
    ]
    game_watchers = [watcher for watcher in storm.watchers if isinstance(watcher, GameWatcher)]
    times = [
        seconds for injection in storm.injections for seconds in injection.recovery_seconds.values()
    ]
    statuses = [poll.status for poll in storm.polls.replies]
    return Verdict(
        stores=stores,
        faults_injected=injection_counts(storm.injections),
        injections=[injection.document() for injection in storm.injections],
        games=len(logs),
        entries=sum(len(log.lines) for log in logs.values()),
        acknowledged=sum(attempt.outcome == OK for attempt in all_attempts),
        unanswered=dict(_unanswered(storm)),
        streams=len(storm.watchers),
        connections=sum(watcher.statuses.total() for watcher in storm.watchers),
        streamed_entries=sum(
            len(record.entries) for watcher in game_watchers for record in watcher.records
        ),
        recovery_longest=max((seconds for seconds in times if seconds is not None), default=0.0),
        readiness_statuses=dict(sorted(Counter(statuses).items())),
        max_lines=storm.instance.max_in_window(storm.instance.lines, WINDOW),
        max_tracebacks=storm.instance.max_in_window(storm.instance.tracebacks, WINDOW),
        faults=faults,
    )


def _log_faults(storm: Storm, logs: dict[str, Log], all_attempts: list[Attempt]) -> list[str]:
    client_seats = {
        (game, 0) for table in storm.tables for game in table.games if not table.is_absent
    }
    missing_games = [game for table in storm.tables for game in table.games if game not in logs]
    if missing_games:
        return [f"{game}: was acknowledged, and is not there" for game in missing_games]
    faults = log_check.faults(logs, all_attempts, client_seats, all_end=False)
    return [*faults, *detection_faults(logs, all_attempts, client_seats)]


def _stream_faults(storm: Storm, logs: dict[str, Log]) -> Iterator[str]:
    for watcher in storm.watchers:
        if isinstance(watcher, GameWatcher):
            for record in watcher.records:
                log = logs[record.game]
                entries = [StreamedEntry(line.seq, line.hash) for line in log.lines]
                yield from stream_check.faults(record, entries, is_over=log.phase == log_check.OVER)
        elif isinstance(watcher, AccountWatcher):
            yield from stream_check.account_faults(watcher.record, _final_states(watcher))


def _final_states(watcher: AccountWatcher) -> dict[str, GameState]:
    """The state of the account's games. A client that reads lines has no id to resume with: it
    begins again with the games that are not over."""
    seats: dict[str, int] = {}
    players = Player.objects.filter(account=watcher.account)
    for game, seat in players.values_list("game", "seat"):
        seats[game] = seats.get(game, 0) | 1 << seat
    games = Game.objects.filter(pk__in=seats)
    if watcher.media_type == LINES:
        games = games.exclude(phase=Game.Phase.OVER)
    return {
        game.pk: GameState(game.seq, game.phase, bool(game.awaited & seats[game.pk]))
        for game in games
    }


def _service_faults(storm: Storm) -> Iterator[str]:
    for injection in storm.injections:
        for table, seconds in injection.recovery_seconds.items():
            if seconds is None:
                late = f"within {RECOVERY_TIMEOUT:g} s after {injection.kind}"
                yield f"table {table} did not go on {late}"
    waits = [wait for table in storm.tables for wait in table.waits]
    idle = readiness_check.idle_bots(storm.progress.observations)
    idle += readiness_check.idle_writes(waits, storm.ended_at)
    yield from readiness_check.false_ready(storm.polls.replies, idle)
    yield from dict.fromkeys(answer for table in storm.tables for answer in table.false_answers)
    yield from storm.instance.leftovers
    yield from _internal_errors(storm)
    lines = storm.instance.max_in_window(storm.instance.lines, WINDOW)
    if lines > MAX_LINES:
        yield f"{lines} lines of log in {WINDOW} s"
    tracebacks = storm.instance.max_in_window(storm.instance.tracebacks, WINDOW)
    if tracebacks > MAX_TRACEBACKS:
        yield f"{tracebacks} tracebacks in {WINDOW} s"


def _unanswered(storm: Storm) -> Counter[str]:
    return sum((table.unanswered for table in storm.tables), Counter())


def _internal_errors(storm: Storm) -> Iterator[str]:
    """A fault is no bug, so no reply may be 500, except where a secret cannot be decrypted."""
    players = sum(n for reason, n in _unanswered(storm).items() if reason.startswith("500"))
    streams = sum(watcher.statuses[500] for watcher in storm.watchers)
    polls = sum(poll.status == "500" for poll in storm.polls.replies)
    is_excused = any(injection.kind == "box-sealed" for injection in storm.injections)
    if players + streams and not is_excused:
        yield f"500 was answered to {players} requests of players and {streams} of watchers"
    if polls:
        yield f"500 was answered to {polls} requests for readiness"
