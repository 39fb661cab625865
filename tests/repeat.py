"""`python -m tests.repeat --times 200 --load 2`: the tests that touch clocks, threads, processes,
the garbage collector or randomness, again and again in random order, on a busy machine.

A whole round takes minutes, so most rounds are short: they leave out the tests that start
processes, and those that only touch randomness, which is seeded. Every `--whole`-th round has all.

Each round is a process of its own with a seed that determines the order of its tests, their random
draws (see tests/chance.py) and hashes: no two rounds deal the same cards. A round that fails is
printed in full; `--times 1` with the printed `--seed` runs it again, and a whole round needs
`--whole 1` as well.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from pathlib import Path
from random import Random, randrange
from typing import Final

import pytest

from tests import chancy
from tests.chance import CHANCE

BUSY: Final = "while True: pass"
FAILED: Final = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)
SEED: Final = "TABULARIUM_TEST_ORDER"
SHORT: Final = "TABULARIUM_TEST_SHORT"  # set in a short round


class Shuffled:
    """A pytest plugin that shuffles the tests by a seed."""

    def __init__(self, seed: int, is_short: bool = False) -> None:
        self.seed = seed
        self.is_short = is_short

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Shuffle, after sorting: the order then depends on the seed alone."""
        if self.is_short:
            items[:] = [item for item in items if is_quick(item)]
        items.sort(key=lambda item: item.nodeid)
        Random(self.seed).shuffle(items)


def is_quick(item: pytest.Item) -> bool:
    """Whether short rounds run this test too."""
    mark = item.get_closest_marker("chancy")
    return are_quick(set(mark.args) if mark else set())


def are_quick(reasons: AbstractSet[str]) -> bool:
    """Whether tests marked with these reasons are in short rounds."""
    return "processes" not in reasons and reasons != {"chance"}


def run_round(arguments: Sequence[str]) -> int:
    """Run all chancy tests once in this process, in the order of the seed; the exit code."""
    seed, is_short = int(os.environ[SEED]), SHORT in os.environ
    has_paths = any(Path(argument).exists() for argument in arguments)
    files = [] if has_paths else [str(path) for path in chancy_files(is_short)]
    return int(
        pytest.main(["-m", "chancy", *arguments, *files], plugins=[Shuffled(seed, is_short)])
    )


def chancy_files(is_short: bool) -> Iterator[Path]:
    """The files with tests for such a round: the others need not be imported."""
    for path in sorted((chancy.ROOT / "tests").rglob("test_*.py")):
        reasons = set(chancy.reasons(path))
        if reasons and (not is_short or are_quick(reasons)):
            yield path


@contextmanager
def load(number: int) -> Iterator[None]:
    """Keep this many processors busy within the block."""
    processes = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(number)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def failed_tests_of_round(seed: int, is_short: bool, arguments: Sequence[str]) -> list[str]:
    """The tests that fail in a round, or its exit code if it ended in another way."""
    command = [sys.executable, "-m", "tests.repeat", "--once", *arguments]
    env = {**os.environ, SEED: str(seed), CHANCE: str(seed), "PYTHONHASHSEED": str(seed)}
    env |= {SHORT: "1"} if is_short else {}
    process = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    if process.returncode == 0:
        return []
    print(process.stdout, process.stderr, sep="\n", flush=True)  # noqa: T201
    return FAILED.findall(process.stdout) or [f"exit code {process.returncode}"]


def run_rounds(args: Namespace, arguments: Sequence[str]) -> Counter[str]:
    """How often each test failed, over all rounds."""
    failure_counts = Counter[str]()
    with load(args.load):
        for number in range(args.times):
            seed = args.seed + number
            is_short = (number + 1) % args.whole != 0
            failed_tests = failed_tests_of_round(seed, is_short, arguments)
            failure_counts.update(failed_tests)
            kind = f"seed {seed}, {'short' if is_short else 'whole'}"
            print(f"{number + 1} of {args.times}, {kind}: {failed_tests or 'good'}", flush=True)  # noqa: T201
    return failure_counts


def main(arguments: list[str]) -> int:
    """Run the rounds; the exit code."""
    if arguments[:1] == ["--once"]:
        return run_round(arguments[1:])
    parser = ArgumentParser(prog="python -m tests.repeat", description=__doc__)
    parser.add_argument(
        "--times", type=int, default=200, help="the number of rounds (default: 200)"
    )
    parser.add_argument(
        "--whole", type=int, default=20, help="run all tests in every Nth round (default: 20)"
    )
    parser.add_argument(
        "--load", type=int, default=os.cpu_count() or 1, help="the number of busy processes"
    )
    parser.add_argument(
        "--seed", type=int, default=randrange(1_000_000), help="the seed of the first round"
    )
    args, pytest_arguments = parser.parse_known_args(arguments)
    failure_counts = run_rounds(args, pytest_arguments)
    for name, times in failure_counts.most_common():
        print(f"{times} of {args.times}: {name}")  # noqa: T201
    return int(bool(failure_counts))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
