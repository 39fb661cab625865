"""A package of both example games, compiled once as docs/small-game.md says."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

from tests.examples.small_games import EXAMPLES, SMALL_GAMES, game_file
from tests.support.python_process import run_python

ROOT: Final = EXAMPLES.parent
SETUP_BLOCK: Final = re.compile(r'```python\n([^`]*setup\(\*\*compiled_game\("([^"]*)"\)\)\n)```')
PYPROJECT: Final = """
[project]
name = "two-games"
version = "1.0"

[project.entry-points."tabularium.games"]
{points}

[tool.setuptools]
py-modules = {modules}
"""


def setup_script(*modules: str) -> str:
    """The setup script of docs/small-game.md, for these modules."""
    found = SETUP_BLOCK.search((ROOT / "docs" / "small-game.md").read_text(encoding="utf-8"))
    assert found, "docs/small-game.md says how a game is compiled"
    script, named = found.groups()
    return script.replace(f'"{named}"', ", ".join(f'"{module}.py"' for module in modules))


def write_package(source: Path) -> None:
    """The package of both games, with the setup script."""
    source.mkdir()
    for name in SMALL_GAMES:
        shutil.copy(game_file(name), source)
    points = "\n".join(f'{name} = "{name}:ENGINES"' for name in SMALL_GAMES)
    page = PYPROJECT.format(points=points, modules=list(SMALL_GAMES))
    (source / "pyproject.toml").write_text(page)
    (source / "setup.py").write_text(setup_script(*SMALL_GAMES))


def run_module(
    *arguments: str, folder: Path, mode: str = "auto"
) -> subprocess.CompletedProcess[str]:
    """Run a module of the project with the packages of a folder."""
    path = os.pathsep.join([str(ROOT), str(folder)])
    return run_python(*arguments, PYTHONPATH=path, TABULARIUM_ENGINES=mode)
