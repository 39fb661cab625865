"""`python -m tests.defects [NAME …]`: plants each defect in a copy of the checkout, and shows the
test that finds it.

The nearest tests run first and, if all of them pass, everything else in the lanes, up to the first
failure: on SQLite and, as far as the check does, on PostgreSQL and Redis. A test that fails without
the defect, too, does not count. Results are in `build/defects.json`; an interrupted run goes on
after them, as long as the commit is the same.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from threading import Lock
from time import monotonic
from typing import Any, Final, NamedTuple

from tabularium_engines.builds.compiled_engines import BUILDS_FOLDER
from tests.defects import ROOT, Defect, planted_defects
from tests.support import lanes, proofs, quick
from tests.support.proofs import say

RESULTS: Final = ROOT / "build" / "defects.json"
SHARED: Final = (BUILDS_FOLDER, ".venv")  # with the checkout: a build matches by its sources
ON_SQLITE: Final = ("pytest",)  # modules with their arguments
ON_SERVERS: Final = ("tests.support.servers", "-m", "stores")
OPTIONS: Final = ("-x", "-rfE", "--tb=no", "-p", "no:cacheprovider")
FAILURE: Final = re.compile(r"^(?:FAILED|ERROR) (tests/.+?)(?: - .*)?$", re.MULTILINE)
NOTHING_FAILED: Final = (0, 5)  # 5: no tests
NOT_FOUND: Final = "ERROR: not found: "  # a test that is there with the defect alone
OUT_OF_TIME: Final = "out of time"
SCRIPT_FOLDERS: Final = ("web", "browser")  # of the tests of scripts
_results_lock: Final = Lock()


class Found(NamedTuple):
    """How the search for a test ended."""

    by: str | None  # the test, if one finds the defect
    seconds: float
    note: str = ""  # why the search is incomplete


# -- a copy of the checkout ------------------------------------------------------------------------


def copy_checkout(folder: Path) -> Path:
    """Copy the tracked files; tests ask git for them, so the copy is a repository."""
    for name in proofs.tracked_files([Path()]):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, target)
    for name in SHARED:
        if (ROOT / name).exists():
            (folder / name).symlink_to((ROOT / name).resolve())
    for words in (["init", "--quiet"], ["add", "--all"]):
        subprocess.run(["git", *words], cwd=folder, check=True)
    return folder


@contextmanager
def planted(copy: Path, defect: Defect) -> Iterator[None]:
    """Within the block, the copy has the defect. Afterwards the file has its time again, so that no
    byte code of the one with the defect is taken for it."""
    path = copy / defect.file
    source, time = path.read_text("utf-8"), path.stat().st_mtime
    path.write_text(defect.applied_to(source), "utf-8")
    try:
        yield
    finally:
        path.write_text(source, "utf-8")
        os.utime(path, (time, time))


# -- the tests of a defect -------------------------------------------------------------------------


def nearest_files(file: str) -> list[str]:
    """The files of tests nearest to a source: those of its name, those that import or name it,
    those in the folder that mirrors its own; the checks of style last."""
    stem, name = Path(file).stem.replace("-", "_"), Path(file).name
    tests = sorted((ROOT / "tests").rglob("test_*.py"))
    found = [path for path in tests if path.name == f"test_{stem}.py"]
    found += [ROOT / each for each in quick.nearest_tests([file]) if each not in quick.ALWAYS]
    if not name.endswith(".py"):
        found += [path for path in tests if name in path.read_text("utf-8")]
        folders = SCRIPT_FOLDERS if file.startswith("web/") else Path(file).parts[:1]
        found += [path for path in tests if path.relative_to(ROOT / "tests").parts[0] in folders]
    found += sorted(ROOT.joinpath("tests", *Path(file).parts[:2]).glob("test_*.py"))
    paths = [path.relative_to(ROOT).as_posix() for path in dict.fromkeys(found)]
    return [*paths, *quick.ALWAYS]


def search(copy: Path, defect: Defect, args: Namespace) -> Found:
    """Look for a test that finds the defect: in the nearest files, in the package's folder and then
    in all others, each time on SQLite and, as the check does, on servers."""
    near = nearest_files(defect.file)
    ignored = [f"--ignore={each}" for each in near]
    folder = "/".join(quick.folder_of_tests(defect.file).split("/")[:2])
    farther = [[folder, *ignored], ["tests", f"--ignore={folder}", *ignored]]
    seconds, notes = 0.0, list[str]()
    for words in [near] if args.nearest else [near, *farther]:
        for program in (ON_SQLITE, ON_SERVERS) if lanes.CORE in args.lane else (ON_SQLITE,):
            found = first_failure(copy, [*program, *OPTIONS, *words], args, defect)
            seconds += found.seconds
            if found.by:
                return Found(found.by, seconds, found.note)
            notes += [found.note] if found.note else []
    return Found(None, seconds, "; ".join(notes))


def first_failure(copy: Path, words: Sequence[str], args: Namespace, defect: Defect) -> Found:
    """The first of these tests that fails with the defect alone."""
    started_at, ignored = monotonic(), list[str]()
    while (left := args.seconds - (monotonic() - started_at)) > 0:
        with planted(copy, defect):
            by = run_tests(copy, [*words, *(f"--deselect={each}" for each in ignored)], args, left)
        seconds = monotonic() - started_at
        if by is None:
            return Found(None, seconds, f"without {', '.join(ignored)}" if ignored else "")
        if by == OUT_OF_TIME:
            break
        program = words[: words.index(OPTIONS[0])]
        if by in ignored or run_tests(copy, [*program, *OPTIONS, by], args, args.seconds) is None:
            return Found(by, seconds, "on servers" if program[0] == ON_SERVERS[0] else "")
        ignored.append(by)
    return Found(None, args.seconds, OUT_OF_TIME)


def run_tests(copy: Path, words: Sequence[str], args: Namespace, seconds: float) -> str | None:
    """Run a module of tests in the copy; the name of the first that fails."""
    command = [sys.executable, "-m", *words, *(f"--lane={lane}" for lane in args.lane)]
    with tempfile.TemporaryFile("w+", encoding="utf-8") as output:
        process = subprocess.Popen(command, cwd=copy, stdout=output, stderr=output)
        try:
            code = process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.terminate()  # servers of its own end with it
            process.wait()
            return OUT_OF_TIME
        output.seek(0)
        text = output.read()
    if code in NOTHING_FAILED or NOT_FOUND in text:
        return None
    if failure := FAILURE.search(text):
        return failure[1]
    raise RuntimeError(f"pytest ended with {code}:\n{text[-2000:]}")


# -- results ---------------------------------------------------------------------------------------


def run_of(args: Namespace) -> str:
    """The commit and the tests that a result is about."""
    scope = "nearest" if args.nearest else "all"
    return f"{proofs.git('rev-parse', 'HEAD')} {','.join(args.lane)} {scope}"


def kept_results(run: str) -> dict[str, Any]:
    """The results of this run so far, by defect."""
    kept: dict[str, Any] = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {}
    return {name: result for name, result in kept.items() if result["run"] == run}


def keep(name: str, found: Found, run: str) -> None:
    """Add a result."""
    with _results_lock:
        kept = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {}
        kept[name] = {**found._asdict(), "run": run}
        RESULTS.parent.mkdir(exist_ok=True)
        RESULTS.write_text(json.dumps(kept, indent=2) + "\n", encoding="utf-8")


def line_of(name: str, found: Found) -> str:
    """The line that is printed about a defect."""
    note = f" ({found.note})" if found.note else ""
    verdict = f"caught by {found.by}" if found.by else "NOT CAUGHT"
    return f"{name}: {verdict} in {found.seconds:.0f} s{note}"


def search_all(defects: Sequence[Defect], args: Namespace) -> dict[str, Found]:
    """Search for each, several at once; a job has a copy of its own."""
    run, copies = run_of(args), SimpleQueue[Path]()
    kept = kept_results(run)

    def result_of(defect: Defect) -> tuple[str, Found]:
        if known := kept.get(defect.name):
            found = Found(known["by"], known["seconds"], known["note"])
        else:
            copy = copies.get()
            try:
                found = search(copy, defect, args)
            finally:
                copies.put(copy)
            keep(defect.name, found, run)
        say(line_of(defect.name, found))
        return defect.name, found

    with tempfile.TemporaryDirectory(prefix="defects-") as folder:
        for job in range(args.jobs):
            copies.put(copy_checkout(Path(folder, str(job))))
        with ThreadPoolExecutor(args.jobs) as pool:
            return dict(pool.map(result_of, defects))


def main(arguments: list[str]) -> int:
    """Search for the tests that find the defects; 1 if one is not found."""
    by_name = {defect.name: defect for defect in planted_defects()}
    parser = ArgumentParser(prog="python -m tests.defects", description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*by_name, []], metavar="NAME")
    parser.add_argument("--lane", action="append", choices=lanes.LANES, help="lanes (core)")
    parser.add_argument("--nearest", action="store_true", help="the nearest tests alone")
    parser.add_argument("--jobs", type=int, default=1, help="defects at once (1)")
    parser.add_argument("--seconds", type=float, default=3600, help="for each of the steps (3600)")
    args = parser.parse_args(arguments)
    args.lane = args.lane or [lanes.CORE]
    found = search_all([by_name[name] for name in args.names or by_name], args)
    caught = sum(each.by is not None for each in found.values())
    say(f"caught {caught} of {len(found)}")
    return int(caught < len(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
