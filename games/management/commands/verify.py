"""`manage.py verify [game …]`: verify the logs of games here, by chain, chance and rules, and their
rows by their logs. `manage.py verify --export FILE` verifies an exported game."""

from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import orjson
from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.progress import track

from games.audit import export_verifier, stored_game_verifier
from games.audit.export_reader import parse_receipts, read_lines
from games.audit.verdict import Flaw, Verdict
from games.position_cache import UnknownGame

UNCHECKED_EXIT_STATUS: Final = 3  # no game is bad, but some cannot be checked
UNCHECKED_KINDS: Final = {
    "locked": "cannot be decrypted",
    "not installed": "are played by rules that are not installed",
}


class Command(BaseCommand):
    help = "Verify that no log was altered or rigged, and name the first bad entry of each."
    requires_system_checks = ()  # a game that is over can be read with any keys

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add("game", nargs="*", help="the games to verify (default: all)")
        add("--json", action="store_true", help="print one line of JSON per game")
        add(
            "--export",
            type=Path,
            metavar="FILE",
            help="verify an exported game instead of the stored games",
        )
        add(
            "--receipts",
            type=Path,
            metavar="FILE",
            help="receipts that were kept of it, one per line",
        )
        add("--key", metavar="HEX", help="the public key with which it must be signed")
        add("--unsigned", action="store_true", help="accept an export without signatures")

    def handle(self, *args: Any, **options: Any) -> None:
        games = options["game"] or ([] if options["export"] else stored_game_verifier.game_ids())
        verdicts = [verify_export_file(options)] if options["export"] else verify_games(games)
        counts: Counter[str] = Counter()
        for verdict in verdicts:
            counts[verdict_kind(verdict)] += 1
            if options["json"]:
                self.stdout.write(orjson.dumps(verdict).decode())
            elif not verdict.is_good or options["game"] or options["export"]:
                self.stdout.write(str(verdict))
        if counts["bad"]:
            sentence = f"{counts['bad']} of {counts.total()} games could not be verified."
            raise CommandError(sentence)
        unchecked = [
            f"{counts[kind]} of {counts.total()} games {meaning}"
            for kind, meaning in UNCHECKED_KINDS.items()
            if counts[kind]
        ]
        if unchecked:
            sentence = f"{', '.join(unchecked)}; none is bad."
            raise CommandError(sentence, returncode=UNCHECKED_EXIT_STATUS)
        if not options["json"]:
            self.stdout.write(f"{counts.total()} games verified; all are good.")


def verdict_kind(verdict: Verdict) -> str:
    """Whether a game is good, bad, or one of the kinds that cannot be checked."""
    if verdict.is_locked:
        return "locked"
    if not verdict.has_rules:
        return "not installed"
    return "good" if verdict.is_good else "bad"


def verify_games(games: Sequence[str]) -> Iterator[Verdict]:
    """The verdict on each game, with a progress bar on a terminal."""
    console = Console(stderr=True)
    for game in track(games, "Verifying", console=console, disable=not console.is_terminal):
        try:
            yield stored_game_verifier.verify_game(game)
        except UnknownGame as problem:
            raise CommandError(f"There is no game {game}.") from problem


def verify_export_file(options: dict[str, Any]) -> Verdict:
    """The verdict on a file."""
    try:
        receipts = parse_receipts(read_lines(options["receipts"])) if options["receipts"] else []
        lines = read_lines(options["export"])
        return export_verifier.verify_export(
            lines, receipts, options["key"], is_signed=not options["unsigned"]
        )
    except (Flaw, OSError) as problem:
        raise CommandError(str(problem)) from problem
