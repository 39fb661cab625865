"""A reader of the documentation, who pastes the blocks of a page one after another into one plain
shell: without packages or variables of the project, and in no checkout unless the page says so."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import venv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import indent
from threading import Timer
from typing import Final

import pytest

from tests.config.processes import PATIENCE
from tests.docs.pages import Block, blocks, difference
from tests.support.databases import ROOT

DEFAULT: Final = "TABULARIUM=http://127.0.0.1:8000\n"  # readers change it for another server
PLACE: Final = re.compile(r"one after another into one shell( in the checkout)?")
PROGRAM: Final = re.compile(r"Save each program as `([\w.]+)` and run `([^`]+)`")
SHOWN: Final = {"http", "json", "text"}  # the output of the block before
STARTED: Final = "make run"  # in a shell of its own
PROGRAMS: Final = "/usr/local/bin:/usr/bin:/bin"
END: Final = "-- the end of the output --"


@dataclass(frozen=True)
class Machine:
    """A machine on which Python has no packages, with a checkout and a home."""

    folder: Path

    @property
    def checkout(self) -> Path:
        """All files that the repository has, or will have with the next commit, and no others."""
        return self.folder / "tabularium"

    def set_up(self) -> None:
        """Make the checkout, and an interpreter that knows nothing of this one's packages."""
        venv.create(self.folder / "python", symlinks=True)
        for name in repository_files():
            target = self.checkout / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, target)

    def environment(self, home: Path) -> dict[str, str]:
        """The variables of a new shell."""
        path = f"{self.folder / 'python' / 'bin'}:{PROGRAMS}"
        network = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
        return network | {"PATH": path, "HOME": str(home), "TMPDIR": str(home)}


def repository_files() -> list[str]:
    """The files of the working tree that git does not ignore."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listing = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in listing.stdout.split("\0") if (ROOT / name).is_file()]


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    """The machine of the readers of a file's pages."""
    machine = Machine(tmp_path_factory.mktemp("machine"))
    machine.set_up()
    return machine


class Shell:
    """A shell that is open until it fails, or is closed."""

    def __init__(self, folder: Path, environment: dict[str, str], errors: Path) -> None:
        self.errors = errors
        with errors.open("w") as file:
            self.process = subprocess.Popen(
                [
                    "sh",
                    "-eu",
                ],  # which does no more than a plain one, but ends with the first failure
                cwd=folder,
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=file,
                text=True,
            )

    def paste(self, text: str) -> str:
        """The output of commands, which must succeed."""
        assert self.process.stdin
        timer = Timer(2 * PATIENCE, self.process.kill)
        timer.start()
        self.process.stdin.write(f"{text}\nprintf '\\n%s\\n' '{END}'\n")
        self.process.stdin.flush()
        *lines, last = self._lines()
        timer.cancel()
        output = "".join(lines)
        assert last == f"{END}\n", f"{text}\n{output}{last}\n{self.errors.read_text()}"
        return output.removesuffix("\n")  # the one before the end

    def _lines(self) -> Iterator[str]:
        assert self.process.stdout
        for line in self.process.stdout:
            yield line
            if line == f"{END}\n":
                return
        yield "The shell has ended."

    def close(self) -> None:
        """End it."""
        self.process.communicate()


class Reader:
    """Reads a page from its beginning to its end, on a machine and with a server of their own."""

    def __init__(self, page: Path, url: str, machine: Machine, home: Path) -> None:
        self.page, self.url, self.output = page, url, ""
        self.prose = " ".join(page.read_text(encoding="utf-8").split())
        place = PLACE.search(self.prose)
        assert place, f"{page.name} does not say where its blocks are pasted"
        self.folder = machine.checkout if place[1] else home / "anywhere"
        self.folder.mkdir(exist_ok=True)
        self.shell = Shell(self.folder, machine.environment(home), home / "errors.txt")

    def read_page(self) -> None:
        """Follow all blocks. The page leaves no file where it began."""
        files_before = set(self.folder.iterdir())
        try:
            for block in blocks(self.page):
                self.read(block)
        finally:
            self.shell.close()
        assert set(self.folder.iterdir()) == files_before

    def read(self, block: Block) -> None:
        """Paste the block, or compare it."""
        if block.excerpted:
            code = (ROOT / block.excerpted).read_text(encoding="utf-8")
            assert any(indent(block.text, " " * depth) in code for depth in (0, 4, 8, 12))
        elif block.language in SHOWN:
            assert not (mismatch := difference(block, self.output)), f"{mismatch} in\n{self.output}"
        elif block.language == "python":
            self.output = self.shell.paste(self.saved_and_run(block.text))
        elif not block.text.startswith(STARTED):
            assert block.language == "sh"
            text = block.text.replace(DEFAULT, f"TABULARIUM={self.url}\n")
            self.output = self.shell.paste(text)

    def saved_and_run(self, program: str) -> str:
        """The commands that save a program and run it, as the page says."""
        sentence = PROGRAM.search(self.prose)
        assert sentence, f"{self.page.name} does not say how its programs are run"
        name, command = sentence.groups()
        return f"cat > {name} <<'END OF FILE'\n{program}END OF FILE\n{command}"
