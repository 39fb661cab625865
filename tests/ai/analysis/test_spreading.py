"""An analysis spread among workers: each part is searched once, even if messages are lost,
duplicated or late."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import LazySettings
from django.db import connection
from django.db.models import F
from django.utils import timezone

from ai import tasks
from ai.analysis import (
    analysis_completion,
    analysis_requests,
    decision_search,
    part_dispatch,
    part_worker,
)
from ai.analysis.part_dispatch import ANALYSES_QUEUE, PartMessage
from ai.models import Analysis, Part
from games import selectors
from games.models import Account
from jobs import sweeper
from tabularium_log.projection.projection import Projection
from tests.ai.analysis.conftest import PARTS, dealt_game, played_out, row, work_on, work_on_all

MANY = 40  # simulations: enough to be spread, in these tests

pytestmark = [pytest.mark.django_db, pytest.mark.stores]


@pytest.fixture(autouse=True)
def low_minimum(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few simulations are enough to be spread among workers."""
    monkeypatch.setattr(analysis_requests, "MIN_SIMULATIONS_PER_PART", MANY // 2)


@pytest.fixture
def analysis(table: Projection, account: Account) -> Analysis:
    """An analysis of the first decision of a game, by two workers."""
    return position_analysis(table, account)


@pytest.fixture
def game_analysis(table: Projection, account: Account) -> Analysis:
    """An analysis of a whole game with enough decisions, which not every random game has."""
    played_out(table)
    while len(list(selectors.taken_decisions(table.game))) <= 2 * PARTS:
        table = played_out(dealt_game(account))
    return analysis_requests.begin_analysis(
        analysis_requests.game_question(row(table), 20), account.pk
    )[0]


def position_analysis(table: Projection, account: Account, simulations: int = MANY) -> Analysis:
    """An analysis of the first awaited decision."""
    seat = table.engine.awaited_seats(table.state)[0]
    decision = selectors.game_decision(table.game, seat)
    question = analysis_requests.position_question(row(table), decision, simulations)
    return analysis_requests.begin_analysis(question, account.pk)[0]


def later(seconds: float) -> None:
    """Let time pass for all analyses and parts."""
    passed = timedelta(seconds=seconds)
    Analysis.objects.update(
        created=F("created") - passed, deadline=F("deadline") - passed, due=F("due") - passed
    )
    Part.objects.exclude(begun=None).update(begun=F("begun") - passed)


def state_of(analysis: Analysis) -> str:
    """The state of the analysis."""
    return Analysis.objects.get(pk=analysis.pk).state


class TestSending:
    def test_every_part_of_a_position_is_sent_at_once(
        self, analysis: Analysis, sent_parts: list[PartMessage]
    ) -> None:
        assert sent_parts == [
            PartMessage(analysis.pk, number, ANALYSES_QUEUE) for number in range(PARTS)
        ]
        assert tasks.study.name == part_dispatch.STUDY_TASK_NAME

    def test_of_a_game_only_as_many_as_there_are_workers(
        self, game_analysis: Analysis, sent_parts: list[PartMessage]
    ) -> None:
        parts = Part.objects.filter(analysis=game_analysis).count()
        assert len(sent_parts) == PARTS < parts
        work_on(sent_parts.pop(0))
        assert [message.number for message in sent_parts] == [1, 2]
        assert work_on_all(sent_parts) == parts - 1
        assert state_of(game_analysis) == "done"

    def test_few_simulations_are_left_to_one(self, settings: LazySettings) -> None:
        settings.PARTS = 4
        assert analysis_requests.simulations_per_part(39) == [39]
        assert analysis_requests.simulations_per_part(41) == [20, 21]
        assert analysis_requests.simulations_per_part(50_001) == [12_500, 12_500, 12_500, 12_501]


class TestAPart:
    def test_that_comes_twice_is_worked_on_once(
        self, analysis: Analysis, sent_parts: list[PartMessage], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        calls: list[Any] = []
        search = decision_search.search_decision

        def counting_search(*arguments: Any) -> Any:
            calls.append(arguments)
            return search(*arguments)

        monkeypatch.setattr(decision_search, "search_decision", counting_search)
        for message in (sent_parts[0], sent_parts[0], sent_parts[1], sent_parts[1], sent_parts[0]):
            work_on(message)
        assert len(calls) == PARTS
        assert state_of(analysis) == "done"

    def test_that_somebody_works_on_is_left_alone(
        self, analysis: Analysis, sent_parts: list[PartMessage]
    ) -> None:
        Part.objects.update(begun=timezone.now())
        work_on(sent_parts[0])
        assert not Part.objects.exclude(done=None).exists()

    def test_whose_worker_died_is_worked_on_again(
        self, analysis: Analysis, sent_parts: list[PartMessage]
    ) -> None:
        Part.objects.update(begun=timezone.now())
        for message in sent_parts:
            part_worker.work_on_part(message.analysis, message.number, again=True)
        assert state_of(analysis) == "done"

    def test_of_an_analysis_that_is_gone(
        self, analysis: Analysis, sent_parts: list[PartMessage]
    ) -> None:
        analysis.delete()
        work_on(sent_parts[0])
        assert not Part.objects.exists()

    def test_has_as_long_as_there_is_time(
        self, analysis: Analysis, sent_parts: list[PartMessage], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        seconds_given: list[float] = []
        search = decision_search.search_decision

        def recording_search(decision: Any, seed: int, budget: Any, *more: Any) -> Any:
            seconds_given.append(budget.seconds)
            return search(decision, seed, budget, *more)

        monkeypatch.setattr(decision_search, "search_decision", recording_search)
        for seconds, message in zip((0, 115), sent_parts, strict=True):
            now = analysis.created + timedelta(seconds=seconds)
            monkeypatch.setattr(timezone, "now", lambda now=now: now)
            work_on(message)
        assert seconds_given == [
            part_dispatch.MAX_PART_SECONDS,
            pytest.approx(5 - part_worker.WRITE_RESERVE_SECONDS),
        ]

    def test_after_the_deadline_is_not_begun(
        self, analysis: Analysis, sent_parts: list[PartMessage]
    ) -> None:
        later(121)
        work_on(sent_parts[0])
        assert not Part.objects.exclude(done=None).exists()


@pytest.mark.django_db(transaction=True)
def test_nobody_thinks_in_a_transaction(
    analysis: Analysis, sent_parts: list[PartMessage], monkeypatch: pytest.MonkeyPatch
) -> None:
    search, inside = decision_search.search_decision, []

    def recording_search(*position_analysis: Any) -> Any:
        inside.append(connection.in_atomic_block)
        return search(*position_analysis)

    monkeypatch.setattr(decision_search, "search_decision", recording_search)
    work_on_all(sent_parts)
    assert inside == [False] * PARTS


class TestTheSweeper:
    def test_sends_again_what_nobody_began(
        self, analysis: Analysis, sent_parts: list[PartMessage]
    ) -> None:
        lost_parts = list(sent_parts)
        sent_parts.clear()
        sweeper.sweep()
        assert sent_parts == []
        later(31)
        sweeper.sweep()
        assert sent_parts == lost_parts
        sweeper.sweep()
        assert sent_parts == lost_parts

    def test_waits_twice_as_long_the_next_time(
        self, game_analysis: Analysis, sent_parts: list[PartMessage]
    ) -> None:
        later(300)
        sweeper.sweep()
        sent_parts.clear()
        later(200)
        sweeper.sweep()
        assert sent_parts == []
        later(101)
        sweeper.sweep()
        assert len(sent_parts) == PARTS

    def test_sends_again_what_a_dead_worker_had(
        self,
        game_analysis: Analysis,
        sent_parts: list[PartMessage],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        def raise_time_limit(*_: Any) -> Any:
            raise SoftTimeLimitExceeded

        with monkeypatch.context() as patch:
            patch.setattr(decision_search, "search_decision", raise_time_limit)
            while sent_parts:
                message = sent_parts.pop(0)
                with pytest.raises(SoftTimeLimitExceeded):
                    work_on(message)
        sweeper.sweep()
        later(61)
        sweeper.sweep()
        assert [message.number for message in sent_parts] == [0, 1]
        work_on_all(sent_parts)
        assert state_of(game_analysis) == "done"

    def test_ends_what_is_overdue_with_what_is_there(
        self, analysis: Analysis, sent_parts: list[PartMessage]
    ) -> None:
        work_on(sent_parts[1])
        later(60)
        sweeper.sweep()
        assert state_of(analysis) == "waiting"
        later(61)
        sweeper.sweep()
        stored = Analysis.objects.get(pk=analysis.pk)
        assert stored.state == "done"
        assert '"is_partial":true' in stored.result
        assert f'"simulations":{MANY // 2}' in stored.result
        assert stored.question is None

    def test_a_part_that_comes_later_changes_nothing(
        self, analysis: Analysis, sent_parts: list[PartMessage]
    ) -> None:
        work_on(sent_parts[0])
        later(121)
        sweeper.sweep()
        result = Analysis.objects.get(pk=analysis.pk).result
        work_on(sent_parts[1])
        assert Analysis.objects.get(pk=analysis.pk).result == result

    def test_gives_up_what_cannot_be_summed_up(
        self,
        analysis: Analysis,
        game_analysis: Analysis,
        sent_parts: list[PartMessage],
        monkeypatch: pytest.MonkeyPatch,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        work_on(sent_parts[0])
        monkeypatch.setattr(analysis_completion, "_position_findings", None)
        later(3600)
        sweeper.sweep()
        assert f"The results of analysis {analysis.pk} cannot be merged" in caplog.text
        assert state_of(analysis) == state_of(game_analysis) == "failed"

    def test_forgets_what_is_old(self, analysis: Analysis, sent_parts: list[PartMessage]) -> None:
        work_on_all(sent_parts)
        analysis_requests.delete_old_analyses()
        assert Analysis.objects.exists()
        Analysis.objects.update(
            ended=timezone.now() - analysis_requests.ANALYSES_KEPT_FOR - timedelta(seconds=1)
        )
        sweeper.clean_up()
        assert not Analysis.objects.exists()


def test_the_order_of_the_parts_makes_no_difference(
    table: Projection, account: Account, sent_parts: list[PartMessage]
) -> None:
    results = set()
    for step in (1, -1):
        analysis = position_analysis(table, account)
        for message in sent_parts[::step]:
            work_on(message)
        results.add(Analysis.objects.get(pk=analysis.pk).result)
        Analysis.objects.all().delete()
        sent_parts.clear()
    assert len(results) == 1


def test_of_two_who_ask_at_once_both_get_the_same(
    analysis: Analysis, table: Projection, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    find_analysis = analysis_requests.find_analysis
    answers = iter([None, analysis])
    monkeypatch.setattr(analysis_requests, "find_analysis", lambda question: next(answers))
    seat = table.engine.awaited_seats(table.state)[0]
    decision = selectors.game_decision(table.game, seat)
    question = analysis_requests.position_question(row(table), decision, MANY)
    assert analysis_requests.find_analysis(question) is None
    assert analysis_requests.begin_analysis(question, account.pk) == (analysis, False)
    assert find_analysis(question) == analysis


def test_interest_is_looked_up_every_now_and_then(
    analysis: Analysis, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks = iter([0.0, 0.9, 1.1, 1.2, 2.2])
    monkeypatch.setattr(part_worker, "monotonic", lambda: next(ticks))
    interest = part_worker.InterestCheck(analysis.pk)
    assert [interest(), interest()] == [True, True]
    analysis_completion.cancel_analysis(analysis.pk)
    assert [interest(), interest()] == [True, False]
