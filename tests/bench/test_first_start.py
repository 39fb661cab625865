"""The script that measures a first start plays a real game."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from bench import first_start
from bench.first_start import Client, FirstStart, exceeded
from tests.support.served import Served


@pytest.fixture
def running_process() -> Iterator[subprocess.Popen[bytes]]:
    """A process that runs, as `make run` would."""
    process = subprocess.Popen(
        [sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE
    )
    yield process
    process.communicate()


@pytest.mark.lane("processes")
def test_a_person_and_a_bot_have_both_acted(
    served: Served, running_process: subprocess.Popen[bytes]
) -> None:
    client = Client(f"{served.url}/api/v1")
    first_start.play_first_action(client, running_process)
    (game,) = client.call("/me/games")["items"]
    entries = client.call(f"/games/{game['id']}/log")["items"]
    assert {0, 1} <= {entry.get("seat") for entry in entries}


def test_a_server_that_ends_is_not_waited_for() -> None:
    process = subprocess.Popen([sys.executable, "-c", "raise SystemExit(3)"])
    process.wait()
    with pytest.raises(SystemExit, match="exit code 3"):
        first_start.wait_for(lambda: False, process)


@pytest.mark.lane("processes")
def test_the_worst_start_decides() -> None:
    good, late = FirstStart(20, 100, 90, 150), FirstStart(80, 300, 90, 150)
    assert not list(exceeded([good, good], is_busy=False))
    assert len(list(exceeded([good, late], is_busy=False))) == 2
    assert not list(exceeded([good, late], is_busy=True)), "two processes compute beside it"
    (complaint,) = exceeded([good._replace(installed_mb=201)], is_busy=True)
    assert complaint.startswith("installed_mb: 201.0")


@pytest.mark.lane("builds")
def test_the_environment_does_not_choose_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABULARIUM_ENGINES", "interpreted")
    monkeypatch.setenv("MAKEFLAGS", "-n")
    environment = first_start.clean_environment()
    assert not {"TABULARIUM_ENGINES", "MAKEFLAGS"} & environment.keys()
    assert environment["PATH"] == os.environ["PATH"]
