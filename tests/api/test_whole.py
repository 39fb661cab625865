"""Each refusal by a game is a problem of the API, except those that no client can cause; and a run
in which no test meets some problem fails."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Final, cast

import pytest

from api.problem_catalogue import PROBLEM_KINDS
from tests.api.contract import Contract, contract
from tests.api.whole import Whole

ROOT: Final = Path(__file__).parents[2]
REFUSED: Final = re.compile(r'GameRefusal\(\s*"([a-z-]+)"')
# Refusals of requests that no client can make and that the services never make.
WITHIN: Final = {
    *("agreed", "back-dated", "no-seat", "not-a-person", "not-a-seat", "not-agreed"),
    *("not-complete", "not-created", "rated-fork", "rated-hint", "resigned"),
    *("wrong-consequence", "wrong-expiry", "wrong-level", "wrong-result", "wrong-secret"),
}


def test_every_refusal_of_a_table_is_a_problem() -> None:
    folders = (ROOT / name for name in ("games", "tabularium_log"))
    sources = "".join(path.read_text() for folder in folders for path in folder.rglob("*.py"))
    assert set(REFUSED.findall(sources)) - PROBLEM_KINDS.keys() == WITHIN


class Session:
    """The session that pytest passes to a plugin after all tests."""

    def __init__(self, output: dict[str, object] | None) -> None:
        self.exitstatus = 0
        self.config = SimpleNamespace(**{} if output is None else {"workeroutput": output})


def finish_session(plugin: Whole, output: dict[str, object] | None = None) -> int:
    """The exit code with which a run ends."""
    session = Session(output)
    plugin.is_whole = True
    plugin.pytest_sessionfinish(cast("pytest.Session", session))
    return session.exitstatus


def test_an_operation_or_a_problem_that_no_test_meets_fails_the_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    contract_copy = Contract(contract().document)
    monkeypatch.setattr("tests.api.contract.contract", lambda: contract_copy)
    contract_copy.called.update(contract_copy.operations)
    contract_copy.problems.update(PROBLEM_KINDS)
    assert finish_session(Whole()) == 0
    contract_copy.called.remove("list_rules")
    contract_copy.problems.remove("not-found")
    plugin = Whole()
    assert finish_session(plugin) == 1
    assert plugin.missing() == ["no test calls list_rules", "no test meets not-found"]
    output: dict[str, object] = {}
    assert finish_session(Whole(), output) == 0  # only the controller judges
    judge = Whole()
    judge.pytest_testnodedown(SimpleNamespace(workeroutput=output))
    contract_copy.called.add("list_rules")
    judge.pytest_testnodedown(SimpleNamespace())
    contract_copy.problems.add("not-found")
    assert finish_session(judge) == 0
