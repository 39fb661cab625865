"""The source tree of the library: engines, search, heuristics and replay copied under its one
package, with their imports moved and with the files that build the wheel."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from games.compiled_engines import COMPILED_FOLDERS, PROJECT_ROOT, is_interpreted_name
from library.wheel.moved_imports import CannotMove, move_imports

PACKAGE: Final = "tabularium_engines"
# by the folder that is copied: its package, and its name in the library
NEW_NAMES: Final = {
    "games.engines": f"{PACKAGE}.engines",
    "ai.search": f"{PACKAGE}.search",
    "ai.heuristics": f"{PACKAGE}.heuristics",
    "examples.kuhn_poker": f"{PACKAGE}.examples",
    "examples.four_in_a_row": f"{PACKAGE}.examples",
    "games.fairness": f"{PACKAGE}.fairness",
    "games.projection": f"{PACKAGE}.projection",
    "games.audit": f"{PACKAGE}.audit",
    "record": f"{PACKAGE}.record",
    "library": PACKAGE,
}
# the files of folders that do not belong to the library as a whole
FILES: Final = {
    "games.audit": frozenset(
        f"{name}.py"
        for name in (
            *("__init__", "export_format", "export_reader", "export_record", "export_verifier"),
            *("replay_verifier", "verdict", "verified_game"),
        )
    ),
    "record": frozenset(
        f"{name}.py"
        for name in (
            *("__init__", "checkpoint", "cosigned_message", "errors", "game_leaves", "hashes"),
            *("note", "proof", "strict_text", "tree_verifier"),
        )
    ),
}
# modules of the service, in whose place the library has its own
OWN_MODULES: Final = {"games.registry": f"{PACKAGE}.catalogue"}
DATA_SUFFIXES: Final = frozenset({".bin", ".json", ".md", ".SCOWL", ".txt", ".typed"})
WHEEL_FOLDER: Final = PROJECT_ROOT / "library" / "wheel"
BUILD_FILES: Final = ("pyproject.toml", "setup.py")
COMPILED_LIST: Final = "compiled.json"  # the modules that setup.py compiles


def assemble(target: Path, is_compiled: bool = True) -> None:
    """Write the source tree into an empty folder."""
    compiled = []
    for package, new in NEW_NAMES.items():
        folder = PROJECT_ROOT / package.replace(".", "/")
        for path in library_files(folder):
            if path.name not in FILES.get(package, {path.name}):
                continue
            copy = target / new.replace(".", "/") / path.relative_to(folder)
            copy_file(path, copy)
            if package.replace(".", "/") in COMPILED_FOLDERS and is_compiled_module(path):
                compiled.append(copy.relative_to(target).as_posix())
    (target / PACKAGE / "examples" / "__init__.py").write_text(
        '"""Small games in one file each, as models for games of your own."""\n', encoding="utf-8"
    )
    (target / PACKAGE / "py.typed").touch()
    (target / COMPILED_LIST).write_text(json.dumps(sorted(compiled) if is_compiled else []))
    for name in BUILD_FILES:
        shutil.copy(WHEEL_FOLDER / f"{name}.template", target / name)
    shutil.copy(PROJECT_ROOT / "LICENSE", target)
    shutil.copy(PROJECT_ROOT / "library" / "README.md", target)


def library_files(folder: Path) -> Iterator[Path]:
    """The sources and data of a folder that belong to the library."""
    for path in sorted(folder.rglob("*")):
        is_package_file = path.suffix in DATA_SUFFIXES or path.suffix == ".py"
        is_own = WHEEL_FOLDER not in path.parents and path.name != "README.md"
        if is_package_file and is_own and path.is_file():
            yield path


def is_compiled_module(path: Path) -> bool:
    """Whether a file is a module that mypyc compiles."""
    return path.suffix == ".py" and not is_interpreted_name(path.stem)


def copy_file(path: Path, copy: Path) -> None:
    """Copy a file; of a module, with moved imports."""
    copy.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix != ".py":
        shutil.copy(path, copy)
        return
    try:
        moved = move_imports(path.read_text(encoding="utf-8"), NEW_NAMES | OWN_MODULES)
    except CannotMove as error:
        raise CannotMove(f"{path.relative_to(PROJECT_ROOT)}: {error}") from error
    copy.write_text(moved, encoding="utf-8")
