"""`manage.py serve --test-clock`: one clock for all processes of the server, on data of its own,
which end with it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final
from urllib.request import Request, urlopen

import pytest

from tests.api.calls import DEALT
from tests.config.processes import PATIENCE, is_gone, soon
from tests.support import warm_interpreter
from tests.support.databases import ROOT
from tests.support.served import Clocked, serving_with_test_clock

pytestmark = pytest.mark.lane("processes")

DAY: Final = 24 * 3600
HOUR: Final = {"action_ms": 3_600_000, "then": "resign"}
SERVE: Final = [sys.executable, "manage.py", "serve", "--test-clock"]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Clocked]:
    """A server with two web processes."""
    with serving_with_test_clock(tmp_path, "--web=2") as served:
        yield served


def ahead(text: str) -> timedelta:
    """How far a time is ahead of the machine's clock."""
    return datetime.fromisoformat(text) - datetime.now(UTC)


def test_all_processes_share_the_clock(served: Clocked) -> None:
    served.advance(30 * DAY)
    with ThreadPoolExecutor(16) as pool:  # connections that both web processes accept
        guests = [*pool.map(lambda _: served.post("/guests", {}), range(32))]
    assert all(ahead(guest["account"]["created"]) > timedelta(days=29) for guest in guests)
    bots = [{"kind": "bot", "bot": "random"}] * 2
    game = served.post("/games", {"rules": "duality", "seats": bots}, guests[0]["secret"])["id"]
    assert soon(lambda: served.ask(f"/games/{game}")["seq"] > DEALT)  # by a worker
    entries = served.ask(f"/games/{game}/log")["items"]
    assert all(ahead(entry["at"]) > timedelta(days=29) for entry in entries)


def test_a_stream_shows_at_once_that_a_clock_ran_out(served: Clocked) -> None:
    ada, bob = (served.post("/guests", {})["secret"] for _ in range(2))
    table = {"rules": "duality", "seats": [{"kind": "me"}, {"kind": "open"}], "clock": HOUR}
    game = served.post("/games", table, ada)["id"]
    served.post(f"/games/{game}/join", {"seat": 1}, bob)
    request = Request(
        f"{served.url}/api/v1/games/{game}/stream", headers={"Accept": "application/x-ndjson"}
    )
    with urlopen(request, timeout=PATIENCE) as stream:
        types = iter(json.loads(line)["action"]["type"] for line in stream if line.strip())
        assert "table.start" in types
        served.advance(3600)
        assert served.ask(f"/games/{game}")["ending"] == "timed_out"  # at the reply
        assert [*types] == ["table.time_out", "table.resign", "table.end"]


def test_its_data_end_with_it_and_no_other_are_touched(tmp_path: Path) -> None:
    with serving_with_test_clock(tmp_path) as served:
        served.advance(DAY)
        (folder,) = tmp_path.glob("tabularium-*")
        assert (folder / "tabularium.sqlite3").is_file()
    assert not folder.exists()
    assert not [*served.unused_data.rglob("*.sqlite3*")]


def test_the_data_of_one_that_was_killed_end_with_the_next(tmp_path: Path) -> None:
    with serving_with_test_clock(tmp_path) as served:
        (folder,) = tmp_path.glob("tabularium-*")
        os.kill(served.pid, signal.SIGKILL)
        assert soon(lambda: is_gone(served.pid))
    assert folder.is_dir()
    with serving_with_test_clock(tmp_path):
        assert soon(lambda: not folder.exists())


@pytest.mark.parametrize(
    ("name", "value"),
    [("DATABASE_URL", "postgres://a@127.0.0.1:1/a"), ("REDIS_URL", "redis://127.0.0.1:1")],
)
def test_a_database_and_a_broker_are_refused(tmp_path: Path, name: str, value: str) -> None:
    stores = {"DATABASE_URL": "", "REDIS_URL": "", name: value}
    environment = {**os.environ, "TABULARIUM_DATA": str(tmp_path / "data"), "TMPDIR": str(tmp_path)}
    process = warm_interpreter.run(
        SERVE, cwd=ROOT, env=environment | stores, stderr=subprocess.PIPE, text=True, check=False
    )
    assert process.returncode == 1
    assert f"--test-clock serves empty data of its own: unset {name}." in process.stderr
    assert not [*tmp_path.glob("tabularium-*")]
