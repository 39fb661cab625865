"""The example games in one file each, and their installation as packages."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from tabularium_engines.base import AnyEngine
from tabularium_engines.builds.compiled_engines import PROJECT_ROOT
from tests.support.python_process import run_python

EXAMPLES: Final = PROJECT_ROOT / "examples"
SMALL_GAMES: Final = ("kuhn_poker", "four_in_a_row")


def game_file(name: str) -> Path:
    """The one file of a game."""
    return EXAMPLES / name / f"{name}.py"


def load_engine(name: str) -> AnyEngine:
    """The engine of an example, loaded from its file without installing it."""
    return load_file(game_file(name))


def load_file(file: Path) -> AnyEngine:
    """The newest engine of a game in one file."""
    name = file.stem
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, file)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    engine: AnyEngine = sys.modules[name].ENGINES[-1]
    return engine


def install_packages(names: Iterable[str], target: Path, scratch: Path) -> None:
    """Install the packages of examples into a folder."""
    install_sources([copied_source(EXAMPLES / name, scratch) for name in names], target)


def install_folder(folder: Path, target: Path, scratch: Path) -> None:
    """Install the package in a folder, from a copy that the build may write to."""
    install_sources([copied_source(folder, scratch)], target)


def copied_source(folder: Path, scratch: Path) -> Path:
    """A copy of the package in a folder."""
    source = scratch / "source" / folder.name
    ignored = shutil.ignore_patterns("__pycache__")
    return Path(shutil.copytree(folder, source, ignore=ignored, dirs_exist_ok=True))


def install_sources(sources: Sequence[Path], target: Path) -> None:
    """Build packages in their folders, without the network, and install them into another."""
    options = ["--quiet", "--no-index", "--no-deps", "--no-build-isolation", "--target"]
    process = run_python(
        "-m", "pip", "install", *options, target, *sources, PYTHONPATH=PROJECT_ROOT
    )
    assert process.returncode == 0, process.stdout + process.stderr
