"""`python -m tests.support.repeat --times 10 --load 2`: the tests of the core again and again, in
random order, with other deals, on a busy machine. Options and paths of pytest may follow.

Each round is a run with a seed for the order of its tests, their random draws
(tests/support/chance.py) and hashes. A round that fails is printed in full; `--times 1 --seed N`
runs it again.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import Random, randrange
from typing import Final

import pytest

from tests.support.chance import CHANCE

BUSY: Final = "while True: pass"
FAILED: Final = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)
SEED: Final = "TABULARIUM_TEST_ORDER"
PARALLEL: Final = ("--numprocesses=2", "--dist=loadfile", "--no-loadscope-reorder")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """As a plugin: shuffle, after sorting, so that the order depends on the seed alone."""
    items.sort(key=lambda item: item.nodeid)
    Random(int(os.environ[SEED])).shuffle(items)


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


def failed_tests_of_round(seed: int, arguments: Sequence[str]) -> list[str]:
    """The tests that fail in a round, or its exit code if it ended in another way."""
    env = {**os.environ, SEED: str(seed), CHANCE: str(seed), "PYTHONHASHSEED": str(seed)}
    process = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "tests.support.repeat", *arguments],
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    if process.returncode == 0:
        return []
    print(process.stdout, process.stderr, sep="\n", flush=True)  # noqa: T201
    return FAILED.findall(process.stdout) or [f"exit code {process.returncode}"]


def main(arguments: list[str]) -> int:
    """Run the rounds; the exit code."""
    parser = ArgumentParser(prog="python -m tests.support.repeat", description=__doc__)
    parser.add_argument("--times", type=int, default=10, help="the number of rounds (10)")
    parser.add_argument("--load", type=int, default=2, help="the number of busy processes (2)")
    parser.add_argument(
        "--seed", type=int, default=randrange(1_000_000), help="the seed of the first round"
    )
    args, pytest_arguments = parser.parse_known_args(arguments)
    counts = Counter[str]()
    with load(args.load):
        for number in range(args.times):
            seed = args.seed + number
            failed = failed_tests_of_round(seed, pytest_arguments or ["--lane=core", *PARALLEL])
            counts.update(failed)
            print(f"{number + 1} of {args.times}, seed {seed}: {failed or 'good'}", flush=True)  # noqa: T201
    for name, times in counts.most_common():
        print(f"{times} of {args.times}: {name}")  # noqa: T201
    return int(bool(counts))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
