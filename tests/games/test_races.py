"""Concurrent appends: each seq has exactly one entry, and every losing client is refused."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from threading import Barrier
from typing import Any

import pytest
from django.db import DatabaseError, OperationalError, connection, connections

from games import log_store, selectors, services
from games.models import Account, Entry, Game
from games.services import SeatAssignment
from tabularium_log.projection.projection import GameRefusal
from tests.config.processes import PATIENCE
from tests.games.racers import Outcome, crowd, table_for_racers
from tests.support.databases import Kept

pytestmark = pytest.mark.stores

CLIENTS = 32
FIRST = 4  # entries before the race: created, two joined, started


def check(game: str, outcomes: list[Outcome]) -> None:
    """Assert that the answers to the clients account for the whole log."""
    seqs = sorted(seq for outcome in outcomes for seq in outcome.seqs)
    assert seqs == list(range(FIRST + 1, Game.objects.get(pk=game).seq + 1))
    stored_seqs = list(
        Entry.objects.filter(game=game).order_by("seq").values_list("seq", flat=True)
    )
    assert stored_seqs == list(range(1, FIRST + 1)) + seqs
    actions = {table.seq: table.entry.action for table in selectors.game_projections(game)}
    assert all(actions[outcome.first] == outcome.action for outcome in outcomes if outcome.seqs)


def race_in_processes(
    kept: Kept, clients: int, attempts: int, games: list[list[str]]
) -> list[list[Outcome]]:
    """The outcomes of the clients in each process, one process for each list of games."""
    numbers = [str(clients), str(attempts)]
    processes = [
        kept.process("tests.games.racers", *numbers, *process_games) for process_games in games
    ]
    for process in processes:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
    with ThreadPoolExecutor(len(processes)) as pool:
        outputs = list(pool.map(lambda process: process.communicate("go\n")[0], processes))
    assert [process.returncode for process in processes] == [0] * len(processes)
    return [[Outcome(*each) for each in json.loads(output)] for output in outputs]


class TestOneTable:
    def test_with_32_threads(self, kept_here: Kept, games_count: Callable[[int, int], int]) -> None:
        for _ in range(games_count(1, 20)):
            game = table_for_racers()
            outcomes = crowd([game], CLIENTS, 20)
            check(game, outcomes)
            assert any(outcome.refusal == "stale-choice" for outcome in outcomes)

    @pytest.mark.lane("processes")
    def test_with_4_processes_of_8_clients(
        self, kept_here: Kept, games_count: Callable[[int, int], int]
    ) -> None:
        game = table_for_racers()
        crowds = race_in_processes(kept_here, CLIENTS // 4, games_count(15, 200), [[game]] * 4)
        outcomes = [outcome for crowd in crowds for outcome in crowd]
        check(game, outcomes)
        assert any(outcome.refusal == "stale-choice" for outcome in outcomes)

    def test_would_not_hold_without_the_comparison(
        self, kept_here: Kept, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for statement, comparison in (
            ("_APPEND_IN_ONE", "seq = %s"),
            ("_CREATE_TRIGGER", "seq = NEW.seq - 1"),
        ):
            original = getattr(log_store, statement)
            blind = original.replace(
                f"AND {comparison}", "AND seq <> -%s" if "%s" in comparison else ""
            )
            assert blind != original
            monkeypatch.setattr(log_store, statement, blind)
        monkeypatch.setattr(
            "games.services.append_transaction.append_rows", both_at_once(log_store.append_rows)
        )
        with pytest.raises(DatabaseError, match="append-only"):
            crowd([table_for_racers()], 2, 1)

    def test_lets_in_everybody_there_is_room_for(self, kept_here: Kept) -> None:
        game = services.create_game("law_of_the_dice", [SeatAssignment()] * 6).projection.game
        accounts = [Account.objects.create(name=f"Guest {number}") for number in range(CLIENTS)]

        def join(account: Account) -> str:
            try:
                services.join_game(game, accounts.index(account) % 6, account=account)
            except GameRefusal as refusal:
                return refusal.code
            finally:
                connections.close_all()
            return "joined"

        with ThreadPoolExecutor(CLIENTS) as pool:
            outcomes = list(pool.map(join, accounts))
        assert outcomes.count("joined") == 6
        assert set(outcomes) <= {"joined", "seat-taken", "started"}
        assert selectors.game_projection(game).phase == "playing"


def both_at_once(append: Callable[..., None]) -> Callable[..., None]:
    """Hold each of two appends until the other is prepared too."""
    barrier = Barrier(2)

    def append_together(*arguments: Any) -> None:
        barrier.wait(PATIENCE)
        append(*arguments)

    return append_together


class TestManyTables:
    @pytest.mark.lane("processes")
    def test_no_writer_is_told_that_the_database_is_locked(
        self, kept_here: Kept, games_count: Callable[[int, int], int]
    ) -> None:
        games = [[table_for_racers() for _ in range(games_count(5, 50))] for _ in range(4)]
        for process_games, outcomes in zip(
            games, race_in_processes(kept_here, 1, 1_000, games), strict=True
        ):
            assert not any(outcome.refusal for outcome in outcomes)
            assert len(outcomes) >= 10 * len(process_games)
            assert all(selectors.game_projection(game).phase == "over" for game in process_games)

    @pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL locks rows")
    def test_without_patience_one_would_be(
        self, kept_here: Kept, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        game = table_for_racers()
        connection.close()
        database_settings: Any = connections.settings["default"]
        monkeypatch.setitem(database_settings["OPTIONS"], "timeout", 0)
        with closing(sqlite3.connect(connection.settings_dict["NAME"])) as writer:
            writer.execute("BEGIN IMMEDIATE")
            with pytest.raises(OperationalError, match="database is locked"):
                crowd([game], 1, 1)
