"""The benchmark beside boardgame.io's server: its table, and its card game."""

from __future__ import annotations

import sys
from typing import Final

import pytest

from bench.boardgame_io import __main__ as beside
from bench.door.comparison import Measurement, open_load
from tests.support.missing_requirements import lacks

pytestmark = pytest.mark.lane("clients")

MATCHES: Final = 2


def test_a_row_has_moves_for_a_second_of_processor_time() -> None:
    pairs = [
        (Measurement(2000, 400, 0.002, 0.01), Measurement(1000, 800, 0.004, 0.01)),
        (Measurement(2000, 500, 0.002, 0.01), Measurement(1500, 500, 0.004, 0.01)),
        (Measurement(2000, 500, 0.002, 0.01), Measurement(1500, 1000, 0.004, 0.01)),
    ]
    cells = beside.row_cells("sqlite", 8, 2, pairs)
    assert len(cells) == len(beside.HEADINGS)
    assert cells[3:6] == ("2 k", "1.5 k", "0.75 × [0.5, 0.75]")
    assert cells[6:9] == ("2 k", "1.25 k", "0.5 × [0.5, 1]")
    assert cells[9:] == ("2", "4")


@pytest.mark.skipif(sys.platform != "linux" or lacks("npm"), reason="needs Linux, Node and npm")
def test_their_server_plays() -> None:
    beside.install()
    with beside.serve_boardgame_io() as server:
        players = beside.players(server, MATCHES, 4)
        with open_load(server, MATCHES, players) as load:
            measurement = load.measure(0.5)
    assert min(measurement.rate, measurement.cpu) > 0
