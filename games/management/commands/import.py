"""`manage.py import FILE`: import a game that was played elsewhere, verified."""  # noqa: N999

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games import services
from tabularium_engines.installed.registry import RulesetNotInstalled
from tabularium_log.audit import export_verifier
from tabularium_log.audit.export_reader import read_lines
from tabularium_log.audit.verdict import Flaw
from tabularium_log.projection.projection import GameRefusal


class Command(BaseCommand):
    help = "Verify the export of a finished game and import it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            source = export_verifier.load_verified_game(
                read_lines(options["file"]), is_signed=False
            )
            result = services.import_game(source)
        except Flaw as flaw:
            raise CommandError(f"Not imported: {flaw}") from flaw
        except (OSError, GameRefusal, RulesetNotInstalled) as problem:
            raise CommandError(f"Not imported: {problem}") from problem
        self.stdout.write(result.game.pk)
