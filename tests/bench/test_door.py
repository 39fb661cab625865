"""Comparing the appends of two checkouts."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from bench.door import checkout, comparison
from bench.door.checkout import ServedCheckout
from bench.door.clients import Player, content_length, play
from bench.door.comparison import Load, Measurement, Plan
from tests.support.missing_requirements import lacks

pytestmark = pytest.mark.lane("slow")

ROOT: Final = Path(__file__).resolve().parents[2]
TIMES: Final = [0.001] * 99 + [0.1]
SLOWED: Final = 0.02  # seconds


def test_a_measurement_is_a_rate_a_cost_and_percentiles() -> None:
    measured = Measurement.of(TIMES, 4.0, 0.05)
    assert (measured.rate, measured.cpu, measured.p50) == (25.0, 500.0, 0.001)
    assert measured.p50 < measured.p99 <= 0.1


class PacedLoad(Load):
    """A load with fixed figures, which notes its turns."""

    def __init__(self, name: str, rate: float, turns: list[str]) -> None:
        vars(self).update(name=name, rate=rate, turns=turns)

    def measure(self, seconds: float) -> Measurement:
        facts = vars(self)
        facts["turns"].append(facts["name"])
        return Measurement(facts["rate"], 1000 / facts["rate"], 0.001, 0.002)


@pytest.mark.parametrize(
    ("is_reversed", "order"), [(False, ["old", "new"]), (True, ["new", "old"])]
)
def test_the_checkouts_take_turns(is_reversed: bool, order: list[str]) -> None:
    turns: list[str] = []
    old, new = PacedLoad("old", 10, turns), PacedLoad("new", 30, turns)
    pair = comparison.measure_pair(old, new, 1.0, is_reversed)
    assert (turns, pair[0].rate, pair[1].rate) == (order, 10, 30)


def test_a_row_has_paired_ratios() -> None:
    pairs = [
        (Measurement(10, 900, 0.001, 0.002), Measurement(20, 300, 0.001, 0.004)),
        (Measurement(20, 900, 0.001, 0.002), Measurement(80, 450, 0.001, 0.004)),
        (Measurement(30, 900, 0.001, 0.002), Measurement(90, 300, 0.001, 0.004)),
    ]
    cells = comparison.row_cells("sqlite", 8, pairs)
    assert len(cells) == len(comparison.HEADINGS)
    assert cells[:5] == ("sqlite", "8", "20", "80", "3 × [2, 4]")
    assert cells[5:8] == ("900", "300", "0.333 × [0.333, 0.5]")
    assert cells[8:] == ("1", "1", "2", "4")


def test_the_length_of_an_answer() -> None:
    assert content_length(b"HTTP/1.1 200 OK\r\nContent-length: 12\r\nDate: now") == 12


def test_processor_time_counts_the_processes_that_were_started() -> None:
    burn = "import time\nwhile time.process_time() < 0.3: pass\nprint(flush=True); input()"
    script = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {burn!r}])"
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", script]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdout
        process.stdout.readline()
        parent = checkout.cpu_seconds_of(process.pid)
        measured = ServedCheckout(process, 0).cpu_seconds()  # type: ignore[arg-type]  # of texts
        assert measured >= parent + 0.25
        process.communicate("\n")
    assert checkout.cpu_seconds_of(process.pid) == 0
    assert checkout.descendants_of(process.pid) == []


@pytest.mark.skipif(
    sys.platform != "linux" or lacks("cc"),
    reason="needs Linux and a C compiler",
)
def test_a_slow_disk_takes_longer_to_sync(tmp_path: Path) -> None:
    script = (
        "import os, sys, time; fd = os.open(sys.argv[1], os.O_CREAT | os.O_RDWR)\n"
        "start = time.monotonic(); os.fdatasync(fd); os.fsync(fd); print(time.monotonic() - start)"
    )
    with checkout.slow_disk(1000 * SLOWED) as environment:
        command = [sys.executable, "-c", script, str(tmp_path / "file")]
        output = subprocess.check_output(command, env={**os.environ, **environment})
    assert float(output) >= 2 * SLOWED
    with checkout.slow_disk(0) as unchanged:
        assert unchanged == {}


@pytest.mark.skipif(sys.platform != "linux", reason="the processor time is read from /proc")
def test_this_checkout_beside_itself() -> None:
    plan = Plan((ROOT, ROOT), ["sqlite"], [2], repetitions=1, seconds=0.5)
    [cells] = comparison.compare(plan)
    assert cells[:2] == ("sqlite", "2")
    assert all(float(cell.split()[0]) > 0 for cell in cells[2:])


@pytest.mark.django_db(transaction=True)
def test_a_refusal_ends_the_measurement(live_server: object) -> None:
    player = Player(int(str(live_server).rpartition(":")[2]))
    vars(player)["_key"] = ""
    with pytest.raises(RuntimeError, match="401"):
        play([player], 60.0)
    player.sock.close()
