"""The import hook for compiled engines: chooses whether this process runs compiled or interpreted
code, and checks that the compiled code was built from these sources.

mypyc compiles one unit, which is defined by convention, not by a list: every module of the package
except the folders below and the modules at the border, where numbers become JSON, sentences and
pictures. A build is addressed by the digest of everything that went into it, so an old build never
hides edited source: that source has no build yet, and is itself run.
"""

from __future__ import annotations

import hashlib
import logging
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.abc import MetaPathFinder
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec
from importlib.metadata import PackageNotFoundError, version
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Final, Literal

PACKAGE: Final = "tabularium_engines"
PROJECT_ROOT: Final = Path(__file__).resolve().parents[2]
# which present, build, list and check the rules
INTERPRETED_FOLDERS: Final = tuple(
    f"{PACKAGE}/{folder}/" for folder in ("adapters", "builds", "installed", "promises")
)
INTERPRETED_NAMES: Final = frozenset(
    {"__init__", "codec", "actions", "options", "engine", "view"}
    | {"picture", "svg", "text", "refusals", "formats", "log", "consequences"}
)
UNIT_NAME: Final = PACKAGE
RUNTIME_MODULE: Final = f"{UNIT_NAME}__mypyc"  # the module that holds the code of the whole unit
OPTIMISATION_LEVEL: Final = "3"
COMPILER_FLAGS: Final = ("-fvisibility=hidden",)
BUILDS_FOLDER: Final = ".compiled"  # development: one folder per build, named by its digest
COMPILER_LOCK: Final = "requirements/build.txt"  # of a checkout
CACHE_VARIABLE: Final = "TABULARIUM_CACHE"  # the folder with builds of all checkouts; empty: none
DIGEST_FILE: Final = f"{PACKAGE}/compiled.digest"  # wheels: of the built modules, with the compiler
NO_COMPILER: Final = "No C compiler with Python's headers found: the engines run interpreted."
MODE_VARIABLE: Final = "TABULARIUM_ENGINES"

# mypyc 2.4.1 takes a reference to a vec that interpreted code passes or assigns, means to have
# borrowed it, and never gives it back: the vec is never freed
KEEPS_VECS: Final = "2.4.1"
KEPT_VEC: Final = r"(?m)^( +(arg_\w+|tmp) = Vec(I64|U8|Float)Api\.unbox\(\w+\);)$"

_LOCKED_COMPILER: Final = re.compile(r"(?m)^mypy==(\S+)")
_IMPORT_PATTERN: Final = re.compile(
    r"^\s*(?:from|import)\s+([\w.]+)(?:\s+import\s+(\([^)]*\)|.*))?", re.MULTILINE
)


# -- the unit and its digest --------------------------------------------------------------------


def compiled_sources(root: Path = PROJECT_ROOT) -> list[str]:
    """The sources that are compiled, as paths from `root`, in a stable order."""
    paths = (path.relative_to(root).as_posix() for path in (root / PACKAGE).rglob("*.py"))
    return sorted(filter(is_compiled, paths))


def give_back_vecs(folder: Path) -> None:
    """Complete the C code in a folder: functions and setters give back the vecs that they take."""
    if installed_compiler() == KEEPS_VECS:
        for path in folder.rglob("*.c"):
            code = path.read_text(encoding="utf-8")
            path.write_text(re.sub(KEPT_VEC, _giving_back, code), encoding="utf-8")


def _giving_back(line: re.Match[str]) -> str:
    return f"{line[1]} VEC_{line[3].upper()}_DECREF({line[2]});"


def is_compiled(path: str) -> bool:
    """Whether a module of the package, by its path from the root, is part of the unit."""
    return not path.startswith(INTERPRETED_FOLDERS) and not is_interpreted_name(Path(path).stem)


def is_interpreted_name(stem: str) -> bool:
    """Whether a module of this name is left to the interpreter; `card_svg` counts as `svg`."""
    return stem in INTERPRETED_NAMES or stem.rpartition("_")[2] in INTERPRETED_NAMES


def build_sources(root: Path = PROJECT_ROOT) -> dict[str, bytes]:
    """The unit, and the modules of the package that it imports: mypyc copies their constants in."""
    return imported_sources(compiled_sources(root), root)


def imported_sources(paths: Iterable[str], root: Path = PROJECT_ROOT) -> dict[str, bytes]:
    """The contents of these files and of the rules, heuristics and searches that they import,
    directly or indirectly. Packages are left out: they only name what their modules hold."""
    sources: dict[str, bytes] = {}
    pending = list(paths)
    while pending:
        path = pending.pop()
        if path not in sources:
            sources[path] = (root / path).read_bytes()
            pending.extend(_imported_files(sources[path].decode(), root))
    return sources


def _imported_files(source: str, root: Path) -> Iterator[str]:
    """The files of the package that `source` imports; a name may be a module or in one."""
    for package, names in _IMPORT_PATTERN.findall(source):
        if package.partition(".")[0] == PACKAGE:
            candidates = [f"{package}.{name}" for name in re.findall(r"\w+", names)]
            files = [module_path(name) for name in [*candidates, package]]
            yield from (
                path
                for path in files
                if not path.startswith(INTERPRETED_FOLDERS) and (root / path).is_file()
            )


def module_path(module: str) -> str:
    """The path of a module's source, unless it is a package."""
    return module.replace(".", "/") + ".py"


def build_digest(compiler: str, root: Path = PROJECT_ROOT) -> str:
    """The name of a build of the current sources."""
    platform = (sys.implementation.cache_tag or "", sysconfig.get_platform())
    flags = (OPTIMISATION_LEVEL, COMPILER_FLAGS, KEPT_VEC)
    digest = hashlib.sha256(repr((compiler, platform, *flags)).encode())
    for path, source in sorted(build_sources(root).items()):
        digest.update(f"\0{path}\0{hashlib.sha256(source).hexdigest()}".encode())
    return digest.hexdigest()[:16]


def compiler_version() -> str:
    """The version of mypyc that `make compile` uses; empty where there is none."""
    try:
        lock = (PROJECT_ROOT / COMPILER_LOCK).read_text(encoding="utf-8")
    except FileNotFoundError:
        return installed_compiler()
    match = _LOCKED_COMPILER.search(lock)
    return match[1] if match else ""


def installed_compiler() -> str:
    """The version of mypyc that is installed here, or empty."""
    try:
        return version("mypy")
    except PackageNotFoundError:
        return ""


def usable_cores() -> int:
    """The number of cores on which this process may run."""
    if hasattr(os, "sched_getaffinity"):  # not on macOS
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def has_compiler() -> bool:
    """Whether there is a C compiler that finds Python's headers."""
    return _can_compile(b"#include <Python.h>\n")


def is_compiler_gcc() -> bool:
    """Whether the C compiler is GCC, on Linux; elsewhere `gcc` is often the name of another."""
    is_gcc = b"#if !defined(__GNUC__) || defined(__clang__)\n#error\n#endif\n"
    return sys.platform == "linux" and _can_compile(is_gcc)


def _can_compile(source: bytes) -> bool:
    compiler = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    options = ["-fsyntax-only", "-I", sysconfig.get_path("include"), "-x", "c", "-"]
    command = [*shlex.split(compiler), *options]
    try:
        probe = subprocess.run(command, input=source, capture_output=True, check=False)
    except OSError:
        return False
    return probe.returncode == 0


# -- which build, if any ------------------------------------------------------------------------


def find_matching_build(root: Path = PROJECT_ROOT) -> Path | None:
    """The folder with the compiled modules of the current sources, if there is one."""
    digest_file = root / DIGEST_FILE
    if digest_file.is_file():
        digest, compiler = digest_file.read_text().split()
        return root if digest == build_digest(compiler, root) else None
    builds = root / BUILDS_FOLDER
    folder = builds / build_digest(compiler_version(), root) if builds.is_dir() else builds
    return folder if folder.is_dir() and folder != builds else None


def own_build() -> Path:
    """The folder of the build that `make compile` makes of these sources."""
    return PROJECT_ROOT / BUILDS_FOLDER / build_digest(compiler_version())


def take_cached_build(target: Path) -> bool:
    """Take a build from the user's cache, or out of a wheel that lies there; whether it is here."""
    cached = cached_build(target)
    if cached is None:
        return False
    if cached.is_dir():
        copy_build(cached, target)
    else:
        for wheel in sorted(cached.parent.glob("*.whl")):
            unpack_wheel(wheel, target)
    return target.is_dir()


def unpack_wheel(path: Path, target: Path) -> None:
    """Take the compiled modules out of a wheel of the service, if they are that build."""
    try:
        with zipfile.ZipFile(path) as wheel, tempfile.TemporaryDirectory() as folder:
            names = wheel.namelist()
            digest = wheel.read(DIGEST_FILE).decode() if DIGEST_FILE in names else ""
            if digest.startswith(f"{target.name} "):
                suffix = EXTENSION_SUFFIXES[0]
                wheel.extractall(folder, (name for name in names if name.endswith(suffix)))
                copy_build(Path(folder), target)
    except (OSError, zipfile.BadZipFile) as problem:
        sys.stderr.write(f"{path} is not read: {problem}\n")


def cached_build(build: Path) -> Path | None:
    """Where the user's cache keeps a build; the code also depends on the C library."""
    cache = os.environ.get(CACHE_VARIABLE)
    if cache == "":
        return None
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tabularium"
    library = "-".join(filter(None, platform.libc_ver()))
    return Path(cache or base) / "engines" / f"{build.name}-{library}"


def copy_build(source: Path, target: Path) -> None:
    """Copy a build; it appears only once it is complete. Without a place for it there is none."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".unfinished-", dir=target.parent) as folder:
            copy = shutil.copytree(source, Path(folder) / "lib")
            if not target.is_dir():  # another process may have been faster
                os.replace(copy, target)
    except OSError as problem:
        sys.stderr.write(f"The compiled engines are not copied to {target}: {problem}\n")


def choose_build(mode: str, root: Path = PROJECT_ROOT) -> Path | None:
    """The build to run, as TABULARIUM_ENGINES demands; None: run the sources."""
    if mode not in ("auto", "compiled", "interpreted"):
        raise ImportError(f"{MODE_VARIABLE} must be auto, compiled or interpreted, not {mode}.")
    build = None if mode == "interpreted" else find_matching_build(root)
    if build is None and mode == "compiled":
        raise ImportError(
            f"{MODE_VARIABLE}=compiled, but no build matches the sources: run `make compile`."
        )
    if build is None and mode == "auto" and _has_builds(root):
        message = "No compiled build matches the sources: running interpreted (see make compile)."
        logging.getLogger(__name__).warning(message)
    return build


def _has_builds(root: Path) -> bool:
    """Whether there is any build, even of other sources."""
    return (root / DIGEST_FILE).is_file() or any((root / BUILDS_FOLDER).glob("[0-9a-f]*"))


class EngineFinder(MetaPathFinder):
    """Finds each module of the package in the chosen build, or else its source, and nothing else:
    files that a compiler left next to a source are ignored."""

    def __init__(self, root: Path, build: Path | None) -> None:
        self.build = build
        self._root = root
        self._compiled = frozenset(compiled_sources(root)) if build else frozenset()

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec from which `name` is loaded; None if it is none of our modules."""
        if name == RUNTIME_MODULE:
            return self._extension_spec(name)
        source = name.replace(".", "/") + ".py"
        if not source.startswith(f"{PACKAGE}/") or not (self._root / source).is_file():
            return None
        if source in self._compiled:
            return self._extension_spec(name)
        return spec_from_file_location(name, self._root / source)

    def _extension_spec(self, name: str) -> ModuleSpec | None:
        if self.build is None:
            return None
        file = self.build / (name.replace(".", "/") + EXTENSION_SUFFIXES[0])
        return spec_from_file_location(name, file)


@cache
def install_finder() -> EngineFinder:
    """Choose, once per process and before any engine is imported, the build or the sources."""
    finder = EngineFinder(PROJECT_ROOT, choose_build(os.environ.get(MODE_VARIABLE, "auto")))
    sys.meta_path.insert(0, finder)
    return finder


def engine_mode() -> Literal["compiled", "interpreted"]:
    """How this process runs the rules: "compiled" or "interpreted"."""
    return "compiled" if install_finder().build else "interpreted"
