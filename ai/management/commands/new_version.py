"""`manage.py new_version GAME`: freeze the present rules of a game, so that they can be changed.

The present code is copied into a package of its own (`<game>/v1` in `tabularium_engines`, with its
heuristic in `heuristics/<game>_v1.py`), where the games of its versions go on for ever; the code in
the game's folder becomes the next version. Where only a ruling differs, a version needs no copy:
see "Change a rule" in docs/add-a-game.md.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError

from ai.bot_registry import EQUAL_CODE_FILE, code_digest
from tabularium_engines.builds.compiled_engines import PACKAGE, PROJECT_ROOT, module_path
from tabularium_engines.installed.registry import ENGINES, engine_module, installed_versions

ENGINES_FOLDER: Final = PROJECT_ROOT / PACKAGE
HEURISTICS_FOLDER: Final = ENGINES_FOLDER / "heuristics"
FROZEN_NAME: Final = re.compile(r"v[1-9][0-9]*")  # of the package of a frozen version
FROZEN_ENGINES: Final = re.compile(r"\*v[1-9][0-9]*\.ENGINES, ")
FROZEN_IMPORT: Final = re.compile(r"^from tabularium_engines\.\w+ import v[1-9].*\n", re.MULTILINE)
ENGINES_LINE: Final = re.compile(r"^ENGINES = \(", re.MULTILINE)
OWN_ENGINE: Final = re.compile(r"(\w+)\(\), (?=.*\w\(\)\))")  # before the newest


class Command(BaseCommand):
    help = "Freeze the present rules of a game under their version, and begin the next version."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("games", nargs="+", choices=list(ENGINES), metavar="GAME")

    def handle(self, *_: Any, games: list[str], **__: Any) -> None:
        for game in games:
            self._begin_version(game)

    def _begin_version(self, game: str) -> None:
        version = ENGINES[game].about.version
        folder = ENGINES_FOLDER / game
        if (folder / f"v{version}").exists():
            raise CommandError(f"Version {version} of {game} is frozen already.")
        for each in unfrozen_versions(game):
            record_digest(game, each)
        freeze_rules(folder, version)
        heuristics = freeze_heuristic(game, version)
        raise_version(folder, PROJECT_ROOT / module_path(engine_module(game, version)), version)
        format_sources(folder / f"v{version}", *heuristics)
        self.stdout.write(
            f"Version {version} is frozen in {folder.relative_to(PROJECT_ROOT)}/v{version}; the"
            f" rules beside it are version {version + 1}. Change them, then run: make golden"
            f" GAME={game}, make openapi."
        )


def unfrozen_versions(game: str) -> list[int]:
    """The versions whose code is in the game's folder itself."""
    modules = {version: engine_module(game, version) for version in installed_versions(game)}
    package = f"{PACKAGE}.{game}"
    return [version for version, name in modules.items() if name.rpartition(".")[0] == package]


def record_digest(game: str, version: int) -> None:
    """Record that the frozen code, which is the present code in another place, decides alike."""
    digests: dict[str, dict[str, list[str]]] = json.loads(EQUAL_CODE_FILE.read_text())
    digests.setdefault(game, {}).setdefault(str(version), []).append(code_digest(game, version))
    EQUAL_CODE_FILE.write_text(json.dumps(digests, indent=2) + "\n")


def freeze_rules(folder: Path, version: int) -> None:
    """Copy the game's package into a sub-package, without the versions frozen before."""
    target = folder / f"v{version}"
    shutil.copytree(folder, target, ignore=_frozen_and_cached)
    for path in target.rglob("*.py"):
        path.write_text(_with_frozen_imports(path.read_text(), folder.name, version))
    package = target / "__init__.py"
    text = FROZEN_ENGINES.sub("", FROZEN_IMPORT.sub("", package.read_text()))
    package.write_text(re.sub(r"^(ENGINES = \(\w+\(\))\)", r"\1,)", text, flags=re.MULTILINE))


def _frozen_and_cached(_: str, names: list[str]) -> set[str]:
    return {name for name in names if name == "__pycache__" or FROZEN_NAME.fullmatch(name)}


def _with_frozen_imports(source: str, game: str, version: int) -> str:
    """The source with its imports of the game's modules led to the frozen ones."""
    return re.sub(
        rf"\btabularium_engines\.{game}\b", f"tabularium_engines.{game}.v{version}", source
    )


def freeze_heuristic(game: str, version: int) -> list[Path]:
    """Copy the game's heuristic and its folder of turns, if it has one, which read the states of
    this version; the paths of the copies."""
    frozen = HEURISTICS_FOLDER / f"{game}_v{version}.py"
    shutil.copy(HEURISTICS_FOLDER / f"{game}.py", frozen)
    turns, frozen_turns = (HEURISTICS_FOLDER / f"{game}_turns{end}" for end in ("", f"_v{version}"))
    if turns.is_dir():
        shutil.copytree(turns, frozen_turns, ignore=_frozen_and_cached)
    for path in (frozen, *frozen_turns.rglob("*.py")):
        source = re.sub(rf"\b{turns.name}\b", frozen_turns.name, path.read_text())
        path.write_text(_with_frozen_imports(source, game, version))
    return [frozen, *frozen_turns.rglob("*.py")]


def raise_version(folder: Path, engine: Path, version: int) -> None:
    """Let the package offer the frozen versions and, as its own, the next one."""
    source, count = re.subn(rf"\bversion={version}\b", f"version={version + 1}", engine.read_text())
    if count != 1:
        raise CommandError(f"There is no single `version={version}` in {engine}.")
    engine.write_text(source)
    package = folder / "__init__.py"
    text = package.read_text()
    for older in OWN_ENGINE.findall(text):
        text = re.sub(rf"^from .* import {older}\n", "", text, flags=re.MULTILINE)
    text = ENGINES_LINE.sub(f"ENGINES = (*v{version}.ENGINES, ", OWN_ENGINE.sub("", text))
    text = text.replace("(),)", "())")  # one engine needed the comma, two do not
    first_import = f"from tabularium_engines.{folder.name}"
    package.write_text(
        text.replace(
            first_import,
            f"from tabularium_engines.{folder.name} import v{version}\n{first_import}",
            1,
        )
    )


def format_sources(*paths: Path) -> None:
    """Sort and wrap the imports again, whose lines have become longer."""
    ruff = [sys.executable, "-m", "ruff"]
    subprocess.run([*ruff, "check", "--quiet", "--select=I", "--fix", *paths], check=True)
    subprocess.run([*ruff, "format", "--quiet", *paths], check=True)
