"""A pytest plugin: in which lane a test runs.

A file says it in one mark, `pytestmark = pytest.mark.lane("storms")`; without one its tests are in
the core. A test, or one of its cases, may have a mark of its own. With `lane("referees", core=2)`
the last two cases of each test stay in the core: those of the newest rules. `--lane=core` selects,
and leaves files unread that have nothing in these lanes; without the option all lanes run.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import pytest

CORE: Final = "core"
SMOKE: Final = "smoke"
# of the check; the tests of the core that are marked `stores` run on PostgreSQL and Redis as well
GATE: Final[Mapping[str, str]] = {
    CORE: "in this process: rules, log, API, bots, pages",
    SMOKE: "a few tests with real processes, one after the other",
}
# beside it, by `make proofs`
PROOFS: Final[Mapping[str, str]] = {
    "balance": "the floors of skill and balance, in whole games",
    "browser": "the pages in Chromium",
    "builds": "wheels, images, compiled builds, packages and examples",
    "clients": "both clients, agents and generated clients against served applications",
    "conformance": "the promises of the engine contract, at every table",
    "crowd": "two hosts with faults between them",
    "guides": "the blocks of the pages, as their reader pastes them",
    "hostile": "clients that stall, flood and lie",
    "parity": "compiled and interpreted engines, the same games and decisions",
    "processes": "servers, workers and commands as processes of their own",
    "referees": "second implementations of the rules, in whole games",
    "slow": "long tests in one process: searches, whole games, many examples",
    "storms": "processes that are killed, frozen, cut off and out of disk",
}
LANES: Final = (*GATE, *PROOFS)
MARKS: Final = (
    "lane(name, core=0): where the test runs, and how many of its cases stay in the core",
    "soak: only under --soak: long counts and slow builds",
    "stores: its subject differs by store; the check runs it on PostgreSQL and Redis too",
)
_LANE: Final = pytest.StashKey[str]()

_OF_THE_FILE: Final = re.compile(
    r"^pytestmark = (?:\[[^\]]*?|[^\[\n]*?)\blane\(\"(\w+)\"", re.MULTILINE
)
_OF_A_TEST: Final = re.compile(r"\blane\(\"(\w+)\"")
_SOME_IN_THE_CORE: Final = re.compile(r"\blane\(\"\w+\", core=")


def add_options(parser: pytest.Parser) -> None:
    """The options; tests/conftest.py adds them before it registers this plugin."""
    parser.addoption("--lane", action="append", default=[], choices=LANES, help="these lanes alone")
    parser.addoption("--soak", action="store_true", help="the long counts, and the slow builds too")


def pytest_configure(config: pytest.Config) -> None:
    for mark in MARKS:
        config.addinivalue_line("markers", mark)


def lane_of(item: pytest.Item) -> str:
    """The lane of a collected test."""
    return item.stash[_LANE]


def assign_lanes(items: Sequence[pytest.Item]) -> None:
    """Give each test its lane: the nearest mark says it."""
    counts = Counter[tuple[str, str]]()
    for item in reversed(items):
        lane, in_core = CORE, 0
        if mark := item.get_closest_marker("lane"):
            lane, in_core = mark.args[0], mark.kwargs.get("core", 0)
        if lane not in LANES:
            raise pytest.UsageError(f"{item.nodeid} is in no lane that runs: {lane}")
        test = (item.nodeid.partition("[")[0], lane)
        counts[test] += 1
        item.stash[_LANE] = CORE if counts[test] <= in_core else lane


def lanes_in(path: Path) -> Iterator[str]:
    """The lanes that the tests of a file may be in, by its text."""
    text = path.read_text(encoding="utf-8")
    own = _OF_THE_FILE.search(text)
    yield own[1] if own else CORE
    yield from _OF_A_TEST.findall(text)
    if _SOME_IN_THE_CORE.search(text):
        yield CORE


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave a file unread that has no test in the selected lanes, or of those that differ by
    store."""
    wanted, marks = set(config.getoption("--lane")), config.getoption("markexpr")
    if collection_path.suffix != ".py" or not collection_path.name.startswith("test_"):
        return None  # others decide
    is_of_lanes = not wanted or not wanted.isdisjoint(lanes_in(collection_path))
    is_of_stores = marks != "stores" or "mark.stores" in collection_path.read_text("utf-8")
    return None if is_of_lanes and is_of_stores else True


@pytest.hookimpl(tryfirst=True)  # before -m selects
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the tests of other lanes, and those of --soak without it."""
    wanted, is_soak = set(config.getoption("--lane")), config.getoption("--soak")
    assign_lanes(items)
    rest: list[pytest.Item] = []
    chosen: list[pytest.Item] = []
    for item in items:
        is_chosen = (not wanted or lane_of(item) in wanted) and (
            is_soak or item.get_closest_marker("soak") is None
        )
        (chosen if is_chosen else rest).append(item)
    if rest:
        config.hook.pytest_deselected(items=rest)
        items[:] = chosen
