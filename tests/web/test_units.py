"""The unit tests of the pages' scripts, which run in Node without any package."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.missing_requirements import lacks

NODE = shutil.which("node")
UNITS = sorted((Path(__file__).parent / "unit").glob("*.test.mjs"))

pytestmark = pytest.mark.skipif(lacks("node"), reason="the scripts of the pages run in node")


@pytest.mark.parametrize("unit", UNITS, ids=lambda path: str(path.stem))
def test_scripts(unit: Path) -> None:
    command = (str(NODE), "--test", str(unit))
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stdout + process.stderr
