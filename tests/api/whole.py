"""A pytest plugin that fails a run of all API tests in which no test called some operation, or met
some problem; those of the core alone are such a run, too.

Several processes may share the tests: each reports its part, and their union is judged.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

from tests.support.lanes import CORE, lanes_in

FOLDER: Final = Path(__file__).parent
SEEN: Final = "seen of the API"  # in the output of a process that shares the tests


class Whole:
    """The plugin: collects the operations and problems that the tests meet."""

    def __init__(self) -> None:
        self.called: set[str] = set()  # operation ids
        self.problems: set[str] = set()  # codes
        self.is_whole = False  # whether all tests of the API were selected

    @pytest.hookimpl(trylast=True)  # after the others have deselected tests
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        """Check that all modules are here, no argument selects among their tests, and they run."""
        selections = [config.getoption(name) for name in ("keyword", "markexpr", "collectonly")]
        wanted = config.getoption("lane")
        is_selection = any(selections) or any("::" in argument for argument in config.args)
        files = {path for path in FOLDER.rglob("test_*.py") if CORE in lanes_in(path)}
        self.is_whole = (
            not is_selection and wanted in ([], [CORE]) and {item.path for item in items} >= files
        )

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Take over the report of a test process; one that was killed has none."""
        if report := getattr(node, "workeroutput", {}).get(SEEN):
            self.is_whole = report["is_whole"]
            self.called.update(report["called"])
            self.problems.update(report["problems"])

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Pass on the report, or judge."""
        output = getattr(session.config, "workeroutput", None)
        if not self.is_whole:
            return
        from tests.api.contract import contract  # needs the settings

        self.called |= contract().called
        self.problems |= contract().problems
        if output is not None:
            output[SEEN] = {
                "is_whole": self.is_whole,
                "called": sorted(self.called),
                "problems": sorted(self.problems),
            }
        elif self.missing():
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Name the missing operations and problems."""
        for line in self.missing() if self.is_whole else ():
            terminalreporter.write_line(f"FAILED {line}")

    def missing(self) -> list[str]:
        """A line for each operation that was not called, and each problem that did not occur."""
        from api.problem_catalogue import PROBLEM_KINDS  # needs the settings
        from tests.api.contract import contract

        return [
            *(
                f"no test calls {each}"
                for each in sorted(contract().operations.keys() - self.called)
            ),
            *(f"no test meets {each}" for each in sorted(PROBLEM_KINDS.keys() - self.problems)),
        ]
