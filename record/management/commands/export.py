"""`manage.py export GAME [FILE]`: export a game to a file; docs/verify.py can verify it. With
`--proof` the file also proves that the game is in the public record."""

from __future__ import annotations

from argparse import ArgumentParser
from itertools import chain
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.audit import stored_game_export
from games.audit.stored_game_verifier import read_game_row
from games.position_cache import UnknownGame
from games.secret_lookup import GameUnlockError
from record.game_proofs import NotRecordedYetError, prove_game
from tabularium_log.audit.export_format import VIEWER_EVERYTHING, Record
from tabularium_log.projection.projection import GameRefusal

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
        parser.add_argument(
            "--proof", action="store_true", help="add the proof that the game is in the record"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            record = proof_line(options["game"]) if options["proof"] else None
            lines = stored_game_export.export_lines(options["game"], options["viewer"], record)
            first = next(lines)  # a refusal is raised here
        except UnknownGame as problem:
            raise CommandError(f"There is no game {problem}.") from problem
        except GameUnlockError as problem:
            raise CommandError(f"{problem}.") from problem
        except NotRecordedYetError as problem:
            raise CommandError(str(problem)) from problem
        except GameRefusal as refusal:
            raise CommandError(refusal.sentence) from refusal
        output_lines = (f"{line}\n" for line in chain([first], lines))
        if options["file"] is None:
            for line in output_lines:
                self.stdout.write(line, ending="")
        else:
            with options["file"].open("wb") as file:
                file.writelines(line.encode() for line in output_lines)


def proof_line(game: str) -> Record:
    """The line with the proof of a game."""
    return prove_game(read_game_row(game)).for_export
