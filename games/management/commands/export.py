"""`manage.py export GAME [FILE]`: export a game to a file; docs/verify.py can verify it."""

from __future__ import annotations

from argparse import ArgumentParser
from itertools import chain
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.audit import stored_game_export
from games.audit.export_format import VIEWER_EVERYTHING
from games.position_cache import UnknownGame
from games.projection.projection import GameRefusal
from games.secret_lookup import GameUnlockError

VIEWER_HELP = "the viewer: everything (after the end), onlooker, seat:0 and so on"


class Command(BaseCommand):
    help = "Export a game to a file or to standard output; docs/verify.py verifies it."
    requires_system_checks = ()  # a game that is over can be read with any keys

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game")
        parser.add_argument(
            "file", nargs="?", type=Path, help="the file to write (default: standard output)"
        )
        parser.add_argument("--as", dest="viewer", default=VIEWER_EVERYTHING, help=VIEWER_HELP)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            lines = stored_game_export.export_lines(options["game"], options["viewer"])
            first = next(lines)  # a refusal is raised here
        except UnknownGame as problem:
            raise CommandError(f"There is no game {problem}.") from problem
        except GameUnlockError as problem:
            raise CommandError(f"{problem}.") from problem
        except GameRefusal as refusal:
            raise CommandError(refusal.sentence) from refusal
        output_lines = (f"{line}\n" for line in chain([first], lines))
        if options["file"] is None:
            for line in output_lines:
                self.stdout.write(line, ending="")
        else:
            with options["file"].open("wb") as file:
                file.writelines(line.encode() for line in output_lines)
