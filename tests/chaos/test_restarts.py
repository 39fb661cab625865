"""A server that is stopped or killed, and started again, logs nothing that calls for help."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any, Final

import pytest

from tests.chaos import stores
from tests.chaos.instance import Instance
from tests.config.processes import PATIENCE, soon

pytestmark = [
    pytest.mark.lane("storms"),
    pytest.mark.stores,
    pytest.mark.skipif(sys.platform != "linux", reason="processes are read from /proc"),
]
GAME: Final[dict[str, Any]] = {
    "rules": "law_of_the_dice",
    "seats": [{"kind": "bot", "bot": "greedy"}, {"kind": "bot", "bot": "mcts"}],
}
ENDS: Final = (signal.SIGTERM, signal.SIGKILL)  # in turn


@pytest.fixture
def instance(tmp_path: Path) -> Iterator[Instance]:
    """An instance that does not run yet."""
    with stores.stores_of_this_run() as servers:
        instance = Instance(tmp_path, servers)
        instance.data_folder.mkdir()
        try:
            yield instance
        finally:
            instance.stop()


def test_restarts_are_silent(instance: Instance, games_count: Callable[[int, int], int]) -> None:
    instance.start()
    for count, end in enumerate(islice(cycle(ENDS), games_count(4, 20))):
        if count:
            instance.serve()
        assert soon(instance.is_writing)
        guest = instance.client().request_document("POST", "/guests", {})
        instance.client(guest["secret"]).request_document("POST", "/games", GAME)
        assert soon(
            lambda: instance.client().request_document("GET", "/readyz")["status"] == "ready"
        )
        assert instance.server
        instance.server.send_signal(end)
        instance.server.wait(PATIENCE)
        assert soon(lambda: not instance.processes("web", "worker", "sweeper"))
        assert not instance.alarms(), f"restart {count}, before {end.name}"
