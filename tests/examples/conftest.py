"""Fixture of the example tests: a server to play on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.databases import Kept
from tests.support.served import Served, serving


@pytest.fixture(scope="module")  # no wider: two servers would share one Redis
def served(kept_template: Kept, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server for all tests of a file."""
    with serving(kept_template, tmp_path_factory.mktemp("served")) as served:
        yield served
