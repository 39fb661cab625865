"""A pytest plugin that measures the processor time of each test, with the processes it starts.

`make test ARGS=--cpu=20` prints the twenty most expensive tests and files of each round. Time is
counted when a process ends and is waited for; a fixture counts for the test that sets it up.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Generator, Iterator, Mapping
from typing import Final

import pytest

PROPERTY: Final = "cpu"  # of a report; it reaches the controller of parallel processes


def spent_seconds() -> float:
    """The processor time of this process and of its ended children."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


class CpuCost:
    """Collects the costs, and prints the highest."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.by_test = defaultdict[str, float](float)
        self._started_at = 0.0

    def pytest_runtest_logstart(self) -> None:
        self._started_at = spent_seconds()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if call.when == "teardown":
            report.user_properties.append((PROPERTY, spent_seconds() - self._started_at))
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        for name, value in report.user_properties:
            if name == PROPERTY and isinstance(value, float):
                self.by_test[report.nodeid] += value

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        by_file = defaultdict[str, float](float)
        for name, seconds in self.by_test.items():
            by_file[name.partition("::")[0]] += seconds
        total = sum(self.by_test.values())
        terminalreporter.section(f"{total:.0f} seconds of processor time in tests")
        for costs in (by_file, self.by_test):
            for line in highest(costs, self.count):
                terminalreporter.write_line(line)


def highest(costs: Mapping[str, float], count: int) -> Iterator[str]:
    """A line for each of the most expensive."""
    for name, seconds in sorted(costs.items(), key=lambda each: -each[1])[:count]:
        yield f"{seconds:8.1f} s  {name}"
