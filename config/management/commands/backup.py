"""`manage.py backup TO`: back up the database while it is used. On SQLite TO is a file, on
PostgreSQL a folder with all files of its server; `manage.py restore` restores it."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from config.backups import postgres_cluster, sqlite_file
from config.backups.problem import BackupProblem


class Command(BaseCommand):
    help = "Back up the database while it is used. The keys are backed up apart from it."
    requires_system_checks = ()  # a database is backed up beside wrong keys, too

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("to", type=Path, help="a new file (SQLite) or folder (PostgreSQL)")

    def handle(self, *_: Any, **options: Any) -> None:
        target = options["to"].absolute()
        try:
            self.stdout.write(f"{target}: {back_up(target)}.")
        except BackupProblem as problem:
            raise CommandError(str(problem)) from problem


def back_up(target: Path) -> str:
    """Back up the database of this server; a sentence about it."""
    database = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"{sqlite_file.back_up(Path(database['NAME']), target)}; it is intact"
    postgres_cluster.back_up(database, target)
    return "all files of the server, as its manifest lists them"
