"""The verdict of a storm with watchers: every promise checked against the observations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Final

from games.models import Game, Player
from tests.chaos import checking, stillness, telling
from tests.chaos.checking import Log
from tests.chaos.journal import OK, Attempt, attempts
from tests.chaos.rehearsal import blind, readable_logs
from tests.chaos.telling import Stand, Told
from tests.chaos.watched import AGAIN, Storm, injected
from tests.chaos.watchers import LINES, AccountWatcher, GameWatcher

WINDOW: Final = 10  # seconds
# While a fault lasts, each of the 8 tables may have a bot or a request fail every two seconds, with
# a traceback of about forty lines. Streams write a line a second.
MOST_TRACEBACKS: Final = 8 * WINDOW // 2
MOST_LINES: Final = 40 * MOST_TRACEBACKS


@dataclass(frozen=True)
class Verdict:
    """The figures of one storm with watchers."""

    stores: str
    faults_injected: dict[str, int]
    blows: list[dict[str, Any]]
    games: int
    entries: int
    acknowledged: int
    unanswered: dict[str, int]  # requests of players, and why
    streams: int
    connections: int  # of streams
    told: int  # entries, by streams of games
    again_longest: float  # seconds from the end of a fault until the last table went on
    said: dict[str, int]  # by readyz
    most_lines: int  # in the log within ten seconds
    most_tracebacks: int
    faults: list[str]

    def document(self) -> dict[str, Any]:
        """The verdict as JSON."""
        return asdict(self)

    def __str__(self) -> str:
        lines = (f"{name.replace('_', ' ')}: {value}" for name, value in asdict(self).items())
        return "\n".join(lines)


def judged(stores: str, storm: Storm) -> Verdict:
    """The figures, and everything that is wrong."""
    logs, found = readable_logs()
    journals = [table.journal for table in storm.tables if not table.is_absent]
    tried = [attempt for journal in journals for attempt in attempts(journal)]
    found += [*_of_the_log(storm, logs, tried), *_of_streams(storm, logs), *_of_the_service(storm)]
    games = [each for each in storm.watchers if isinstance(each, GameWatcher)]
    times = [after for blow in storm.blows for after in blow.again.values()]
    said = [poll.said for poll in storm.polls.replies]
    return Verdict(
        stores=stores,
        faults_injected=injected(storm.blows),
        blows=[blow.document() for blow in storm.blows],
        games=len(logs),
        entries=sum(len(log.lines) for log in logs.values()),
        acknowledged=sum(attempt.outcome == OK for attempt in tried),
        unanswered=dict(_unanswered(storm)),
        streams=len(storm.watchers),
        connections=sum(watcher.statuses.total() for watcher in storm.watchers),
        told=sum(len(heard.told) for watcher in games for heard in watcher.heard),
        again_longest=max((after for after in times if after is not None), default=0.0),
        said={word: said.count(word) for word in sorted(set(said))},
        most_lines=storm.instance.worst(storm.instance.lines, WINDOW),
        most_tracebacks=storm.instance.worst(storm.instance.tracebacks, WINDOW),
        faults=found,
    )


def _of_the_log(storm: Storm, logs: dict[str, Log], tried: list[Attempt]) -> list[str]:
    attended = {(game, 0) for table in storm.tables for game in table.games if not table.is_absent}
    lost = [game for table in storm.tables for game in table.games if game not in logs]
    if lost:
        return [f"{game}: was acknowledged, and is not there" for game in lost]
    found = checking.faults(logs, tried, attended, all_end=False)
    return [*found, *blind(logs, tried, attended)]


def _of_streams(storm: Storm, logs: dict[str, Log]) -> Iterator[str]:
    for watcher in storm.watchers:
        if isinstance(watcher, GameWatcher):
            for heard in watcher.heard:
                log = logs[heard.game]
                kept = [Told(line.seq, line.hash) for line in log.lines]
                yield from telling.faults(heard, kept, is_over=log.phase == checking.OVER)
        elif isinstance(watcher, AccountWatcher):
            yield from telling.account_faults(watcher.heard, _truth(watcher))


def _truth(watcher: AccountWatcher) -> dict[str, Stand]:
    """The state of the account's games. A client that reads lines has no id to resume with: it
    begins again with the games that are not over."""
    seats: dict[str, int] = {}
    players = Player.objects.filter(account=watcher.account)
    for game, seat in players.values_list("game", "seat"):
        seats[game] = seats.get(game, 0) | 1 << seat
    games = Game.objects.filter(pk__in=seats)
    if watcher.form == LINES:
        games = games.exclude(phase=Game.Phase.OVER)
    return {
        game.pk: Stand(game.seq, game.phase, bool(game.awaited & seats[game.pk])) for game in games
    }


def _of_the_service(storm: Storm) -> Iterator[str]:
    for blow in storm.blows:
        for table, after in blow.again.items():
            if after is None:
                yield f"table {table} did not go on within {AGAIN:g} s after {blow.kind}"
    waits = [wait for table in storm.tables for wait in table.waits]
    idle = stillness.idle_bots(storm.progress.looks)
    idle += stillness.idle_writes(waits, storm.ended)
    yield from stillness.false_ready(storm.polls.replies, idle)
    yield from dict.fromkeys(answer for table in storm.tables for answer in table.false_answers)
    yield from storm.instance.left
    yield from _internal_errors(storm)
    lines = storm.instance.worst(storm.instance.lines, WINDOW)
    if lines > MOST_LINES:
        yield f"{lines} lines of log in {WINDOW} s"
    tracebacks = storm.instance.worst(storm.instance.tracebacks, WINDOW)
    if tracebacks > MOST_TRACEBACKS:
        yield f"{tracebacks} tracebacks in {WINDOW} s"


def _unanswered(storm: Storm) -> Counter[str]:
    return sum((table.unanswered for table in storm.tables), Counter())


def _internal_errors(storm: Storm) -> Iterator[str]:
    """A fault is no bug, so no reply may be 500, except where a secret cannot be decrypted."""
    players = sum(n for why, n in _unanswered(storm).items() if why.startswith("500"))
    streams = sum(watcher.statuses[500] for watcher in storm.watchers)
    polls = sum(poll.said == "500" for poll in storm.polls.replies)
    is_excused = any(blow.kind == "box-sealed" for blow in storm.blows)
    if players + streams and not is_excused:
        yield f"500 was answered to {players} requests of players and {streams} of watchers"
    if polls:
        yield f"500 was answered to {polls} requests for readiness"
