"""Recorded decisions are the same in other processes, interpreted and compiled; under --soak, a
thousand for each game."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tabularium_engines.builds import compiled_engines
from tabularium_engines.installed.registry import ENGINES
from tests.ai.honesty import recorded
from tests.ai.honesty.pairs import IS_COMPILED
from tests.support import warm_interpreter

MODES = ("interpreted", "compiled")
SLOW = {"duel_edged_sword": 5, "duality": 5, "duel_of_law": 2}  # decisions in the short run


@pytest.fixture(params=ENGINES)
def lines(request: pytest.FixtureRequest, games_count: Callable[[int, int], int]) -> list[str]:
    """Recorded decisions of a game."""
    number = games_count(SLOW.get(request.param, 10), 1000)
    return [json.dumps(record) for record in recorded.records(request.param, number)]


def in_other_process(lines: list[str], mode: str) -> dict[str, Any]:
    """The result of repeating them in another process."""
    process = warm_interpreter.run(
        [sys.executable, "-m", "tests.ai.honesty.recorded"],
        cwd=compiled_engines.PROJECT_ROOT,
        env=os.environ | {compiled_engines.MODE_VARIABLE: mode},
        input="\n".join(lines),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    document: dict[str, Any] = json.loads(process.stdout)
    return document


@pytest.mark.lane("parity")
@pytest.mark.skipif(not IS_COMPILED, reason="this is compared where the engines are compiled")
def test_they_are_the_same_to_the_last_bit(lines: list[str]) -> None:
    with ThreadPoolExecutor() as pool:
        documents = list(pool.map(lambda mode: in_other_process(lines, mode), MODES))
    expected = {"decisions": len(lines), "other": []}
    assert documents == [{"mode": mode} | expected for mode in MODES]


def test_one_that_is_doctored_is_noticed() -> None:
    record = next(one for one in recorded.records("law", 10) if one["bot"] == "mcts")
    record = json.loads(json.dumps(record))
    assert recorded.repeat_all([json.dumps(record)])["other"] == []
    record["found"][2][0][1] += 1  # a visit
    assert recorded.repeat_all([json.dumps(record)])["other"] == [record]
