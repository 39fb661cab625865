"""The guides as steps that can be run: files to write or to change, commands, and the lines that
the commands print."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeAlias

from tests.docs.pages import BLOCK, Block
from tests.docs.verifier import DOCS
from tests.examples.small_games import EXAMPLES

ROOT: Final = EXAMPLES.parent
STEP: Final = re.compile(r"^(?=(?:## )?\d+\. )", re.MULTILINE)
ANYTHING: Final = "…"
GOLDEN_RECIPE: Final = "$(BIN)/python -m tests.golden $(GAME)"
# `make` without its installation, in a shell; the test compares the recipe with the Makefile
MAKE: Final = 'make() { .venv/bin/python -m tests.golden "${2#GAME=}"; }\n'
PYTHON: Final = '#!/bin/sh\nPYTHONPATH="$PYTHONPATH:{site}" exec {python} "$@"\n'


Steps: TypeAlias = list[list[Block]]


def small_game_steps() -> Steps:
    """The blocks of each step to a small game in one file."""
    page = (DOCS / "small-game.md").read_text(encoding="utf-8")
    return steps_of(page.partition("\n## ")[0])


def tree_game_steps() -> Steps:
    """The blocks of each step to a game in the tree."""
    return steps_of((DOCS / "add-a-game.md").read_text(encoding="utf-8"))


def steps_of(text: str) -> Steps:
    """The blocks of each numbered step; text before the first one has none."""
    before, *steps = STEP.split(text)
    assert not BLOCK.findall(before)
    return [[Block(*fields) for fields in BLOCK.findall(step)] for step in steps]


def tracked_files(pattern: str) -> str:
    """The files of the repository that a pattern names, a line each."""
    command = ["git", "ls-files", pattern]
    listing = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return listing.stdout


@dataclass
class Workshop:
    """A folder with a checkout, which consists of links and of copies, and a place for packages."""

    folder: Path
    steps: Steps
    copied: frozenset[str] = frozenset()  # what the steps change: all else is linked
    variables: Mapping[str, str] = field(default_factory=dict)
    output: str = field(default="", init=False)
    steps_followed: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        for path in ROOT.iterdir():
            if path.name not in (".venv", "var", ".git"):
                (self.checkout / path.name).parent.mkdir(parents=True, exist_ok=True)
                link_or_copy(path, self.checkout / path.name, is_copied=path.name in self.copied)
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
        for step in self.steps[self.steps_followed : number]:
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
        elif verb == "change":
            change_file(self.checkout / name, block.text)
        elif block.language == "sh":
            self.output = self.run(block.text)
        else:
            assert block.language == "text", f"a block of {block.language} that no step uses"
            compare(block.text, self.output)

    def run(self, commands: str) -> str:
        """The output of the commands; none may fail."""
        environment = {
            **os.environ,
            "PYTHONPATH": "",
            "TABULARIUM_DATA": str(self.folder / "data"),
            "PIP_TARGET": str(self.site),
            "PIP_NO_INDEX": "1",
            "PIP_NO_BUILD_ISOLATION": "0",  # which means: no isolation
            "PIP_QUIET": "1",
            **self.variables,
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


def link_or_copy(path: Path, target: Path, is_copied: bool) -> None:
    """A link to a file or folder, or a copy of it."""
    if not is_copied:
        target.symlink_to(path)
    elif path.is_dir():
        shutil.copytree(path, target)
    else:
        shutil.copy(path, target)


def change_file(path: Path, difference: str) -> None:
    """Apply a difference, whose old lines occur once in the file."""
    lines = [(line[:1], line[1:]) for line in difference.splitlines(keepends=True)]
    old = "".join(text for sign, text in lines if sign in " -")
    new = "".join(text for sign, text in lines if sign in " +")
    content = path.read_text(encoding="utf-8")
    assert content.count(old) == 1, f"{old} in {path.name}"
    path.write_text(content.replace(old, new), encoding="utf-8")


def compare(expected: str, output: str) -> None:
    """The lines appear in this order in the output; `…` stands for any text within a line."""
    lines = iter(line.rstrip() for line in output.splitlines())
    for wanted in expected.splitlines():
        pattern = ".*".join(map(re.escape, wanted.split(ANYTHING)))
        assert any(re.fullmatch(pattern, line) for line in lines), (
            f"there is no line {wanted!r} (any more) in:\n{output}"
        )
