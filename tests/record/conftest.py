"""The fixtures of a record that this process signs, and of a monitor of another one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django import Settings

from tests.record import recording
from tests.record.lying_server import World, WorldServer, serving_world
from tests.record.monitoring import Watcher


@pytest.fixture
def folder(tmp_path: Path, settings: Settings) -> Path:
    """The folder of a guard, which is not there yet; the key is given."""
    recording.use_folder(tmp_path, settings, recording.KEY)
    return tmp_path


@pytest.fixture
def server() -> Iterator[WorldServer]:
    """A server of a record."""
    with serving_world(World()) as server:
        yield server


@pytest.fixture
def watcher(server: WorldServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Watcher:
    """A monitor of it."""
    return Watcher(server.url, tmp_path / "monitor", capsys)
