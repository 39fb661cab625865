"""The check of readiness detects every "ready" reply while bots or writes are idle."""

from __future__ import annotations

from tests.chaos.readiness_check import (
    MAX_IDLE_SECONDS,
    MAX_THINKING_SECONDS,
    Interval,
    Observation,
    ReadinessReply,
    false_ready_faults,
    idle_bots,
    idle_writes,
)

MAX_BOT_IDLE_SECONDS = MAX_IDLE_SECONDS + MAX_THINKING_SECONDS


def observations(*states: tuple[float, int, bool]) -> dict[str, list[Observation]]:
    """The observations of a game, each from its time, its seq and whether it awaits a bot."""
    return {
        "game": [Observation(at, seq, is_bot_awaited, False) for at, seq, is_bot_awaited in states]
    }


class TestIdleBots:
    def test_an_action_in_time_is_not_idle(self) -> None:
        assert (
            idle_bots(
                observations(
                    (0, 4, True),
                    (MAX_BOT_IDLE_SECONDS, 4, True),
                    (MAX_BOT_IDLE_SECONDS + 0.2, 5, True),
                )
            )
            == []
        )

    def test_waiting_for_a_player_is_not_idle(self) -> None:
        assert idle_bots(observations((0, 4, False), (100, 4, False), (101, 5, True))) == []

    def test_waiting_for_a_bot_beyond_the_limit_is_idle(self) -> None:
        intervals = idle_bots(
            observations((0, 4, True), (30, 4, True), (31, 5, True), (32, 6, False))
        )
        assert [(interval.begin, interval.end) for interval in intervals] == [
            (MAX_BOT_IDLE_SECONDS, 30)
        ]

    def test_waiting_for_a_bot_is_idle_to_the_end(self) -> None:
        intervals = idle_bots(observations((0, 4, False), (1, 5, True), (50, 5, True)))
        assert [(interval.begin, interval.end) for interval in intervals] == [
            (1 + MAX_BOT_IDLE_SECONDS, 50)
        ]


class TestIdleWrites:
    def test_frequent_acknowledgements_are_not_idle(self) -> None:
        assert idle_writes([(0, 10), (1, 20), (5, 34)], 35) == []

    def test_time_without_a_request_is_not_idle(self) -> None:
        assert idle_writes([(0, 1), (50, 51)], 60) == []

    def test_waiting_for_an_acknowledgement_beyond_the_limit_is_idle(self) -> None:
        intervals = idle_writes([(0, 1), (2, 40), (3, 41)], 50)
        assert [(interval.begin, interval.end) for interval in intervals] == [
            (2 + MAX_IDLE_SECONDS, 40)
        ]

    def test_waiting_for_an_acknowledgement_is_idle_to_the_end(self) -> None:
        intervals = idle_writes([(0, 1), (2, None)], 50)
        assert [(interval.begin, interval.end) for interval in intervals] == [
            (2 + MAX_IDLE_SECONDS, 50)
        ]


class TestFalseReady:
    IDLE_INTERVALS = (Interval(20, 40, "nothing happens"),)

    def test_degraded_is_no_fault(self) -> None:
        assert (
            false_ready_faults(
                [ReadinessReply(25, 25.1, "degraded"), ReadinessReply(30, 30.1, "503")],
                self.IDLE_INTERVALS,
            )
            == []
        )

    def test_ready_before_and_after_is_no_fault(self) -> None:
        assert (
            false_ready_faults(
                [ReadinessReply(19, 20.5, "ready"), ReadinessReply(37, 37.1, "ready")],
                self.IDLE_INTERVALS,
            )
            == []
        )

    def test_ready_while_idle_is_a_fault(self) -> None:
        faults = false_ready_faults(
            [ReadinessReply(at, at + 0.1, "ready") for at in range(19, 45)], self.IDLE_INTERVALS
        )
        assert faults == ["ready 15 times in the 20 s in which nothing happens"]
