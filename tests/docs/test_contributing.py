"""CONTRIBUTING is accurate: its shell blocks, pasted one after another, write, test, check and
record new games."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.databases import ROOT
from tests.docs.pages import blocks

PYTHON: Final = ".venv/bin/python"


def test_every_shell_block_does_what_the_page_says(tmp_path: Path) -> None:
    if shutil.which(os.environ.get("CC", "cc")) is None:
        pytest.skip("there is no C compiler")
    shell_blocks = [block for block in blocks(ROOT / "CONTRIBUTING.md") if block.language == "sh"]
    for block in shell_blocks:
        process = subprocess.run(
            ["sh", "-ec", block.text.replace(PYTHON, sys.executable)],
            cwd=ROOT,
            env=os.environ | {"HOME": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert process.returncode == 0, f"{block.text}\n{process.stdout}\n{process.stderr}"
    games = tmp_path / "games"
    assert '"promises": [1, ' in (games / "my_game" / "my_game_promises.py").read_text()
    record = (games / "my_large_game" / "my_large_game" / "kept_promises.py").read_text()
    assert "12, 13, 14]" in record
