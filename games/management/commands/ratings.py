"""`manage.py ratings [--check]`: are the ratings that are kept those that follow from the logs?
Where they are not, they are folded anew from the first rated game; with `--check` they are left."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.ratings import comparing, folding
from games.registry import ENGINES


class Command(BaseCommand):
    help = "Fold all rated games that are over, and write the ratings anew where they differ."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="only say whether they agree")

    def handle(self, *_: Any, check: bool, **__: Any) -> None:
        wrong = [slug for slug in ENGINES if not self._is_good(slug)]
        if check and wrong:
            raise CommandError(f"Ratings do not follow from the logs: {', '.join(wrong)}.")
        for slug in wrong:
            folding.forget(slug)
            games = folding.count_games(slug, thoroughly=True)
            self.stdout.write(f"{slug}: folded anew, {games} games.")

    def _is_good(self, slug: str) -> bool:
        found = comparing.compared(slug)
        told = "they agree" if found.is_good else f"{found.wrong} ratings differ"
        waiting = f", {found.waiting} not counted yet" if found.waiting else ""
        self.stdout.write(f"{slug}: {found.games} rated games{waiting}; {told}.")
        return found.is_good
