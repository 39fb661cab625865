"""`manage.py verify [game …]`: verify the logs of games here, by chain, chance and rules, and their
rows by their logs; `--jobs N` by several processes, `--sample PERCENT` only some of them, `--since
LEAF` those that entered the record late, `--ledger FOLDER` those that have not been verified yet.
`manage.py verify --export FILE` verifies an exported game."""

from __future__ import annotations

import secrets
from argparse import ArgumentParser, ArgumentTypeError
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import orjson
from django.core.management.base import BaseCommand, CommandError
from django.db import Error
from rich.console import Console
from rich.progress import track

from games.audit import stored_game_verifier, verification_jobs
from games.position_cache import UnknownGame
from record.ledger_run import LedgerRun
from tabularium_log.audit import export_verifier
from tabularium_log.audit.export_reader import parse_receipts, read_lines
from tabularium_log.audit.verdict import Flaw, Verdict
from tabularium_log.record.errors import RecordError

UNCHECKED_EXIT_STATUS: Final = 3  # no game is bad, but some cannot be checked
MAX_PERCENT: Final = 100
SEEDS: Final = 2**32
WAYS: Final = ("export", "sample", "since", "ledger")  # to choose the games that are verified
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
        add("--jobs", type=positive, default=1, metavar="N", help="processes (default: 1)")
        add("--sample", type=percentage, metavar="PERCENT", help="verify only so many, at random")
        add("--seed", type=int, metavar="N", help="the seed of the sample (default: a new one)")
        add("--since", type=leaf_number, metavar="LEAF", help="only games from this leaf on")
        add(
            "--ledger",
            type=Path,
            metavar="FOLDER",
            help="verify games that the last ledger there does not know, and write the next",
        )
        add("--resume", action="store_true", help="go on with a ledger that was cut")
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
        add("--record", metavar="VKEY", help="the key of the public record that must have the game")
        add("--unsigned", action="store_true", help="accept an export without signatures")

    def handle(self, *args: Any, **options: Any) -> None:
        check_options(options)
        counts: Counter[str] = Counter()
        for verdict in self._verdicts(options):
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

    def _verdicts(self, options: dict[str, Any]) -> Iterator[Verdict]:
        """The verdict on each game that is verified."""
        if options["export"]:
            yield verify_export_file(options)
        elif options["ledger"]:
            yield from self._verify_for_ledger(options)
        else:
            yield from verify_games(self._choose_games(options), options["jobs"])

    def _verify_for_ledger(self, options: dict[str, Any]) -> Iterator[Verdict]:
        """The verdicts on all games that no ledger knows as good, after which it knows them."""
        run = LedgerRun(options["ledger"], options["jobs"], self.stderr.write)
        try:
            yield from progress(run.verdicts(may_resume=options["resume"]), None)
        except (RecordError, OSError, Error) as problem:
            raise CommandError(str(problem)) from problem
        if not options["json"]:
            self.stdout.write(run.summary)

    def _choose_games(self, options: dict[str, Any]) -> list[str]:
        """The named games, all games, or a sample of them, whose seed is printed."""
        games: list[str] = options["game"] or stored_game_verifier.game_ids(options["since"])
        if options["sample"] is None:
            return games
        seed = secrets.randbelow(SEEDS) if options["seed"] is None else options["seed"]
        sample = verification_jobs.sample_games(games, options["sample"], seed)
        self.stderr.write(f"Verifying {len(sample)} of {len(games)} games, --seed {seed}.")
        return sample


def positive(text: str) -> int:
    """A whole number from 1, as an argument."""
    if not text.isdecimal() or (number := int(text)) < 1:
        raise ArgumentTypeError("must be a whole number from 1")
    return number


def leaf_number(text: str) -> int:
    """The number of a leaf, as an argument."""
    if not text.isdecimal():
        raise ArgumentTypeError("must be a whole number")
    return int(text)


def percentage(text: str) -> float:
    """A number above 0 and up to 100, as an argument."""
    try:
        percent = float(text.removesuffix("%"))
    except ValueError:
        percent = 0
    if not 0 < percent <= MAX_PERCENT:
        raise ArgumentTypeError("must be above 0 and at most 100")
    return percent


def verdict_kind(verdict: Verdict) -> str:
    """Whether a game is good, bad, or one of the kinds that cannot be checked."""
    if verdict.is_locked:
        return "locked"
    if not verdict.has_rules:
        return "not installed"
    return "good" if verdict.is_good else "bad"


def check_options(options: dict[str, Any]) -> None:
    """Refuse options of which one would be ignored."""
    ways = [f"--{name}" for name in WAYS if options[name] is not None]
    if options["game"]:
        ways.append("games")
    if len(ways) > 1:
        raise CommandError(f"Choose one of {' and '.join(ways)}.")
    if options["resume"] and not options["ledger"]:
        raise CommandError("--resume goes on with a ledger: give --ledger, too.")


def verify_games(games: Sequence[str], jobs: int) -> Iterator[Verdict]:
    """The verdict on each game, with a progress bar on a terminal."""
    try:
        yield from progress(verification_jobs.verify_games(games, jobs), len(games))
    except UnknownGame as problem:
        raise CommandError(f"There is no game {problem}.") from problem


def progress(verdicts: Iterable[Verdict], total: int | None) -> Iterator[Verdict]:
    """The verdicts, with a progress bar on a terminal."""
    console = Console(stderr=True)
    is_hidden = not console.is_terminal
    yield from track(verdicts, "Verifying", total=total, console=console, disable=is_hidden)


def verify_export_file(options: dict[str, Any]) -> Verdict:
    """The verdict on a file."""
    try:
        receipts = parse_receipts(read_lines(options["receipts"])) if options["receipts"] else []
        lines = read_lines(options["export"])
        return export_verifier.verify_export(
            lines,
            receipts,
            options["key"],
            is_signed=not options["unsigned"],
            record_key=options["record"],
        )
    except (Flaw, OSError, ValueError) as problem:
        raise CommandError(str(problem)) from problem
