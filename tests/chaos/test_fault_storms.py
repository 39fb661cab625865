"""Under injected faults, every acknowledged action is kept once, every stream is complete, every
table soon goes on, and `readyz` never answers "ready" falsely."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from tests.chaos import stores
from tests.chaos.__main__ import CANNOT_INJECT
from tests.chaos.faults.kinds import KINDS, POSTGRES, SQLITE, compatible_kinds, kinds_on
from tests.support import databases, warm_interpreter
from tests.support.missing_requirements import skip_or_fail

ROOT: Final = Path(__file__).parents[2]
STORE: Final = POSTGRES if databases.is_on_server() else SQLITE
# hangs and cuts on each kind of stores; one storm of them takes about half a minute
MIXED_KINDS: Final = {
    SQLITE: ("workers-stopped", "web-stopped", "clock-ahead", "file-size-limited"),
    POSTGRES: ("broker-stopped", "connections-terminated", "database-frozen"),
}
STREAM_COUNT: Final = 32

pytestmark = [
    pytest.mark.lane("storms"),
    pytest.mark.stores,
    pytest.mark.skipif(sys.platform != "linux", reason="processes are read from /proc"),
]


def run_storm(folder: Path, *kinds: str, seconds: float | None = None, seed: int = 1) -> Any:
    """The figures of a storm, which must end without a fault other than the injected ones."""
    if STORE == POSTGRES and (missing_programs := stores.missing_programs()):
        skip_or_fail(f"not installed: {', '.join(missing_programs)}")
    report = folder / "report.json"
    options = [f"--kind={kind}" for kind in kinds]
    options += [f"--stores={STORE}", f"--seed={seed}", f"--report={report}"]
    options += [] if seconds is None else [f"--seconds={seconds}"]
    process = warm_interpreter.run(
        [sys.executable, "-m", "tests.chaos", *options],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if process.returncode == CANNOT_INJECT:
        skip_or_fail(process.stderr)
    assert process.returncode == 0, f"{process.stdout}\n{process.stderr}"
    return json.loads(report.read_text(encoding="utf-8"))


def assert_nothing_is_lost(figures: Any, *kinds: str) -> None:
    """Assert that the report has no faults, that every injected fault took effect, and that there
    was enough to lose."""
    assert figures["faults"] == []
    assert set(figures["faults_injected"]) == set(kinds)
    assert figures["streams"] == STREAM_COUNT
    assert figures["connections"] > STREAM_COUNT
    assert figures["acknowledged"] > 20
    assert figures["streamed_entries"] > 200


def test_nothing_is_lost_under_mixed_faults(tmp_path: Path) -> None:
    assert_nothing_is_lost(run_storm(tmp_path, *MIXED_KINDS[STORE]), *MIXED_KINDS[STORE])


KINDS_WITH_SECONDS: Final = [
    (name, seconds) for name in kinds_on(STORE) for seconds in KINDS[name].long_seconds
]


@pytest.mark.soak
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(("name", "seconds"), KINDS_WITH_SECONDS)
def test_nothing_is_lost_under_one_long_fault(
    tmp_path: Path, name: str, seconds: float, seed: int
) -> None:
    assert_nothing_is_lost(run_storm(tmp_path, name, seconds=seconds, seed=seed), name)


@pytest.mark.soak
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_nothing_is_lost_under_all_kinds_in_random_order(tmp_path: Path, seed: int) -> None:
    assert_nothing_is_lost(run_storm(tmp_path, "all", seed=seed), *compatible_kinds(STORE))
