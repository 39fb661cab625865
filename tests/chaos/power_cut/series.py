"""A series of power cuts while several processes write, and the acknowledged actions it loses.

Runs in a process that has `disk.c` preloaded. Each cut has a fresh database and two writers, killed
at a random moment; then the remainder is opened as a service would open it after the cut.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final, NoReturn

from django.conf import settings
from django.db import connection, connections

from games import position_cache, selectors, services
from games.models import Entry, Game
from games.position_cache import Position
from games.projection.projection import Projection
from games.selectors import Choice
from tests.games.racers import table_for_racers

NAME: Final = "tabularium.sqlite3"
WRITERS: Final = 2
# acknowledgements to wait for; SQLite's first checkpoint comes after about half
MAX_ACKNOWLEDGEMENTS: Final = 500
MAX_DELAY: Final = 0.02  # seconds after them
TIMEOUT: Final = 60  # seconds


@dataclass
class Outcome:
    """The totals over all cuts."""

    cuts: int = 0
    cuts_that_lost: int = 0
    acknowledged: int = 0
    lost: int = 0
    cuts_after_checkpoints: int = 0  # so the database file was being written, too
    broken: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Disk:
    """A folder in use, the files that a power cut would leave, and its writers'
    acknowledgements."""

    live: Path
    durable: Path
    acknowledged: Path

    @classmethod
    def create(cls, folder: Path, template: Path) -> Disk:
        """A disk on which the whole template was synced long ago."""
        disk = cls(folder / "live", folder / "durable", folder / "acknowledged")
        for place in (disk.live, disk.durable / "names", disk.durable / "nameless"):
            place.mkdir(parents=True)
        for place in (disk.live, disk.durable / "names"):
            shutil.copy(template, place / NAME)
        disk.acknowledged.touch()
        return disk


def main(arguments: list[str]) -> None:
    """Arguments: the folder, the number of cuts, the journal mode and the synchronous setting.
    Answer in JSON."""
    folder, cuts = Path(arguments[0]).resolve(), int(arguments[1])
    template = Path(str(settings.DATABASES["default"]["NAME"]))
    set_mode(*arguments[2:])
    with use_database(template):
        connection.ensure_connection()  # sets the file's journal mode; no other connection is open
    outcome = Outcome()
    for number in range(cuts):
        disk = Disk.create(folder / str(number), template)
        cut_power(disk, Random(number))
        durable = (disk.durable / "names" / NAME).read_bytes()
        outcome.cuts_after_checkpoints += durable != template.read_bytes()
        check_durable_files(disk, outcome)
        shutil.rmtree(folder / str(number))
    sys.stdout.write(json.dumps(asdict(outcome)))


def set_mode(journal: str, synchronous: str) -> None:
    """Change only these of the shipped settings."""
    options: Any = connections.settings["default"]["OPTIONS"]
    for shipped, setting in (
        ("journal_mode=WAL", f"journal_mode={journal}"),
        ("synchronous=FULL", f"synchronous={synchronous}"),
    ):
        assert shipped in options["init_command"]
        options["init_command"] = options["init_command"].replace(shipped, setting)


@contextmanager
def use_database(path: Path) -> Iterator[None]:
    """Work on this database, with an empty cache."""
    database_settings: Any = connections.settings["default"]
    database_settings["NAME"] = str(path)
    position_cache.cache.clear()
    yield
    connections.close_all()


# -- until the power fails ------------------------------------------------------------------------


def cut_power(disk: Disk, rng: Random) -> None:
    """Let the writers write for a moment, and kill them all."""
    writers = [fork(disk, writer) for writer in range(WRITERS)]
    target_count, deadline = rng.randrange(1, MAX_ACKNOWLEDGEMENTS), time.monotonic() + TIMEOUT
    while len(disk.acknowledged.read_bytes().splitlines()) < target_count:
        assert time.monotonic() < deadline, "the writers do not get on"
        time.sleep(0.001)
    time.sleep(rng.uniform(0, MAX_DELAY))
    for writer in writers:
        os.kill(writer, signal.SIGKILL)
    for writer in writers:
        _, status = os.waitpid(writer, 0)
        assert os.WTERMSIG(status) == signal.SIGKILL, "a writer has failed"


def fork(disk: Disk, writer: int) -> int:
    """Start a writer; its process id."""
    process = os.fork()
    if process == 0:
        write(disk, writer)
    return process


def write(disk: Disk, writer: int) -> NoReturn:
    """Play, and record each head once it is acknowledged."""
    os.environ.update(DISK_LIVE=str(disk.live), DISK_DURABLE=str(disk.durable))
    descriptor = os.open(disk.acknowledged, os.O_WRONLY | os.O_APPEND)
    try:
        with use_database(disk.live / NAME):
            rng = Random(writer)
            while True:
                play(descriptor, rng)
    except Exception:  # noqa: BLE001  # reported here or nowhere
        traceback.print_exc()
    os._exit(1)


def play(descriptor: int, rng: Random) -> None:
    """Play a game from its beginning to its end."""
    position = position_cache.current_position(table_for_racers())
    acknowledge(descriptor, position)
    while choice := open_choice(position.projection):
        action = rng.choice(choice.offers).action
        position = services.action_append(position.projection.game, choice.seat, action).position
        acknowledge(descriptor, position)


def open_choice(table: Projection) -> Choice | None:
    """The choice of an awaited seat, or None if the game is over."""
    return selectors.seat_choice(table, max(table.awaited_seats.bit_length() - 1, 0))


def acknowledge(descriptor: int, position: Position) -> None:
    """Record the service's answer, outside of the disk that fails."""
    table = position.projection
    os.write(descriptor, f"{table.game} {table.seq} {position.hash}\n".encode())


# -- after it -------------------------------------------------------------------------------------


def check_durable_files(disk: Disk, outcome: Outcome) -> None:
    """Count the lost entries, and check that the rest is intact and playable."""
    acknowledged = [line.split() for line in disk.acknowledged.read_text().splitlines()]
    with use_database(disk.durable / "names" / NAME):
        rows = Entry.objects.values_list("game_id", "seq", "hash")
        stored_hashes = {(game, seq): hash_ for game, seq, hash_ in rows}
        outcome.broken += broken_logs()
    lost = [line for line in acknowledged if stored_hashes.get((line[0], int(line[1]))) != line[2]]
    outcome.cuts += 1
    outcome.cuts_that_lost += bool(lost)
    outcome.acknowledged += len(acknowledged)
    outcome.lost += len(lost)


def broken_logs() -> list[str]:
    """Everything that is wrong with the database, or with any log in it."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA integrity_check")
        problems = [str(row[0]) for row in cursor.fetchall() if row[0] != "ok"]
    for game in Game.objects.values_list("pk", flat=True):
        try:
            continue_game(game)
        except Exception as problem:  # noqa: BLE001  # every error is reported
            problems.append(f"{game}: {problem!r}")
    return problems


def continue_game(game: str) -> None:
    """Replay a game, and play on if it is not over."""
    table = position_cache.current_position(game).projection
    if choice := open_choice(table):
        services.action_append(game, choice.seat, choice.offers[0].action)
