"""Streams are counted on all machines that share a Redis."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
import redis
from pytest_django import Settings

from api import process_board
from api.process_board import Board, Kind
from api.streams import machine_counts
from api.streams.machine_counts import SIGN_PREFIX, MachineCounts, process_name
from api.streams.request_handoff import ConnectionLimiter
from bench.ports import free_port
from tests.api.test_process_board import kill, process
from tests.config.processes import soon

LIMIT: Final = 3
pytestmark = pytest.mark.stores


@pytest.fixture
def url(broker: str) -> str:
    """A Redis of the test's own."""
    if not broker:
        pytest.skip("needs Redis")
    return broker


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not take a slow process for one that is lost."""
    monkeypatch.setattr(machine_counts, "SIGN_SECONDS", 3600)


@pytest.fixture
def client(url: str) -> Iterator[redis.Redis]:
    with redis.Redis.from_url(url) as client:
        yield client


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """The folder of this machine's board, which this process has joined."""
    process_board.join(tmp_path)
    yield tmp_path
    process_board.leave()


@pytest.fixture
def counts(url: str, folder: Path) -> Iterator[MachineCounts]:
    """The counts of this process."""
    counts = MachineCounts(url)
    yield counts
    counts.close()


def hold_there(url: str, folder: Path, count: int) -> None:
    """Hold so many streams on the machine with this board."""
    process_board.join(folder)
    counts = MachineCounts(url)
    assert all(counts.take("ada", LIMIT) for _ in range(count))


def test_another_machine_counts(url: str, folder: Path, counts: MachineCounts) -> None:
    other_machine = folder / "other"
    other_machine.mkdir()
    with process(lambda: hold_there(url, other_machine, 2)):
        assert [counts.take("ada", LIMIT) for _ in range(2)] == [True, False]
        assert counts.take("bob", LIMIT)
        counts.give_back("ada")
        assert soon(lambda: counts.take("ada", LIMIT))


def test_a_process_killed_on_this_machine_is_forgotten_at_once(
    url: str, folder: Path, counts: MachineCounts
) -> None:
    with process(lambda: hold_there(url, folder, LIMIT)) as pid:
        assert not counts.take("ada", LIMIT)
        kill(pid)
        assert counts.take("ada", LIMIT)


def test_a_killed_process_that_its_successor_has_forgotten_is_forgotten_here(
    url: str, folder: Path, counts: MachineCounts
) -> None:
    with process(lambda: hold_there(url, folder, LIMIT)) as pid:
        kill(pid)
        successor = Board(folder / process_board.FILE_NAME)
        assert not successor.held_elsewhere(Kind.STREAMS, "ada")
        assert counts.take("ada", LIMIT)


def test_a_machine_that_is_lost_is_forgotten_when_its_sign_ends(
    url: str, folder: Path, client: redis.Redis, counts: MachineCounts
) -> None:
    other_machine = folder / "other"
    other_machine.mkdir()
    with process(lambda: hold_there(url, other_machine, LIMIT)) as pid:
        kill(pid)
        assert not counts.take("ada", LIMIT)
        (sign,) = client.keys(f"{SIGN_PREFIX}*:{pid}")
        assert 0 < client.ttl(sign) <= machine_counts.SIGN_SECONDS
        client.delete(sign)
        assert counts.take("ada", LIMIT)


def test_a_sign_is_renewed(
    counts: MachineCounts, client: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine_counts, "RENEWAL_SECONDS", 0.01)
    counts.give_back("bob")  # the thread waits no longer
    assert counts.take("ada", LIMIT)
    client.delete(SIGN_PREFIX + process_name(os.getpid()))
    assert soon(lambda: client.exists(SIGN_PREFIX + process_name(os.getpid())))


def test_while_redis_is_away_the_machine_counts_alone(
    settings: Settings, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = MachineCounts(f"redis://127.0.0.1:{free_port()}/0")
    monkeypatch.setattr("api.streams.request_handoff.machine_counts", lambda: counts)
    settings.STREAMS_EACH = LIMIT
    limiter = ConnectionLimiter()
    for _ in range(LIMIT):
        limiter.acquire("ada")
    other = Board(folder / process_board.FILE_NAME)
    assert not other.take(Kind.STREAMS, "ada", LIMIT)
    limiter.release("ada")
    assert other.take(Kind.STREAMS, "ada", LIMIT)
    counts.close()


def test_a_refusal_elsewhere_takes_no_place_here(
    url: str,
    settings: Settings,
    folder: Path,
    counts: MachineCounts,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("api.streams.request_handoff.machine_counts", lambda: counts)
    settings.STREAMS_EACH = LIMIT
    other_machine = folder / "other"
    other_machine.mkdir()
    with process(lambda: hold_there(url, other_machine, LIMIT)):
        limiter = ConnectionLimiter()
        with pytest.raises(Exception, match="3 open streams"):
            limiter.acquire("ada")
        assert limiter.open_count == 0
