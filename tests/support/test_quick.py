"""`make quick` runs the tests nearest to a change first, and stops in time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.support.quick import ALWAYS, DEADLINE_VARIABLE, OUT_OF_TIME, module_name, nearest_tests

ROOT: Final = Path(__file__).resolve().parents[2]
TRIAL: Final = "tests/log/fairness/test_canonical_json.py"


def test_a_changed_test_comes_before_its_importers_and_the_style() -> None:
    paths = nearest_tests([TRIAL])
    assert paths == [TRIAL, *ALWAYS]


@pytest.mark.lane("slow")
def test_a_changed_module_reaches_its_mirror_first() -> None:
    paths = nearest_tests(["tabularium_log/fairness/canonical_json.py"])
    assert paths[0] == TRIAL
    assert "tests/log/fairness/test_committed_draws.py" not in paths[:1]
    assert len(paths) == len(set(paths))


def test_a_changed_engine_reaches_all_tests_of_its_game() -> None:
    paths = nearest_tests(["tabularium_engines/duality/board.py"])
    own = {f.relative_to(ROOT).as_posix() for f in (ROOT / "tests/engines/duality").glob("test_*")}
    assert own <= set(paths)


def test_a_changed_page_reaches_the_tests_that_run_pages() -> None:
    assert "tests/docs/test_pages.py" in nearest_tests(["docs/keys.md"])


def test_packages_have_the_name_of_their_folder() -> None:
    assert module_name("tabularium_log/fairness/__init__.py") == "tabularium_log.fairness"


@pytest.mark.lane("slow")
def test_what_would_begin_after_the_deadline_is_listed() -> None:
    words = [sys.executable, "-m", "pytest", "-p", "tests.support.quick", "--no-header", TRIAL]
    process = subprocess.run(
        words,
        cwd=ROOT,
        env={**os.environ, DEADLINE_VARIABLE: "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert f"{OUT_OF_TIME}: {TRIAL} (" in process.stdout
    assert " passed" not in process.stdout
