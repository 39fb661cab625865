"""Every acknowledged action is still in SQLite's file after a power cut, which loses all writes
that were not synced."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from django.db import connection

from tests.chaos.power_cut.series import UNTIL_LOST
from tests.support.databases import Kept

pytestmark = pytest.mark.lane("storms")

SOURCE = Path(__file__).parent / "power_cut" / "disk.c"
COMPILER = shutil.which("cc")

if connection.vendor != "sqlite":
    pytest.skip("PostgreSQL syncs for itself", allow_module_level=True)
if sys.platform != "linux":
    pytest.skip("only Linux preloads libraries this way", allow_module_level=True)
if COMPILER is None and os.environ.get("CI") != "true":
    pytest.skip("needs a C compiler", allow_module_level=True)


@pytest.fixture(scope="module")
def disk_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library that records the synced writes."""
    assert COMPILER, "needs a C compiler"
    library = tmp_path_factory.mktemp("disk") / "disk.so"
    options = ["-Wall", "-Wextra", "-Werror", "-O2", "-shared", "-fPIC"]
    subprocess.run([COMPILER, *options, "-o", str(library), str(SOURCE)], check=True)
    return library


Series = Callable[..., dict[str, Any]]
GROUPED: Final = 4  # threads of each writer


@pytest.fixture
def series(
    kept: Kept, disk_library: Path, tmp_path: Path, games_count: Callable[[int, int], int]
) -> Series:
    """Run a series of cuts with this journal mode and this synchronous setting; one that shall lose
    something ends with the first loss."""

    def run(*mode: str, threads: int = 1, until_lost: bool = False) -> dict[str, Any]:
        arguments = [str(tmp_path / "cuts"), str(games_count(8, 50)), str(threads), *mode]
        arguments += [UNTIL_LOST] if until_lost else []
        module = "tests.chaos.power_cut.series"
        process = kept.process(module, *arguments, LD_PRELOAD=str(disk_library))
        output, _ = process.communicate()
        assert process.returncode == 0
        outcome: dict[str, Any] = json.loads(output)
        assert outcome["broken"] == []
        if not until_lost:
            assert outcome["cuts"] == games_count(8, 50)
            assert outcome["acknowledged"] > 100 * outcome["cuts"]
        return outcome

    return run


def test_nothing_acknowledged_is_lost(series: Series) -> None:
    outcome = series("WAL", "FULL")
    assert outcome["lost"] == 0
    assert outcome["cuts_after_checkpoints"] > 0


def test_nothing_acknowledged_is_lost_of_groups(series: Series) -> None:
    outcome = series("WAL", "FULL", threads=GROUPED)
    assert outcome["lost"] == 0
    assert outcome["cuts_after_checkpoints"] > 0


def test_acknowledged_groups_are_lost_with_less_synchronous_settings(series: Series) -> None:
    assert series("WAL", "NORMAL", threads=GROUPED, until_lost=True)["lost"] > 0


def test_acknowledged_actions_are_lost_with_less_synchronous_settings(series: Series) -> None:
    assert series("WAL", "NORMAL", until_lost=True)["lost"] > 0


@pytest.mark.soak
def test_acknowledged_actions_are_lost_with_a_rollback_journal(series: Series) -> None:
    """SQLite's own default acknowledges before it syncs the deletion of the journal."""
    assert series("DELETE", "FULL", until_lost=True)["lost"] > 0


@pytest.mark.soak
def test_nothing_is_lost_with_an_extra_synchronous_rollback_journal(series: Series) -> None:
    assert series("DELETE", "EXTRA")["lost"] == 0
