"""The sweeper's round: it finds every stalled game and expired clock, and a broken game blocks no
other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from time import monotonic
from typing import Any, Literal

import pytest
from django.core.management import call_command
from django.db import OperationalError
from django.db.models import F
from django.utils import timezone

from ai import bot_turn, sweeper_round
from ai.bot_dispatch import WakeMessage
from ai.management.commands import sweep
from ai.models import Trouble
from games import position_cache, selectors, services
from games.audit import stored_games
from games.models import Account, Game
from games.projection.projection import Projection
from games.projection.table_actions import Clock
from games.services import SeatAssignment
from jobs import backoff
from tests.ai.conftest import RULES

Later = Callable[[float], None]


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Later:
    """Let this many seconds pass; a negative number sets the time of day back."""
    real, running, passed, run = timezone.now, monotonic, timedelta(), 0.0

    def go(seconds: float) -> None:
        nonlocal passed, run
        passed += timedelta(seconds=seconds)
        run += max(seconds, 0.0)  # the monotonic clock is never set back

    def now() -> datetime:
        return real() + passed

    monkeypatch.setattr("django.utils.timezone.now", now)
    for module in (sweeper_round, backoff):
        monkeypatch.setattr(module, "monotonic", lambda: running() + run)
    return go


@pytest.fixture(autouse=True)
def unbroken() -> Iterator[None]:
    """The sweeper has no failures on record."""
    sweeper_round.failing_games.clear()
    sweep.round_backoff.clear()
    yield
    sweeper_round.failing_games.clear()
    sweep.round_backoff.clear()


def clocked(then: Literal["bot", "random", "resign"], seats: int = 2) -> Projection:
    """A table of people with a clock of one second."""
    people = [SeatAssignment(account=Account.objects.create()) for _ in range(seats)]
    return services.game_create(RULES, people, clock=Clock(1000, then)).projection


class TestStalledBots:
    def test_are_woken_again(
        self, table: Projection, woken: list[WakeMessage], later: Later
    ) -> None:
        later(20)
        first = woken.pop()
        assert sweeper_round.sweep() == 1
        assert woken == [first._replace(again=True)]

    def test_have_time_to_think(
        self, table: Projection, woken: list[WakeMessage], later: Later
    ) -> None:
        later(10)
        woken.clear()
        assert sweeper_round.sweep() == 0
        assert woken == []

    def test_are_not_woken_every_second(
        self, table: Projection, woken: list[WakeMessage], later: Later
    ) -> None:
        woken.clear()
        for _ in range(600):
            later(1)
            sweeper_round.wake_stalled()
        assert 10 <= len(woken) <= 15
        assert len(set(woken)) == 1

    def test_are_woken_at_once_for_another_decision(
        self, table: Projection, woken: list[WakeMessage], later: Later
    ) -> None:
        later(20)
        sweeper_round.sweep()
        bot_turn.take_turn(table.game, *_decision(woken[-1]))
        later(20)
        sweeper_round.sweep()
        assert woken[-1].again
        assert woken[-1].choice != woken[0].choice

    @pytest.mark.parametrize("ahead", [1, 10, 20, 3600])
    def test_are_woken_as_soon_by_a_clock_that_was_set_back(
        self, ahead: float, table: Projection, woken: list[WakeMessage], later: Later
    ) -> None:
        woken.clear()
        later(-ahead)
        for second in range(1, 19):
            later(1)
            sweeper_round.wake_stalled()
            assert bool(woken) == (second >= 16)

    def test_that_never_answer_are_answered_for(
        self, table: Projection, woken: list[WakeMessage], later: Later
    ) -> None:
        for _ in range(2):
            later(100)
            sweeper_round.sweep()
            message = woken[-1]
            bot_turn.count_attempt(message.game, message.seat, message.choice)
        assert Trouble.objects.get().attempts == 3
        assert bot_turn.take_turn(table.game, *_decision(message), again=True)

    def test_people_are_left_in_peace(
        self, db: None, woken: list[WakeMessage], later: Later
    ) -> None:
        services.game_create(
            RULES, [SeatAssignment(account=Account.objects.create()) for _ in range(2)]
        )
        later(1000)
        assert sweeper_round.sweep() == 0


class TestABrokenGame:
    def test_keeps_no_other_waiting(
        self,
        table: Projection,
        woken: list[WakeMessage],
        later: Later,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        broken = services.game_create(
            RULES, [SeatAssignment(bot="random"), SeatAssignment(bot="random")]
        ).projection
        lose_the_tail(broken.game)
        position_cache.cache.clear()
        woken.clear()
        later(20)
        assert sweeper_round.sweep() == 1
        assert [message.game for message in woken] == [table.game]
        assert f"The sweeper failed at {broken.game}" in caplog.text

    def test_nor_do_clocks(self, db: None, woken: list[WakeMessage], later: Later) -> None:
        broken, sound = clocked("random"), clocked("random")
        lose_the_tail(broken.game)
        position_cache.cache.clear()
        later(2)
        assert sweeper_round.expire_clocks() == 1
        assert selectors.game_projection(sound.game).seq > sound.seq

    def test_is_tried_ever_less_often_and_told_with_one_traceback(
        self,
        table: Projection,
        woken: list[WakeMessage],
        later: Later,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        lose_the_tail(table.game)
        position_cache.cache.clear()
        later(20)
        for _ in range(3600):
            later(1)
            sweeper_round.wake_stalled()
        lines = [record for record in caplog.records if "The sweeper failed" in record.message]
        assert 10 <= len(lines) <= 16
        assert [line.exc_info is not None for line in lines] == [True] + [False] * (len(lines) - 1)
        assert "(10 times in a row) and tries again in 512 s" in lines[9].message

    def test_goes_on_as_soon_as_it_can_be_read(
        self,
        table: Projection,
        woken: list[WakeMessage],
        later: Later,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        def fail(_: str) -> None:
            raise ValueError("sealed")

        later(20)
        with monkeypatch.context() as patch:
            patch.setattr(sweeper_round, "_wake_bots", fail)
            assert sweeper_round.wake_stalled() == 0
        assert sweeper_round.wake_stalled() == 0, "it has a pause"
        later(1)
        assert sweeper_round.wake_stalled() == 1

    @pytest.mark.parametrize(
        ("problem", "pause"), [(OperationalError("away"), 5), (ValueError("broken"), 512)]
    )
    def test_waits_for_no_more_than_seconds_if_it_was_the_database(
        self,
        table: Projection,
        later: Later,
        monkeypatch: pytest.MonkeyPatch,
        caplog: pytest.LogCaptureFixture,
        problem: Exception,
        pause: int,
    ) -> None:
        def fail(_: str) -> None:
            raise problem

        later(20)
        monkeypatch.setattr(sweeper_round, "_wake_bots", fail)
        for _ in range(10):
            later(600)
            sweeper_round.wake_stalled()
        assert f"tries again in {pause} s" in caplog.messages[-1]


class TestAClockThatIsSetBack:
    """A game created at a future time does not stay stuck there."""

    def test_ends_the_time_of_a_seat_after_its_time(
        self, db: None, woken: list[WakeMessage], later: Later
    ) -> None:
        later(3600)
        table = clocked("bot")
        later(-3600)
        sweeper_round.sweep()
        assert types(table) == [], "it has its second"
        later(2)
        sweeper_round.sweep()
        assert types(table) == ["table.time_out", "table.replace"]

    def test_goes_on_to_the_end_of_a_game_whose_log_is_good(
        self, db: None, woken: list[WakeMessage], later: Later
    ) -> None:
        later(3600)
        table = clocked("random")
        later(-3600)
        while selectors.game_projection(table.game).phase != "over":
            sweeper_round.sweep()
            later(1.5)
        verdict = stored_games.verify_game(table.game)
        assert verdict.is_good, verdict

    def test_keeps_no_bot_waiting_that_was_not_woken(
        self, db: None, woken: list[WakeMessage], later: Later
    ) -> None:
        later(30 * 24 * 3600)
        services.game_create(RULES, [SeatAssignment(bot="random"), SeatAssignment(bot="random")])
        woken.clear()
        later(-30 * 24 * 3600)
        sweeper_round.sweep()
        assert woken == [], "it may be thinking"
        later(16)
        sweeper_round.sweep()
        assert len(woken) == 1

    def test_wakes_again_after_an_hour_that_never_was(
        self, table: Projection, woken: list[WakeMessage], later: Later
    ) -> None:
        later(3600)
        sweeper_round.sweep()
        later(-3500)
        woken.clear()
        for _ in range(70):
            later(1)
            sweeper_round.sweep()
        assert woken


class TestClocks:
    def test_a_bot_takes_over(self, db: None, woken: list[WakeMessage], later: Later) -> None:
        table = clocked("bot")
        later(2)
        assert sweeper_round.sweep() == 1
        now = selectors.game_projection(table.game)
        assert types(table) == ["table.time_out", "table.replace"]
        assert now.bot_seats == table.awaited_seats
        assert [message.choice for message in woken] == [now.choice_token(woken[0].seat)]

    def test_a_random_action(self, db: None, woken: list[WakeMessage], later: Later) -> None:
        table = clocked("random")
        later(2)
        sweeper_round.sweep()
        first, second = types(table)[:2]
        assert first == "table.time_out"
        assert second.startswith(RULES)
        assert selectors.game_projection(table.game).bot_seats == 0

    def test_resigning_ends_a_game_of_two(
        self, db: None, woken: list[WakeMessage], later: Later
    ) -> None:
        table = clocked("resign")
        later(2)
        sweeper_round.sweep()
        assert types(table) == ["table.time_out", "table.resign", "table.end"]

    def test_resigning_leaves_a_table_for_the_others(
        self, db: None, woken: list[WakeMessage], later: Later
    ) -> None:
        table = clocked("resign", seats=3)
        later(2)
        sweeper_round.sweep()
        assert types(table) == ["table.time_out", "table.resign", "table.replace"]
        assert selectors.game_projection(table.game).phase == "playing"
        assert len(woken) == 1

    def test_that_still_run_are_left(self, db: None, woken: list[WakeMessage]) -> None:
        table = clocked("resign")
        assert sweeper_round.sweep() == 0
        assert types(table) == []

    def test_alone_bring_a_game_to_its_end(
        self, db: None, woken: list[WakeMessage], later: Later
    ) -> None:
        table = clocked("random")
        while selectors.game_projection(table.game).phase != "over":
            later(2)
            assert sweeper_round.sweep() == 1


class TestForgetting:
    def test_what_is_old(self, table: Projection, later: Later) -> None:
        bot_turn.count_attempt(table.game, 0, "old")
        later(3 * 24 * 3600)
        bot_turn.count_attempt(table.game, 0, "new")
        assert sweeper_round.clean_up() == 1
        assert Trouble.objects.get().choice == "new"


class TestTheSweeper:
    @pytest.fixture(autouse=True)
    def one_connection(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """It would close the test's connection, which is within a transaction."""
        monkeypatch.setattr(sweep, "close_old_connections", lambda: None)

    def test_makes_one_round(
        self, table: Projection, woken: list[WakeMessage], later: Later
    ) -> None:
        later(20)
        woken.clear()
        call_command("sweep", once=True)
        assert len(woken) == 1

    def test_goes_on_after_a_round_that_fails(
        self, db: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        def away() -> int:
            raise ConnectionError("the database is away")

        monkeypatch.setattr(sweeper_round, "sweep", away)
        call_command("sweep", once=True)
        assert "the database is away" in caplog.text


def _decision(message: WakeMessage) -> tuple[int, str]:
    return message.seat, message.choice


def lose_the_tail(game: str) -> None:
    """The head claims entries that do not exist."""
    Game.objects.filter(pk=game).update(seq=F("seq") + 1)


def types(table: Projection) -> list[Any]:
    """The action types of the entries since then."""
    tables = list(selectors.game_projections(table.game, table.seq))[1:]
    return [later.entry.action["type"] for later in tables]
