"""The judgement on a crowd finds every failed reply, every late one, and every fault that readiness
does not report."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.chaos.readiness_check import NO_ANSWER, READY, ReadinessReply
from tests.crowd import judgement
from tests.crowd.judgement import STREAM, UNANSWERED, Answer, Times, Window

WINDOW = Window("link-down", "B", 100.0, 120.0, {"B": 8.0}, {"A": 0.0, "B": 10.0})  # to 130 in all


def answer(sent_at: float, status: int, code: str = "", kind: str = "action") -> Answer:
    """A reply after a second."""
    return Answer(kind, "B", sent_at, sent_at + 1, status, code)


class TestReplies:
    @pytest.mark.parametrize(
        "good",
        [
            answer(50, 201),
            answer(50, 409, "stale-choice"),
            answer(110, 503, "unavailable"),
            answer(110, 503, "", STREAM),
            answer(110, UNANSWERED, "TimeoutError"),
            answer(99.5, 503, "unavailable"),  # under way when the fault began
            answer(129.5, 503, "not-ready"),
        ],
    )
    def test_success_and_an_honest_503_in_a_window_are_no_faults(self, good: Answer) -> None:
        assert judgement.answer_faults([good], [WINDOW]) == []

    @pytest.mark.parametrize(
        ("bad", "description"),
        [
            (
                answer(50, 503, "unavailable"),
                "outside the windows, action on B was answered 503 unavailable, 1 times",
            ),
            (
                answer(140, UNANSWERED, "TimeoutError"),
                "outside the windows, action on B was answered none (TimeoutError), 1 times",
            ),
            (
                answer(110, 500, "internal-error"),
                "inside the windows, action on B was answered 500 internal-error, 1 times",
            ),
            (
                answer(110, 503, "drawings-busy"),
                "inside the windows, action on B was answered 503 drawings-busy, 1 times",
            ),
        ],
    )
    def test_every_other_failure_is_a_fault(self, bad: Answer, description: str) -> None:
        assert judgement.answer_faults([bad], [WINDOW]) == [description]

    def test_a_failure_needs_its_window(self) -> None:
        assert judgement.answer_faults([answer(110, 503, "unavailable")], [])

    def test_equal_failures_are_counted(self) -> None:
        faults = judgement.answer_faults([answer(at, 500, "internal-error") for at in (1, 2)], [])
        assert [fault.rpartition(", ")[2] for fault in faults] == ["2 times"]

    def test_a_window_is_no_longer_than_the_recovery_may_take(self) -> None:
        assert replace(WINDOW, recovery_seconds={"A": 1.0, "B": 45.0}).end == 150.0
        assert replace(WINDOW, recovery_seconds={"A": 1.0, "B": None}).end == 150.0

    def test_replies_are_counted_by_status_and_place(self) -> None:
        answers = [answer(50, 200), answer(110, 503), answer(110, UNANSWERED)]
        assert judgement.statuses(answers, [WINDOW], is_inside=False) == {"200": 1}
        assert judgement.statuses(answers, [WINDOW], is_inside=True) == {"503": 1, "none": 1}


def readiness(*statuses: tuple[float, str]) -> list[ReadinessReply]:
    """Replies of readyz, each a tenth of a second after its request."""
    return [ReadinessReply(at, at + 0.1, status) for at, status in statuses]


class TestReadiness:
    def test_the_delays_are_measured_on_the_hosts_that_feel_the_fault(self) -> None:
        window = Window("link-down", "B", 100.0, 120.0)
        steady = [(float(at), READY) for at in range(120, 140)]
        reported = [(101.0, READY), (107.0, NO_ANSWER), (115.0, NO_ANSWER), (121.0, "503")]
        replies = {
            "A": readiness((101.0, READY), *steady),
            "B": readiness(*reported, (122.0, READY), (123.0, "503"), *steady[5:]),
        }
        judgement.measure_readiness(window, replies)
        assert window.reported_seconds == {"B": pytest.approx(7.1)}
        assert window.recovery_seconds == {"A": pytest.approx(0.1), "B": pytest.approx(5.1)}
        assert list(judgement.readiness_faults([window])) == []

    def test_every_host_feels_a_store(self) -> None:
        window = Window("broker-stopped", "", 100.0, 120.0)
        judgement.measure_readiness(
            window, {"A": readiness((110.0, "degraded")), "B": readiness((110.0, READY))}
        )
        assert window.reported_seconds == {"A": pytest.approx(10.1), "B": None}
        assert window.recovery_seconds == {"A": None, "B": None}

    @pytest.mark.parametrize(
        ("changes", "fault"),
        [
            ({"reported_seconds": {"B": None}}, "host B was ready all the time"),
            ({"reported_seconds": {"B": 16.1}}, "host B reported it after 16.1 s"),
            ({"recovery_seconds": {"B": None}}, "host B was not ready again"),
            ({"recovery_seconds": {"A": 31.0}}, "host A was only after 31.0 s ready again"),
        ],
    )
    def test_a_late_sign_is_a_fault(
        self, changes: dict[str, dict[str, float | None]], fault: str
    ) -> None:
        window = replace(WINDOW, **changes)  # type: ignore[arg-type]
        assert list(judgement.readiness_faults([window])) == [f"link-down: {fault}"]

    def test_a_short_fault_needs_no_sign(self) -> None:
        window = replace(WINDOW, healed_at=105.0, reported_seconds={"B": None})
        assert list(judgement.readiness_faults([window])) == []


def test_an_unended_game_is_found() -> None:
    faults = judgement.unended_games({"game_1", "game_2"}, {"game_1"})
    assert list(faults) == ["game_2: its people did not see its end"]


class TestTimes:
    def test_only_replies_outside_the_windows_count(self) -> None:
        answers = [Answer("action", "A", at, at + 0.01, 201, "") for at in range(50, 90)]
        answers += [Answer("action", "A", 110, 118, 201, "")]
        answers += [Answer("long poll", "A", 50, 70, 200, "")]
        times = judgement.times_by_kind(answers, [WINDOW])
        assert times.keys() == {"action"}
        assert times["action"] == pytest.approx((40, 0.01, 0.01))

    def test_the_percentiles_are_those_of_the_sorted_times(self) -> None:
        answers = [Answer("action", "A", 0, at / 100, 201, "") for at in range(100, 0, -1)]
        assert judgement.times_by_kind(answers, []) == {"action": Times(100, 0.5, 0.99)}

    @pytest.mark.parametrize(
        ("times", "is_late"),
        [
            (Times(1000, 0.01, 0.1), False),
            (Times(1000, 0.01, 0.11), True),
            (Times(99, 0.01, 0.11), False),  # the slowest of a few
        ],
    )
    def test_a_late_kind_is_found(self, times: Times, is_late: bool) -> None:
        assert bool(list(judgement.late_kinds({"action": times}, 10))) == is_late
