"""Every kind of fault has an effect from its injection to its end, and at no other time."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import pytest

from tabularium_engines.installed.registry import ENGINES
from tests.chaos import stores
from tests.chaos.faults.base import CannotInject, Fault
from tests.chaos.faults.disks import DiskFull
from tests.chaos.faults.kinds import BOTH, KINDS, POSTGRES, SQLITE, kinds_on
from tests.chaos.http_client import HttpClient
from tests.chaos.instance import Instance
from tests.config.processes import soon
from tests.support import databases
from tests.support.missing_requirements import skip_or_fail

pytestmark = [
    pytest.mark.lane("storms"),
    pytest.mark.stores,
    pytest.mark.skipif(sys.platform != "linux", reason="processes are read from /proc"),
]
STORE: Final = POSTGRES if databases.is_on_server() else SQLITE
RULES: Final = "law_of_the_dice"
SECONDS: Final = 1.0


@pytest.fixture(scope="module")
def instance(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Instance]:
    """A served instance with a game that awaits its player."""
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
        create_game(instance.client())
        yield instance


def create_game(client: HttpClient) -> None:
    """Create a running game."""
    assert RULES in ENGINES
    guest = client.request_document("POST", "/guests", {})
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "greedy"}]
    game_request = {"rules": RULES, "seats": seats}
    client._replace(key=guest["secret"]).request_document("POST", "/games", game_request)


def observe_effect(fault: Fault) -> bool:
    """Whether a fault is in effect. One that is over is injected again, for twice the time."""
    if fault.is_in_effect():
        return True
    if fault.is_over():
        fault.seconds *= 2
        fault.inject()
    return False


@pytest.mark.parametrize("name", [name for name in kinds_on(STORE) if name != "disk-full"])
def test_a_fault_is_in_effect_from_its_injection_to_its_end(instance: Instance, name: str) -> None:
    assert soon(instance.is_writing)
    fault = KINDS[name].fault(instance, SECONDS)
    assert soon(lambda: not fault.is_in_effect())
    try:
        fault.inject()
        assert soon(lambda: observe_effect(fault))
    except CannotInject as problem:
        skip_or_fail(str(problem))
    finally:
        fault.heal()
    assert soon(lambda: not fault.is_in_effect())
    assert soon(instance.is_writing)


@pytest.mark.skipif(STORE != SQLITE, reason="PostgreSQL keeps its files elsewhere")
def test_a_small_disk_is_full_from_the_injection_to_its_end(tmp_path: Path) -> None:
    instance = Instance(tmp_path, {})
    try:
        DiskFull.prepare(instance.data_folder)
    except CannotInject as problem:
        skip_or_fail(str(problem))
    try:
        instance.start()
        assert soon(instance.is_writing)
        fault = DiskFull(instance, SECONDS)
        assert not fault.is_in_effect()
        fault.inject()
        assert soon(fault.is_in_effect)
        fault.heal()
        assert soon(instance.is_writing)
    finally:
        instance.stop()
        DiskFull.clean_up(instance.data_folder)


def test_every_kind_can_be_injected_on_some_stores() -> None:
    assert {*kinds_on(SQLITE), *kinds_on(POSTGRES)} == {*KINDS}
    assert all(set(kind.stores) <= set(BOTH) for kind in KINDS.values())
