"""Every acknowledged action stays in the log, once and in its place, when any process is killed."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from tests.chaos import stores
from tests.support import databases, warm_interpreter
from tests.support.missing_requirements import skip_or_fail

ROOT: Final = Path(__file__).parents[2]

pytestmark = [
    pytest.mark.lane("storms"),
    pytest.mark.stores,
    pytest.mark.skipif(sys.platform != "linux", reason="processes are read from /proc"),
]


def run_storm(folder: Path, games: int, kills: int, within: float) -> dict[str, Any]:
    """The figures of a storm on the stores of this test run, which must end without a fault."""
    stores_name = "postgres" if databases.is_on_server() else "sqlite"
    if stores_name == "postgres" and (missing_programs := stores.missing_programs()):
        skip_or_fail(f"not installed: {', '.join(missing_programs)}")
    report = folder / "report.json"
    numbers = {"games": games, "kills": kills, "within": within, "pause": 1.5}
    options = [f"--{name}={value}" for name, value in numbers.items()]
    process = warm_interpreter.run(
        [
            sys.executable,
            "-m",
            "tests.chaos",
            *options,
            f"--stores={stores_name}",
            f"--report={report}",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, f"{process.stdout}\n{process.stderr}"
    figures: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
    return figures


def assert_nothing_is_lost(figures: dict[str, Any], kills: int) -> None:
    """Assert that the report has no faults, and that there was enough to lose."""
    assert figures["faults"] == []
    assert figures["acknowledged"] > 20
    assert figures["unknown"] == figures["settled"]
    assert sum(figures["kills"].values()) == kills


def test_nothing_is_lost_when_processes_are_killed(tmp_path: Path) -> None:
    figures = run_storm(tmp_path, games=4, kills=5, within=600)
    assert_nothing_is_lost(figures, kills=5)


@pytest.mark.soak
def test_nothing_is_lost_in_a_long_storm(tmp_path: Path) -> None:
    figures = run_storm(tmp_path, games=20, kills=36, within=300)
    assert_nothing_is_lost(figures, kills=36)
    assert figures["repeated"] > 0
