"""Games from other packages: engines that installed distributions offer as the entry points
`tabularium.games`, checked before they are registered.

An entry point names a tuple of engines, one for each version of the rules. What rules may not do,
such as to draw from `random` or to read the clock, is found in their source, and the server refuses
to start with a sentence.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib.machinery import all_suffixes
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple

from tabularium_engines.base import AnyEngine, Engine
from tabularium_engines.builds import compiled_sources
from tabularium_engines.builds.compiled_engines import PACKAGE
from tabularium_engines.installed.moved_names import new_name

ENTRY_POINT_GROUP: Final = "tabularium.games"
NOT_OF_RULES: Final = frozenset(
    {"adapters", "builds", "heuristics", "installed", "promises", "search"}
)
FORBIDDEN_MODULES: Final = frozenset(
    {"random", "secrets", "uuid", "time", "datetime", "os", "io", "pathlib", "shutil", "tempfile"}
    | {"sys", "socket", "ssl", "http", "urllib", "subprocess", "multiprocessing", "threading"}
    | {"asyncio", "signal", "ctypes", "importlib", "inspect", "gc", "weakref", "pickle"}
    | {"django", "rest_framework", "celery", "redis", "config", "api", "ai", "jobs", "games"}
)


class PluginRefused(SystemExit):
    """A package brings a game that cannot be registered; the process ends with the sentence."""


class SourceMissing(ValueError):
    """A module has no source beside it."""


class PluginEngine(NamedTuple):
    """An engine of another package."""

    engine: AnyEngine
    package: str


def load_plugins() -> Iterator[PluginEngine]:
    """The engines of all installed packages, in the order of their names."""
    points = sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda point: point.name)
    for point in points:
        package = point.dist.name if point.dist is not None else point.module
        for engine in load_engines(point, package):
            yield PluginEngine(engine, package)


def load_engines(point: EntryPoint, package: str) -> tuple[AnyEngine, ...]:
    """The engines that an entry point of a package names, whose sources are checked first."""
    try:
        paths = plugin_paths(point.module)
    except SourceMissing as missing:
        raise PluginRefused(
            f"The package {package} is refused: it brings no source of {missing}, and the rules of"
            " a game are checked in their source."
        ) from missing
    for name, path in paths.items():
        if module := _forbidden_import(path.read_text(encoding="utf-8")):
            raise PluginRefused(
                f"The package {package} is refused: {name} imports {module}, and the rules of a"
                " game may neither read the clock, files or the network nor draw from anything but"
                " the Rng that they are given."
            )
    compiled_sources.choose_code(package, paths)
    engines = point.load()
    if not isinstance(engines, tuple) or not all(isinstance(each, Engine) for each in engines):
        raise PluginRefused(
            f"The package {package} is refused: its entry point {point.name} must name a tuple of"
            " engines."
        )
    return engines


def plugin_sources(module: str) -> dict[str, str]:
    """The sources of a module and of the modules of its package that it imports, by name."""
    return {name: path.read_text(encoding="utf-8") for name, path in plugin_paths(module).items()}


def plugin_paths(module: str) -> dict[str, Path]:
    """The files of these sources; raises SourceMissing where there is only a binary or a folder."""
    paths: dict[str, Path] = {}
    root, pending = module.partition(".")[0], [module]
    while pending:
        name = pending.pop()
        path = source_path(name)
        if name not in paths and path is not None:
            if not path.is_file():
                raise SourceMissing(name)
            paths[name] = path
            package = name if path.stem == "__init__" else name.rpartition(".")[0]
            names = imported_names(path.read_text(encoding="utf-8"), package)
            pending += [each for each in names if _is_within(each, root)]
            pending += [name.rpartition(".")[0] or root]  # the package around it is imported first
    if module not in paths:
        raise SourceMissing(module)
    return paths


def source_path(module: str) -> Path | None:
    """The file of a module's source, which may be missing beside a binary; None for a name that is
    no module. Nothing is imported to find it."""
    root, _, inner = module.partition(".")
    spec = find_spec(root)
    if spec is None:
        return None
    if not inner:
        return None if spec.origin is None else _beside(Path(spec.origin))
    for folder in spec.submodule_search_locations or ():
        path = Path(folder, *inner.split("."))
        for stem in (path, path / "__init__"):
            for suffix in all_suffixes():
                if (candidate := stem.with_name(stem.name + suffix)).is_file():
                    return _beside(candidate)
    return None


def _beside(path: Path) -> Path:
    """The source beside a module, which may be compiled: its name has several suffixes then."""
    return path.with_name(path.name.partition(".")[0] + ".py")


def imported_names(source: str, package: str = "") -> Iterator[str]:
    """The modules that a source imports, and the names that it imports from them; `package` is the
    one that its relative imports begin at."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (new_name(alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = new_name(_absolute_name(node, package))
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


def _absolute_name(node: ast.ImportFrom, package: str) -> str:
    """The module that names are imported from."""
    if not node.level:
        return node.module or ""
    parts = package.split(".")
    parents = parts[: len(parts) - node.level + 1]
    return ".".join([*parents, node.module] if node.module else parents)


def _is_within(module: str, root: str) -> bool:
    return module == root or module.startswith(f"{root}.")


def _forbidden_import(source: str) -> str:
    """The first import that rules may not have; empty if there is none."""
    for name in imported_names(source):
        root, _, inner = name.partition(".")
        is_refused = root == PACKAGE and inner.partition(".")[0] in NOT_OF_RULES
        if is_refused or root in FORBIDDEN_MODULES:
            return name
    return ""
