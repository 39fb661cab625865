"""Promise 13: interpreted and compiled engines agree on every step of a seeded game."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from tabularium_engines.builds import compiled_engines
from tabularium_engines.promises.transcripts import promise_13
from tests.support.missing_requirements import skip_or_fail

MODES = ("interpreted", "compiled")
STEPS = [
    {"table": "toy", "game": 0, "seq": seq, "contents": f"c{seq}", "views": f"v{seq}"}
    for seq in range(3)
]


def transcripts(games: int, sample: int) -> list[list[str]]:
    """The transcripts of an interpreted and a compiled process, which run in parallel."""
    with ThreadPoolExecutor() as both:
        return list(both.map(lambda mode: run_transcript(mode, games, sample), MODES))


def run_transcript(mode: str, games: int, sample: int) -> list[str]:
    """The transcript of a new process with its engines in this mode."""
    process = subprocess.run(
        [sys.executable, "-m", "tests.engines.transcript", str(games), str(sample)],
        cwd=compiled_engines.PROJECT_ROOT,
        env=os.environ | {compiled_engines.MODE_VARIABLE: mode},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return process.stdout.splitlines()


@pytest.mark.parametrize(
    "is_at_all_tables",
    [
        pytest.param(True, marks=pytest.mark.lane("parity")),
        pytest.param(False, marks=pytest.mark.lane("smoke")),
    ],
)
def test_13_interpreted_and_compiled_code_agree(
    is_at_all_tables: bool, games_count: Callable[[int, int], int]
) -> None:
    if os.environ.get(compiled_engines.MODE_VARIABLE) == "interpreted":
        pytest.skip("this is compared when the compiled engines are tested")
    if compiled_engines.find_matching_build() is None:
        skip_or_fail("nothing is compiled of these sources: run `make compile`")
    games = games_count(1, 4) if is_at_all_tables else 0
    interpreted, compiled_ = transcripts(games, games_count(1, 6))
    promise_13(interpreted, compiled_)
    assert len(interpreted) > (1000 if is_at_all_tables else 100)


def altered_transcript(mode: str, **changes: str) -> list[str]:
    """A transcript with a change in its middle."""
    lines = [{"mode": mode}, *STEPS[:1], STEPS[1] | changes, *STEPS[2:]]
    return [json.dumps(line) for line in lines]


def test_equal_transcripts_agree() -> None:
    promise_13(altered_transcript("interpreted"), altered_transcript("compiled"))


@pytest.mark.parametrize("name", ["contents", "views"])
def test_an_altered_transcript_is_caught(name: str) -> None:
    with pytest.raises(AssertionError, match=f"toy, game 0, seq 1: they differ in {name}"):
        promise_13(
            altered_transcript("interpreted"), altered_transcript("compiled", **{name: "changed"})
        )


def test_a_transcript_that_ends_early_is_caught() -> None:
    with pytest.raises(AssertionError, match="seq 2"):
        promise_13(altered_transcript("interpreted"), altered_transcript("compiled")[:-1])


def test_two_transcripts_of_one_mode_are_refused() -> None:
    with pytest.raises(AssertionError, match="compared were"):
        promise_13(altered_transcript("compiled"), altered_transcript("compiled"))
