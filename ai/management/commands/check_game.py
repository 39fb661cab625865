"""`manage.py check_game GAME`: check every promise of the engine contract on a game, and record
those that the game of another package keeps.

GAME is a file, a folder with a package or with a pyproject.toml, an installed module, or the slug
of a game of this project. The exit status is 1 if a promise is broken.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError

from ai import compiled_build_check, game_check
from ai.game_check import CheckedGame
from tabularium_engines import GAMES
from tabularium_engines.installed import promise_record
from tabularium_engines.installed.registry import ruleset_of, sources_digest
from tabularium_engines.promises import PROMISES
from tabularium_engines.promises.transcripts import promise_13

DEFAULT_GAMES: Final = 3  # at each table


class Command(BaseCommand):
    help = "Check every promise of the engine contract on a game."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add("game", help="a file, a folder, an installed module, or a slug")
        add(
            "--games",
            type=int,
            default=DEFAULT_GAMES,
            help=f"random games at each table, more if they are short (default: {DEFAULT_GAMES})",
        )
        add(
            "--compiled",
            action="store_true",
            help="compile the package with mypyc, too, and compare both builds (promise 13)",
        )
        add(
            "--record",
            action="store_true",
            help="write the promises that are kept into a module beside the rules, for packing",
        )

    def handle(self, *_: Any, game: str, games: int, **options: Any) -> None:
        if sentence := usage_error(game, games, is_packed=options["record"] or options["compiled"]):
            raise CommandError(sentence)
        try:
            checked_games = game_check.load_games(game)
            kept = [number for number in PROMISES if self._keeps(number, checked_games, games)]
            compared = {promise_record.COMPILED_PROMISE} if options["compiled"] else set()
            if compared and self._builds_agree(checked_games, games):
                kept += compared
        except game_check.CheckRefused as refusal:
            raise CommandError(str(refusal)) from refusal
        if options["record"]:
            for checked_game in checked_games:
                self._write_record(checked_game, kept)
        if broken := sorted((set(PROMISES) | compared) - set(kept)):
            raise CommandError(f"Broken: {', '.join(map(str, broken))}.")
        self.stdout.write(f"All {len(kept)} promises are kept.")

    def _keeps(self, number: int, checked_games: list[CheckedGame], games: int) -> bool:
        """Whether all rulesets keep a promise; prints one line, and the first breach of each."""
        breaches = [
            (checked_game.module, breach)
            for checked_game in checked_games
            for engine in checked_game.engines
            if (breach := game_check.find_breach(number, engine, games)) is not None
        ]
        self._write_verdict(number, PROMISES[number], is_kept=not breaches)
        for module, breach in breaches:
            for line in game_check.breach_lines(breach, module):
                self.stdout.write(f"{'':11}{line}")
        return not breaches

    def _builds_agree(self, checked_games: list[CheckedGame], games: int) -> bool:
        """Whether all rulesets keep promise 13; prints a line, and the first difference."""
        error = ""
        try:
            for checked_game in checked_games:
                compiled_build_check.check_builds(checked_game, games)
        except AssertionError as difference:
            error = str(difference)
        self._write_verdict(promise_record.COMPILED_PROMISE, promise_13, is_kept=not error)
        if error:
            self.stdout.write(f"{'':11}{error}")
        return not error

    def _write_verdict(self, number: int, promise: Callable[..., None], is_kept: bool) -> None:
        verdict = "kept" if is_kept else "broken"
        self.stdout.write(f"{number:>2} {verdict:<6}  {game_check.promise_sentence(promise)}")

    def _write_record(self, checked_game: CheckedGame, kept: list[int]) -> None:
        """Write the promise record of a game's package."""
        path = promise_record.record_path(checked_game.module)
        assert path is not None, "the game was loaded from its source"
        digests = {
            str(ruleset_of(engine)): sources_digest([type(engine).__module__])
            for engine in checked_game.engines
        }
        path.write_text(promise_record.record_text(digests, kept), encoding="utf-8")
        self.stdout.write(f"Recorded in {path.name}.")


def usage_error(game: str, games: int, is_packed: bool) -> str:
    """Why the command cannot be run; empty if it can."""
    if not __debug__:
        return "The promises are assertions: run Python without -O."
    if games < 1:
        return "--games must be at least 1."
    if is_packed and game in GAMES:
        return "--record and --compiled are for games of other packages."
    return ""
