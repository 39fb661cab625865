"""The check of readiness finds every "ready" reply while something stood still."""

from __future__ import annotations

from tests.chaos.readiness_check import (
    MAX_STANDSTILL,
    MAX_THINKING,
    Interval,
    Observation,
    ReadinessReply,
    false_ready,
    idle_bots,
    idle_writes,
)

MAX_BOT_STANDSTILL = MAX_STANDSTILL + MAX_THINKING


def observations(*observed: tuple[float, int, bool]) -> dict[str, list[Observation]]:
    """A game observed at these moments with so many entries, and whether it owed a bot's action."""
    return {"game": [Observation(at, seq, owes_action, False) for at, seq, owes_action in observed]}


class TestATable:
    def test_that_goes_on_in_time_does_not_stand_still(self) -> None:
        assert (
            idle_bots(
                observations(
                    (0, 4, True), (MAX_BOT_STANDSTILL, 4, True), (MAX_BOT_STANDSTILL + 0.2, 5, True)
                )
            )
            == []
        )

    def test_that_waits_for_a_player_does_not_stand_still(self) -> None:
        assert idle_bots(observations((0, 4, False), (100, 4, False), (101, 5, True))) == []

    def test_that_owes_a_bots_action_for_too_long_stands_still(self) -> None:
        intervals = idle_bots(
            observations((0, 4, True), (30, 4, True), (31, 5, True), (32, 6, False))
        )
        assert [(interval.begin, interval.end) for interval in intervals] == [
            (MAX_BOT_STANDSTILL, 30)
        ]

    def test_that_never_goes_on_stands_still_to_the_end(self) -> None:
        intervals = idle_bots(observations((0, 4, False), (1, 5, True), (50, 5, True)))
        assert [(interval.begin, interval.end) for interval in intervals] == [
            (1 + MAX_BOT_STANDSTILL, 50)
        ]


class TestWrites:
    def test_that_are_acknowledged_do_not_stand_still(self) -> None:
        assert idle_writes([(0, 10), (1, 20), (5, 34)], 35) == []

    def test_that_no_player_asks_for_do_not_stand_still(self) -> None:
        assert idle_writes([(0, 1), (50, 51)], 60) == []

    def test_of_which_none_is_acknowledged_stand_still(self) -> None:
        intervals = idle_writes([(0, 1), (2, 40), (3, 41)], 50)
        assert [(interval.begin, interval.end) for interval in intervals] == [
            (2 + MAX_STANDSTILL, 40)
        ]

    def test_that_are_never_acknowledged_stand_still_to_the_end(self) -> None:
        intervals = idle_writes([(0, 1), (2, None)], 50)
        assert [(interval.begin, interval.end) for interval in intervals] == [
            (2 + MAX_STANDSTILL, 50)
        ]


class TestReadiness:
    IDLE = (Interval(20, 40, "nothing happens"),)

    def test_that_says_degraded_is_true(self) -> None:
        assert (
            false_ready(
                [ReadinessReply(25, 25.1, "degraded"), ReadinessReply(30, 30.1, "503")], self.IDLE
            )
            == []
        )

    def test_that_says_ready_before_and_after_is_true(self) -> None:
        assert (
            false_ready(
                [ReadinessReply(19, 20.5, "ready"), ReadinessReply(37, 37.1, "ready")], self.IDLE
            )
            == []
        )

    def test_that_says_ready_meanwhile_is_false(self) -> None:
        faults = false_ready(
            [ReadinessReply(at, at + 0.1, "ready") for at in range(19, 45)], self.IDLE
        )
        assert faults == ["ready 15 times in the 20 s in which nothing happens"]
