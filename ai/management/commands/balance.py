"""`manage.py balance`: measure how fair a game's rules are, and how often each part matters."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.progress import Progress

from ai.arena.contestants import parse_contestant
from ai.balance.cells import Cell, cells_of
from ai.balance.laboratory import RESULTS_FILE, Result, Results, play_cell, usual_bot
from ai.balance.page import share_text
from ai.balance.rulings import reached_rulings
from ai.balance.skill import measure_skill
from ai.balance.tally import median_of
from ai.bot_registry import UnknownBot
from tabularium_engines.builds.compiled_engines import engine_mode
from tabularium_engines.installed.registry import ENGINES, RulesetNotInstalled, find_engine

SAVE_INTERVAL: Final = 20.0  # seconds between two savings of a cell in progress
DEFAULT_RULING_GAMES: Final = 100


class Command(BaseCommand):
    help = (
        "Let equal bots play each variant at each number of seats; count who wins by order from"
        " the starter, how long games are, and what occurs in them."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add("game", nargs="?", choices=list(ENGINES), help="(default: all games)")
        add("--rules", type=int, metavar="VERSION", help="of the rules (default: the newest)")
        add("--seats", type=int, help="only with this number of players")
        add("--variant", help='only this variant, such as "counted=laws" or "default"')
        add("--bot", help="the bot at all seats (default: mcts:300, in Duel of Law mcts:100)")
        add("--games", type=int, default=0, help="per cell (default: until the intervals suffice)")
        add("--skill", type=int, default=0, metavar="GAMES", help="also play against greedy")
        add("--jobs", type=int, default=os.cpu_count() or 1, help="processes (one per core)")
        add(
            "--results", type=Path, metavar="FILE", help="(default: balance.json in the var folder)"
        )
        add("--keep", action="store_true", help="store the results as the published ones")
        add(
            "--rulings",
            type=int,
            nargs="?",
            const=DEFAULT_RULING_GAMES,
            metavar="GAMES",
            help="instead, count the random games that reach the code of each ruling",
        )

    def handle(self, *_: Any, game: str | None, **options: Any) -> None:
        slugs = [game] if game else list(ENGINES)
        if options["rulings"]:
            self._print_rulings(slugs, options["rulings"])
            return
        default_file = RESULTS_FILE if options["keep"] else settings.DATA / "balance.json"
        results = Results(options["results"] or default_file)
        cells = [cell for slug in slugs for cell in _chosen_cells(slug, options)]
        if not cells or options["jobs"] < 1:
            raise CommandError("There is no such cell, or no process to play it.")
        with Progress(transient=True, console=Console(stderr=True)) as progress:
            bar = progress.add_task("", total=len(cells))
            for cell in cells:
                progress.update(bar, description=cell.key)
                self._measure_cell(cell, results, options)
                progress.advance(bar)

    def _measure_cell(self, cell: Cell, results: Results, options: dict[str, Any]) -> None:
        """Play a cell, save it now and then, and print its line."""
        bot = options["bot"] or usual_bot(cell.ruleset.slug)
        try:
            parse_contestant(bot, cell.ruleset.slug)
        except (UnknownBot, ValueError) as problem:
            raise CommandError(str(problem)) from problem
        result, saved_at = results.load(cell, bot), monotonic()
        for _ in play_cell(cell, bot, result.tally, options["games"], options["jobs"]):
            if monotonic() - saved_at > SAVE_INTERVAL:
                results.save(result)
                saved_at = monotonic()
        if options["skill"] and cell.is_default:
            result = measure_skill(result, options["skill"], options["jobs"])
        results.save(result)
        self.stdout.write(_line(result))

    def _print_rulings(self, slugs: list[str], games: int) -> None:
        if engine_mode() != "interpreted":
            raise CommandError("Rulings are traced with TABULARIUM_ENGINES=interpreted.")
        for slug in slugs:
            counts = reached_rulings(ENGINES[slug], games)
            texts = [f"R{ruling} {100 * count / games:.0f} %" for ruling, count in counts.items()]
            self.stdout.write(f"{slug}: {', '.join(texts)}")


def _chosen_cells(slug: str, options: dict[str, Any]) -> Iterator[Cell]:
    try:
        engine = find_engine(slug, options["rules"])
    except RulesetNotInstalled as problem:
        raise CommandError(f"{problem}.") from problem
    for cell in cells_of(engine):
        is_chosen = options["seats"] in (None, cell.seats)
        if is_chosen and options["variant"] in (None, cell.variant):
            yield cell


def _line(result: Result) -> str:
    tally = result.tally
    shares = " ".join(share_text(tally, order) for order in range(result.cell.seats))
    length = f"{median_of(tally.decisions)} decisions, {median_of(tally.turns)} turns"
    return f"{result.cell.key}, {result.bot}: {shares}; {length}; {tally.games} games"
