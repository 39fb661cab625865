"""Configuration and fixtures of all tests: selection, seeds, the number of games, and the
database."""

from __future__ import annotations

import gc
import importlib
import os
from collections.abc import Callable, Generator, Iterator
from math import inf
from pathlib import Path
from typing import Any, Final

import hypothesis
import pytest
import redis
from django.conf import settings
from django.db import connection
from django.test import TransactionTestCase
from pytest_django import DjangoDbBlocker

from tabularium_engines.builds import package_build
from tests.api.whole import Whole
from tests.support import databases, lanes, parallel
from tests.support.chance import CHANCE, seeded
from tests.support.cpu_cost import CpuCost
from tests.support.databases import Kept

# fixtures of tests in several folders
pytest_plugins = ["tests.browser.browsing", "tests.jobs.passing", "tests.support.served"]
os.environ["TABULARIUM_CACHE"] = ""  # of compiled engines: no test fills or reads the user's
TOUCHES_STORES: Final = "storing: touches the database or the broker"
ONE_MODE: Final = (
    "one_mode: its subject is never compiled, or its outcome with interpreted engines follows from"
    " promise 13"
)
ALLOCATIONS_PER_COLLECTION: Final = 20_000  # Python's own number is 700
STORING: Final = {
    "db",
    "kept",
    "kept_template",
    "shared_kept",
    "live_server",
    "transactional_db",
}  # fixtures
PATIENCE_SECONDS: Final = 3600.0
# of requests; tests of a limit set it themselves
LIMITS_OF_WAITING: Final = (
    "api.limits.file_buckets.LOCK_SECONDS",
    "api.png.drawing.CHILD_SECONDS",
    "api.png.drawing.WAIT_SECONDS",
    "api.readiness.BROKER_TIMEOUT_SECONDS",
    "api.readiness.DATABASE_TIMEOUT_SECONDS",
    "api.redis_client.TIMEOUT_SECONDS",
    "api.streams.long_poll.REFRESH_TIMEOUT_SECONDS",
    "games.audit.sandbox.CHECK_TIMEOUT_SECONDS",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    lanes.add_options(parser)
    chance = int(os.environ.get(CHANCE, "0"))
    parser.addoption("--chance", type=int, default=chance, help="other deals, seeds, examples (0)")
    parser.addoption("--cpu", type=int, default=0, help="show so many of the most expensive tests")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(lanes)
    config.pluginmanager.register(Whole())
    if count := config.getoption("--cpu"):
        config.pluginmanager.register(CpuCost(count))
    config.addinivalue_line("markers", TOUCHES_STORES)
    config.addinivalue_line("markers", ONE_MODE)
    # examples are derived from the test, and have no time limit: a slow machine is no failure
    hypothesis.settings.register_profile("steady", derandomize=True, deadline=None, database=None)
    hypothesis.settings.load_profile("steady")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Seed this process's randomness with the test's name (tests/support/chance.py)."""
    with seeded(f"{item.config.getoption('--chance')} {item.nodeid}"):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect no garbage among modules and tests that stay."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


@pytest.hookimpl(tryfirst=True)  # before -m selects
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if {"django_db", "stores"} & {*item.keywords} or STORING & set(
            getattr(item, "fixturenames", ())
        ):
            item.add_marker("storing")


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Leave the collected tests, which live to the end, out of all garbage collections, and collect
    less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(ALLOCATIONS_PER_COLLECTION)


@pytest.fixture(scope="session")
def games_count(request: pytest.FixtureRequest) -> Callable[[int, int], int]:
    """`games_count(short, long)`: how many games a test plays, normally or under --soak."""
    is_soak = bool(request.config.getoption("--soak"))
    return lambda short, long: long if is_soak else short


@pytest.fixture(scope="session", autouse=True)
def no_rate_limits() -> Iterator[None]:
    """Switch rate limits off, here and in servers that a test starts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(settings, "LIMITS", {})
        patch.setenv("TABULARIUM_LIMITS", "off")
        yield


@pytest.fixture(scope="session", autouse=True)
def patience() -> Iterator[None]:
    """Wait for answers, however busy the machine is."""
    with pytest.MonkeyPatch.context() as patch:
        for limit in LIMITS_OF_WAITING:
            patch.setattr(limit, PATIENCE_SECONDS)
        yield


@pytest.fixture(scope="session", autouse=True)
def no_reports_by_the_clock() -> Iterator[None]:
    """The sweeper's report of stalled games, a query now and then, meets no test by chance."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ai.stalled_games.report._due_at", inf)
        yield


@pytest.fixture(scope="session", autouse=True)
def quick_compilation(request: pytest.FixtureRequest) -> Iterator[None]:
    """Compile packages of games without optimisation: it changes no result."""
    with pytest.MonkeyPatch.context() as patch:
        if not request.config.getoption("--soak"):
            patch.setenv(package_build.LEVEL_VARIABLE, "0")
        yield


# -- the database of the tests in this process ----------------------------------------------------


@pytest.fixture(scope="session")
def django_db_modify_db_settings() -> Iterator[None]:
    """Name the database after this process: several test runs may share one server. Drop it at the
    end, even if a thread of a test still holds a connection."""
    if databases.is_on_server():
        settings.DATABASES["default"].setdefault("TEST", {})["NAME"] = databases.OWN
    yield
    databases.drop(Kept(Path(), databases.OWN))


@pytest.fixture(scope="session", autouse=True)
def emptiable_logs() -> Iterator[None]:
    """Let Django empty the tables after a test with real transactions.

    The log is append-only and refuses this. So the migration that protects it is reverted for that
    moment, which the owner of the database may do; every test itself runs with the protection on.
    """
    guards: Any = importlib.import_module("games.migrations.0002_append_only")
    old_guards: Any = importlib.import_module("games.migrations.0014_entry_columns")
    leaf_guards: Any = importlib.import_module("games.migrations.0016_record_leaves")
    record_guards: Any = importlib.import_module("record.migrations.0001_tables")
    witness_guards: Any = importlib.import_module("record.migrations.0002_witness")
    all_guards = (guards, leaf_guards, record_guards, witness_guards)
    empty_tables = TransactionTestCase._fixture_teardown  # type: ignore[attr-defined]

    def empty_unprotected_tables(case: TransactionTestCase) -> None:
        with connection.schema_editor() as editor:
            for each in all_guards:
                each.lift(None, editor)
            old_guards.execute(editor, old_guards.lift_from_old(connection.vendor))
        empty_tables(case)
        with connection.schema_editor() as editor:
            for each in all_guards:
                each.lay(None, editor)
            old_guards.execute(editor, old_guards.lay_on_old(connection.vendor))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", empty_unprotected_tables)
        yield


@pytest.fixture(scope="session", autouse=True)
def forget_earlier_run() -> None:
    """Empty the Redis of this process: a run that was killed leaves the limits of addresses."""
    if url := os.environ.get("REDIS_URL"):
        with redis.Redis.from_url(url) as client:
            client.flushdb()


@pytest.fixture
def broker() -> Iterator[str]:
    """The URL of a Redis of this test's own, or "": then the broker is the spool."""
    url = os.environ.get("REDIS_URL", "")
    own_url = parallel.below(url, parallel.LIMIT) if url else ""
    yield own_url
    if own_url:
        with redis.Redis.from_url(own_url) as client:
            client.flushdb()


# -- databases that other processes open ----------------------------------------------------------


@pytest.fixture(scope="session")
def kept_template(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kept]:
    """A migrated database to copy."""
    template = databases.create_template(tmp_path_factory.mktemp("template") / "kept")
    yield template
    databases.drop(template)


@pytest.fixture
def kept(kept_template: Kept, tmp_path: Path) -> Iterator[Kept]:
    """This test's own migrated database; other processes open it through `kept.environment`."""
    copy = databases.copy_template(kept_template, tmp_path / "kept")
    yield copy
    databases.drop(copy)


@pytest.fixture(scope="module")
def shared_kept(kept_template: Kept, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kept]:
    """The same, for all tests of a file."""
    copy = databases.copy_template(kept_template, tmp_path_factory.mktemp("shared") / "kept")
    yield copy
    databases.drop(copy)


@pytest.fixture
def kept_here(kept: Kept, django_db_blocker: DjangoDbBlocker) -> Iterator[Kept]:
    """The same, opened in this process too, with all threads that the test starts."""
    with django_db_blocker.unblock(), kept.open_here():
        yield kept
