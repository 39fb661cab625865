"""The catalogue of faults: their kinds, the stores over which each can be injected, and
durations."""

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
    long: tuple[float, ...] = (5, 20)  # seconds, in the long form
    short: float = 5  # seconds, in the short form


HANGS: Final = (5.0, 12.0, 40.0)
KINDS: Final[Mapping[str, Kind]] = {
    "broker-stopped": Kind(hangs.BrokerStopped, long=HANGS),
    "broker-paused": Kind(hangs.BrokerPaused, long=HANGS),
    "broker-frozen": Kind(cuts.BrokerFrozen, long=HANGS),
    "broker-cut": Kind(cuts.BrokerCut),
    "connections-terminated": Kind(cuts.Terminated, long=(5, 12), short=3),
    "database-restarted": Kind(cuts.Restarted, long=(1, 8), short=1),
    "database-frozen": Kind(cuts.DatabaseFrozen, long=HANGS),
    "database-cut": Kind(cuts.DatabaseCut),
    "database-read-only": Kind(disks.DatabaseReadOnly, long=(8, 25)),
    "workers-stopped": Kind(hangs.WorkersStopped, BOTH, HANGS),
    "web-stopped": Kind(hangs.WebStopped, BOTH, HANGS),
    "disk-full": Kind(disks.DiskFull, (SQLITE,), (8, 25)),
    "file-size-limited": Kind(disks.FileSizeLimited, (SQLITE,), (8, 25)),
    "files-read-only": Kind(disks.FilesReadOnly, (SQLITE,), (8, 25)),
    "clock-back": Kind(clocks.ClockBack, BOTH),
    "clock-ahead": Kind(clocks.ClockAhead, BOTH),
    "descriptors-out": Kind(sockets.DescriptorsOut, BOTH),
    "accepts-starved": Kind(sockets.AcceptsStarved, BOTH),
    "box-sealed": Kind(game_secrets.BoxSealed, BOTH, (8, 25)),
}


def kinds_over(store: str) -> list[str]:
    """The kinds that can be injected over these stores."""
    return [name for name, kind in KINDS.items() if store in kind.stores]


def kinds_together(store: str) -> list[str]:
    """The kinds that one storm can inject together: files on a small disk cannot be made
    immutable."""
    return [name for name in kinds_over(store) if KINDS[name].fault is not disks.DiskFull]


@contextmanager
def prepare_data_folder(folder: Path, names: Sequence[str]) -> Iterator[Path]:
    """The folder of the instance's data: a small disk, if one of these kinds fills it."""
    data_folder = folder / "kept"
    data_folder.mkdir()
    if not any(issubclass(KINDS[name].fault, disks.DiskFull) for name in names):
        yield data_folder
        return
    disks.DiskFull.prepare(data_folder)
    try:
        yield data_folder
    finally:
        disks.DiskFull.tidy(data_folder)
