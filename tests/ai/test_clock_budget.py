"""Clock budgets: bots search as long as their clock allows, and are not late."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from itertools import cycle
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from ai import bot_dispatch, bot_registry, bot_turn, clock_budget
from ai.analysis import analysis_completion, parallel_bot_decision
from ai.bot_kinds import BotDecision, Budget, RandomBot
from ai.clock_budget import CommitDelays
from ai.models import Analysis, Thought
from games import selectors, services
from games.services import SeatAssignment
from jobs import clock_expiry
from tabularium_log.projection.projection import GameRefusal, Projection
from tabularium_log.projection.table_actions import Clock

pytestmark = pytest.mark.stores

RULES = "duality"
STRONGEST = "level_5"
SECOND = Clock(1000, "random")
COMMIT = 0.04  # seconds to store an answer


# -- delays ---------------------------------------------------------------------------------------


def test_the_margin_has_a_floor_and_a_cap() -> None:
    delays = CommitDelays()
    assert (delays.high_delay, delays.margin) == (0.0, clock_budget.MIN_MARGIN_SECONDS)
    delays.record(0.2)
    assert delays.margin == 0.4
    delays.record(5.0)
    assert delays.margin == clock_budget.MAX_MARGIN_SECONDS


def test_the_margin_follows_a_high_quantile_of_what_was_measured_lately() -> None:
    delays = CommitDelays()
    for hundredths in range(1, 101):
        delays.record(hundredths / 100)
    assert delays.high_delay == 0.95
    for _ in range(clock_budget.MAX_REMEMBERED_DELAYS):
        delays.record(0.1)
    assert delays.margin == 0.2


# -- a table with a manual clock ------------------------------------------------------------------


class Time:
    """A clock that the test sets forward."""

    def __init__(self) -> None:
        self.at = datetime.fromisoformat("2026-11-23T02:00:00+00:00")

    def now(self) -> datetime:
        """The time."""
        return self.at

    def go(self, seconds: float) -> None:
        """Let time pass."""
        self.at += timedelta(seconds=seconds)


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    """The clock that all code reads."""
    clock = Time()
    monkeypatch.setattr(timezone, "now", clock.now)
    monkeypatch.setattr(clock_budget, "commit_delays", CommitDelays())
    return clock


@pytest.fixture
def table(db: None, woken: list[bot_dispatch.WakeMessage], time: Time) -> Projection:
    """Two strong bots with one second per decision."""
    return services.create_game(RULES, [SeatAssignment(bot=STRONGEST)] * 2, clock=SECOND).projection


class Slow:
    """A bot that uses its whole budget."""

    name = "slow"

    def __init__(self, time: Time) -> None:
        self.time = time
        self.budgets: list[Budget] = []

    def choose(self, engine: Any, view: Any, rng: Any, budget: Budget) -> BotDecision:
        """Any action, after the whole budget and the time to store it; the sweeper runs before it
        is stored."""
        self.budgets.append(budget)
        self.time.go(budget.seconds + COMMIT)
        clock_expiry.expire_clocks()
        return RandomBot().choose(engine, view, rng, budget)


@pytest.fixture
def slow_bot(time: Time, monkeypatch: pytest.MonkeyPatch) -> Slow:
    """A slow bot in every seat, except that greedy decides at once."""
    bot, create_bot = Slow(time), bot_registry.create_bot
    monkeypatch.setattr(
        bot_registry,
        "create_bot",
        lambda name, slug, version: create_bot(name, slug, version) if name == "greedy" else bot,
    )
    return bot


def awaited_turn(game: str) -> tuple[int, str]:
    """The seat that must decide, and its choice token."""
    table = selectors.game_projection(game)
    seat = selectors.awaited_bot_seats(table)[0]
    return seat, table.choice_token(seat)


@pytest.mark.parametrize(
    ("waited", "seconds"),
    [(0.0, 0.9), (0.3, 0.6), (0.875, 0.025), (0.89, None), (0.999, None), (30.0, None)],
)
def test_the_time_that_a_message_waited_is_gone(
    table: Projection, time: Time, waited: float, seconds: float | None
) -> None:
    time.go(waited)
    turn = selectors.bot_turn(table.game, awaited_turn(table.game)[0])
    assert turn is not None
    budget = clock_budget.fit_to_clock(turn, Budget(3.0, 800), clock_budget.MIN_MARGIN_SECONDS)
    assert (None if budget is None else round(budget.seconds, 6)) == seconds
    assert budget is None or budget.simulations == 800


def test_a_bot_that_takes_no_time_or_has_no_clock_is_not_cut_short(
    table: Projection, time: Time
) -> None:
    turn = selectors.bot_turn(table.game, awaited_turn(table.game)[0])
    assert turn is not None
    assert clock_budget.fit_to_clock(replace(turn, deadline=None), Budget(3.0), 1.0) == Budget(3.0)
    time.go(30)
    assert clock_budget.fit_to_clock(turn, Budget(), 1.0) == Budget()


def test_no_more_than_its_level_is_given(table: Projection) -> None:
    turn = selectors.bot_turn(table.game, awaited_turn(table.game)[0])
    assert turn is not None
    assert clock_budget.fit_to_clock(turn, Budget(0.5), 0.1) == Budget(0.5)


DELAYS = (0.0, 0.2, 0.85, 0.5, 0.95, 0.05, 0.899)  # seconds that messages wait in a queue
DECISIONS = 60


def kinds_after_play(table: Projection, time: Time) -> list[str]:
    """The entry types after some decisions of bots that are woken late, while the sweeper runs as
    early as it can."""
    delays = cycle(DELAYS)
    for _ in range(DECISIONS):
        now = selectors.game_projection(table.game)
        if now.phase == "over":
            break
        seat, choice = awaited_turn(table.game)
        time.go(next(delays))
        clock_expiry.expire_clocks()
        bot_turn.take_turn(table.game, seat, choice)
    return kinds(table)


def kinds(table: Projection) -> list[str]:
    """The action types of all entries of a log."""
    return [each.entry.action["type"] for each in selectors.game_projections(table.game)]


def test_no_decision_is_a_time_out(table: Projection, time: Time, slow_bot: Slow) -> None:
    log = kinds_after_play(table, time)
    assert len(log) > 20
    assert "table.time_out" not in log
    assert min(budget.seconds for budget in slow_bot.budgets) > 0
    assert Thought.objects.filter(bot="greedy").exists()  # for the messages that came too late


def test_a_bot_that_reads_no_clock_is_seen_to_be_late(
    table: Projection, time: Time, slow_bot: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock_budget, "fit_to_clock", lambda turn, budget, reserve: budget)
    assert "table.time_out" in kinds_after_play(table, time)


def test_a_hurried_thought_can_be_thought_again(
    table: Projection, time: Time, slow_bot: Slow
) -> None:
    time.go(0.95)
    seat, choice = awaited_turn(table.game)
    result = bot_turn.take_turn(table.game, seat, choice)
    assert result is not None
    note = Thought.objects.get(game=table.game, seq=result.first_seq)
    assert (note.bot, note.simulations, slow_bot.budgets) == ("greedy", 0, [])
    call_command("recheck_decision", table.game, result.first_seq)


def test_a_cut_thought_can_be_thought_again(table: Projection, time: Time) -> None:
    time.go(0.8)
    seat, choice = awaited_turn(table.game)
    result = bot_turn.take_turn(table.game, seat, choice)
    assert result is not None
    note = Thought.objects.get(game=table.game, seq=result.first_seq)
    assert (note.bot, note.simulations > 0) == (STRONGEST, True)
    call_command("recheck_decision", table.game, result.first_seq)


def test_how_long_answers_take_is_measured(
    table: Projection, time: Time, slow_bot: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks = iter([10.0, 10.25])
    monkeypatch.setattr("ai.bot_decision.monotonic", lambda: next(ticks))
    bot_turn.take_turn(table.game, *awaited_turn(table.game))
    assert clock_budget.commit_delays.high_delay == 0.25


def test_limits_of_the_task_follow_the_clock(
    table: Projection, woken: list[bot_dispatch.WakeMessage]
) -> None:
    assert [message.seconds for message in woken] == [1.0] * len(woken)
    assert woken


# -- several workers ------------------------------------------------------------------------------


@pytest.fixture
def shared_parts(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The parts that are sent; levels are spread among three workers."""
    messages: list[Any] = []
    monkeypatch.setattr(bot_registry, "bot_budget", lambda bot, slug: Budget(3.0, 90, parts=3))
    monkeypatch.setattr(
        "ai.analysis.part_dispatch.outbox", SimpleNamespace(enqueue=messages.append)
    )
    return messages


def game_with_clock(ms: int) -> Projection:
    """Two strong bots with this many milliseconds."""
    return services.create_game(
        RULES, [SeatAssignment(bot=STRONGEST)] * 2, clock=Clock(ms, "random")
    ).projection


def waiting_analysis(table: Projection) -> Analysis:
    """The analysis that begins when the bot is woken."""
    assert bot_turn.take_turn(table.game, *awaited_turn(table.game)) is None
    return Analysis.objects.get(game=table.game)


def test_without_time_for_several_it_thinks_alone(
    table: Projection, shared_parts: list[Any], slow_bot: Slow
) -> None:
    assert bot_turn.take_turn(table.game, *awaited_turn(table.game)) is not None
    assert (shared_parts, Analysis.objects.exists()) == ([], False)
    assert [budget.parts for budget in slow_bot.budgets] == [1]


@pytest.mark.usefixtures("woken")
def test_several_have_what_the_clock_leaves(db: None, time: Time, shared_parts: list[Any]) -> None:
    analysis = waiting_analysis(game_with_clock(4000))
    assert (
        analysis.seconds
        == 4.0 - parallel_bot_decision.ACT_GRACE_SECONDS - clock_budget.MIN_MARGIN_SECONDS
    )
    assert len(shared_parts) == 3


@pytest.mark.usefixtures("woken", "shared_parts")
def test_when_nobody_has_found_anything_it_acts_before_its_time_is_over(
    db: None, time: Time
) -> None:
    table = game_with_clock(4000)
    analysis = waiting_analysis(table)
    time.at = analysis.deadline
    assert analysis_completion.end_analysis(analysis.pk)
    now = selectors.game_projection(table.game)
    assert now.seq > table.seq
    assert Thought.objects.get(game=table.game, seq=table.seq + 1).bot == "greedy"
    assert "table.time_out" not in [
        each.entry.action["type"] for each in selectors.game_projections(table.game)
    ]


@pytest.mark.usefixtures("woken", "shared_parts")
def test_where_there_is_time_it_waits_once_more(db: None, time: Time) -> None:
    analysis = waiting_analysis(game_with_clock(600_000))
    time.at = analysis.deadline
    assert not analysis_completion.end_analysis(analysis.pk)
    analysis.refresh_from_db()
    assert analysis.deadline > time.at


# -- rated tables ---------------------------------------------------------------------------------


def test_a_rated_table_gives_a_bot_the_time_it_is_known_for() -> None:
    needed = round(
        1000
        * (
            bot_registry.bot_budget(STRONGEST, RULES).seconds
            + clock_budget.MAX_MARGIN_SECONDS
            + clock_budget.RATED_SLACK_SECONDS
        )
    )
    clock_budget.check_rated_clock(Clock(needed, "resign"), STRONGEST, RULES)
    clock_budget.check_rated_clock(None, STRONGEST, RULES)  # refused elsewhere, for lack of a clock
    with pytest.raises(GameRefusal) as caught:
        clock_budget.check_rated_clock(Clock(needed - 1, "resign"), STRONGEST, RULES)
    assert caught.value.code == "rated-clock"
    assert str(needed) in caught.value.sentence
