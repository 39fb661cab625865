"""The rounds of the record: bounded, after each round of the sweeper, and without a way to stop
it."""

from __future__ import annotations

import logging
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone
from pytest_django import Settings

from games.models import Game
from jobs import record_rounds, sweeper
from jobs.record_rounds import RecordRounds
from record import beginning, integrator
from record.integrator import due_games
from record.models import Leaf, SignedCheckpoint
from record.stored_games import stored_game_leaves
from tests.jobs.passing import Later, later
from tests.record.recording import KEY, ORIGIN, called_off, check_whole, guard, use_folder

__all__ = ["later"]

pytestmark = [pytest.mark.django_db, pytest.mark.stores]


@pytest.fixture
def folder(tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a guard; the sweeper has no failure on record."""
    use_folder(tmp_path, settings, KEY)
    monkeypatch.setattr(record_rounds, "record_rounds", RecordRounds())
    return tmp_path


@pytest.fixture
def begun(folder: Path) -> Path:
    """A record that this machine signs."""
    beginning.begin(ORIGIN)
    return folder


def errors(caplog: pytest.LogCaptureFixture) -> list[str]:
    """The errors of the log."""
    return [each.getMessage() for each in caplog.records if each.levelno >= logging.ERROR]


class TestARound:
    def test_follows_each_round_of_the_sweeper(self, begun: Path) -> None:
        called_off()
        sweeper.sweep()
        checkpoint = SignedCheckpoint.objects.get()
        assert checkpoint.size == check_whole() == 3

    def test_signs_within_the_promised_time(self, begun: Path, later: Later) -> None:
        for _ in range(4):
            called_off()
            later(4)
            sweeper.sweep()
        age = timezone.now() - SignedCheckpoint.objects.order_by("-pk")[0].at
        assert age < timedelta(seconds=300)
        assert SignedCheckpoint.objects.count() == 2  # after 4 and 16 seconds

    def test_is_bounded(self, begun: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(record_rounds, "GAMES_PER_BATCH", 2)
        monkeypatch.setattr(record_rounds, "BATCHES_PER_ROUND", 2)
        for _ in range(7):
            called_off()
        remaining = []
        for _ in range(2):
            sweeper.sweep()
            remaining.append(due_games().count())
        assert remaining == [3, 0]
        check_whole()


class TestFailures:
    def test_a_game_without_a_leaf_waits(
        self,
        begun: Path,
        monkeypatch: pytest.MonkeyPatch,
        caplog: pytest.LogCaptureFixture,
        later: Later,
    ) -> None:
        bad = called_off()

        def fail(row: Game) -> tuple[str, str]:
            if row.pk == bad:
                raise ValueError("no leaf")
            return stored_game_leaves(row)

        monkeypatch.setattr(record_rounds, "GAMES_PER_BATCH", 1)
        with monkeypatch.context() as patch:
            patch.setattr(integrator, "stored_game_leaves", fail)
            for _ in range(3):
                called_off()
                sweeper.sweep()
        assert list(due_games()) == [Game.objects.get(pk=bad)]
        [line] = errors(caplog)
        assert line.startswith(f"The sweeper failed at {bad} (1 times in a row)")
        later(3)
        sweeper.sweep()
        assert not due_games().exists()

    def test_a_refusal_is_logged_when_it_begins(
        self, begun: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        sweeper.sweep()
        whole = guard().text
        (begun / "record_guard").write_text("{}")
        sweeper.sweep()
        sweeper.sweep()
        [line] = errors(caplog)
        assert line.startswith("The record is not signed: The guard")
        (begun / "record_guard").write_text(whole)
        sweeper.sweep()
        (begun / "record_guard").write_text("{}")
        sweeper.sweep()
        assert len(errors(caplog)) == 2

    def test_a_step_that_fails_stops_no_other(
        self,
        begun: Path,
        monkeypatch: pytest.MonkeyPatch,
        caplog: pytest.LogCaptureFixture,
        later: Later,
    ) -> None:
        def fail(*_: object) -> None:
            raise RuntimeError("broken")

        called_off()
        with monkeypatch.context() as patch:
            patch.setattr(record_rounds, "integrate", fail)
            sweeper.sweep()
            sweeper.sweep()  # the growth pauses
        [line] = errors(caplog)
        assert line.startswith("The sweeper failed at the growth of the record (1 times in a row)")
        assert SignedCheckpoint.objects.get().size == 2  # the announced keys
        later(3)
        sweeper.sweep()
        assert Leaf.objects.filter(game__isnull=False).count() == 1
