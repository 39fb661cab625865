"""The check of a compiled game outside this tree: its package is compiled with mypyc in a temporary
folder, as `package_build` does for its wheel, and both builds play the same games.

Of a package, the modules are compiled that this project would compile; a game in one file is
compiled whole.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from ai.game_check import CheckedGame, CheckRefused
from tabularium_engines.builds import compiled_engines, package_build
from tabularium_engines.installed import plugins
from tabularium_engines.promises.transcripts import promise_13


def check_builds(game: CheckedGame, count: int) -> None:
    """Promise 13 for a game; raises AssertionError if it is broken, and CheckRefused if the game
    cannot be compiled."""
    with tempfile.TemporaryDirectory() as folder:
        build = build_package(game.module, Path(folder))
        promise_13(_transcript(build, count, "interpreted"), _transcript(build, count, "auto"))


def build_package(module: str, folder: Path) -> Path:
    """Compile the package of a module in a folder; the package there."""
    if not compiled_engines.has_compiler():
        raise CheckRefused("There is no C compiler that finds Python's headers.")
    root = module.partition(".")[0]
    source = plugins.source_path(root)
    assert source is not None, "the game was loaded from its source"
    if source.stem == "__init__":
        paths = [path for name in plugins.plugin_paths(module) if (path := _compiled_path(name))]
        ignored = shutil.ignore_patterns("__pycache__", "*.so", "*.digest")
        shutil.copytree(source.parent, folder / root, ignore=ignored)
    else:
        paths = [source.name]
        shutil.copy(source, folder)
    if not paths:
        raise CheckRefused(f"No module of {root} is compiled: see docs/compiled-code.md.")
    process = package_build.build_in_place(folder, paths)
    if process.returncode:
        report = process.stdout + process.stderr
        raise CheckRefused(f"mypyc cannot compile {', '.join(paths)}:\n{report.strip()}")
    return folder / (root if source.stem == "__init__" else source.name)


def _compiled_path(module: str) -> str:
    """The path of a module in its package, if it is compiled; else empty."""
    stem = module.rpartition(".")[2]
    is_package = "." not in module or compiled_engines.is_interpreted_name(stem)
    return "" if is_package else compiled_engines.module_path(module)


def _transcript(game: Path, count: int, mode: str) -> list[str]:
    """The transcript of a new process that plays a build of the game in this mode."""
    process = subprocess.run(
        [sys.executable, "-m", "ai.game_transcript", str(game), str(count)],
        cwd=compiled_engines.PROJECT_ROOT,
        env={**os.environ, compiled_engines.MODE_VARIABLE: mode},
        capture_output=True,
        text=True,
        check=False,
    )
    if process.returncode:
        last_lines = "\n".join(process.stderr.strip().splitlines()[-4:])
        raise AssertionError(f"a build ends with status {process.returncode}: {last_lines}")
    return process.stdout.splitlines()
