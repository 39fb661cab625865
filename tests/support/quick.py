"""`python -m tests.support.quick`: the tests of the core nearest to the change, for as many seconds
as are given.

The change is everything that differs from `--since` (HEAD, or where the branch left main). Nearest
first: changed test files; the tests in the place that mirrors a changed module; the tests that
import it; the style and prose checks. Those that are not reached in time are listed at the end.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from time import time
from typing import Any, Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[2]
DEADLINE_VARIABLE: Final = "TABULARIUM_QUICK_DEADLINE"  # read by the worker processes of xdist
ALWAYS: Final = ("tests/test_house_rules.py", "tests/test_prose.py")
OF_PAGES: Final = ("tests/test_docs.py", "tests/docs/test_pages.py")
OUT_OF_TIME: Final = "out of time"
# by the package that they are about, where its folder has another name
FOLDERS_OF_TESTS: Final = {
    "tabularium_engines": "engines",
    "tabularium_log/record": "record",
    "tabularium_log": "log",
}


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip everything that begins after the deadline."""
    if time() > float(os.environ[DEADLINE_VARIABLE]):
        pytest.skip(OUT_OF_TIME)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """List what was left out, with the number of tests."""
    skipped = terminalreporter.stats.get("skipped", [])
    left_out = [each for each in skipped if each.longrepr[2].endswith(OUT_OF_TIME)]
    counts = Counter(each.nodeid.partition("::")[0] for each in left_out)
    for path, count in counts.items():
        terminalreporter.write_line(f"{OUT_OF_TIME}: {path} ({count})")


def git(*words: str) -> list[str]:
    """The lines that git prints; none if it fails."""
    process = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return process.stdout.splitlines() if process.returncode == 0 else []


def changed_files(since: str | None) -> list[str]:
    """The files that differ from a revision, untracked files included."""
    base = [since] if since else git("merge-base", "HEAD", "main") or ["HEAD"]
    names = [*git("diff", "--name-only", base[0]), *git("ls-files", "-o", "--exclude-standard")]
    return sorted(name for name in set(names) if (ROOT / name).is_file())


def module_name(path: str) -> str:
    """The dotted name of a source file."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def imported_modules(path: Path) -> set[str]:
    """The modules that a file imports, and the names that may be modules."""
    modules: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            modules |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return modules


def folder_of_tests(path: str) -> str:
    """Where the tests of a source file should stand."""
    folder = f"tests/{path}".rpartition("/")[0]
    for package, tests in FOLDERS_OF_TESTS.items():
        folder = folder.replace(f"tests/{package}", f"tests/{tests}")
    return folder


def mirrors(path: str) -> Iterator[str]:
    """Where the tests of a source file stand, if they stand where they should."""
    folder, name = folder_of_tests(path), path.rpartition("/")[2]
    yield f"{folder}/test_{name}"
    if path.startswith("tabularium_engines/"):
        yield from (
            f.relative_to(ROOT).as_posix() for f in sorted((ROOT / folder).glob("test_*.py"))
        )


def nearest_tests(changed: list[str]) -> list[str]:
    """The files of tests that a change reaches, the nearest first, each once."""
    sources = [path for path in changed if path.endswith(".py")]
    tests = sorted((ROOT / "tests").rglob("test_*.py"))
    modules = set(map(module_name, sources))
    paths = [path for path in sources if Path(path).name.startswith("test_")]
    paths += [mirror for path in sources for mirror in mirrors(path)]
    paths += [t.relative_to(ROOT).as_posix() for t in tests if imported_modules(t) & modules]
    if any(path.endswith(".md") for path in changed):
        paths += OF_PAGES
    return [path for path in dict.fromkeys([*paths, *ALWAYS]) if (ROOT / path).is_file()]


def main(arguments: list[str]) -> int:
    """Run them; the exit code of pytest."""
    parser = ArgumentParser(prog="python -m tests.support.quick", description=__doc__)
    parser.add_argument("--since", help="a revision (where the branch left main)")
    parser.add_argument("--seconds", type=float, default=40, help="no test begins later (40)")
    args, pytest_arguments = parser.parse_known_args(arguments)
    os.environ[DEADLINE_VARIABLE] = str(time() + args.seconds)
    files = nearest_tests(changed_files(args.since))
    options = ["--lane=core", "-p", "tests.support.quick", "--no-header", *pytest_arguments]
    return int(pytest.main([*options, *files]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
