"""The check of streams finds every gap, every duplicate and every wrong last item."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.chaos import telling
from tests.chaos.telling import Heard, HeardOfAll, Stand, Told

LOG = [Told(seq, f"hash {seq}") for seq in range(1, 21)]
TRUTH = {"game_1": Stand(7, "playing", True), "game_2": Stand(20, "over", False)}


def heard(told: list[Told]) -> Heard:
    """A stream that sent these entries."""
    return Heard("stream", "game_1", told, is_ended=True)


def faults(told: list[Told], *, is_over: bool = True) -> list[str]:
    """Everything that is wrong with that stream."""
    return list(telling.faults(heard(told), LOG, is_over=is_over))


class TestAStreamOfAGame:
    def test_that_told_all_once_is_good(self) -> None:
        assert faults(LOG) == []

    @pytest.mark.parametrize(
        ("crime", "name"),
        [
            (lambda told: [*told[:6], *told[7:]], "told 8 after 6: 1 lost"),
            (lambda told: [*told[:6], *told[15:]], "told 16 after 6: 9 lost"),
            (lambda told: told[1:], "told 2 after 0: 1 lost"),
            (lambda told: [*told[:6], *told[5:]], "told 6 again after 6"),
            (lambda told: [*told[:6], *told[2:]], "told 3 again after 6"),
            (lambda told: [told[1], told[0], *told[2:]], "told 1 again after 2"),
            (lambda told: told[:-1], "told up to 19 of 20"),
            (lambda told: [], "told up to 0 of 20"),
            (lambda told: [*told[:-1], Told(20, "another")], "entry 20 is not the one in the log"),
            (lambda told: [*told, Told(21, "hash 21")], "entry 21 is not the one in the log"),
        ],
    )
    def test_that_did_anything_else_is_not(
        self, crime: Callable[[list[Told]], list[Told]], name: str
    ) -> None:
        assert [fault for fault in faults(crime(list(LOG))) if name in fault]

    def test_that_ends_before_the_game_is_named(self) -> None:
        assert faults(LOG, is_over=False) == [
            "stream of game_1: was ended by 204, and the game is not over"
        ]

    def test_that_was_refused_is_named(self) -> None:
        refused = replace(heard(list(LOG)), false_answers=["refused with 404 after 3"])
        found = list(telling.faults(refused, LOG, is_over=True))
        assert found == ["stream of game_1: refused with 404 after 3"]


class TestAStreamOfAnAccount:
    def check(self, told: dict[str, list[Stand]]) -> list[str]:
        """Everything that is wrong with an account stream that sent these."""
        return list(telling.account_faults(HeardOfAll("stream", told), TRUTH))

    def test_whose_last_words_are_true_is_good(self) -> None:
        before = Stand(3, "playing", False)
        told = {game: [before, before, stand] for game, stand in TRUTH.items()}
        assert self.check(told) == []

    def test_that_is_silent_about_a_game_is_named(self) -> None:
        assert self.check({"game_1": [TRUTH["game_1"]]}) == ["stream: never heard of game_2"]

    @pytest.mark.parametrize(
        "last", [Stand(6, "playing", True), Stand(7, "over", True), Stand(7, "playing", False)]
    )
    def test_whose_last_word_is_false_is_named(self, last: Stand) -> None:
        told = {"game_1": [last], "game_2": [TRUTH["game_2"]]}
        assert len(self.check(told)) == 1

    def test_that_goes_back_is_named(self) -> None:
        told = {game: [stand._replace(seq=99), stand] for game, stand in TRUTH.items()}
        assert self.check(told) == [
            "stream: game_1 goes back in the log",
            "stream: game_2 goes back in the log",
        ]
