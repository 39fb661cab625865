"""Fixtures of the stream tests: a server whose database this process opens too, and accounts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.api.streams.serving import Web
from tests.api.world import World
from tests.databases import Kept


@pytest.fixture
def world(kept_here: Kept) -> World:
    """Some accounts in that database."""
    return World()


@pytest.fixture
def web(kept: Kept) -> Iterator[Web]:
    """A server with a heartbeat every second, and at most five streams per caller."""
    served = Web(kept, TABULARIUM_STREAM_HEARTBEAT="1", TABULARIUM_STREAMS_EACH="5")
    yield served
    served.close()
