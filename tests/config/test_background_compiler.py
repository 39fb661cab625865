"""The compiler that runs beside a server."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from config import background_compiler
from games import compiled_engines

pytestmark = pytest.mark.lane("builds")

ROOT: Final = Path(__file__).parents[2]
NICENESS_AFTER: Final = (
    "import os\nfrom config import background_compiler as compiler\n"
    "compiler.lower_priority()\nprint(os.nice(0))\n"
)


def output_in_own_session(*arguments: str, **variables: str) -> str:
    """The output of an interpreter. Linux lowers the priority of a whole session, which is
    otherwise that of the test run."""
    process = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**os.environ, **variables},
        start_new_session=True,
        capture_output=True,
        text=True,
        check=True,
    )
    return process.stdout


def test_without_a_c_compiler_it_says_so_and_is_done() -> None:
    output = output_in_own_session("-m", "config.background_compiler", CC="no-such-compiler")
    assert output == f"{compiled_engines.NO_COMPILER}\n"


def test_everything_else_comes_first() -> None:
    assert output_in_own_session("-c", NICENESS_AFTER) == "19\n"


def test_a_step_that_fails_ends_it_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background_compiler, "lower_priority", lambda: None)
    monkeypatch.setattr(compiled_engines, "has_compiler", lambda: True)
    monkeypatch.setattr(background_compiler, "STEPS", ("json.tool no-such-file", "this"))
    with pytest.raises(SystemExit, match=r"run interpreted: json\.tool ended with exit code \d"):
        background_compiler.main()


def test_it_does_what_make_does() -> None:
    makefile = (ROOT / "Makefile").read_text()
    assert f"-m {background_compiler.INSTALL.removesuffix(' -r')}\n" in makefile
    assert "|| $(PIP) -r $<\n" in makefile
    for step in background_compiler.STEPS:
        assert step.rpartition(" ")[2] in makefile
