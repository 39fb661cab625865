"""The guides: the pages of the documentation, which the server shows too. A checkout has them in
`docs/`, a wheel in a folder of its own."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent
PACKAGED: Final = Path(__file__).parent / "guide_files"
OTHERS: Final = {  # than those of `docs/`
    "bot.py": "examples/bot.py",
    "changelog.md": "CHANGELOG.md",
    "contributing.md": "CONTRIBUTING.md",
    "index.md": "README.md",
    "security.md": "SECURITY.md",
}
TYPES: Final = {
    ".json": "application/json",
    ".md": "text/markdown; charset=utf-8",
    ".png": "image/png",
    ".py": "text/x-python; charset=utf-8",
    ".svg": "image/svg+xml",
}


@cache
def files() -> Mapping[str, Path]:
    """The files by the names under which they are served."""
    if PACKAGED.is_dir():
        return _files_in(PACKAGED)
    return _files_in(ROOT / "docs") | {name: ROOT / place for name, place in OTHERS.items()}


def _files_in(folder: Path) -> dict[str, Path]:
    return {path.name: path for path in folder.iterdir() if path.suffix in TYPES}


def copy_to(folder: Path) -> None:
    """Copy all of them, for a wheel."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, path in files().items():
        shutil.copyfile(path, folder / name)
