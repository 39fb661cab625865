"""The guide of CONTRIBUTING.md as steps that can be run: files to write, commands, and the lines
that the commands print."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.docs.pages import BLOCK, Block
from tests.examples.small_games import EXAMPLES

ROOT: Final = EXAMPLES.parent
SECTION: Final = re.compile(r"^## A small game in one file$(.*?)^## ", re.MULTILINE | re.DOTALL)
STEP: Final = re.compile(r"^(?=\d+\. )", re.MULTILINE)
ANYTHING: Final = "…"
GOLDEN_RECIPE: Final = "$(BIN)/python -m tests.golden $(GAME)"
# `make` without its installation, in a shell; the test compares the recipe with the Makefile
MAKE: Final = 'make() { .venv/bin/python -m tests.golden "${2#GAME=}"; }\n'
PYTHON: Final = '#!/bin/sh\nPYTHONPATH="$PYTHONPATH:{site}" exec {python} "$@"\n'


def guide_steps() -> list[list[Block]]:
    """The blocks of each step."""
    found = SECTION.search((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))
    assert found
    steps = [step for step in STEP.split(found.group(1)) if step[:1].isdigit()]
    return [[Block(*fields) for fields in BLOCK.findall(step)] for step in steps]


@dataclass
class Workshop:
    """A folder with a checkout, which consists of links, and a place for packages."""

    folder: Path
    output: str = field(default="", init=False)
    steps_followed: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        for path in ROOT.iterdir():
            if path.name not in (".venv", "var", ".git"):
                (self.checkout / path.name).parent.mkdir(parents=True, exist_ok=True)
                (self.checkout / path.name).symlink_to(path)
        python = self.checkout / ".venv/bin/python"
        python.parent.mkdir(parents=True)
        python.write_text(PYTHON.format(site=self.site, python=shlex.quote(sys.executable)))
        python.chmod(0o755)

    @property
    def checkout(self) -> Path:
        """The folder in which the commands run."""
        return self.folder / "tabularium"

    @property
    def site(self) -> Path:
        """The folder into which packages are installed."""
        return self.folder / "site"

    def follow_steps(self, number: int) -> None:
        """Follow the guide up to this step, from where it was left."""
        for step in guide_steps()[self.steps_followed : number]:
            for block in step:
                self.follow(block)
            self.steps_followed += 1

    def follow(self, block: Block) -> None:
        """Write a file, run commands, or compare their output."""
        verb, _, name = block.note.partition(" ")
        if verb in ("write", "append"):
            path = self.checkout / name
            path.parent.mkdir(exist_ok=True)
            before = "" if verb == "write" else path.read_text(encoding="utf-8") + "\n\n"
            path.write_text(before + block.text, encoding="utf-8")
        elif block.language == "sh":
            self.output = self.run(block.text)
        else:
            assert block.language == "text", f"a block of {block.language} that no step uses"
            compare(block.text, self.output)

    def run(self, commands: str) -> str:
        """What the commands print; none may fail."""
        environment = {
            **os.environ,
            "PYTHONPATH": "",
            "TABULARIUM_DATA": str(self.folder / "data"),
            "PIP_TARGET": str(self.site),
            "PIP_NO_INDEX": "1",
            "PIP_NO_BUILD_ISOLATION": "0",  # which means: no isolation
            "PIP_QUIET": "1",
        }
        result = subprocess.run(
            ["bash", "-e", "-c", MAKE + commands],
            cwd=self.checkout,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert result.returncode == 0, result.stdout + result.stderr
        return result.stdout


def compare(expected: str, output: str) -> None:
    """The lines appear in this order in the output; `…` stands for any text within a line."""
    lines = iter(line.rstrip() for line in output.splitlines())
    for wanted in expected.splitlines():
        pattern = ".*".join(map(re.escape, wanted.split(ANYTHING)))
        assert any(re.fullmatch(pattern, line) for line in lines), (
            f"there is no line {wanted!r} (any more) in:\n{output}"
        )
