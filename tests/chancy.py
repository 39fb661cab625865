"""The `chancy` mark: tests that may depend on randomness, time or load, judged by the modules that
they import. `tests.repeat` selects them by it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

# `import a` or `from a import b, c`; parsing the syntax takes five times as long
IMPORT: Final = re.compile(
    r"^ *(?:from|import) +([\w.]+)(?: +import +(\([^)]*\)|.*))?", re.MULTILINE
)
NAME: Final = re.compile(r"\w+")
ROOT: Final = Path(__file__).resolve().parent.parent
MARK: Final = (
    "chancy(*reasons): touches clocks, threads, processes, the collector or unseeded chance"
)
REASONS: Final = {
    "clock": {"time", "sched"},
    "threads": {"threading", "concurrent", "asyncio", "queue"},
    "processes": {"subprocess", "multiprocessing", "signal", "socket", "selectors"},
    "collector": {"gc", "weakref", "tracemalloc"},
    "chance": {"secrets", "random", "uuid", "games.services", "hypothesis", "statistics"},
}


@cache
def reasons(path: Path) -> tuple[str, ...]:
    """The `REASONS` that apply to a test module, directly or through other test modules."""
    modules_found = reachable_modules(path)
    return tuple(reason for reason, modules in REASONS.items() if modules & modules_found)


def reachable_modules(path: Path) -> frozenset[str]:
    """All modules and packages that it imports, and recursively those that imported test modules
    import. Fixtures come from the conftest modules above it."""
    pending, visited, modules = [path, *conftest_paths(path)], set[Path](), set[str]()
    while pending:
        if (current := pending.pop()) in visited:
            continue
        visited.add(current)
        modules |= imported_names(current)
        pending += (
            module_file
            for name in imported_names(current)
            if (module_file := module_path(name)) is not None
        )
    return frozenset(modules)


def conftest_paths(path: Path) -> Iterator[Path]:
    """The conftest modules that provide fixtures to its tests, except the root one."""
    for folder in path.parents:
        if folder == ROOT / "tests":
            return
        if (place := folder / "conftest.py").exists():
            yield place


@cache
def imported_names(path: Path) -> frozenset[str]:
    """The modules and packages that a file imports at any level."""
    text, names = path.read_text(encoding="utf-8"), set[str]()
    for module, imported in IMPORT.findall(text):
        names |= {module, *(f"{module}.{name}" for name in NAME.findall(imported))}
    parts = (name.split(".") for name in names)
    return frozenset(".".join(part[:end]) for part in parts for end in range(1, len(part) + 1))


def module_path(name: str) -> Path | None:
    """The file of a test module, or None."""
    place = ROOT / f"{name.replace('.', '/')}.py"
    return place if name.startswith("tests.") and place.exists() else None
