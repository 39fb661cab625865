"""The modules that a process imports at its start: starting must stay cheap."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
SET_UP: Final = "import sys, django\ndjango.setup()\nprint(*sys.modules)"
REST_FRAMEWORK: Final = {"rest_framework.response", "drf_spectacular.utils", "requests"}


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
