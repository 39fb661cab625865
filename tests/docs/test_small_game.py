"""The commands of docs/small-game.md that begin a game from a template, pasted one after another,
write, test, check and record new games."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.docs.pages import BLOCK, Block
from tests.docs.verifier import DOCS
from tests.support.databases import ROOT
from tests.support.missing_requirements import require_compiler

pytestmark = pytest.mark.lane("guides")

PYTHON: Final = ".venv/bin/python"
SECTION: Final = "## A game from a template"


def test_every_shell_block_does_what_the_page_says(tmp_path: Path) -> None:
    require_compiler()
    _, _, section = (DOCS / "small-game.md").read_text(encoding="utf-8").partition(SECTION)
    shell_blocks = [Block(*fields) for fields in BLOCK.findall(section)]
    assert [block.language for block in shell_blocks] == ["sh", "sh"]
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
    assert "14, 15, 16, 17]" in record
