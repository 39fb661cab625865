"""Fixtures of the stream tests: a server whose database this process opens too, and accounts.

Both are shared by the tests of a file, as starting a server takes long; each test has accounts and
games of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.api.streams.serving import Web
from tests.api.world import World
from tests.support.databases import Kept


@pytest.fixture(scope="module")
def kept(shared_kept: Kept) -> Kept:
    """The database of the tests in a file."""
    return shared_kept


@pytest.fixture
def world(kept_here: Kept) -> World:
    """Some accounts in that database."""
    return World()


@pytest.fixture(scope="module")
def running_web(kept: Kept) -> Iterator[Web]:
    """A server with a heartbeat every second, and at most five streams per caller."""
    served = Web(kept, TABULARIUM_STREAM_HEARTBEAT="1", TABULARIUM_STREAMS_EACH="5")
    yield served
    served.close()


@pytest.fixture
def web(running_web: Web) -> Iterator[Web]:
    """The same server, which a test may stop."""
    yield running_web
    if running_web.process.poll() is not None:
        running_web.start()
