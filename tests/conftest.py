"""What all tests share: which of them run, and how many games they play."""

from __future__ import annotations

from collections.abc import Callable

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--soak", action="store_true", help="the long counts, and the slow builds too")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--soak"):
        return
    skipped = pytest.mark.skip(reason="only under --soak")
    for item in items:
        if "soak" in item.keywords:
            item.add_marker(skipped)


@pytest.fixture(scope="session")
def games_count(request: pytest.FixtureRequest) -> Callable[[int, int], int]:
    """`games_count(short, long)`: how many games a test plays, now or under --soak."""
    soaking = bool(request.config.getoption("--soak"))
    return lambda short, long: long if soaking else short
