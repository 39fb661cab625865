"""The tests are repeated in a new order in each round, and failures are counted."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Final

import pytest

from tests.support import repeat

MODULE: Final = """
import pytest

shared = []

@pytest.mark.parametrize("number", range(5))
def test_any(number):
    shared.append(number)

def test_shared():
    assert shared{condition}
"""
# without the plugins that are slow to import
SETTINGS: Final = "[pytest]\naddopts = -p no:schemathesis -p no:anyio -p no:django\n"


def test_the_order_follows_from_the_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    def order(seed: int) -> list[str]:
        items = [SimpleNamespace(nodeid=f"test_{number}") for number in range(8)]
        monkeypatch.setenv(repeat.SEED, str(seed))
        repeat.pytest_collection_modifyitems(items)  # type: ignore[arg-type]
        return [item.nodeid for item in items]

    assert order(1) == order(1) != order(2)
    assert sorted(order(1)) == sorted(order(2))


@pytest.mark.parametrize("fails", [False, True])
def test_rounds(fails: bool, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    module = tmp_path / "test_it.py"
    module.write_text(MODULE.format(condition=" is None" if fails else " is not None"))
    (tmp_path / "pytest.ini").write_text(SETTINGS)
    assert repeat.main(["--times", "2", "--load", "0", "--seed", "3", str(module)]) == fails
    lines = [line for line in capfd.readouterr().out.splitlines() if " of 2" in line]
    if not fails:
        assert lines == ["1 of 2, seed 3: good", "2 of 2, seed 4: good"]
        return
    for line, start in zip(lines, ("1 of 2, seed 3: [", "2 of 2, seed 4: [", "2 "), strict=True):
        assert line.startswith(start)
        assert "test_it.py::test_shared" in line
