"""Fixtures of the API tests: a client whose every response is compared with the OpenAPI document,
the registered games, and accounts with games."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest
from pytest_django import Settings

from ai import bot_dispatch
from api import readiness
from api.games.pictures import drawer
from api.keys import key_cache
from api.png import drawing
from games import position_cache
from games.audit import sandbox
from games.write_health import write_health
from jobs import rating_dispatch
from tabularium_engines.installed.registry import ENGINES
from tests.api.contract import Contract, contract
from tests.api.program import Program, loaded_handler
from tests.api.world import World
from tests.support import warm_interpreter


@pytest.fixture(scope="session", autouse=True)
def unpatched_contract() -> Contract:
    """The contract and the middleware, made before a test can patch the endpoints or settings."""
    loaded_handler()
    return contract()


@pytest.fixture(scope="module", autouse=True)
def warm_checks() -> Iterator[None]:
    """Check exports in forks of the warm interpreter, with the limits of the real child process;
    tests/games/audit tests that process itself."""
    command = (sys.executable, "-m", "games.audit.sandbox_child")
    starters = SimpleNamespace(
        Popen=warm_interpreter.Popen, TimeoutExpired=subprocess.TimeoutExpired
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sandbox, "CHILD_COMMAND", command)
        patch.setattr(sandbox, "_child_environment", lambda: dict(os.environ))
        patch.setattr(sandbox, "subprocess", starters)
        yield


@pytest.fixture
def client() -> Program:
    """A program without an account."""
    return Program()


@pytest.fixture(params=list(ENGINES))
def slug(request: pytest.FixtureRequest) -> str:
    """Every registered game."""
    return str(request.param)


@pytest.fixture
def world(db: None) -> World:
    """Some accounts and their games."""
    return World()


@pytest.fixture(scope="session")
def limits_files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Names of files in one folder: a folder for each of thousands of tests is dearer than most."""
    folder = tmp_path_factory.mktemp("limits")
    return (folder / str(number) for number in count())


@pytest.fixture(autouse=True)
def full_buckets(settings: Settings, limits_files: Iterator[Path]) -> None:
    """Rate limits that no other test has used."""
    settings.LIMITS_FILE = next(limits_files)


@pytest.fixture(autouse=True)
def wake_messages(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[bot_dispatch.WakeMessage]]:
    """A process with empty caches, and bots that are never woken; yields the wake messages."""
    messages: list[bot_dispatch.WakeMessage] = []
    monkeypatch.setattr(bot_dispatch.outbox, "enqueue", messages.append)
    monkeypatch.setattr(rating_dispatch.outbox, "enqueue", lambda message: None)
    # on the test's own connection
    monkeypatch.setattr(readiness, "readiness_probe", lambda limit: readiness.probe_readiness())
    monkeypatch.setattr(readiness.check_migrations, "is_complete", False)
    monkeypatch.setattr(write_health, "last_failure", None)
    position_cache.cache.clear()
    key_cache.clear()
    yield messages
    position_cache.cache.clear()
    key_cache.clear()


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[str, int]]]:
    """The pictures and widths that are drawn, by a child that only copies them."""
    drawer.cache_clear()
    copied: list[tuple[str, int]] = []

    def copy(picture: str, width: int) -> bytes:
        copied.append((picture, width))
        return f"{width} {picture}".encode()

    monkeypatch.setattr(drawing, "draw_in_child", copy)
    yield copied
    drawer.cache_clear()
