"""The catalogue of faults: the kinds, the stores on which each can be injected, and durations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from tests.chaos.faults import clocks, cuts, disks, game_secrets, hangs, sockets
from tests.chaos.faults.base import Fault

SQLITE: Final = "sqlite"
POSTGRES: Final = "postgres"  # with Redis
BOTH: Final = (SQLITE, POSTGRES)


class Kind(NamedTuple):
    """A kind of fault."""

    fault: type[Fault]
    stores: tuple[str, ...] = (POSTGRES,)
    long_seconds: tuple[float, ...] = (5, 20)  # under --soak
    short_seconds: float = 5


HANG_SECONDS: Final = (5.0, 12.0, 40.0)
KINDS: Final[Mapping[str, Kind]] = {
    "broker-stopped": Kind(hangs.BrokerStopped, long_seconds=HANG_SECONDS),
    "broker-paused": Kind(hangs.BrokerPaused, long_seconds=HANG_SECONDS),
    "broker-frozen": Kind(cuts.BrokerFrozen, long_seconds=HANG_SECONDS),
    "broker-cut": Kind(cuts.BrokerCut),
    "connections-terminated": Kind(
        cuts.ConnectionsTerminated, long_seconds=(5, 12), short_seconds=3
    ),
    "database-restarted": Kind(cuts.DatabaseRestarted, long_seconds=(1, 8), short_seconds=1),
    "database-frozen": Kind(cuts.DatabaseFrozen, long_seconds=HANG_SECONDS),
    "database-cut": Kind(cuts.DatabaseCut),
    "database-read-only": Kind(disks.DatabaseReadOnly, long_seconds=(8, 25)),
    "workers-stopped": Kind(hangs.WorkersStopped, BOTH, HANG_SECONDS),
    "web-stopped": Kind(hangs.WebStopped, BOTH, HANG_SECONDS),
    "disk-full": Kind(disks.DiskFull, (SQLITE,), (8, 25)),
    "file-size-limited": Kind(disks.FileSizeLimited, (SQLITE,), (8, 25)),
    "files-read-only": Kind(disks.FilesReadOnly, (SQLITE,), (8, 25)),
    "clock-back": Kind(clocks.ClockBack, BOTH),
    "clock-ahead": Kind(clocks.ClockAhead, BOTH),
    "descriptors-out": Kind(sockets.DescriptorsOut, BOTH),
    "accepts-starved": Kind(sockets.AcceptsStarved, BOTH),
    "secret-altered": Kind(game_secrets.SecretAltered, BOTH, (8, 25)),
}


def kinds_on(store: str) -> list[str]:
    """The kinds that can be injected on these stores."""
    return [name for name, kind in KINDS.items() if store in kind.stores]


def compatible_kinds(store: str) -> list[str]:
    """The kinds that one storm can inject together: files on the small disk of `disk-full` cannot
    be made immutable."""
    return [name for name in kinds_on(store) if KINDS[name].fault is not disks.DiskFull]


@contextmanager
def prepare_data_folder(folder: Path, names: Sequence[str]) -> Iterator[Path]:
    """Create the folder of the instance's data: a small disk if one of these kinds fills it."""
    data_folder = folder / "kept"
    data_folder.mkdir()
    if not any(issubclass(KINDS[name].fault, disks.DiskFull) for name in names):
        yield data_folder
        return
    disks.DiskFull.prepare(data_folder)
    try:
        yield data_folder
    finally:
        disks.DiskFull.clean_up(data_folder)
