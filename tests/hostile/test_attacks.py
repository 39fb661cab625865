"""A served instance stays healthy under attack, and recovers afterwards.

In continuous integration the attacks are small, and the server must answer while more connections
are stalled than it has threads. Under --soak they have the promised size, and the measurements are
compared with a quiet phase of the same run.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from time import sleep
from typing import Final
from urllib.parse import urlsplit

import pytest

from tests.databases import Kept
from tests.hostile import attacks
from tests.hostile.attacks import Attack, Smuggling
from tests.hostile.measurements import Measurements, Probe, p99
from tests.served import Served, serving

THREADS: Final = 8  # of the web server, for requests
ATTACK_SIZES: Final[dict[type[Attack], tuple[int, int]]] = {  # in short, and as promised
    attacks.StalledBodies: (40, 500),
    attacks.StalledSmallBodies: (40, 500),
    attacks.HalfHeads: (60, 1000),
    attacks.UnreadReplies: (40, 200),
    attacks.SlowStreams: (20, 200),
    attacks.Smuggling: (20, 200),
    attacks.Flood: (100, 4000),
    attacks.Keys: (100, 4000),
    attacks.Bombs: (2, 16),
    attacks.ImportBombs: (2, 16),
}
ROUNDS: Final = 200  # of the probe in each phase under --soak: a minute
MAX_HEALTHZ_SECONDS: Final = 1.0  # seconds, at most
MAX_SLOWDOWN: Final = 10  # times the quiet p99 of an action
MAX_SLOWDOWN_AFTERWARDS: Final = 2  # times that, afterwards
MAX_MEMORY_GROWTH: Final = 400 << 20  # bytes of all processes together; half of it afterwards
RECOVERY_SECONDS: Final = 10.0  # seconds after an attack
GamesCount = Callable[[int, int], int]


@pytest.fixture(scope="module")
def served(kept_template: Kept, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A whole server."""
    with serving(kept_template, tmp_path_factory.mktemp("hostile")) as served:
        yield served


@pytest.fixture(scope="module")
def probe(served: Served) -> Probe:
    """A player on the server."""
    return Probe(urlsplit(served.url).port or 0, served.pid)


@pytest.fixture(scope="module")
def quiet_measurements(probe: Probe, games_count: GamesCount) -> Measurements:
    """The figures without attacks, after a warm-up."""
    probe.measure(games_count(3, 50))
    return probe.measure(games_count(5, ROUNDS))


@pytest.mark.parametrize("kind", ATTACK_SIZES, ids=lambda kind: kind.__name__)
def test_players_play_on_beside(
    kind: type[Attack],
    probe: Probe,
    quiet_measurements: Measurements,
    games_count: GamesCount,
    request: pytest.FixtureRequest,
    capsys: pytest.CaptureFixture[str],
) -> None:
    attack = kind(probe.port, games_count(*ATTACK_SIZES[kind]), probe.guest())
    with attacks.run_attack(attack) as connection:
        measurements = probe.measure(games_count(3, ROUNDS), connection.poll)
    if request.config.getoption("--soak"):
        sleep(RECOVERY_SECONDS)  # the state after this time is measured
        later_measurements = probe.measure(ROUNDS)
        with capsys.disabled():
            phases = quiet_measurements, measurements, later_measurements
            sys.stdout.write("\n  ".join([f"\n{kind.__name__}:", *map(str, phases)]) + "\n")
        assert max(measurements.healthz) < MAX_HEALTHZ_SECONDS
        assert p99(measurements.actions) < MAX_SLOWDOWN * p99(quiet_measurements.actions)
        assert measurements.memory < quiet_measurements.memory + MAX_MEMORY_GROWTH
        assert max(later_measurements.healthz) < MAX_HEALTHZ_SECONDS / 10
        assert p99(later_measurements.actions) < MAX_SLOWDOWN_AFTERWARDS * p99(
            quiet_measurements.actions
        )
        assert later_measurements.memory < quiet_measurements.memory + MAX_MEMORY_GROWTH / 2
    assert measurements.memory < quiet_measurements.memory + MAX_MEMORY_GROWTH


def test_the_stalled_are_more_than_there_are_threads() -> None:
    stalling = (attacks.StalledBodies, attacks.UnreadReplies, attacks.SlowStreams)
    assert all(ATTACK_SIZES[kind][0] > THREADS for kind in stalling)


def test_no_hidden_request_is_carried_out(probe: Probe) -> None:
    attack = Smuggling(probe.port, 5)
    try:
        attack.start()
        assert list(attack.statuses()) == [[400]] * 5
    finally:
        attack.stop()
