"""Every kind of fault takes effect when it is injected, and only then."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from games.registry import ENGINES
from tests import databases
from tests.chaos import stores
from tests.chaos.asking import Caller
from tests.chaos.faults.base import CannotInject, Fault
from tests.chaos.faults.disks import DiskFull
from tests.chaos.faults.kinds import BOTH, KINDS, POSTGRES, SQLITE, of
from tests.chaos.instance import Instance
from tests.chaos.lacking import lacks
from tests.config.processes import soon

pytestmark = [
    pytest.mark.stores,
    pytest.mark.skipif(sys.platform != "linux", reason="processes are read from /proc"),
]
STORE = POSTGRES if databases.is_on_server() else SQLITE
RULES = "law_of_the_dice"
BRIEF = 1.0  # seconds


@pytest.fixture(scope="module")
def instance(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Instance]:
    """An instance served for all tests of this module, with a game that waits for its player."""
    folder = tmp_path_factory.mktemp("instance")
    with ExitStack() as stack:
        servers = {}
        if STORE == POSTGRES:
            if lacking := stores.missing():
                lacks(f"not installed: {', '.join(lacking)}")
            servers = stack.enter_context(stores.running())
        served = Instance(folder, servers)
        served.kept.mkdir()
        served.start()
        stack.callback(served.stop)
        assert soon(served.is_answering)
        set_up(served.caller())
        yield served


def set_up(caller: Caller) -> None:
    """Create a running game."""
    assert RULES in ENGINES
    guest = caller.demand("POST", "/guests", {})
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "greedy"}]
    wish = {"rules": RULES, "seats": seats}
    caller._replace(key=guest["secret"]).demand("POST", "/games", wish)


def is_biting(fault: Fault) -> bool:
    """Whether a fault bites; one that ended unseen is injected again, for twice as long."""
    if fault.bites():
        return True
    if fault.is_over():
        fault.seconds *= 2
        fault.inject()
    return False


@pytest.mark.parametrize("name", [name for name in of(STORE) if name != "disk-full"])
def test_a_fault_bites_from_injecting_to_healing(instance: Instance, name: str) -> None:
    assert soon(instance.is_writing)
    fault = KINDS[name].fault(instance, BRIEF)
    assert soon(lambda: not fault.bites())
    try:
        fault.inject()
        assert soon(lambda: is_biting(fault))
    except CannotInject as problem:
        lacks(str(problem))
    finally:
        fault.heal()
    assert soon(lambda: not fault.bites())
    assert soon(instance.is_writing)


@pytest.mark.skipif(STORE != SQLITE, reason="PostgreSQL keeps its files elsewhere")
def test_a_small_disk_is_full_until_it_is_healed(tmp_path: Path) -> None:
    served = Instance(tmp_path, {})
    try:
        DiskFull.prepare(served.kept)
    except CannotInject as problem:
        lacks(str(problem))
    try:
        served.start()
        assert soon(served.is_writing)
        fault = DiskFull(served, BRIEF)
        assert not fault.bites()
        fault.inject()
        assert soon(fault.bites)
        fault.heal()
        assert soon(served.is_writing)
    finally:
        served.stop()
        DiskFull.tidy(served.kept)


def test_every_kind_can_be_injected_over_some_stores() -> None:
    assert {*of(SQLITE), *of(POSTGRES)} == {*KINDS}
    assert all(set(kind.stores) <= set(BOTH) for kind in KINDS.values())
