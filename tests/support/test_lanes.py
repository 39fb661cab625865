"""The lanes of the check and the proofs partition all tests: nothing runs nowhere."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from tests.support.lanes import LANES, PROOFS, lane_of, lanes_in
from tests.support.proofs import ABOUT, ROOT

LISTED: Final = "TABULARIUM_TEST_LIST"  # the file to which this plugin writes all tests


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """As a plugin of another run: write down each test with its lane, and its lanes by the text."""
    listed = [(str(item.path), item.nodeid, lane_of(item)) for item in items]
    Path(os.environ[LISTED]).write_text(json.dumps(listed), encoding="utf-8")


@pytest.fixture(scope="module")
def all_tests(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Path, str, str]]:
    """The file, the name and the lane of each test, those of --soak included."""
    listed = tmp_path_factory.mktemp("lanes") / "tests.json"
    words = ["--soak", "--collect-only", "-qqq", "-p", "tests.support.test_lanes"]
    environment = {**os.environ, LISTED: str(listed), "CI": ""}  # optional libraries may be missing
    environment.pop("PYTEST_XDIST_WORKER", None)
    subprocess.run([sys.executable, "-m", "pytest", *words], cwd=ROOT, env=environment, check=True)
    return [(Path(path), name, lane) for path, name, lane in json.loads(listed.read_text())]


@pytest.mark.lane("slow")
def test_each_test_is_in_a_lane_that_runs(all_tests: list[tuple[Path, str, str]]) -> None:
    assert {lane for _, _, lane in all_tests} == {*LANES}
    assert ABOUT.keys() == PROOFS.keys()


@pytest.mark.lane("slow")
def test_no_file_is_left_unread_that_has_tests_of_a_lane(
    all_tests: list[tuple[Path, str, str]],
) -> None:
    lanes_of_file = cache(lambda path: {*lanes_in(path)})
    assert not [name for path, name, lane in all_tests if lane not in lanes_of_file(path)]
