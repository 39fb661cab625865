"""The check of a compiled game outside this tree: its package is compiled with mypyc in a temporary
folder, and both builds play the same games.

The modules are those that this project would compile. Both builds run on the interpreted engines of
this project: its own compiled classes have layouts that a package compiled apart does not know.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from ai.game_check import CheckedGame, CheckRefused
from games import compiled_engines, plugins
from games.promises.transcripts import promise_13

SETUP: Final = """
import sys
from mypyc.build import mypycify
from setuptools import setup
options, paths, level, flags = {0!r}, {1!r}, {2!r}, {3!r}
modules = mypycify([*options, *paths], opt_level=level, target_dir="build/c")
for module in modules:
    module.extra_compile_args += flags
sys.argv[1:] = ["--quiet", "build_ext", "--inplace"]
setup(name="checked-game", packages=[], py_modules=[], ext_modules=modules)
"""


def check_builds(game: CheckedGame, count: int) -> None:
    """Promise 13 for a game; raises AssertionError if it is broken, and CheckRefused if the game
    cannot be compiled."""
    with tempfile.TemporaryDirectory() as folder:
        build = build_package(game.module, Path(folder))
        source = plugins.source_path(game.module.partition(".")[0])
        assert source is not None, "the game was loaded from its source"
        promise_13(_transcript(source.parent, count), _transcript(build, count))


def build_package(module: str, folder: Path) -> Path:
    """Compile the package of a module in a folder; the folder of the package there."""
    root = module.partition(".")[0]
    source = plugins.source_path(root)
    if source is None or source.stem != "__init__":
        raise CheckRefused(
            f"{root} is one file, which cannot be compiled: the actions and the engine stay"
            " interpreted, and need modules of their own (see manage.py new_game --folder)."
        )
    paths = [path for name in plugins.plugin_sources(module) if (path := _compiled_path(name))]
    if not paths:
        raise CheckRefused(f"No module of {root} is compiled: see CONTRIBUTING, Compiled code.")
    ignored = shutil.ignore_patterns("__pycache__", "*.so")
    shutil.copytree(source.parent, folder / root, ignore=ignored)
    _compile(sorted(paths), folder)
    return folder / root


def _compiled_path(module: str) -> str:
    """The path of a module in its package, if it is compiled; else empty."""
    stem = module.rpartition(".")[2]
    is_package = "." not in module or compiled_engines.is_interpreted_name(stem)
    return "" if is_package else compiled_engines.module_path(module)


def _compile(paths: list[str], folder: Path) -> None:
    """Compile modules beside their sources, which they hide."""
    options = ["--config-file=", f"--cache-dir={os.devnull}", "--follow-imports=silent"]
    level, flags = compiled_engines.OPTIMISATION_LEVEL, [*compiled_engines.COMPILER_FLAGS]
    process = _run(["-c", SETUP.format(options, paths, level, flags)], folder, "MYPYPATH")
    if process.returncode:
        report = process.stdout + process.stderr
        raise CheckRefused(f"mypyc cannot compile {', '.join(paths)}:\n{report.strip()}")


def _transcript(package: Path, count: int) -> list[str]:
    """The transcript of a new process that plays a build of the game."""
    command = ["-m", "ai.game_transcript", str(package), str(count)]
    process = _run(command, compiled_engines.PROJECT_ROOT, "PYTHONPATH")
    if process.returncode:
        last_lines = "\n".join(process.stderr.strip().splitlines()[-4:])
        raise AssertionError(f"a build ends with status {process.returncode}: {last_lines}")
    return process.stdout.splitlines()


def _run(command: list[str], folder: Path, variable: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a folder; the environment variable leads to this project."""
    paths = [str(compiled_engines.PROJECT_ROOT), os.environ.get(variable, "")]
    environment = {
        **os.environ,
        variable: os.pathsep.join(filter(None, paths)),
        compiled_engines.MODE_VARIABLE: "interpreted",
    }
    return subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
