"""The modules that a process imports at its start: starting must stay cheap."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.support import warm_interpreter
from tests.versions.scratch_copy import ScratchCopy

ROOT: Final = Path(__file__).parents[2]
SET_UP: Final = "import sys, django\ndjango.setup()\nprint(*sys.modules)"
WEB: Final = "import config.asgi\nfrom api import schema\nprint(schema.built_document.cache_info())"
LATE_IMPORTS: Final = """
import sys
import config.asgi
early = set(sys.modules)
__import__("api.schema").schema.built_document()  # of all operations
late = sys.modules.keys() - early
print(*(name for name in late if name.partition(".")[0] in sys.argv[1:]))
"""
PACKAGES: Final = ("ai", "api", "config", "games", "jobs", "record", "web")
REST_FRAMEWORK: Final = {"rest_framework.response", "drf_spectacular.utils", "requests"}


@pytest.mark.lane("processes")
def test_a_command_does_not_import_the_rest_framework(tmp_path: Path) -> None:
    env = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings"}
    process = subprocess.run(
        [sys.executable, "-c", SET_UP],
        cwd=ROOT,
        env={**env, "TABULARIUM_DATA": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    imported_modules = set(process.stdout.split())
    assert "api.models" in imported_modules
    assert not REST_FRAMEWORK & imported_modules


@pytest.mark.lane("processes")
def test_a_web_process_answers_with_the_code_of_its_start(tmp_path: Path) -> None:
    """It has imported all that its requests need: code that is newer on disk stays out of it."""
    root = ScratchCopy(tmp_path / "scratch").root
    process = subprocess.run(
        [sys.executable, "-c", LATE_IMPORTS, *PACKAGES],
        cwd=root,
        env={
            **os.environ,
            "TABULARIUM_DATA": str(tmp_path),
            "TABULARIUM_ENGINES": "interpreted",
            "PYTHONPATH": str(root),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    assert process.stdout.split() == []


def test_a_web_process_leaves_the_document_of_the_api_to_its_first_reader(tmp_path: Path) -> None:
    env = {**os.environ, "TABULARIUM_DATA": str(tmp_path)}
    command = [sys.executable, "-c", WEB]
    process = warm_interpreter.run(command, check=True, cwd=ROOT, env=env, capture_output=True)
    assert b"currsize=0" in process.stdout
