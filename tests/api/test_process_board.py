"""The board that web processes share: counts that hold for all of them, also when one is killed."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Barrier, Thread

import pytest

from api import process_board
from api.process_board import Board, Kind, Topic

KIND = Kind.STREAMS


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "board"


@contextmanager
def process(task: Callable[[], object]) -> Iterator[int]:
    """A forked process that has done this, and then waits to be killed."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        task()
        os.write(writing, b".")
        signal.pause()
        os._exit(0)
    os.close(writing)
    assert os.read(reading, 1)
    os.close(reading)
    try:
        yield pid
    finally:
        kill(pid)


def kill(pid: int) -> None:
    """Kill a process, which may be dead already."""
    try:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    except (ProcessLookupError, ChildProcessError):
        pass


def hold(path: Path, **counts: int) -> Callable[[], object]:
    """A process holds so many for these callers."""

    def task() -> None:
        board = Board(path)
        for caller, count in counts.items():
            for _ in range(count):
                assert board.take(KIND, caller, 1_000_000)

    return task


class TestALimit:
    def test_holds_in_one_process(self) -> None:
        board = Board()
        assert [board.take(KIND, "ada", 2) for _ in range(3)] == [True, True, False]
        assert board.take(KIND, "bob", 2)
        assert board.take(Kind.CONNECTIONS, "ada", 1)
        board.give_back(KIND, "ada")
        assert board.take(KIND, "ada", 2)
        assert (board.held_here(KIND, "ada"), board.total_here(KIND)) == (2, 3)

    def test_holds_in_all_processes_together(self, path: Path) -> None:
        with process(hold(path, ada=2, bob=1)), process(hold(path, ada=1)):
            board = Board(path)
            assert board.held_elsewhere(KIND, "ada") == 3
            assert sorted(board.totals_elsewhere(KIND)) == [1, 3]
            assert [board.take(KIND, "ada", 4) for _ in range(2)] == [True, False]
            assert [board.take(KIND, "bob", 4) for _ in range(4)] == [True, True, True, False]
            assert board.take(Kind.CONNECTIONS, "ada", 1)

    def test_forgets_a_process_that_was_killed(self, path: Path) -> None:
        with process(hold(path, ada=3)) as pid:
            board = Board(path)
            assert not board.take(KIND, "ada", 3)
            kill(pid)
            assert board.take(KIND, "ada", 3)
            assert board.totals_elsewhere(KIND) == []

    def test_is_given_back(self, path: Path) -> None:
        def task() -> None:
            board = Board(path)
            assert board.take(KIND, "ada", 1)
            board.give_back(KIND, "ada")

        with process(task):
            board = Board(path)
            assert board.take(KIND, "ada", 1)

    def test_is_never_exceeded_by_processes_that_take_at_once(self, path: Path) -> None:
        boards = [Board(path) for _ in range(4)]
        barrier = Barrier(len(boards), timeout=120)
        held = [0] * len(boards)
        most: list[int] = []

        def run(number: int, board: Board) -> None:
            barrier.wait()
            for _ in range(500):
                if board.take(KIND, "ada", 2):
                    held[number] = 1
                    most.append(sum(held))
                    held[number] = 0
                    board.give_back(KIND, "ada")

        threads = [Thread(target=run, args=pair) for pair in enumerate(boards)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert set(most) <= {1, 2}
        assert most
        assert [board.total_here(KIND) for board in boards] == [0] * 4

    def test_holds_for_thousands_of_callers(self, path: Path) -> None:
        board, other = Board(path), Board(path)
        names = [f"caller {number}" for number in range(3000)]
        assert all(board.take(KIND, name, 1) for name in names)
        assert not any(other.take(KIND, name, 1) for name in names[::100])
        for name in names[:2000]:
            board.give_back(KIND, name)
        assert all(other.take(KIND, name, 1) for name in names[:2000:100])
        assert not any(other.take(KIND, name, 1) for name in names[2000::100])

    def test_is_that_of_the_process_where_the_board_is_full(
        self, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        board, other = Board(path), Board(path)
        monkeypatch.setattr(process_board, "SLOTS", 2)
        assert all(board.take(KIND, name, 1) for name in ("ada", "bob", "eve"))
        assert not any(board.take(KIND, name, 1) for name in ("ada", "bob", "eve"))
        assert [other.take(KIND, name, 1) for name in ("ada", "eve")] == [False, True]
        board.give_back(KIND, "ada")
        assert board.take(KIND, "dan", 1)
        assert not other.take(KIND, "dan", 1)


class TestSections:
    def test_are_taken_over_from_the_dead(self, path: Path) -> None:
        with process(hold(path, ada=1)) as pid:
            assert Board(path).section == 1
            kill(pid)
            successor = Board(path)
            assert successor.section == 0
            assert successor.total_here(KIND) == 0

    def test_are_limited(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(process_board, "SECTIONS", 2)
        boards = [Board(path) for _ in range(2)]
        with pytest.raises(RuntimeError, match="2 web processes"):
            Board(path)
        assert len({board.name for board in boards}) == 1

    def test_of_two_boards_have_different_names(self, tmp_path: Path) -> None:
        assert Board(tmp_path / "a").name != Board(tmp_path / "b").name


def test_news_reach_all_processes(path: Path) -> None:
    with process(lambda: Board(path).announce(Topic.KEYS)):
        board = Board(path)
        mark = board.news(Topic.KEYS)
        assert any(mark)
        with process(lambda: Board(path).announce(Topic.WEBHOOKS)):
            assert board.news(Topic.KEYS) == mark
            assert any(board.news(Topic.WEBHOOKS))
        board.announce(Topic.KEYS)
        assert board.news(Topic.KEYS) != mark
