"""The check of streams finds every gap, every duplicate and every wrong last item."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.chaos import stream_check
from tests.chaos.http_client import HttpClient
from tests.chaos.stream_check import AccountStreamRecord, GameState, StreamedEntry, StreamRecord
from tests.chaos.watchers import ENDED, SSE, GameWatcher

LOG = [StreamedEntry(seq, f"hash {seq}") for seq in range(1, 21)]
FINAL_STATES = {"game_1": GameState(7, "playing", True), "game_2": GameState(20, "over", False)}


def stream_record(entries: list[StreamedEntry]) -> StreamRecord:
    """The record of a stream that sent these entries."""
    return StreamRecord("stream", "game_1", entries, is_ended=True)


def faults(entries: list[StreamedEntry], *, is_over: bool = True) -> list[str]:
    """Everything that is wrong with that stream."""
    return list(stream_check.faults(stream_record(entries), LOG, is_over=is_over))


class TestFaultsOfAGameStream:
    def test_a_complete_stream_has_none(self) -> None:
        assert faults(LOG) == []

    @pytest.mark.parametrize(
        ("mutate", "message"),
        [
            (lambda entries: [*entries[:6], *entries[7:]], "sent 8 after 6: 1 lost"),
            (lambda entries: [*entries[:6], *entries[15:]], "sent 16 after 6: 9 lost"),
            (lambda entries: entries[1:], "sent 2 after 0: 1 lost"),
            (lambda entries: [*entries[:6], *entries[5:]], "sent 6 again after 6"),
            (lambda entries: [*entries[:6], *entries[2:]], "sent 3 again after 6"),
            (lambda entries: [entries[1], entries[0], *entries[2:]], "sent 1 again after 2"),
            (lambda entries: entries[:-1], "sent up to 19 of 20"),
            (lambda entries: [], "sent up to 0 of 20"),
            (
                lambda entries: [*entries[:-1], StreamedEntry(20, "another")],
                "entry 20 is not the one in the log",
            ),
            (
                lambda entries: [*entries, StreamedEntry(21, "hash 21")],
                "entry 21 is not the one in the log",
            ),
        ],
    )
    def test_every_difference_from_the_log_is_reported(
        self, mutate: Callable[[list[StreamedEntry]], list[StreamedEntry]], message: str
    ) -> None:
        assert any(message in fault for fault in faults(mutate(list(LOG))))

    def test_an_end_before_the_end_of_the_game_is_reported(self) -> None:
        assert faults(LOG, is_over=False) == [
            "stream of game_1: was ended by 204, and the game is not over"
        ]

    def test_a_refusal_is_reported(self) -> None:
        record = replace(stream_record(list(LOG)), wrong_answers=["refused with 404 after 3"])
        assert list(stream_check.faults(record, LOG, is_over=True)) == [
            "stream of game_1: refused with 404 after 3"
        ]


class TestFaultsOfAnAccountStream:
    def faults(self, states_by_game: dict[str, list[GameState]]) -> list[str]:
        """Everything that is wrong with an account stream that sent these states."""
        return list(
            stream_check.account_faults(AccountStreamRecord("stream", states_by_game), FINAL_STATES)
        )

    def test_a_stream_with_the_final_states_has_none(self) -> None:
        earlier = GameState(3, "playing", False)
        states_by_game = {game: [earlier, earlier, state] for game, state in FINAL_STATES.items()}
        assert self.faults(states_by_game) == []

    def test_a_missing_game_is_reported(self) -> None:
        assert self.faults({"game_1": [FINAL_STATES["game_1"]]}) == [
            "stream: sent nothing about game_2"
        ]

    @pytest.mark.parametrize(
        "last_state",
        [GameState(6, "playing", True), GameState(7, "over", True), GameState(7, "playing", False)],
    )
    def test_a_wrong_final_state_is_reported(self, last_state: GameState) -> None:
        states_by_game = {"game_1": [last_state], "game_2": [FINAL_STATES["game_2"]]}
        assert len(self.faults(states_by_game)) == 1

    def test_a_step_back_in_the_log_is_reported(self) -> None:
        states_by_game = {
            game: [state._replace(seq=99), state] for game, state in FINAL_STATES.items()
        }
        assert self.faults(states_by_game) == [
            "stream: game_1 goes back in the log",
            "stream: game_2 goes back in the log",
        ]


def test_a_watcher_takes_no_entry_for_the_end(tmp_path: Path) -> None:
    """Not the one with the number of the status 204, either."""

    class Scripted(GameWatcher):
        def items(self, path: str, last_id: str) -> Iterator[tuple[str, Any]]:
            self.stop()  # after this connection
            for seq in range(1, 206):
                yield str(seq), {"seq": seq, "hash": ""}
            yield ENDED, None

    table: Any = SimpleNamespace(games=["game_1"])
    watcher = Scripted(table, HttpClient(1), SSE, tmp_path / "journal")
    watcher.run()
    watcher.close()
    (record,) = watcher.records
    assert (record.last_seq, len(record.entries), record.is_ended) == (205, 205, True)
