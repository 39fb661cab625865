"""A small crowd plays its games to their ends while a web process is killed."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.chaos import stores
from tests.support import databases, warm_interpreter
from tests.support.databases import ROOT
from tests.support.missing_requirements import skip_or_fail

GAMES = 12

pytestmark = [
    pytest.mark.lane("crowd"),
    pytest.mark.stores,
    pytest.mark.skipif(sys.platform != "linux", reason="processes are read from /proc"),
    pytest.mark.skipif(not databases.is_on_server(), reason="hosts share PostgreSQL and Redis"),
]


def test_all_games_of_a_small_crowd_end(tmp_path: Path) -> None:
    if missing_programs := stores.missing_programs():
        skip_or_fail(f"not installed: {', '.join(missing_programs)}")
    report = tmp_path / "report.json"
    numbers = {
        "games": GAMES,
        "at-once": GAMES,
        "hosts": 1,
        "arrival": 0,
        "pause": 0.05,
        "rest": 0.2,
    }
    options = [f"--{name}={number}" for name, number in numbers.items()]
    options += ["--max-ratio=0", f"--report={report}", "--faults", "web-killed"]
    options += ["--rules", "law_of_the_dice"]  # the shortest games
    run = warm_interpreter.run(
        [sys.executable, "-m", "tests.crowd", *options],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, f"{run.stdout}\n{run.stderr}"
    figures = json.loads(report.read_text(encoding="utf-8"))
    assert figures["faults"] == []
    assert figures["games_ended"] == figures["games_begun"] == GAMES
    assert [window["kind"] for window in figures["windows"]] == ["web-killed"]
    assert figures["actions"] > 20
    assert figures["streamed_entries"] > 20
    assert {"web", "bots", "PostgreSQL", "Redis"} <= figures["processor_seconds"].keys()
