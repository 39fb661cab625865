"""`manage.py move_logs`: move every log of the old table to the table of entries, and empty the old
table. It may be stopped at any time, and goes on where it was."""

from __future__ import annotations

from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from games import log_mover

BATCH: Final = 200  # games between two lines of progress


class Command(BaseCommand):
    help = "Move the logs of earlier versions to the table of entries, and empty the old table."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--keep", action="store_true", help="keep the rows of the old table, as a copy"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if log_mover.is_old_table_empty():
            self.stdout.write("The old table is empty: there is nothing to move.")
            return
        if unmoved := self._move_all():
            raise CommandError(f"{unmoved} games stay in the old table, which is kept.")
        if options["keep"]:
            self.stdout.write("The old table is kept.")
            return
        self._empty()

    def _move_all(self) -> int:
        """Move all games; the number of those that cannot be moved."""
        moved, unmoved, last = 0, 0, ""
        while games := log_mover.unmoved_games(last, BATCH):
            for game, problem in log_mover.move_games(games):
                if problem:
                    unmoved += 1
                    self.stderr.write(f"{game} cannot be moved: {problem}")
                else:
                    moved += 1
            last = games[-1]
            self.stdout.write(f"{moved:,} games moved, up to {last}")
        return unmoved

    def _empty(self) -> None:
        try:
            log_mover.empty_old_table()
        except log_mover.OldLogLeft as problem:
            raise CommandError(f"The old table is kept: {problem}.") from problem
        except DatabaseError as problem:
            raise CommandError(f"The old table could not be emptied: {problem}") from problem
        self.stdout.write("The old table is empty.")
