"""A scratch copy of the project, in which a test may change the rules."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Final

from tabularium_engines.builds.compiled_engines import PROJECT_ROOT
from tests.support.python_process import run_python

COPIED: Final = (  # folders
    *("ai", "api", "config", "games", "jobs", "record", "tests", "web"),
    *("tabularium_engines", "tabularium_log"),
)
COPIED_FILES: Final = ("manage.py", "pyproject.toml", "setup.py")


class ScratchCopy:
    """The project in another folder, with interpreted engines and a database of its own."""

    def __init__(self, root: Path) -> None:
        self.root = root
        ignored = shutil.ignore_patterns("__pycache__", "stored_decisions", "chaos", "hostile")
        for name in COPIED:
            shutil.copytree(PROJECT_ROOT / name, root / name, ignore=ignored)
        for name in COPIED_FILES:
            shutil.copy(PROJECT_ROOT / name, root / name)

    def run(self, *arguments: str) -> str:
        """Run Python in the copy; its output. It must not fail. The warm interpreter
        has the modules of the original, so the copy has processes of its own."""
        result = run_python(
            *arguments,
            cwd=self.root,
            TABULARIUM_DATA=self.root / "var",
            TABULARIUM_ENGINES="interpreted",
            DJANGO_SETTINGS_MODULE="config.settings",
            PYTHONPATH=self.root,
        )
        assert result.returncode == 0, result.stdout + result.stderr
        return result.stdout

    def replace(self, file: str, old: str, new: str) -> None:
        """Replace the one occurrence of a text in a file."""
        path = self.root / file
        source = path.read_text()
        assert len(re.findall(re.escape(old), source)) == 1, f"{old} in {file}"
        path.write_text(source.replace(old, new))
