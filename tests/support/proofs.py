"""`python -m tests.support.proofs [NAME …]`: runs the proofs that are named, or all that are due,
and records each in `proofs/<name>.json`.

A proof is due if the sources that it is about, or its tests, are not those of its record. One that
was interrupted goes on after the tests that have passed. `--due` lists, and runs nothing.
"""

from __future__ import annotations

import json
import os
import platform
import resource
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from time import monotonic
from typing import Any, Final

import pytest

from tabularium_engines.installed.registry import ENGINES, RULESETS, ruleset_digest
from tests.support import lanes
from tests.support.chance import CHANCE

ROOT: Final = Path(__file__).resolve().parents[2]
RECORDS: Final = ROOT / "proofs"
PROGRESS: Final = ROOT / "build" / "proofs"
LOG_VARIABLE: Final = "TABULARIUM_PROOF_LOG"  # to which the tests that ended are written
DONE_VARIABLE: Final = "TABULARIUM_PROOF_DONE"  # the tests that passed in an earlier run
GAMES_VARIABLE: Final = "TABULARIUM_PROOF_GAMES"  # the slugs whose tests run; without it all

KEPT: Final = ("passed", "skipped")  # of tests that need not run again

RULES: Final = ("tabularium_engines",)
BOTS: Final = RULES
SERVICE: Final = (
    *("tabularium_engines", "tabularium_log", "games", "record", "jobs", "ai", "api", "config"),
)
PAGES: Final = (*SERVICE, "web", "desk")
ALL: Final = (*PAGES, "clients", "docs", "examples", "docker", "bench", "README.md")
BUILT: Final = (
    *("pyproject.toml", "requirements", "setup.py", "Makefile"),
    *("release", "MANIFEST.in", "CHANGELOG.md"),
)

OF_RULES: Final = ("conformance", "referees", "parity")  # each about every game by itself
STORING_TESTS: Final = (
    *(f"tests/{name}" for name in ("ai", "api", "chaos", "config", "crowd", "desk", "docs")),
    *(f"tests/{name}" for name in ("examples", "games", "hostile", "jobs", "record")),
    *("tests/conftest.py", "tests/support/databases.py", "tests/support/served.py"),
)
COMPILED_TESTS: Final = (
    "tests/engines",
    "tests/ai/bots",
    "tests/ai/honesty",
    "tests/engines/search",
)


@dataclass(frozen=True)
class Proof:
    """Its subject, and how it is run."""

    name: str
    sources: tuple[str, ...]  # folders and files
    command: tuple[str, ...] = ()
    environment: Mapping[str, str] | None = None
    tests: tuple[str, ...] = ()  # folders; otherwise the files of its lane
    is_of_pytest: bool = True

    def paths(self) -> list[Path]:
        """The files that are digested: the sources, the tests and their helpers."""
        own = [Path(each) for each in self.tests]
        for path in (ROOT / "tests").rglob("test_*.py") if not own else ():
            if self.name in lanes.lanes_in(path):
                helpers = (each for each in path.parent.glob("*.py") if is_helper(each))
                own += [each.relative_to(ROOT) for each in (path, *helpers)]
        return [*map(Path, self.sources), *dict.fromkeys(own)]

    def digest(self) -> str:
        """The digest of these files, by name and content."""
        result = sha256()
        for name in tracked_files(self.paths()):
            content = (ROOT / name).read_bytes()
            result.update(f"{name}\0{sha256(content).hexdigest()}\n".encode())
        return result.hexdigest()

    def record(self) -> dict[str, Any]:
        """The record of its last run, or nothing."""
        path = RECORDS / f"{self.name}.json"
        kept: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.exists() else {}
        return kept

    def is_due(self) -> bool:
        """Whether its record is of other sources."""
        return self.record().get("sources") != self.digest()


def is_helper(path: Path) -> bool:
    """Whether a file beside tests has no tests itself."""
    return not path.name.startswith("test_")


def tracked_files(paths: Iterable[Path]) -> list[str]:
    """The files of the project below these paths, in order; those that are new are among them."""
    words = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"]
    listed = subprocess.run(
        [*words, *map(str, paths)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return sorted(name for name in set(listed.stdout.split("\0")) if (ROOT / name).is_file())


def of_lane(name: str, sources: tuple[str, ...]) -> Proof:
    """The proof that runs the tests of a lane. Its name is no word of its own, or pytest would read
    the folder `clients`."""
    return Proof(name, sources, (sys.executable, "-m", "pytest", f"--lane={name}"))


ABOUT: Final[Mapping[str, tuple[str, ...]]] = {
    "balance": BOTS,
    "browser": PAGES,
    "builds": (*ALL, *BUILT),
    "clients": (*PAGES, "clients"),
    "conformance": RULES,
    "crowd": SERVICE,
    "guides": ALL,
    "hostile": ("api", "config"),
    "parity": (*BOTS, "setup.py"),
    "processes": PAGES,
    "referees": ("tabularium_engines",),
    "slow": PAGES,
    "storms": SERVICE,
}
PROOFS: Final[Mapping[str, Proof]] = {
    **{name: of_lane(name, sources) for name, sources in ABOUT.items()},
    "interpreted": Proof(
        "interpreted",
        BOTS,
        (sys.executable, "-m", "pytest", "-m", "not one_mode", *COMPILED_TESTS),
        {"TABULARIUM_ENGINES": "interpreted"},
        COMPILED_TESTS,
    ),
    "generators": Proof(
        "generators",
        ("api", "clients", "tabularium_engines", "web"),
        (".ci/clients",),
        tests=("tests/generators", ".ci/clients"),
        is_of_pytest=False,
    ),
    "servers": Proof(
        "servers",
        PAGES,
        (sys.executable, "-m", "tests.support.servers", "-m", "storing"),
        tests=STORING_TESTS,
    ),
}


# -- in the tests ----------------------------------------------------------------------------------


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests that passed in an earlier run, and those of other games."""
    done_file, games = os.environ.get(DONE_VARIABLE), os.environ.get(GAMES_VARIABLE)
    done = set(Path(done_file).read_text("utf-8").splitlines()) if done_file else set()
    wanted = {*(games.split(",") if games else ENGINES), None}
    chosen = [each for each in items if each.nodeid not in done and game_of(each.nodeid) in wanted]
    if rest := set(items) - set(chosen):
        config.hook.pytest_deselected(items=list(rest))
        items[:] = chosen


def game_of(name: str) -> str | None:
    """The game that the name of a test names; of `duel_of_law` and `law` the longer one."""
    return max((slug for slug in ENGINES if slug in name), key=len, default=None)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Write down how a test ended, in the process that sees all reports."""
    if "PYTEST_XDIST_WORKER" in os.environ or LOG_VARIABLE not in os.environ:
        return
    if report.when == "call" or report.outcome != "passed":
        with Path(os.environ[LOG_VARIABLE]).open("a", encoding="utf-8") as log:
            log.write(f"{report.outcome} {report.nodeid}\n")


# -- around them -----------------------------------------------------------------------------------


def run(proof: Proof, arguments: list[str], seed: int) -> bool:
    """Run a proof and record it; whether nothing failed."""
    digest = proof.digest()
    PROGRESS.mkdir(parents=True, exist_ok=True)
    log = PROGRESS / f"{proof.name}-{digest[:16]}-{seed}.log"
    done = log.with_suffix(".done")
    passed = outcomes(log, *KEPT)
    done.write_text("".join(f"{name}\n" for name in passed), encoding="utf-8")
    environment = {
        **os.environ,
        **(proof.environment or {}),
        CHANCE: str(seed),
        LOG_VARIABLE: str(log),
        DONE_VARIABLE: str(done),
    }
    started_at, cpu_before = monotonic(), children_seconds()
    options = ["-p", "tests.support.proofs", *arguments] if proof.is_of_pytest else []
    command = [*proof.command, *options]
    code = subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
    seconds = spent_seconds(log, monotonic() - started_at, children_seconds() - cpu_before)
    nothing_left = bool(passed) and code == pytest.ExitCode.NO_TESTS_COLLECTED
    if code and not nothing_left:
        return False
    write_record(
        proof.name,
        {
            "commit": git("rev-parse", "HEAD"),
            "date": datetime.now(UTC).date().isoformat(),
            "seconds": round(seconds[0]),
            "processor_seconds": round(seconds[1]),
            "seed": seed,
            "tests": {name: count for name in KEPT if (count := len(outcomes(log, name)))},
            "machine": machine(),
            "sources": digest,
            **({"games": rules_digests()} if proof.name in OF_RULES else {}),
        },
    )
    log.unlink(missing_ok=True)
    done.unlink()
    return True


def outcomes(log: Path, *wanted: str) -> list[str]:
    """The tests that ended so, in an earlier run."""
    lines = log.read_text("utf-8").splitlines() if log.exists() else []
    ended: dict[str, str] = {}
    for line in lines:
        outcome, _, name = line.partition(" ")
        ended[name] = outcome
    return sorted(name for name, outcome in ended.items() if outcome in wanted)


def spent_seconds(log: Path, seconds: float, processor_seconds: float) -> list[float]:
    """The time and the processor time of all runs of this proof, of which the last took so long."""
    with log.open("a", encoding="utf-8") as lines:
        lines.write(f"spent {seconds} {processor_seconds}\n")
    spent = [map(float, line.split()) for line in outcomes(log, "spent")]
    return [sum(each) for each in zip(*spent, strict=True)]


def children_seconds() -> float:
    """The processor time of the processes that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def machine() -> str:
    """The machine, in words."""
    return f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"


def git(*words: str) -> str:
    """The line that git prints."""
    return subprocess.run(
        ["git", *words], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.strip()


def write_record(name: str, content: Mapping[str, Any]) -> None:
    """Write the record of a proof."""
    RECORDS.mkdir(exist_ok=True)
    (RECORDS / f"{name}.json").write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def list_due(names: Iterable[str]) -> None:
    """Print the proofs whose record is of other sources."""
    due = [PROOFS[name] for name in names if PROOFS[name].is_due()]
    say(f"{len(due)} of {len(PROOFS)} proofs are due{':' if due else '.'}")
    for proof in due:
        kept = proof.record()
        say(f"  {proof.name}: " + (f"last of {kept['date']}" if kept else "never recorded"))


def rules_digests() -> dict[str, str]:
    """The digest of each game's rules, of all its versions."""
    versions: dict[str, list[str]] = {slug: [] for slug in ENGINES}
    for slug, version in RULESETS:
        versions[slug].append(ruleset_digest(slug, version))
    return {slug: sha256(" ".join(each).encode()).hexdigest() for slug, each in versions.items()}


def prove_changed_rules(arguments: list[str]) -> int:
    """Run the proofs of rules for the games whose rules are not those of the records."""
    code = 0
    for name in OF_RULES:
        kept = PROOFS[name].record().get("games", {})
        if games := [slug for slug, each in rules_digests().items() if kept.get(slug) != each]:
            say(f"The rules of {', '.join(games)} have changed: {name}")
            environment = {**os.environ, GAMES_VARIABLE: ",".join(games)}
            results = f"--junitxml=build/junit/rules-{name}.xml"
            command = [*PROOFS[name].command, "-p", "tests.support.proofs", results, *arguments]
            done = subprocess.run(command, cwd=ROOT, env=environment, check=False)
            code = code or done.returncode
    return code


def say(text: str) -> None:
    """Print a line at once."""
    print(text, flush=True)  # noqa: T201


def main(arguments: list[str]) -> int:
    """Run or list them; the exit code."""
    parser = ArgumentParser(prog="python -m tests.support.proofs", description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*PROOFS, []], metavar="NAME")
    parser.add_argument("--due", action="store_true", help="list those that are due")
    parser.add_argument(
        "--changed-rules", action="store_true", help="the proofs of games whose rules have changed"
    )
    parser.add_argument("--seed", type=int, default=0, help="other deals and examples (0)")
    args, pytest_arguments = parser.parse_known_args(arguments)
    if args.changed_rules:
        return prove_changed_rules(pytest_arguments)
    if args.due:
        list_due(args.names or PROOFS)
        return 0
    chosen = args.names or [name for name, proof in PROOFS.items() if proof.is_due()]
    failed = []
    for number, name in enumerate(chosen, start=1):
        say(f"{number} of {len(chosen)}: {name}")
        if not run(PROOFS[name], pytest_arguments, args.seed):
            failed.append(name)
    if failed:
        say(f"Not proven: {', '.join(failed)}. The next run leaves out all that has passed.")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
