"""Appends that are committed together: each has its own verdict, whatever happens to the others."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from random import Random
from threading import Event
from typing import Any, Final, cast

import pytest
from django.db import IntegrityError, OperationalError, connection, connections, transaction

from games import group_commit, log_groups, log_store, position_cache, selectors
from games.group_commit import NotAppended, WaitingAppend, commit_group, take_group, writer
from games.log_groups import Append, append_group
from games.log_store import LogHead, LostRace, execute_prepared
from games.models import Entry, Game
from tabularium_log.projection.entry import StoredColumns
from tabularium_log.projection.entry_writer import EntryWriter
from tests.config.processes import PATIENCE
from tests.games.racers import crowd, table_for_racers
from tests.games.test_races import check
from tests.support.databases import Kept

pytestmark = pytest.mark.stores

NOW: Final = datetime(2026, 1, 2, 3, 4, 5, 678000, UTC)
THREADS: Final = 12


@pytest.fixture
def grouped(kept_here: Kept) -> Iterator[None]:
    """This process commits in groups."""
    writer.enable()
    yield
    writer.disable()


def append_of(game: str, actions: int = 1, skip: int = 0) -> Append:
    """The next actions of a game, all at one time, without the first `skip`."""
    position = position_cache.current_position(game)
    entry_writer = EntryWriter(position.secret, position.projection, position.hash)
    for _ in range(actions):
        table = entry_writer.projection
        seat = table.awaited_seats.bit_length() - 1
        choice = selectors.seat_choice(table, seat)
        assert choice is not None
        entry_writer.write(seat, choice.offers[0].action, NOW)
    head = LogHead(entry_writer.head_hash, entry_writer.projection)
    rows = entry_writer.rows[skip:]
    return Append(game, rows[0].seq - 1, rows, head)


def content(games: Sequence[str]) -> list[Any]:
    """The heads and entries of games."""
    heads = list(Game.objects.filter(pk__in=games).order_by("pk").values())
    return [heads, list(Entry.objects.filter(game__in=games).order_by("game", "seq").values())]


def appended_alone(appends: Sequence[Append]) -> None:
    for append in appends:
        log_store.append_rows(*append)


@pytest.mark.parametrize("counts", [(1,), (2, 1, 3)])
def test_a_group_writes_the_same_as_each_alone(kept_here: Kept, counts: tuple[int, ...]) -> None:
    games = [table_for_racers() for _ in counts]
    appends = [append_of(game, count) for game, count in zip(games, counts, strict=True)]
    before = content(games)
    assert append_group(appends) == set()
    for game, append in zip(games, appends, strict=True):
        row = Game.objects.get(pk=game)
        assert (row.seq, row.hash) == (append.rows[-1].seq, append.head.hash)
        position_cache.cache.clear()
        assert selectors.game_projection(game).seq == row.seq, "it can be replayed"
    assert len(content(games)[1]) == len(before[1]) + sum(counts)
    assert append_group(appends) == set(range(len(appends))), "the same entries a second time"
    assert len(content(games)[1]) == len(before[1]) + sum(counts)


def test_a_lost_append_changes_no_neighbour(kept_here: Kept) -> None:
    games = [table_for_racers() for _ in range(5)]
    appends = [append_of(game, 2) for game in games]
    lost_games = games[1], games[4]
    appended_alone([append_of(game) for game in lost_games])
    before = content(lost_games)
    assert append_group(appends) == {1, 4}
    assert content(lost_games) == before
    for game in (games[0], games[2], games[3]):
        assert Game.objects.get(pk=game).seq == appends[0].rows[-1].seq
    assert append_group([append_of(games[1])]) == set(), "nothing remains of a group that has lost"


def test_no_row_of_a_lost_append_is_written(kept_here: Kept) -> None:
    """The first of two equal actions in one millisecond is in the log: the second row follows it,
    and its hash is right."""
    game, other = table_for_racers(), table_for_racers()
    append = append_of(game, 2)
    appended_alone([Append(game, append.after, append.rows[:1], append_of(game).head)])
    before = content([game])
    assert append_group([append, append_of(other)]) == {0}
    assert content([game]) == before


def test_a_poisoned_row_fails_alone(kept_here: Kept) -> None:
    games = [table_for_racers() for _ in range(3)]
    appends = [append_of(game) for game in games]
    poisoned = [
        replace(row, columns=cast("StoredColumns", row.columns)._replace(box=cast("bytes", None)))
        for row in appends[1].rows
    ]
    appends[1] = appends[1]._replace(rows=poisoned)
    before, settled = content([games[1]]), list[WaitingAppend]()
    commit_group([WaitingAppend(append, settled.extend) for append in appends])
    assert [type(each.failure) for each in settled] == [type(None), IntegrityError, type(None)]
    assert content([games[1]]) == before
    assert Game.objects.get(pk=games[2]).hash == appends[2].head.hash


def test_a_store_that_fails_is_asked_once(kept_here: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def fail(appends: Sequence[Append]) -> set[int]:
        asked.append(len(appends))
        raise OperationalError("the disk is full")

    monkeypatch.setattr(group_commit, "append_group", fail)
    settled: list[WaitingAppend] = []
    appends = [append_of(table_for_racers()) for _ in range(3)]
    commit_group([WaitingAppend(append, settled.extend) for append in appends])
    failures = [each.failure for each in settled]
    assert asked == [3]
    assert all(isinstance(failure, OperationalError) for failure in failures)
    assert len(set(map(id, failures))) == 3, "each is raised in a thread of its own"


def test_a_failure_of_the_writer_itself_is_a_verdict(
    kept_here: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise MemoryError

    monkeypatch.setattr(group_commit, "drop_dead_connection", fail)
    settled: list[WaitingAppend] = []
    commit_group([WaitingAppend(append_of(table_for_racers()), settled.extend)])
    assert isinstance(settled[0].failure, OperationalError)


def test_a_verdict_that_cannot_be_delivered_holds_up_no_other(kept_here: Kept) -> None:
    def refuse(_: Sequence[WaitingAppend]) -> None:
        raise RuntimeError("the loop is closed")

    settled: list[WaitingAppend] = []
    appends = [append_of(table_for_racers()) for _ in range(2)]
    commit_group([WaitingAppend(appends[0], refuse), WaitingAppend(appends[1], settled.extend)])
    assert settled[0].failure is None


def test_one_who_waited_too_long_is_not_appended(kept_here: Kept, settings: Any) -> None:
    game, other = table_for_racers(), table_for_racers()
    before, settled = content([game]), list[WaitingAppend]()
    overdue = WaitingAppend(append_of(game), settled.extend)
    overdue.queued_at -= settings.DATABASE_SECONDS
    commit_group([overdue, WaitingAppend(append_of(other), settled.extend)])
    assert isinstance(overdue.failure, OperationalError)
    assert content([game]) == before
    assert settled[1].failure is None


# -- the queue -------------------------------------------------------------------------------------


def waiting(game: str, number: int, rows: int = 1) -> WaitingAppend:
    nothing: Any = None
    return WaitingAppend(Append(game, number, [nothing] * rows, nothing), lambda _: None)


def test_groups_keep_the_order_and_have_each_game_once(
    games_count: Callable[[int, int], int],
) -> None:
    chance = Random(1)
    for _ in range(games_count(50, 2000)):
        queue = deque(
            waiting(chance.choice("abcd"), number, chance.randrange(1, 60))
            for number in range(chance.randrange(1, 30))
        )
        everything, groups = list(queue), list[list[WaitingAppend]]()
        while queue:
            first = queue[0]
            groups.append(take_group(queue))
            assert groups[-1][0] is first, "the one that waited longest is always taken"
        for group in groups:
            games = [each.append.game for each in group]
            assert len(set(games)) == len(games)
            assert len(group) == 1 or sum(len(each.append.rows) for each in group) <= 128
        for game in "abcd":
            taken = [each for group in groups for each in group if each.append.game == game]
            assert taken == [each for each in everything if each.append.game == game]


def test_the_queue_settles_all_that_came_while_it_was_busy(
    grouped: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first group is held until all others wait: then these are one group."""
    games = [table_for_racers() for _ in range(THREADS)]
    appends = [append_of(game) for game in games]
    sizes, is_held, may_go_on = list[int](), Event(), Event()

    def hold(group: Sequence[Append]) -> set[int]:
        sizes.append(len(group))
        is_held.set()
        assert may_go_on.wait(PATIENCE)
        return append_group(group)

    monkeypatch.setattr(group_commit, "append_group", hold)
    settled: list[WaitingAppend] = []
    writer.submit(WaitingAppend(appends[0], settled.extend))
    assert is_held.wait(PATIENCE)
    for append in appends[1:]:
        writer.submit(WaitingAppend(append, settled.extend))
    assert writer.waiting_count == THREADS - 1
    may_go_on.set()
    group_commit.append_rows(*append_of(table_for_racers()))  # waits behind them
    assert sizes == [1, THREADS - 1, 1] or sizes == [1, THREADS]
    assert [each.failure for each in settled] == [None] * THREADS
    assert [each.append for each in settled] == appends, "in the order in which they came"


# -- threads ---------------------------------------------------------------------------------------


def test_twelve_threads_at_one_table(grouped: None, games_count: Callable[[int, int], int]) -> None:
    for _ in range(games_count(2, 20)):
        game = table_for_racers()
        outcomes = crowd([game], THREADS, 20)
        check(game, outcomes)
        assert any(outcome.refusal == "stale-choice" for outcome in outcomes)


def test_threads_that_append_the_same(grouped: None) -> None:
    """One of them wins, and the others have lost: not even their bytes differ."""
    game = table_for_racers()
    append = append_of(game)

    def attempt(_: int) -> bool:
        try:
            group_commit.append_rows(*append)
        except LostRace:
            return False
        finally:
            connections.close_all()
        return True

    with ThreadPoolExecutor(THREADS) as pool:
        assert sum(pool.map(attempt, range(THREADS))) == 1
    assert Game.objects.get(pk=game).seq == append.rows[-1].seq


def test_a_transaction_of_its_own_is_not_grouped(
    grouped: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(group_commit, "append_group", lambda _: pytest.fail("it was grouped"))
    game = table_for_racers()
    before = content([game])
    with transaction.atomic():
        group_commit.append_rows(*append_of(game))
        assert content([game]) != before
        transaction.set_rollback(True)
    assert content([game]) == before


# -- PostgreSQL ------------------------------------------------------------------------------------


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite locks no rows")
class TestOnPostgres:
    def test_a_locked_game_holds_up_no_other(self, kept_here: Kept) -> None:
        game, other = table_for_racers(), table_for_racers()
        appends = [append_of(game), append_of(other)]
        rival = connections.create_connection("default")
        try:
            rival.set_autocommit(False)
            with rival.cursor() as cursor:
                cursor.execute("SELECT 1 FROM games_game WHERE id = %s FOR UPDATE", [game])
            assert append_group(appends) == {0}
            assert Game.objects.get(pk=other).hash == appends[1].head.hash
            rival.rollback()
        finally:
            rival.close()
        group_commit.append_rows(*appends[0])
        assert Game.objects.get(pk=game).hash == appends[0].head.hash

    def test_one_that_is_locked_is_appended_when_it_is_free(self, grouped: None) -> None:
        game = table_for_racers()
        append = append_of(game)
        rival = connections.create_connection("default")
        rival.set_autocommit(False)
        with rival.cursor() as cursor:
            cursor.execute("SELECT 1 FROM games_game WHERE id = %s FOR UPDATE", [game])

        def attempt() -> None:
            try:
                group_commit.append_rows(*append)
            finally:
                connections.close_all()

        with ThreadPoolExecutor(1) as pool:
            attempted = pool.submit(attempt)
            while not _waits_for_a_lock():
                assert not attempted.done()
            rival.rollback()
            rival.close()
            attempted.result(PATIENCE)
        assert Game.objects.get(pk=game).hash == append.head.hash

    def test_a_connection_that_the_server_has_closed_is_replaced(self, kept_here: Kept) -> None:
        append_group([append_of(table_for_racers())])
        driver: Any = connection.connection
        backend = driver.info.backend_pid
        rival = connections.create_connection("default")
        with rival.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(%s, 10000)", [backend])
        rival.close()
        log_groups.drop_dead_connection()
        assert append_group([append_of(table_for_racers())]) == set()
        replacement: Any = connection.connection
        assert replacement.info.backend_pid != backend

    def test_the_statement_scans_no_table(
        self, kept_here: Kept, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        plans: list[str] = []

        def explain(sql: str, values: Any) -> Any:
            with connection.cursor() as cursor:
                cursor.execute("SET enable_seqscan = off")
                cursor.execute(f"EXPLAIN {sql}", values)
                plans.extend(line for (line,) in cursor.fetchall())
                cursor.execute("SET enable_seqscan = on")
            return execute_prepared(sql, values)

        monkeypatch.setattr(log_groups, "execute_prepared", explain)
        assert append_group([append_of(table_for_racers()) for _ in range(3)]) == set()
        assert any("Index" in line for line in plans)
        assert not [line for line in plans if "Seq Scan" in line]

    def test_a_connection_that_lives_is_kept(self, kept_here: Kept) -> None:
        append_group([append_of(table_for_racers())])
        driver = connection.connection
        log_groups.drop_dead_connection()
        assert connection.connection is driver


def _waits_for_a_lock() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
        return bool(cursor.fetchone()[0])


def test_only_the_writer_raises_not_appended(grouped: None) -> None:
    """Its callers see a lost race."""
    game = table_for_racers()
    append = append_of(game)
    appended_alone([append_of(game)])
    with pytest.raises(NotAppended):
        writer.append(append)
    with pytest.raises(LostRace):
        group_commit.append_rows(*append)
