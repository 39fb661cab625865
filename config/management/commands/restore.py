"""`manage.py restore FROM`: put a back-up in the place of SQLite's database and verify its games,
or (`--to FOLDER`) prepare the folder of a PostgreSQL that recovers it, up to a point in time."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError
from datetime import datetime
from pathlib import Path
from typing import Any

from django.core.checks import Error
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from config.apps import check_server_keys
from config.backups import postgres_cluster, sqlite_file
from config.backups.problem import BackupProblem


class Command(BaseCommand):
    help = "Restore a back-up of `manage.py backup`, and verify the restored games."
    requires_system_checks = ()  # they would open the database that is replaced

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add("back_up", type=Path, metavar="FROM", help="a file or folder of `manage.py backup`")
        add("--replace", action="store_true", help="SQLite: keep the database under another name")
        add("--unverified", action="store_true", help="SQLite: do not verify the games")
        add("--to", type=Path, metavar="FOLDER", help="PostgreSQL: the new folder of a server")
        add("--wal", type=Path, metavar="FOLDER", help="PostgreSQL: its archive of segments")
        add("--until", type=point_in_time, metavar="TIME", help="PostgreSQL: 2026-11-27T09:30:00Z")

    def handle(self, *_: Any, **options: Any) -> None:
        try:
            if options["to"] is not None:
                self._prepare_cluster(options)
            else:
                self._replace_file(options)
        except BackupProblem as problem:
            raise CommandError(str(problem)) from problem

    def _prepare_cluster(self, options: dict[str, Any]) -> None:
        cluster = options["to"]
        postgres_cluster.restore(options["back_up"], cluster, options["wal"], options["until"])
        self.stdout.write(
            f"{cluster}: ready. Start PostgreSQL on it (pg_ctl --pgdata={cluster} start), which"
            " recovers it, and then run `manage.py verify`."
        )

    def _replace_file(self, options: dict[str, Any]) -> None:
        if connection.vendor != "sqlite":
            raise BackupProblem("On PostgreSQL, --to names the new folder of a server.")
        if options["wal"] or options["until"]:
            raise BackupProblem("On SQLite, a back-up is restored as it is: no --wal, no --until.")
        connection.close()
        database = Path(connection.settings_dict["NAME"])
        former = sqlite_file.restore(options["back_up"], database, replace=options["replace"])
        if former is not None:
            self.stdout.write(f"{former}: the former database.")
        self.stdout.write(f"{database}: restored.")
        call_command("migrate", verbosity=0)
        self._check(verify=not options["unverified"])

    def _check(self, *, verify: bool) -> None:
        """Verify the games, and the keys of this server against those of the database."""
        problems: list[Error] = check_server_keys()
        if verify:
            call_command("verify", stdout=self.stdout)
        if problems:
            raise CommandError(str(problems[0].msg))


def point_in_time(text: str) -> datetime:
    """A time with its offset from UTC."""
    try:
        time = datetime.fromisoformat(text)
    except ValueError as problem:
        raise ArgumentTypeError(f"{text!r} is no time like 2026-11-27T09:30:00Z") from problem
    if time.tzinfo is None:
        raise ArgumentTypeError(f"{text!r} lacks Z, or an offset like +01:00")
    return time
