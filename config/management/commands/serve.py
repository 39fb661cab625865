"""`manage.py serve`: the whole server in one command, or some of its parts."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from time import monotonic, sleep
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, connection, connections

from config import database, logs
from config.environment import KeysMissing
from config.keys.confirming import WrongKeys
from config.keys.guarding import is_confirmed
from config.supervisor import parts
from config.supervisor.parts import PARTS, Part
from config.supervisor.supervisor import Supervisor

GRACE = 10.0
PATIENCE = 60.0  # seconds that the database may take to start
PAUSE = 0.5
MIGRATING = 0x7AB1E  # the number of a lock in PostgreSQL
ONLY = "one of its parts; may be given several times (all)"


class Command(BaseCommand):
    help = "Serve: migrate the database, then run web server, worker and sweeper until Ctrl-C."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        cores = os.cpu_count() or 1
        add("--host", default="127.0.0.1", help="the address to listen on (127.0.0.1)")
        add("--port", type=int, default=settings.PORT, help="the port to listen on (PORT, or 8000)")
        add("--only", action="append", choices=PARTS, help=ONLY)
        add("--concurrency", type=int, default=cores, help=f"bots that think at once ({cores})")
        add("--grace", type=float, default=GRACE, help=f"seconds to finish in ({GRACE:g})")

    def handle(self, *args: Any, **asked: Any) -> None:
        if asked["only"] and "web" not in asked["only"]:
            confirmed()
        chosen = list(self.chosen(asked))
        env = parts.surroundings(settings.BASE_DIR)
        sys.exit(Supervisor(chosen, env, self.say, asked["grace"]).run())

    def chosen(self, asked: dict[str, Any]) -> Iterator[Part]:
        """The parts to run. Where the web server runs, the database is brought up to date."""
        wanted = asked["only"] or PARTS
        if "web" in wanted:
            yield self.web(asked["host"], asked["port"])
        patience = settings.PATIENCE
        if "worker" in wanted:
            yield parts.worker(asked["concurrency"], patience)
            yield parts.analysts(asked["concurrency"], patience)
            yield parts.errands(patience)
        if "sweeper" in wanted:
            yield parts.sweeper(patience)

    def web(self, host: str, port: int) -> Part:
        """The web server, on a port that is free and a database that is up to date."""
        try:
            part = parts.web(parts.listening(host, port), settings.PATIENCE)
        except OSError as taken:
            raise CommandError(f"{host}:{port}: {taken.strerror}. Set PORT.") from taken
        shown = f"[{host}]" if ":" in host else host
        self.tell(f"Tabularium: http://{shown}:{port}/ (the API: /api/v1/docs; stop with Ctrl-C)")
        self.reach_the_database()
        confirmed()  # before anything is written, and once there is a place to write it
        migrate()
        confirmed()
        return part

    def reach_the_database(self) -> None:
        """Wait for a database server that is only starting, as it does after a crash."""
        deadline = monotonic() + PATIENCE
        is_said = False
        while True:
            try:
                connection.ensure_connection()
                return
            except OperationalError as problem:
                if monotonic() >= deadline:
                    raise CommandError(f"The database does not answer: {problem}") from problem
                if not is_said:
                    self.tell(f"Waiting for the database: {str(problem).strip()}")
                    is_said = True
            sleep(PAUSE)

    def say(self, line: str) -> None:
        """Pass a line on at once."""
        self.stdout.write(line)
        self.stdout.flush()

    def tell(self, line: str) -> None:
        """Say something of our own, in the form of the log."""
        self.say(logs.spoken(line, logs.log_format()))


def confirmed() -> None:
    """Refuse to serve with other keys than those of the database."""
    try:
        is_confirmed()
    except (KeysMissing, WrongKeys) as problem:
        raise CommandError(str(problem)) from problem


def migrate() -> None:
    """Bring the database up to date; of several servers that start at once, one after another."""
    database.unlimit()  # another server may be at it, however long that takes
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT pg_advisory_lock(%s)", [MIGRATING])
        try:
            call_command("migrate", verbosity=0)
        finally:
            if connection.vendor == "postgresql":
                cursor.execute("SELECT pg_advisory_unlock(%s)", [MIGRATING])
    connections.close_all()
