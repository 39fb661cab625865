"""The processor time of tests: measured with ended children, added up over files, highest first."""

from __future__ import annotations

import subprocess
import sys
from typing import Final

import pytest

from tests.support.cpu_cost import PROPERTY, CpuCost, highest, spent_seconds

BUSY: Final = "from time import process_time\nwhile process_time() < 0.3: pass"


def report(name: str, seconds: float) -> pytest.TestReport:
    """The report of a test's end."""
    location = name.partition("::")[0], 1, name
    properties: list[tuple[str, object]] = [("other", "text"), (PROPERTY, seconds)]
    return pytest.TestReport(
        name, location, {}, "passed", None, "teardown", user_properties=properties
    )


class TerminalOutput:
    """A terminal reporter that keeps its lines."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def section(self, title: str) -> None:
        self.lines.append(title)

    def write_line(self, line: str) -> None:
        self.lines.append(line)


def test_ended_children_count() -> None:
    seconds_before = spent_seconds()
    subprocess.run([sys.executable, "-c", BUSY], check=True)
    assert spent_seconds() - seconds_before > 0.25


def test_the_highest_come_first() -> None:
    costs = {"cheap": 1.0, "dear": 3.0, "middling": 2.0}
    assert [line.split()[-1] for line in highest(costs, 2)] == ["dear", "middling"]


def test_tests_are_added_up_by_file() -> None:
    cost, terminal = CpuCost(1), TerminalOutput()
    for name, seconds in (("a.py::one", 2.0), ("b.py::one", 3.0), ("a.py::two", 2.0)):
        cost.pytest_runtest_logreport(report(name, seconds))
    cost.pytest_terminal_summary(terminal)  # type: ignore[arg-type]  # has the methods that are called
    title, dearest_file, dearest_test = terminal.lines
    assert title.startswith("7 seconds")
    assert dearest_file.split() == ["4.0", "s", "a.py"]
    assert dearest_test.split() == ["3.0", "s", "b.py::one"]


def test_a_test_is_measured_from_its_start_to_its_end(request: pytest.FixtureRequest) -> None:
    cost = CpuCost(1)
    cost.pytest_runtest_logstart()
    subprocess.run([sys.executable, "-c", BUSY], check=True)
    call = pytest.CallInfo.from_call(lambda: None, "teardown")
    report_hook = cost.pytest_runtest_makereport(call)
    next(report_hook)
    report_of_call = pytest.TestReport.from_item_and_call(request.node, call)
    with pytest.raises(StopIteration) as stop:
        report_hook.send(report_of_call)
    assert dict(stop.value.value.user_properties)[PROPERTY] > 0.25
