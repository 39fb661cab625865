"""Do the rules run compiled or interpreted, and is the compiled code really that of these sources?

What mypyc compiles, as one unit, is a convention and no list: every module of the folders below
but those at the border, where numbers become JSON, sentences and pictures. A build is addressed by
the digest of all that went into it, so edited source is never hidden behind an old build: there
is just no build of it yet, and the source itself is run.
"""

from __future__ import annotations

import hashlib
import logging
import os
import re
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.abc import MetaPathFinder
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec
from importlib.metadata import PackageNotFoundError, version
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
FOLDERS: Final = ("games/engines", "ai/search", "ai/heuristics")
BORDER: Final = frozenset(
    {"__init__", "codec", "actions", "options", "engine", "view"}
    | {"render", "picture", "svg", "captions", "news", "words", "log"}
)
GROUP: Final = "tabularium"
RUNTIME: Final = f"{GROUP}__mypyc"  # the module that holds the code of the whole unit
OPTIMISATION: Final = "3"
FLAGS: Final = ("-fvisibility=hidden",)
BUILDS: Final = ".compiled"  # development: one folder a build, named by its digest
NOTE: Final = "games/compiled.digest"  # wheels: what the modules beside the sources are
WISH: Final = "TABULARIUM_ENGINES"

_IMPORT: Final = re.compile(
    r"^\s*(?:from|import)\s+([\w.]+)(?:\s+import\s+(\([^)]*\)|.*))?", re.MULTILINE
)


# -- the unit and its digest --------------------------------------------------------------------


def unit(root: Path = ROOT) -> list[str]:
    """The sources that are compiled, as paths from `root`, in a stable order."""
    found = (path for folder in FOLDERS for path in (root / folder).rglob("*.py"))
    return sorted(path.relative_to(root).as_posix() for path in found if not is_border(path.stem))


def is_border(stem: str) -> bool:
    """Is a module of this name left to the interpreter? `french_svg` is as `svg` is."""
    return stem in BORDER or stem.rpartition("_")[2] in BORDER


def ingredients(root: Path = ROOT) -> dict[str, bytes]:
    """The unit, and whatever it imports of its own folders, whose constants mypyc copies in."""
    sources: dict[str, bytes] = {}
    waiting = unit(root)
    while waiting:
        path = waiting.pop()
        if path not in sources:
            sources[path] = (root / path).read_bytes()
            waiting.extend(_imports(sources[path].decode(), root))
    return sources


def _imports(source: str, root: Path) -> Iterator[str]:
    """The files of our folders that `source` imports; a name may be a module or in one."""
    for package, names in _IMPORT.findall(source):
        if package.startswith(("games.", "ai.")):
            candidates = [f"{package}.{name}" for name in re.findall(r"\w+", names)]
            files = [_file_of(name, root) for name in [*candidates, package]]
            yield from (path for path in files if path.startswith(FOLDERS))


def _file_of(module: str, root: Path) -> str:
    """The path of a module's source; empty if it has none (or is a package)."""
    path = module.replace(".", "/") + ".py"
    return path if (root / path).is_file() else ""


def digest(compiler: str, root: Path = ROOT) -> str:
    """What a build of the sources as they are now is called."""
    platform = (sys.implementation.cache_tag or "", sysconfig.get_platform())
    hashed = hashlib.sha256(repr((compiler, platform, OPTIMISATION, FLAGS)).encode())
    for path, source in sorted(ingredients(root).items()):
        hashed.update(f"\0{path}\0{hashlib.sha256(source).hexdigest()}".encode())
    return hashed.hexdigest()[:16]


def installed_compiler() -> str:
    """The version of mypyc that `make compile` would use; empty where there is none."""
    try:
        return version("mypy")
    except PackageNotFoundError:
        return ""


# -- which build, if any ------------------------------------------------------------------------


def matching_build(root: Path = ROOT) -> Path | None:
    """The folder with the compiled modules of the sources as they are now."""
    note = root / NOTE
    if note.is_file():
        called, compiler = note.read_text().split()
        return root if called == digest(compiler, root) else None
    builds = root / BUILDS
    folder = builds / digest(installed_compiler(), root) if builds.is_dir() else builds
    return folder if folder.is_dir() and folder != builds else None


def chosen_build(wish: str, root: Path = ROOT) -> Path | None:
    """The build to run, as TABULARIUM_ENGINES wishes; None: run the sources."""
    if wish not in ("auto", "compiled", "interpreted"):
        raise ImportError(f"{WISH} is auto, compiled or interpreted, not {wish}.")
    build = None if wish == "interpreted" else matching_build(root)
    if build is None and wish == "compiled":
        raise ImportError(f"{WISH}=compiled, but no build matches the sources: run `make compile`.")
    if build is None and wish == "auto" and _has_builds(root):
        message = "No compiled build is of these sources: running interpreted (see make compile)."
        logging.getLogger(__name__).warning(message)
    return build


def _has_builds(root: Path) -> bool:
    """Is something compiled here, whatever of?"""
    return (root / NOTE).is_file() or any((root / BUILDS).glob("[0-9a-f]*"))


class EngineFinder(MetaPathFinder):
    """Finds each module of our folders in the chosen build, or else its source, and nothing else:
    what a compiler may have left beside a source is never looked at."""

    def __init__(self, root: Path, build: Path | None) -> None:
        self.build = build
        self._root = root
        self._compiled = frozenset(unit(root)) if build else frozenset()

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Where `name` is loaded from; None if it is none of ours."""
        if name == RUNTIME:
            return self._extension(name)
        source = name.replace(".", "/") + ".py"
        if not source.startswith(FOLDERS) or not (self._root / source).is_file():
            return None
        if source in self._compiled:
            return self._extension(name)
        return spec_from_file_location(name, self._root / source)

    def _extension(self, name: str) -> ModuleSpec | None:
        if self.build is None:
            return None
        file = self.build / (name.replace(".", "/") + EXTENSION_SUFFIXES[0])
        return spec_from_file_location(name, file)


@cache
def install() -> EngineFinder:
    """Decide, once a process and before any engine is imported, what is run."""
    finder = EngineFinder(ROOT, chosen_build(os.environ.get(WISH, "auto")))
    sys.meta_path.insert(0, finder)
    return finder


def mode() -> str:
    """How this process runs the rules: "compiled" or "interpreted"."""
    return "compiled" if install().build else "interpreted"
