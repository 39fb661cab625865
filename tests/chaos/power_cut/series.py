"""A series of power cuts while several processes write, and the acknowledged actions that it loses.

It runs in a process that has `disk.c` preloaded. Each cut has a new database and two writers, which
are killed at a random time. Then the synced files are opened as a service opens them after a cut.
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
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final, NoReturn

from django.conf import settings
from django.db import connection, connections

from games import group_commit, position_cache, selectors, services
from games.models import Entry, Game
from games.position_cache import Position
from games.selectors import Choice
from tabularium_log.projection.projection import Projection
from tests.games.racers import table_for_racers

FILE_NAME: Final = "tabularium.sqlite3"
WRITER_COUNT: Final = 2
MAX_ACKNOWLEDGEMENTS: Final = 500  # before a cut; SQLite checkpoints first after about half
MAX_DELAY: Final = 0.02  # seconds after them
TIMEOUT: Final = 60  # seconds
UNTIL_LOST: Final = "until-lost"


@dataclass
class Totals:
    """The totals of all cuts."""

    cuts: int = 0
    cuts_that_lost: int = 0
    acknowledged: int = 0
    lost: int = 0
    cuts_after_checkpoints: int = 0  # a checkpoint writes the database file
    broken: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Disk:
    """A folder in use, the files that a power cut would leave, and its writers'
    acknowledgements."""

    live: Path
    durable: Path
    acknowledgements: Path
    threads: int  # of each writer

    @classmethod
    def create(cls, folder: Path, template: Path, threads: int) -> Disk:
        """A disk on which the whole template is synced."""
        disk = cls(folder / "live", folder / "durable", folder / "acknowledgements", threads)
        for directory in (disk.live, disk.durable / "names", disk.durable / "nameless"):
            directory.mkdir(parents=True)
        for directory in (disk.live, disk.durable / "names"):
            shutil.copy(template, directory / FILE_NAME)
        disk.acknowledgements.touch()
        return disk


def main(arguments: list[str]) -> None:
    """Run a series and print its totals as JSON. The arguments are the folder, the number of cuts,
    the number of threads of each writer, the journal mode, the synchronous setting, and perhaps
    `until-lost`, which ends it with the first cut that loses something."""
    folder, cuts, threads = Path(arguments[0]).resolve(), int(arguments[1]), int(arguments[2])
    template = Path(str(settings.DATABASES["default"]["NAME"]))
    set_mode(*arguments[3:5])
    ends_with_loss = arguments[5:] == [UNTIL_LOST]
    with use_database(template):
        connection.ensure_connection()  # sets the file's journal mode; no other connection is open
    totals = Totals()
    for number in range(cuts):
        disk = Disk.create(folder / str(number), template, threads)
        cut_power(disk, Random(number))
        durable_content = (disk.durable / "names" / FILE_NAME).read_bytes()
        totals.cuts_after_checkpoints += durable_content != template.read_bytes()
        check_durable_files(disk, totals)
        shutil.rmtree(folder / str(number))
        if ends_with_loss and totals.lost:
            break
    sys.stdout.write(json.dumps(asdict(totals)))


def set_mode(journal: str, synchronous: str) -> None:
    """Set the journal mode and the synchronous setting, and keep the other options."""
    options: Any = connections.settings["default"]["OPTIONS"]
    for shipped_setting, setting in (
        ("journal_mode=WAL", f"journal_mode={journal}"),
        ("synchronous=FULL", f"synchronous={synchronous}"),
    ):
        assert shipped_setting in options["init_command"]
        options["init_command"] = options["init_command"].replace(shipped_setting, setting)


@contextmanager
def use_database(path: Path) -> Iterator[None]:
    """Use this database within the block, with an empty cache."""
    database_settings: Any = connections.settings["default"]
    database_settings["NAME"] = str(path)
    position_cache.cache.clear()
    yield
    connections.close_all()


# -- before the cut --------------------------------------------------------------------------------


def cut_power(disk: Disk, rng: Random) -> None:
    """Start the writers, and kill them after a random number of acknowledgements."""
    writers = [fork_writer(disk, writer) for writer in range(WRITER_COUNT)]
    target_count, deadline = rng.randrange(1, MAX_ACKNOWLEDGEMENTS), time.monotonic() + TIMEOUT
    with disk.acknowledgements.open("rb") as acknowledgements:
        count = 0
        while (count := count + acknowledgements.read().count(b"\n")) < target_count:
            assert time.monotonic() < deadline, "the writers make no progress"
            time.sleep(0.001)
    time.sleep(rng.uniform(0, MAX_DELAY))
    for writer in writers:
        os.kill(writer, signal.SIGKILL)
    for writer in writers:
        _, status = os.waitpid(writer, 0)
        assert os.WTERMSIG(status) == signal.SIGKILL, "a writer has failed"


def fork_writer(disk: Disk, writer: int) -> int:
    """Start a writer; its process id."""
    process = os.fork()
    if process == 0:
        play_games(disk, writer)
    return process


def play_games(disk: Disk, writer: int) -> NoReturn:
    """Play games, and record each acknowledged head."""
    os.environ.update(DISK_LIVE=str(disk.live), DISK_DURABLE=str(disk.durable))
    descriptor = os.open(disk.acknowledgements, os.O_WRONLY | os.O_APPEND)
    try:
        with use_database(disk.live / FILE_NAME):
            play_in_threads(descriptor, writer, disk.threads)
    except Exception:  # noqa: BLE001  # reported here or nowhere
        traceback.print_exc()
    os._exit(1)


def play_in_threads(descriptor: int, writer: int, threads: int) -> None:
    """Play for ever; several threads commit in groups."""
    if threads == 1:
        play_without_end(descriptor, Random(writer))
    group_commit.writer.enable()
    with ThreadPoolExecutor(threads) as pool:
        chances = [Random(threads * writer + number) for number in range(threads)]
        first = next(
            as_completed(pool.submit(play_without_end, descriptor, rng) for rng in chances)
        )
        raise RuntimeError("a thread has ended") from first.exception()


def play_without_end(descriptor: int, rng: Random) -> None:
    """Play one game after another."""
    while True:
        play_game(descriptor, rng)


def play_game(descriptor: int, rng: Random) -> None:
    """Play a game from its beginning to its end."""
    position = position_cache.current_position(table_for_racers())
    record_acknowledgement(descriptor, position)
    while choice := open_choice(position.projection):
        action = rng.choice(choice.offers).action
        position = services.append_action(position.projection.game, choice.seat, action).position
        record_acknowledgement(descriptor, position)


def open_choice(table: Projection) -> Choice | None:
    """The choice of an awaited seat, or None if the game is over."""
    return selectors.seat_choice(table, max(table.awaited_seats.bit_length() - 1, 0))


def record_acknowledgement(descriptor: int, position: Position) -> None:
    """Record an acknowledged head, in a file outside the disk."""
    table = position.projection
    os.write(descriptor, f"{table.game} {table.seq} {position.hash}\n".encode())


# -- after the cut ---------------------------------------------------------------------------------


def check_durable_files(disk: Disk, totals: Totals) -> None:
    """Count the lost entries, and check that the other ones are intact and every game can go on."""
    acknowledged_heads = [line.split() for line in disk.acknowledgements.read_text().splitlines()]
    with use_database(disk.durable / "names" / FILE_NAME):
        rows = Entry.objects.values_list("game_id", "seq", "hash")
        stored_hashes = {(game, seq): hash_.hex() for game, seq, hash_ in rows}
        totals.broken += integrity_problems()
    lost_heads = [
        (game, seq)
        for game, seq, hash_ in acknowledged_heads
        if stored_hashes.get((game, int(seq))) != hash_
    ]
    totals.cuts += 1
    totals.cuts_that_lost += bool(lost_heads)
    totals.acknowledged += len(acknowledged_heads)
    totals.lost += len(lost_heads)


def integrity_problems() -> list[str]:
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
    """Replay a game, and append an action if it is not over."""
    table = position_cache.current_position(game).projection
    if choice := open_choice(table):
        services.append_action(game, choice.seat, choice.offers[0].action)
