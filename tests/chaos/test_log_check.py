"""The check of a storm detects a service that breaks its promises."""

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
from tests.chaos.log_check import Line, Log

FinishedGame = tuple[Log, list[Attempt], set[tuple[str, int]]]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The path of the client's journal."""
    return tmp_path / "client.jsonl"


@pytest.fixture
def game(db: None, monkeypatch: pytest.MonkeyPatch) -> str:
    """A game in which one client plays both seats."""
    monkeypatch.setattr(bot_dispatch.outbox, "enqueue", lambda message: None)
    monkeypatch.setattr(client, "MORTALITY", 0)
    monkeypatch.setattr(client, "close_old_connections", lambda: None)
    position_cache.cache.clear()
    seating = [SeatAssignment(account=Account.objects.create(name=name)) for name in ("one", "two")]
    return services.game_create("law_of_the_dice", seating).projection.game


@pytest.fixture
def finished_game(game: str, path: Path) -> FinishedGame:
    """The log of that game and the client's journal, after the end."""
    client.play(path, [(game, 0), (game, 1)], pause=1e-9)
    return log_check.log(game), journal.attempts(path), {(game, 0), (game, 1)}


def faults(log: Log, attempts: list[Attempt], client_seats: set[tuple[str, int]]) -> list[str]:
    """Everything that is wrong with one game."""
    return log_check.faults({log.game: log}, attempts, client_seats)


def new_call(game: str) -> Call:
    """A call for an awaited seat."""
    choice = next(filter(None, (selectors.game_choice(game, seat) for seat in (0, 1))))
    return Call(game, choice.seat, choice.token, choice.offers[0].action)


class TestAnHonestGame:
    def test_nothing_is_wrong(self, finished_game: FinishedGame) -> None:
        assert faults(*finished_game) == []
        assert len(finished_game[1]) > 10


def last_action(log: Log) -> Line:
    """The last action of a client."""
    return [line for line in log.lines if line.choice][-1]


def lose_tail(log: Log) -> Log:
    """The last action and all after it never reached the disk."""
    return log.without(last_action(log).seq)


def leave_out_entry(log: Log) -> Log:
    """One entry is missing."""
    return replace(log, lines=(*log.lines[:7], *log.lines[8:]))


def replace_action(log: Log) -> Log:
    """The history has changed: the action was replaced, with its hash."""
    original = last_action(log)
    replacement = original._replace(action={"type": "another"}, hash="0" * 64)
    return replace(
        log, lines=tuple(replacement if line is original else line for line in log.lines)
    )


def duplicate_action(log: Log) -> Log:
    """An action is in the log twice."""
    line = last_action(log)
    copy = line._replace(seq=log.seq + 1)
    return replace(log, lines=(*log.lines, copy), seq=copy.seq, hash=copy.hash)


def alter_text(log: Log) -> Log:
    """The text of an entry differs from the hashed one."""
    document = json.loads(log.lines[5].text)
    text = json.dumps({**document, "at": "2000-01-01T00:00:00.000Z"})
    lines = (*log.lines[:5], log.lines[5]._replace(text=text), *log.lines[6:])
    return replace(log, lines=lines)


def set_wrong_head(log: Log) -> Log:
    """The head is that of another entry."""
    return replace(log, hash=log.lines[-2].hash)


def reopen(log: Log) -> Log:
    """The game did not end."""
    return replace(log, phase="playing")


class TestWhatAServiceMightDo:
    @pytest.mark.parametrize(
        ("mutate", "name"),
        [
            (lose_tail, "acknowledged, and is lost"),
            (leave_out_entry, "entry 8 is missing"),
            (replace_action, "is not what was acknowledged"),
            (duplicate_action, "2 times"),
            (alter_text, "entry 6 has another hash"),
            (set_wrong_head, "the head is not the last entry"),
            (reopen, "is not over"),
        ],
    )
    def test_it_is_named(
        self, finished_game: FinishedGame, mutate: Callable[[Log], Log], name: str
    ) -> None:
        log, attempts, client_seats = finished_game
        assert [fault for fault in faults(mutate(log), attempts, client_seats) if name in fault]

    def test_an_action_that_no_client_requested(self, finished_game: FinishedGame) -> None:
        log, attempts, client_seats = finished_game
        assert any(
            "no client requested" in fault for fault in faults(log, attempts[:-1], client_seats)
        )

    def test_a_refusal_of_what_was_done(self, finished_game: FinishedGame) -> None:
        log, attempts, client_seats = finished_game
        attempts[-1] = replace(attempts[-1], outcome="fail", answer={"code": "stale-choice"})
        assert any("refused" in fault for fault in faults(log, attempts, client_seats))

    def test_a_receipt_for_another_log(self, finished_game: FinishedGame) -> None:
        log, attempts, client_seats = finished_game
        answer = attempts[-1].answer
        attempts[-1] = replace(
            attempts[-1], answer={**answer, "receipt": {**answer["receipt"], "hash": "0" * 64}}
        )
        assert any("receipt" in fault for fault in faults(log, attempts, client_seats))

    def test_a_call_that_is_never_answered(self, finished_game: FinishedGame) -> None:
        log, attempts, client_seats = finished_game
        attempts[-1] = replace(attempts[-1], outcome="unknown", answer={})
        assert any("never answered" in fault for fault in faults(log, attempts, client_seats))


def test_an_acknowledgement_before_the_append_is_named(game: str, path: Path) -> None:
    call = new_call(game)
    hasty_journal = Journal(path)
    hasty_journal.invoke(call)
    result = services.AppendResult(selectors.game_position(game), 99, 99)
    hasty_journal.ok(result)  # and then it dies
    log = log_check.log(game)
    assert any("lost" in fault for fault in faults(log, journal.attempts(path), set()))


class TestAClientThatIsKilled:
    def test_after_the_append_is_answered_with_it(self, game: str, path: Path) -> None:
        call = new_call(game)
        Journal(path).invoke(call)
        services.action_append(game, call.seat, call.action, choice=call.choice)
        assert self.outcomes_after_restart(path) == ["unknown", "ok"]
        assert journal.attempts(path)[-1].answer["repeated"]

    def test_before_the_append_has_it_done(self, game: str, path: Path) -> None:
        Journal(path).invoke(new_call(game))
        assert self.outcomes_after_restart(path) == ["unknown", "ok"]
        assert not journal.attempts(path)[-1].answer["repeated"]

    def test_in_the_middle_of_a_line(self, game: str, path: Path) -> None:
        call = new_call(game)
        Journal(path).invoke(call)
        with path.open("a", encoding="utf-8") as file:
            file.write('{"event": "o')
        assert self.outcomes_after_restart(path) == ["unknown", "ok"]

    def test_twice(self, game: str, path: Path) -> None:
        Journal(path).invoke(new_call(game))
        Journal(path).invoke(new_call(game))
        assert self.outcomes_after_restart(path) == ["unknown", "unknown", "ok"]

    @staticmethod
    def outcomes_after_restart(path: Path) -> list[Any]:
        """The outcomes, after the client was started again."""
        client.play(path, [], pause=1e-9)
        return [attempt.outcome for attempt in journal.attempts(path)]
