"""`manage.py ratings [--check]`: recompute the ratings from the logs of all rated games, where the
stored ones differ; `--check` only compares them."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.ratings import finished_games, rating_fold
from tabularium_engines.installed.registry import ENGINES


class Command(BaseCommand):
    help = "Recompute the ratings from all finished rated games, and store those that differ."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="only report whether they agree")

    def handle(self, *_: Any, check: bool, **__: Any) -> None:
        self._require_rules()
        wrong_slugs = [slug for slug in ENGINES if not self._is_consistent(slug)]
        if check and wrong_slugs:
            raise CommandError(
                f"The ratings do not follow from the logs: {', '.join(wrong_slugs)}."
            )
        for slug in wrong_slugs:
            rating_fold.delete_ratings(slug)
            games = rating_fold.count_games(slug, thoroughly=True)
            self.stdout.write(f"{slug}: recomputed from {games} games.")

    def _require_rules(self) -> None:
        """Refuse to fold games of which the present rules do not know the partners."""
        for slug in ENGINES:
            if count := finished_games.games_of_unknown_partners(slug).count():
                sentence = (
                    f"{count} rated games of {slug} were played by versions of its rules that are"
                    " not installed: their partners are unknown, so its ratings cannot be checked."
                )
                raise CommandError(sentence)

    def _is_consistent(self, slug: str) -> bool:
        report = rating_fold.check_consistency(slug)
        verdict = "they agree" if report.is_consistent else f"{report.wrong_ratings} ratings differ"
        backlog = f", {report.uncounted_games} not counted yet" if report.uncounted_games else ""
        self.stdout.write(f"{slug}: {report.games} rated games{backlog}; {verdict}.")
        return report.is_consistent
