"""`manage.py demo`: a demonstration in the terminal: bots at a table of each game, and their logs
as they grow."""

from __future__ import annotations

import logging
from argparse import ArgumentParser
from time import monotonic, sleep
from typing import Any, Final

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from ai import bot_turn
from ai.bot_registry import COMMON_BOT_NAMES
from ai.terminal.log_printer import LogPrinter, ending_sentences, proof_sentences
from ai.terminal.screen import Screen
from games import selectors, services
from games.audit import stored_game_verifier
from games.registry import ENGINES
from games.services import SeatAssignment

WORKER_WAIT_SECONDS: Final = 3.0  # for a worker's first answer
POLL_SECONDS: Final = 0.05  # between two checks of a table
DEFAULT_PACE_SECONDS: Final = 0.1


class Command(BaseCommand):
    help = "Play one game of each ruleset with bots and show its growing log. No server is needed."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        games, bots = ", ".join(ENGINES), ", ".join(COMMON_BOT_NAMES)
        add("--games", nargs="+", choices=list(ENGINES), default=list(ENGINES), help=games)
        add(
            "--bots",
            nargs="+",
            choices=COMMON_BOT_NAMES,
            default=list(COMMON_BOT_NAMES),
            help=f"the bots by seat (default: {bots})",
        )
        add(
            "--pace",
            type=float,
            default=DEFAULT_PACE_SECONDS,
            help=f"seconds between entries (default: {DEFAULT_PACE_SECONDS:g})",
        )

    def handle(self, *_: Any, games: list[str], bots: list[str], pace: float, **__: Any) -> None:
        if not pace >= 0:
            raise CommandError("The pace must be a number of seconds, at least 0.")
        # a missing broker is no problem here
        logging.getLogger("jobs.background_publisher").setLevel(logging.ERROR)
        call_command("migrate", verbosity=0)
        screen = Screen()
        try:
            for slug in games:
                Demonstration(slug, bots, screen).run(pace)
        except KeyboardInterrupt:
            screen.say("", "Stopped. `manage.py serve` continues the game.")


class Demonstration:
    """One game among bots."""

    def __init__(self, slug: str, bots: list[str], screen: Screen) -> None:
        min_seats, max_seats = ENGINES[slug].about.seats
        seats = min(max(len(bots), min_seats), max_seats)
        names = [bots[seat % len(bots)] for seat in range(seats)]
        self._screen = screen
        screen.say("", f"{ENGINES[slug].about.title}: {', '.join(names)}", "")
        result = services.game_create(slug, [SeatAssignment(bot=name) for name in names])
        self._game = result.projection.game
        self._printer = LogPrinter(self._game, screen)
        self._wait_seconds = WORKER_WAIT_SECONDS

    def run(self, pace: float) -> None:
        """Show the game from the first entry to the proof."""
        while self._printer.print_new_entries():
            sleep(pace)
            if selectors.game_projection(self._game).phase != "over":
                self._wait_for_a_bot()
        self._screen.say("", *ending_sentences(selectors.game_projection(self._game)))
        self._screen.say("", *proof_sentences(stored_game_verifier.verify_game(self._game)))

    def _wait_for_a_bot(self) -> None:
        """Wait until a worker has let a bot act; if none does, act in this process."""
        end = monotonic() + self._wait_seconds
        while monotonic() < end:
            if selectors.game_projection(self._game).seq > self._printer.seq:
                return
            sleep(POLL_SECONDS)
        self._wait_seconds = 0.0
        table = selectors.game_projection(self._game)
        for seat in selectors.awaited_bot_seats(table)[:1]:
            bot_turn.take_turn(self._game, seat, table.choice_token(seat))
