"""The check of the logs detects every way in which a service could break its promises."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ai import bot_dispatch
from games import position_cache, selectors, services
from games.models import Account
from games.services import SeatAssignment
from tests.chaos import client, journal, log_check
from tests.chaos.journal import Attempt, Call, Journal
from tests.chaos.log_check import Log, LogEntry

FinishedGame = tuple[Log, list[Attempt], set[tuple[str, int]]]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The path of the client's journal."""
    return tmp_path / "client.jsonl"


@pytest.fixture
def game(db: None, monkeypatch: pytest.MonkeyPatch) -> str:
    """A game in which one client plays both seats."""
    monkeypatch.setattr(bot_dispatch.outbox, "enqueue", lambda message: None)
    monkeypatch.setattr(client, "KILL_SHARE", 0)
    monkeypatch.setattr(client, "close_old_connections", lambda: None)
    position_cache.cache.clear()
    assignments = [
        SeatAssignment(account=Account.objects.create(name=name)) for name in ("one", "two")
    ]
    return services.create_game("law_of_the_dice", assignments).projection.game


@pytest.fixture
def finished_game(game: str, path: Path) -> FinishedGame:
    """The log of that game and the client's journal, after the end."""
    client.play(path, [(game, 0), (game, 1)], pause=1e-9)
    return log_check.stored_log(game), journal.attempts(path), {(game, 0), (game, 1)}


def faults(log: Log, attempts: list[Attempt], client_seats: set[tuple[str, int]]) -> list[str]:
    """Everything that is wrong with one game."""
    return log_check.faults({log.game: log}, attempts, client_seats)


def new_call(game: str) -> Call:
    """A call for an awaited seat."""
    choice = next(filter(None, (selectors.game_choice(game, seat) for seat in (0, 1))))
    return Call(game, choice.seat, choice.token, choice.offers[0].action)


def test_an_intact_game_has_no_faults(finished_game: FinishedGame) -> None:
    assert faults(*finished_game) == []
    assert len(finished_game[1]) > 10


def last_action(log: Log) -> LogEntry:
    """The entry of the last action of a client."""
    return [entry for entry in log.entries if entry.choice][-1]


def lose_tail(log: Log) -> Log:
    """The log without the last action and all entries after it."""
    return log.prefix_before(last_action(log).seq)


def remove_entry(log: Log) -> Log:
    """The log without one entry in the middle."""
    return replace(log, entries=(*log.entries[:7], *log.entries[8:]))


def replace_action(log: Log) -> Log:
    """The log with another last action, and another hash of it."""
    original = last_action(log)
    replacement = original._replace(action={"type": "another"}, hash="0" * 64)
    return replace(
        log,
        entries=tuple(replacement if entry is original else entry for entry in log.entries),
    )


def duplicate_action(log: Log) -> Log:
    """The log with its last action twice."""
    copy = last_action(log)._replace(seq=log.seq + 1)
    return replace(log, entries=(*log.entries, copy), seq=copy.seq, hash=copy.hash)


def alter_text(log: Log) -> Log:
    """The log with an entry whose text is not the hashed one."""
    document = json.loads(log.entries[5].text)
    text = json.dumps({**document, "at": "2000-01-01T00:00:00.000Z"})
    entry = log.entries[5]._replace(text=text)
    return replace(log, entries=(*log.entries[:5], entry, *log.entries[6:]))


def set_wrong_head(log: Log) -> Log:
    """The log with the hash of another entry as its head."""
    return replace(log, hash=log.entries[-2].hash)


def reopen(log: Log) -> Log:
    """The log of the same game, which is not over."""
    return replace(log, phase="playing")


class TestFaults:
    @pytest.mark.parametrize(
        ("mutate", "message"),
        [
            (lose_tail, "acknowledged, and is lost"),
            (remove_entry, "entry 8 is missing"),
            (replace_action, "is not what was acknowledged"),
            (duplicate_action, "2 times"),
            (alter_text, "entry 6 has another hash"),
            (set_wrong_head, "the head is not the last entry"),
            (reopen, "is not over"),
        ],
    )
    def test_every_change_of_the_log_is_reported(
        self, finished_game: FinishedGame, mutate: Callable[[Log], Log], message: str
    ) -> None:
        log, attempts, client_seats = finished_game
        assert any(message in fault for fault in faults(mutate(log), attempts, client_seats))

    def test_an_action_that_no_client_requested_is_reported(
        self, finished_game: FinishedGame
    ) -> None:
        log, attempts, client_seats = finished_game
        assert any(
            "no client requested" in fault for fault in faults(log, attempts[:-1], client_seats)
        )

    def test_a_refusal_of_an_appended_action_is_reported(self, finished_game: FinishedGame) -> None:
        log, attempts, client_seats = finished_game
        attempts[-1] = replace(attempts[-1], outcome="fail", answer={"code": "stale-choice"})
        assert any("refused" in fault for fault in faults(log, attempts, client_seats))

    def test_a_receipt_for_another_log_is_reported(self, finished_game: FinishedGame) -> None:
        log, attempts, client_seats = finished_game
        answer = attempts[-1].answer
        attempts[-1] = replace(
            attempts[-1], answer={**answer, "receipt": {**answer["receipt"], "hash": "0" * 64}}
        )
        assert any("receipt" in fault for fault in faults(log, attempts, client_seats))

    def test_a_call_that_is_never_answered_is_reported(self, finished_game: FinishedGame) -> None:
        log, attempts, client_seats = finished_game
        attempts[-1] = replace(attempts[-1], outcome="unknown", answer={})
        assert any("never answered" in fault for fault in faults(log, attempts, client_seats))


def test_an_acknowledgement_before_the_append_is_reported(game: str, path: Path) -> None:
    call = new_call(game)
    writer = Journal(path)
    writer.record_call(call)
    result = services.AppendResult(selectors.game_position(game), 99, 99)
    writer.record_ok(result)  # without an append
    log = log_check.stored_log(game)
    assert any("lost" in fault for fault in faults(log, journal.attempts(path), set()))


class TestRestartOfAKilledClient:
    def test_after_the_append_gets_the_first_result(self, game: str, path: Path) -> None:
        call = new_call(game)
        Journal(path).record_call(call)
        services.append_action(game, call.seat, call.action, choice=call.choice)
        assert self.outcomes_after_restart(path) == ["unknown", "ok"]
        assert journal.attempts(path)[-1].answer["repeated"]

    def test_before_the_append_appends_the_action(self, game: str, path: Path) -> None:
        Journal(path).record_call(new_call(game))
        assert self.outcomes_after_restart(path) == ["unknown", "ok"]
        assert not journal.attempts(path)[-1].answer["repeated"]

    def test_in_the_middle_of_a_line_repeats_the_call(self, game: str, path: Path) -> None:
        call = new_call(game)
        Journal(path).record_call(call)
        with path.open("a", encoding="utf-8") as file:
            file.write('{"event": "o')
        assert self.outcomes_after_restart(path) == ["unknown", "ok"]

    def test_twice_repeats_the_call(self, game: str, path: Path) -> None:
        Journal(path).record_call(new_call(game))
        Journal(path).record_call(new_call(game))
        assert self.outcomes_after_restart(path) == ["unknown", "unknown", "ok"]

    def test_before_the_first_call_leaves_no_attempt(self, path: Path) -> None:
        assert journal.attempts(path) == []
        assert journal.unresolved_call(path) is None

    @staticmethod
    def outcomes_after_restart(path: Path) -> list[Any]:
        """The outcomes in the journal after a restart of the client."""
        client.play(path, [], pause=1e-9)
        return [attempt.outcome for attempt in journal.attempts(path)]
