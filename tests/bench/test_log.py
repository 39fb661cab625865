"""The log benchmarks measure the intended work, and all of them run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.utils import timezone

from bench import race, report
from bench.log import contests, sample_games, stores, tabularium_contestant
from bench.log.stores import Store
from bench.log.worker import Worker, repeat_for
from games import position_cache
from games.models import Entry
from tabularium_engines.common.random_generators import FastRng

pytestmark = pytest.mark.lane("slow")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A migrated SQLite store."""
    return stores.migrate_stores({"sqlite": Store(tmp_path)})["sqlite"]


# -- the tables --------------------------------------------------------------------------------


@pytest.mark.parametrize("length", [10, 101])
def test_a_table_is_dealt_after_a_log_of_any_length(length: int) -> None:
    table = sample_games.write_dealt_game(length).projection
    assert length - 1 <= table.seq <= length
    assert table.phase == "playing"
    assert table.last_actions == (None,) * sample_games.SEAT_COUNT


def test_a_long_game_is_one_of_decisions() -> None:
    scribe = sample_games.write_long_game(300)
    assert [row.seq for row in scribe.rows] == list(range(1, 301))
    assert scribe.projection.phase == "playing"
    assert sum(sample_games.POSTPONED_ACTION in row.text for row in scribe.rows) < 30
    assert sum('"type":"law_of_the_dice' in row.text for row in scribe.rows) > 200


def test_a_decision_is_legal() -> None:
    scribe, rng = sample_games.write_dealt_game(5), FastRng(1)
    for _ in range(20):
        before = scribe.projection.seq
        assert (
            scribe.write(*sample_games.pick_action(scribe.projection, rng), timezone.now()).seq
            == before + 1
        )


# -- the rounds --------------------------------------------------------------------------------


@pytest.mark.django_db
def test_appends_are_counted_and_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tabularium_contestant, "APPEND_WINDOW", 3)
    done, elapsed = tabularium_contestant.append_round(20)(0.0)
    assert done == 3
    assert elapsed > 0
    assert Entry.objects.count() == 20 - 1 + 3


@pytest.mark.django_db
def test_loads_and_folds_reach_the_same_table() -> None:
    tabularium_contestant.long_game.cache_clear()
    game = tabularium_contestant.long_game(30)
    cached = position_cache.current_position(game).projection
    assert tabularium_contestant.load_round(30)(0.0)[0] == 30
    assert tabularium_contestant.fold_round(30)(0.0)[0] == 30
    loaded = position_cache.current_position(game).projection
    assert loaded is not cached
    assert (loaded.seq, loaded.entry, loaded.choice_since) == (
        cached.seq,
        cached.entry,
        cached.choice_since,
    )


@pytest.mark.django_db
def test_creates_are_rows() -> None:
    done, _ = tabularium_contestant.create_round()(0.0)
    assert done == 1
    assert Entry.objects.latest("seq").seq in (
        tabularium_contestant.APPEND_WINDOW,
        tabularium_contestant.APPEND_WINDOW + 1,
    )


def test_a_slice_is_whole_rounds() -> None:
    done, elapsed = repeat_for(lambda: 3.0)(0.01)
    assert done % 3 == 0
    assert elapsed >= 0.01
    assert repeat_for(lambda: 3.0)(0.0)[0] == 3


# -- the whole ---------------------------------------------------------------------------------


def test_everybody_who_is_wanted_exists() -> None:
    peers = pytest.importorskip("bench.log.peer_contestants")
    rounds = {"peers": peers.ROUNDS}
    for name in ("sqlite", contests.SERVER_STORE):
        rounds |= {
            name: tabularium_contestant.ROUNDS,
            f"{name}_interpreted": tabularium_contestant.ROUNDS,
        }
        for contestant in race.contestant_names(contests.store_contests(name)):
            process, _, work = contestant.partition(".")
            assert work in rounds[process], contestant


def test_a_process_races_and_a_bot_answers(store: Store) -> None:
    rows = contests.answer_rows("sqlite", store, 0.0)
    assert [row.unit for row in rows] == ["ms", "ms"]
    assert rows[0].value > 0
    with Worker("tabularium_contestant", store) as worker:
        done, elapsed = worker.ask("append_10", 0.0)
    assert done == tabularium_contestant.APPEND_WINDOW
    assert elapsed > 0


def test_peers_race_where_there_is_a_server() -> None:
    pytest.importorskip("eventsourcing")
    with stores.open_stores() as open_stores:
        if contests.SERVER_STORE not in open_stores:
            pytest.skip("no PostgreSQL and Redis")
        with Worker("peer_contestants", open_stores[contests.SERVER_STORE]) as worker:
            assert worker.ask("eventsourcing_save_100", 0.0)[0] == 1
            assert worker.ask("eventsourcing_load_1000", 0.0)[0] == 1000
            assert worker.ask("insert", 0.0)[0] == 1


def test_without_a_server_only_a_file_is_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(stores, "SERVER_URL", "postgres://127.0.0.1:1/nowhere")
    with stores.open_stores() as open_stores:
        assert list(open_stores) == ["sqlite"]
    assert "Not measured on PostgreSQL and Redis" in capsys.readouterr().out


def test_every_contest_has_a_ratio(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    rates: Iterator[float] = iter(range(1, 10_000))

    class Always(SimpleNamespace):
        """A worker that is a little faster every time."""

        def __enter__(self) -> Always:
            return self

        def __exit__(self, *failure: object) -> None:
            pass

        def ask(self, name: str, seconds: float) -> list[float]:
            return [next(rates), 1.0]

    monkeypatch.setattr(contests, "Worker", lambda *arguments: Always())
    store_by_name = {
        "sqlite": Store(tmp_path),
        contests.SERVER_STORE: Store(tmp_path, "postgres:///none"),
    }
    rows = contests.race_rows(store_by_name, 3, 0.1)
    assert all(row.ratio and row.repetitions == 3 for row in rows)
    assert [row.target for row in rows if row.target] == [1 / 1.5, 1 / 1.5, 3, 0.2, 5]


def test_a_bot_that_keeps_one_waiting_is_named() -> None:
    quick, slow = (contests.wait_rows(contests.SERVER_STORE, [ms] * 9)[0] for ms in (50.0, 50.1))
    assert quick.met
    assert not slow.met
    assert report.row_cells(slow)[-2:] == ("≤ 50", "NOT MET")
    median, p99 = contests.wait_rows("sqlite", [float(ms) for ms in range(1, 102)])
    assert (median.value, round(p99.value)) == (51.0, 101)
    assert p99.met is None
