"""docs/monitor.py as a module, and its rounds as a test sees them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from tests.config.processes import PATIENCE
from tests.docs.verifier import DOCS, load_program

MONITOR: Final = load_program(DOCS / "monitor.py")
SEED: Final = "--seed=1"
PATIENT: Final = f"--timeout={PATIENCE}"


class Round(NamedTuple):
    """The exit code of a round, and its line of JSON."""

    code: int
    line: dict[str, Any]

    @property
    def names(self) -> list[str]:
        """The names of the findings; `unreachable` if something could not be read."""
        names = [each["name"] for each in self.line["findings"]]
        return [*names, *(["unreachable"] if self.line["not_checked"] else [])]


class Watcher:
    """A monitor of a folder."""

    def __init__(self, url: str, folder: Path, capture: pytest.CaptureFixture[str]) -> None:
        self.url, self.folder, self._capture = url, folder, capture

    def round(self, *options: str) -> Round:
        """One round."""
        words = [self.url, "--state", str(self.folder), "--json", PATIENT, SEED, *options]
        code = MONITOR.main(words)
        output = self._capture.readouterr()
        assert not output.err, output.err
        return Round(code, json.loads(output.out))

    def check_whole(self, leaves: list[bytes], note: bytes) -> None:
        """The folder has these leaves and this checkpoint."""
        kept = json.loads((self.folder / "state.json").read_bytes())
        content = (self.folder / kept["leaves"]).read_bytes()
        assert content == b"".join(leaf + b"\n" for leaf in leaves)
        assert (self.folder / "checkpoint").read_bytes() == note
