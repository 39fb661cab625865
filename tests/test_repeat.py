"""Tests that may depend on randomness are found, and repeated in a new order in each round."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pytest

from tests import repeat
from tests.chancy import ROOT, reasons

MODULE: Final = """
import pytest

pytestmark = pytest.mark.chancy
shared = []

@pytest.mark.parametrize("number", range(5))
def test_any(number):
    shared.append(number)

def test_shared():
    assert shared{condition}
"""
# without the plugins that are slow to import
SETTINGS: Final = """
[pytest]
markers = chancy: any
addopts = -p no:schemathesis -p no:anyio -p no:django
"""


@pytest.mark.parametrize(
    ("module", "expected_reasons"),
    [
        ("tests/config/test_serve.py", {"processes"}),
        ("tests/api/limits/test_token_buckets.py", {"threads"}),
        ("tests/engines/test_memory.py", {"collector"}),
        ("tests/ai/honesty/test_leaks.py", {"chance"}),  # through tables.py
        ("tests/chaos/test_kill_storms.py", {"processes", "clock"}),
    ],
)
def test_modules_are_marked_with_their_reasons(module: str, expected_reasons: set[str]) -> None:
    assert expected_reasons <= set(reasons(ROOT / module))


@pytest.mark.parametrize(
    "module", ["games/fairness/test_canonical_json.py", "games/test_registry.py"]
)
def test_other_modules_are_not_marked(module: str) -> None:
    assert not set(reasons(ROOT / "tests" / module)) - {"chance"}


def test_this_module_is_marked(request: pytest.FixtureRequest) -> None:
    mark = request.node.get_closest_marker("chancy")
    assert mark
    assert "processes" in mark.args


def order_of_round(seed: int) -> list[str]:
    """The order in which a round runs some tests."""
    items = [SimpleNamespace(nodeid=f"test_{number}") for number in range(8)]
    repeat.Shuffled(seed).pytest_collection_modifyitems(items)  # type: ignore[arg-type]
    return [item.nodeid for item in items]


def test_the_order_follows_from_the_seed() -> None:
    assert order_of_round(1) == order_of_round(1) != order_of_round(2)
    assert sorted(order_of_round(1)) == sorted(order_of_round(2))


def marked_item(*reasons: str) -> Any:
    """A test marked with these reasons."""
    mark = pytest.mark.chancy(*reasons).mark
    return SimpleNamespace(nodeid=" ".join(reasons), get_closest_marker=lambda name: mark)


def selected(is_short: bool) -> set[str]:
    """The tests that a round runs, named by their reasons."""
    reasons = ("clock", "threads"), ("chance",), ("chance", "clock"), ("clock", "processes"), ()
    items = [marked_item(*item_reasons) for item_reasons in reasons]
    repeat.Shuffled(1, is_short).pytest_collection_modifyitems(items)
    return {item.nodeid for item in items}


def test_a_short_round_starts_no_processes_and_skips_seeded_tests() -> None:
    assert selected(is_short=True) == {"clock threads", "chance clock", ""}
    assert selected(is_short=False) == selected(is_short=True) | {"chance", "clock processes"}


class TestRounds:
    def run_two_rounds(
        self, folder: Path, condition: str, capfd: pytest.CaptureFixture[str]
    ) -> tuple[int, str]:
        """The exit code and output of two rounds of a module."""
        module = folder / "test_it.py"
        module.write_text(MODULE.format(condition=condition))
        (folder / "pytest.ini").write_text(SETTINGS)
        code = repeat.main(["--times", "2", "--load", "0", "--seed", "3", str(module)])
        return code, capfd.readouterr().out

    def test_that_are_good(self, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
        code, output = self.run_two_rounds(tmp_path, " is not None", capfd)
        assert code == 0
        assert output.splitlines() == ["1 of 2, seed 3, short: good", "2 of 2, seed 4, short: good"]

    def test_that_fail_are_reported_with_their_seeds(
        self, tmp_path: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        code, output = self.run_two_rounds(tmp_path, " is None", capfd)
        assert code == 1
        round_lines = [line for line in output.splitlines() if " of 2" in line]
        beginnings = "1 of 2, seed 3, short: [", "2 of 2, seed 4, short: [", "2 of 2: "
        for line, beginning in zip(round_lines, beginnings, strict=True):
            assert line.startswith(beginning)
            assert "test_it.py::test_shared" in line

    def test_that_have_no_test_are_no_success(
        self, tmp_path: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        assert repeat.main(["--times", "1", "--load", "0", str(tmp_path)]) == 1
        assert "exit code 5" in capfd.readouterr().out
