"""Has every operation been called by some test, and has every problem occurred in one? Asked when
all others have run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from api.problems import PROBLEMS
from tests.api.contract import contract

ROOT: Final = Path(__file__).parents[2]
REFUSED: Final = re.compile(r'Refused\(\s*"([a-z-]+)"')
# With these a table refuses what no client can ask for: the services never do it.
WITHIN: Final = {
    *("back-dated", "in-time", "no-seat", "not-a-seat", "not-complete", "not-created"),
    *("rated-fork", "resigned", "wrong-expiry", "wrong-level", "wrong-result", "wrong-secret"),
}


def test_every_operation_was_called() -> None:
    assert contract().operations.keys() - contract().called == set()


def test_every_problem_has_occurred() -> None:
    assert PROBLEMS.keys() - contract().problems == set()


def test_every_refusal_of_a_table_is_a_problem() -> None:
    sources = "".join(path.read_text() for path in (ROOT / "games").rglob("*.py"))
    assert set(REFUSED.findall(sources)) - PROBLEMS.keys() == WITHIN
