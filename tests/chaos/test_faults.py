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
from tests.chaos.faults.base import CannotInject, Fault
from tests.chaos.faults.disks import DiskFull
from tests.chaos.faults.kinds import BOTH, KINDS, POSTGRES, SQLITE, kinds_over
from tests.chaos.http_client import Caller
from tests.chaos.instance import Instance
from tests.chaos.missing_requirements import skip_or_fail
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
            if missing_programs := stores.missing_programs():
                skip_or_fail(f"not installed: {', '.join(missing_programs)}")
            servers = stack.enter_context(stores.run_stores())
        instance = Instance(folder, servers)
        instance.data_folder.mkdir()
        instance.start()
        stack.callback(instance.stop)
        assert soon(instance.is_answering)
        create_game(instance.caller())
        yield instance


def create_game(caller: Caller) -> None:
    """Create a running game."""
    assert RULES in ENGINES
    guest = caller.demand("POST", "/guests", {})
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "greedy"}]
    game_request = {"rules": RULES, "seats": seats}
    caller._replace(key=guest["secret"]).demand("POST", "/games", game_request)


def takes_effect(fault: Fault) -> bool:
    """Whether a fault is in effect; one that ended unobserved is injected again, twice as long."""
    if fault.is_in_effect():
        return True
    if fault.is_over():
        fault.seconds *= 2
        fault.inject()
    return False


@pytest.mark.parametrize("name", [name for name in kinds_over(STORE) if name != "disk-full"])
def test_a_fault_is_in_effect_from_injecting_to_healing(instance: Instance, name: str) -> None:
    assert soon(instance.is_writing)
    fault = KINDS[name].fault(instance, BRIEF)
    assert soon(lambda: not fault.is_in_effect())
    try:
        fault.inject()
        assert soon(lambda: takes_effect(fault))
    except CannotInject as problem:
        skip_or_fail(str(problem))
    finally:
        fault.heal()
    assert soon(lambda: not fault.is_in_effect())
    assert soon(instance.is_writing)


@pytest.mark.skipif(STORE != SQLITE, reason="PostgreSQL keeps its files elsewhere")
def test_a_small_disk_is_full_until_it_is_healed(tmp_path: Path) -> None:
    instance = Instance(tmp_path, {})
    try:
        DiskFull.prepare(instance.data_folder)
    except CannotInject as problem:
        skip_or_fail(str(problem))
    try:
        instance.start()
        assert soon(instance.is_writing)
        fault = DiskFull(instance, BRIEF)
        assert not fault.is_in_effect()
        fault.inject()
        assert soon(fault.is_in_effect)
        fault.heal()
        assert soon(instance.is_writing)
    finally:
        instance.stop()
        DiskFull.tidy(instance.data_folder)


def test_every_kind_can_be_injected_over_some_stores() -> None:
    assert {*kinds_over(SQLITE), *kinds_over(POSTGRES)} == {*KINDS}
    assert all(set(kind.stores) <= set(BOTH) for kind in KINDS.values())
