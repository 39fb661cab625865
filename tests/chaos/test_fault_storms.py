"""Under injected faults, every acknowledged action is kept once, every stream is complete, every
table soon goes on, and readiness is honest."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from tests import databases, warm_interpreter
from tests.chaos import stores
from tests.chaos.__main__ import CANNOT_INJECT
from tests.chaos.faults.kinds import KINDS, POSTGRES, SQLITE, kinds_over, kinds_together
from tests.chaos.missing_requirements import skip_or_fail

ROOT: Final = Path(__file__).parents[2]
STORE: Final = POSTGRES if databases.is_on_server() else SQLITE
# hangs and cuts of each side, which together take about half a minute
MIXED: Final = {
    SQLITE: ("workers-stopped", "web-stopped", "clock-ahead", "file-size-limited"),
    POSTGRES: ("broker-stopped", "connections-terminated", "database-frozen"),
}
STREAMS: Final = 32

pytestmark = [
    pytest.mark.stores,
    pytest.mark.skipif(sys.platform != "linux", reason="processes are read from /proc"),
]


def run_storm(folder: Path, *kinds: str, seconds: float | None = None, seed: int = 1) -> Any:
    """The figures of a storm without failures beyond the injected ones."""
    if STORE == POSTGRES and (missing_programs := stores.missing_programs()):
        skip_or_fail(f"not installed: {', '.join(missing_programs)}")
    report = folder / "report.json"
    options = [word for kind in kinds for word in ("--kind", kind)]
    options += ["--stores", STORE, "--seed", str(seed), "--report", str(report)]
    options += [] if seconds is None else ["--seconds", str(seconds)]
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


def check(figures: Any, *kinds: str) -> None:
    """Assert that nothing is wrong, every fault took effect, and there was something to lose."""
    assert figures["faults"] == []
    assert set(figures["faults_injected"]) == set(kinds)
    assert figures["streams"] == STREAMS
    assert figures["connections"] > STREAMS
    assert figures["acknowledged"] > 20
    assert figures["streamed_entries"] > 200


def test_a_gale(tmp_path: Path) -> None:
    check(run_storm(tmp_path, *MIXED[STORE]), *MIXED[STORE])


LONG: Final = [(name, seconds) for name in kinds_over(STORE) for seconds in KINDS[name].long]


@pytest.mark.soak
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(("name", "seconds"), LONG)
def test_one_kind_at_length(tmp_path: Path, name: str, seconds: float, seed: int) -> None:
    check(run_storm(tmp_path, name, seconds=seconds, seed=seed), name)


@pytest.mark.soak
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_all_kinds_in_any_order(tmp_path: Path, seed: int) -> None:
    check(run_storm(tmp_path, "all", seed=seed), *kinds_together(STORE))
