"""A served instance answers players under attack, and recovers afterwards.

The attacks are small, but stall more connections than the server has threads. Under --soak they
have the promised size, and the measurements are compared with a phase of the same run without an
attack.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from time import sleep
from typing import Final
from urllib.parse import urlsplit

import pytest

from tests.hostile import attacks
from tests.hostile.attacks import Attack, RequestSmuggling
from tests.hostile.measurements import Measurements, Probe, p99
from tests.support.databases import Kept
from tests.support.served import Served, serving

pytestmark = pytest.mark.lane("hostile")

THREAD_COUNT: Final = 8  # of the web server, for requests
ATTACK_SIZES: Final[dict[type[Attack], tuple[int, int]]] = {  # short, and under --soak
    attacks.StalledBodies: (40, 500),
    attacks.StalledSmallBodies: (40, 500),
    attacks.UnfinishedHeads: (60, 1000),
    attacks.UnreadReplies: (40, 200),
    attacks.UnreadStreams: (20, 200),
    attacks.RequestSmuggling: (20, 200),
    attacks.GuestFlood: (100, 4000),
    attacks.KeyFlood: (100, 4000),
    attacks.VerificationBombs: (2, 16),
    attacks.ImportBombs: (2, 16),
}
ROUND_COUNT: Final = 200  # in each phase under --soak: a minute
MAX_HEALTHZ_SECONDS: Final = 1.0
MAX_SLOWDOWN: Final = 10  # of the p99 of actions, during an attack
MAX_SLOWDOWN_AFTERWARDS: Final = 2  # of the p99 of actions
MAX_MEMORY_GROWTH: Final = 400 << 20  # bytes of all processes together; half of it afterwards
RECOVERY_SECONDS: Final = 10.0  # seconds after an attack
GamesCount = Callable[[int, int], int]


@pytest.fixture(scope="module")
def served(kept_template: Kept, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with all its processes."""
    with serving(kept_template, tmp_path_factory.mktemp("hostile")) as served:
        yield served


@pytest.fixture(scope="module")
def probe(served: Served) -> Probe:
    """A player on the server."""
    return Probe(urlsplit(served.url).port or 0, served.pid)


@pytest.fixture(scope="module")
def baseline(probe: Probe, games_count: GamesCount) -> Measurements:
    """The measurements without an attack, after a warm-up."""
    probe.measure(games_count(3, 50))
    return probe.measure(games_count(5, ROUND_COUNT))


@pytest.mark.parametrize("kind", ATTACK_SIZES, ids=lambda kind: kind.__name__)
def test_players_can_act_during_an_attack(
    kind: type[Attack],
    probe: Probe,
    baseline: Measurements,
    games_count: GamesCount,
    request: pytest.FixtureRequest,
    capsys: pytest.CaptureFixture[str],
) -> None:
    attack = kind(probe.port, games_count(*ATTACK_SIZES[kind]), probe.create_guest())
    with attacks.run_attack(attack) as connection:
        measurements = probe.measure(games_count(3, ROUND_COUNT), connection.poll)
    if request.config.getoption("--soak"):
        sleep(RECOVERY_SECONDS)
        recovery_measurements = probe.measure(ROUND_COUNT)
        with capsys.disabled():
            phases = baseline, measurements, recovery_measurements
            sys.stdout.write("\n  ".join([f"\n{kind.__name__}:", *map(str, phases)]) + "\n")
        assert max(measurements.healthz_seconds) < MAX_HEALTHZ_SECONDS
        assert p99(measurements.action_seconds) < MAX_SLOWDOWN * p99(baseline.action_seconds)
        assert measurements.memory_bytes < baseline.memory_bytes + MAX_MEMORY_GROWTH
        assert max(recovery_measurements.healthz_seconds) < MAX_HEALTHZ_SECONDS / 10
        assert p99(recovery_measurements.action_seconds) < MAX_SLOWDOWN_AFTERWARDS * p99(
            baseline.action_seconds
        )
        assert recovery_measurements.memory_bytes < baseline.memory_bytes + MAX_MEMORY_GROWTH / 2
    assert measurements.memory_bytes < baseline.memory_bytes + MAX_MEMORY_GROWTH


def test_attacks_stall_more_connections_than_there_are_threads() -> None:
    stalling_attacks = (attacks.StalledBodies, attacks.UnreadReplies, attacks.UnreadStreams)
    assert all(ATTACK_SIZES[kind][0] > THREAD_COUNT for kind in stalling_attacks)


def test_no_hidden_request_is_executed(probe: Probe) -> None:
    attack = RequestSmuggling(probe.port, 5)
    try:
        attack.start()
        assert list(attack.statuses()) == [[400]] * 5
    finally:
        attack.stop()
