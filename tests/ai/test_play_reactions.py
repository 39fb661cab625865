"""Reactions at the terminal: a person who is not on turn is asked, and bots play their Bills."""

from __future__ import annotations

import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from ai.bot_kinds import BotDecision
from ai.bot_registry import create_bot
from ai.terminal import game_session
from ai.terminal.game_file import create_game_file
from ai.terminal.game_session import GameSession
from ai.terminal.participants import Participants
from ai.terminal.screen import Screen
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.common.replayable_log import Log, start_log
from tabularium_engines.law import ENGINE
from tests.engines.law.tables import table

HANDS = ("2S 9H", "7S 7H 7D JD", "3C 10H")
NOT_YOUR_TURN = "It is not your turn."


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Play on from a table of Law at which seat 0 is on turn and seat 1 has a Bill."""

    def play_on(typed: str, *, human: int, bot: str = "random", seconds: float = 0.0) -> Log:
        _, log = start_log(ENGINE, ENGINE.about.options(), 3, FastRng(1))
        seats = {seat: create_bot(bot, "law") for seat in range(3) if seat != human}
        record = create_game_file(tmp_path / f"{typed.strip()}{human}.ndjson", log)
        monkeypatch.setattr(sys, "stdin", StringIO(typed))
        session = GameSession(ENGINE, record, Participants(human, seats, seconds), Screen())
        session.play([table(HANDS, takes=3)], FastRng(2), FastRng(3))
        return log

    return play_on


def test_a_person_plays_a_bill_out_of_turn(play: Any, capsys: pytest.CaptureFixture[str]) -> None:
    log = play("1\n", human=1)
    assert (log.entries[1].seat, log.entries[1].action["type"]) == (1, "law.bill_kind")
    assert NOT_YOUR_TURN in capsys.readouterr().out


def test_a_person_who_waits_is_asked_again(play: Any, capsys: pytest.CaptureFixture[str]) -> None:
    log = play("\n\n", human=1)
    assert [entry.seat for entry in log.entries[1:]] == [0, 0]
    assert capsys.readouterr().out.count(NOT_YOUR_TURN) == 3


def test_a_person_may_wait_until_their_turn(play: Any, capsys: pytest.CaptureFixture[str]) -> None:
    log = play("w\n", human=1)
    assert len(log.entries) > 4
    assert {entry.seat for entry in log.entries[1:]} == {0}
    assert capsys.readouterr().out.count(NOT_YOUR_TURN) == 1


def test_a_hint_may_be_to_wait(play: Any, capsys: pytest.CaptureFixture[str]) -> None:
    play("h\n", human=1)
    out = capsys.readouterr().out
    assert "mcts would " in out


def test_a_bot_plays_its_bill_before_the_person_on_turn(play: Any) -> None:
    log = play("", human=0, bot="greedy")
    assert [entry.seat for entry in log.entries[1:]] == [1] * (len(log.entries) - 1)
    assert log.entries[1].action["type"] == "law.bill_kind"


@pytest.mark.parametrize("bot", ["random", "mcts"])
def test_asking_bots_takes_the_same_time(
    play: Any, monkeypatch: pytest.MonkeyPatch, bot: str
) -> None:
    now, slept = 0.0, []

    def fall_asleep(seconds: float) -> None:
        nonlocal now
        now += seconds
        slept.append(round(now, 6))

    monkeypatch.setattr(game_session, "monotonic", lambda: now)
    monkeypatch.setattr(game_session, "sleep", fall_asleep)
    monkeypatch.setattr(type(create_bot(bot, "law")), "choose", waits)
    play("", human=0, bot=bot, seconds=5.0)
    assert slept == [game_session.MAX_ASKING_SECONDS]


def waits(*_: Any) -> Any:
    """A decision to wait."""
    return BotDecision(None)
