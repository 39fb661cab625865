"""`manage.py downgrade VERSION`: give the database the tables of an earlier release, which then
runs on it. What has no place in them is listed first, and lost only with `--accept-loss`."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config import downgrade
from config.backups.problem import BackupProblem
from config.downgrade import DowngradeRefused, Release
from config.management.commands.keys import ACCEPT_LOSS_OPTION


class Command(BaseCommand):
    help = "Give the database the tables of an earlier release. Stop the server before."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("release", help=f"one of {', '.join(downgrade.releases())}")
        parser.add_argument(
            ACCEPT_LOSS_OPTION, action="store_true", help="lose the rows that are listed"
        )

    def handle(self, *_: Any, **options: Any) -> None:
        version = options["release"]
        try:
            release = downgrade.find_release(version)
            downgrade.refuse_other_users()
            self._list(release)
            if self._list_losses(release) and not options["accept_loss"]:
                raise DowngradeRefused(
                    f"Nothing has changed. Back up, and go back with {ACCEPT_LOSS_OPTION}."
                )
            downgrade.go_back(release)
        except (BackupProblem, DowngradeRefused) as problem:
            raise CommandError(str(problem)) from problem
        self.stdout.write(f"The database has the tables of {version}: install it, and start it.")

    def _list(self, release: Release) -> None:
        if games := downgrade.games_standing_still(release):
            self.stdout.write(
                f"{games} unfinished games have rules that the release lacks: they stand still"
                " until the next upgrade."
            )

    def _list_losses(self, release: Release) -> bool:
        """Write what is lost; whether there is anything."""
        losses = [loss for loss in downgrade.losses(release) if loss.rows]
        if losses:
            self.stdout.write("The release has no place for:")
        self.stdout.writelines(f"  {loss}\n" for loss in losses)
        return bool(losses)
