"""The commands with which docs/operating.md begins serve from a clean clone, without make and with
no more than Python."""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

from bench.ports import free_port
from tests.config.processes import PATIENCE, soon
from tests.docs.pages import blocks
from tests.docs.reader import Machine
from tests.docs.verifier import DOCS
from tests.support.served import Served

pytestmark = pytest.mark.lane("guides")


def test_the_server_runs_without_make(machine: Machine, tmp_path: Path) -> None:
    commands, port = blocks(DOCS / "operating.md")[0].text, free_port()
    with (tmp_path / "output.txt").open("w") as output:
        process = subprocess.Popen(
            ["sh", "-ec", commands],
            cwd=machine.checkout,
            env=machine.environment(tmp_path) | {"PORT": str(port)},
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    served = Served(f"http://127.0.0.1:{port}", process.pid)
    try:
        assert soon(lambda: served.is_answering() or process.poll() is not None)
        assert process.poll() is None, (tmp_path / "output.txt").read_text()
        assert served.post("/guests", {})["secret"].startswith("tab_")
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        process.wait(PATIENCE)
