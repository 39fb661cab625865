"""Fixtures of the documentation tests: a server that all pages use."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.databases import Kept
from tests.served import Served, serving


@pytest.fixture(scope="module")  # not session: two servers would share one Redis
def served(kept_template: Kept, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One server for all tests of a file."""
    with serving(kept_template, tmp_path_factory.mktemp("served")) as served:
        yield served
