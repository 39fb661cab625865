"""Go's own sumdb packages as an oracle: they are compiled from the sources that the wheel of Go
brings, offline, and answer questions about trees, tiles and notes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from base64 import b64decode, b64encode
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from tests.support.databases import ROOT
from tests.support.missing_requirements import require_go

MODULE: Final = "golang.org/x/mod"
VENDORED: Final = "src/cmd/vendor/golang.org/x/mod/sumdb"
PROGRAM: Final = Path(__file__).parent / "oracle.go"
BUILT: Final = ROOT / "build" / "go_oracle"


def compiled_oracle() -> Path:
    """The program, compiled if there is none of these sources."""
    go = require_go()
    sources = [PROGRAM, *sorted((go / VENDORED).glob("[nt]*/*.go")), go / "VERSION"]
    digest = sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()
    program = BUILT / digest
    if not program.exists():
        BUILT.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=BUILT) as folder:
            os.replace(compile_in(Path(folder), go), program)
    return program


def compile_in(folder: Path, go: Path) -> Path:
    """Copy the packages into a module of their name in a folder, and compile the program there."""
    module = folder / "module"
    for package in ("note", "tlog"):
        shutil.copytree(go / VENDORED / package, module / "sumdb" / package)
    (module / "oracle").mkdir()
    shutil.copy(PROGRAM, module / "oracle")
    version = (go / "VERSION").read_text().split(".")[:2]
    language = ".".join(version).removeprefix("go")
    (module / "go.mod").write_text(f"module {MODULE}\n\ngo {language}\n")
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "GOCACHE": str(folder / "cache"),
        "GOPATH": str(folder / "path"),
        "GOPROXY": "off",
        "GOFLAGS": "-mod=mod",
        "GOTOOLCHAIN": "local",
        "CGO_ENABLED": "0",
    }
    process = subprocess.run(
        [go / "bin" / "go", "build", "-ldflags=-s -w", "-o", folder / "oracle", "./oracle"],
        cwd=module,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    return folder / "oracle"


class Oracle:
    """Questions for one run of the program, which has one tree."""

    def __init__(self, program: Path) -> None:
        self._program = program
        self._questions: list[dict[str, Any]] = []

    def ask(self, kind: str, **members: Any) -> int:
        """Add a question; its number."""
        plain = {name: _as_json(value) for name, value in members.items()}
        self._questions.append({"ask": kind, **plain})
        return len(self._questions) - 1

    def answers(self) -> list[dict[str, Any]]:
        """The answers to all questions."""
        process = subprocess.run(
            [self._program],
            input="".join(f"{json.dumps(each)}\n" for each in self._questions),
            capture_output=True,
            text=True,
            check=True,
        )
        answers = [json.loads(line) for line in process.stdout.splitlines()]
        assert len(answers) == len(self._questions)
        return answers


def _as_json(value: Any) -> Any:
    if isinstance(value, bytes):
        return b64encode(value).decode()
    if isinstance(value, (list, tuple)):
        return [_as_json(each) for each in value]
    return value


def hashes_of(texts: Sequence[str] | None) -> list[bytes]:
    """The hashes of an answer."""
    return [b64decode(text) for text in texts or ()]
