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
from games.services import SeatAssignment
from tabularium_engines.installed.registry import ENGINES

WORKER_WAIT_SECONDS: Final = 3.0  # for a worker's first answer
POLL_SECONDS: Final = 0.05  # between two checks of a table
DEFAULT_PACE_SECONDS: Final = 0.1
DEFAULT_BOTS: Final = ("greedy", "random")  # which think for no time
DEFAULT_SECONDS: Final = 6.0
INTRODUCTION: Final = (
    "Bots play one game of each ruleset. Each entry of a game's log has a number, the first digits",
    "of its hash, and the news that onlookers get; what is sealed is read when the rules open it.",
    "At the end the log is verified. Nothing else has to run.",
)


SECONDS_HELP: Final = (
    "seconds for which each game is shown, before the rest is played at once (default: "
    f"{DEFAULT_SECONDS:g}; inf: to its end)"
)


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
            default=list(DEFAULT_BOTS),
            help=f"the bots by seat, from {bots} (default: {' '.join(DEFAULT_BOTS)})",
        )
        add("--seconds", type=float, default=DEFAULT_SECONDS, help=SECONDS_HELP)
        add(
            "--pace",
            type=float,
            default=DEFAULT_PACE_SECONDS,
            help=f"seconds between entries (default: {DEFAULT_PACE_SECONDS:g})",
        )

    def handle(self, *_: Any, games: list[str], bots: list[str], **options: Any) -> None:
        pace, seconds = options["pace"], options["seconds"]
        if not (pace >= 0 and seconds >= 0):
            raise CommandError("The pace and the seconds must be numbers, at least 0.")
        # a missing broker is no problem here
        logging.getLogger("jobs.background_publisher").setLevel(logging.ERROR)
        call_command("migrate", verbosity=0)
        screen = Screen()
        screen.say(*INTRODUCTION)
        wait_seconds = WORKER_WAIT_SECONDS
        try:
            for slug in games:
                demonstration = Demonstration(slug, bots, screen, wait_seconds)
                wait_seconds = demonstration.run(pace, seconds)
        except KeyboardInterrupt:
            screen.say_after_interrupt("", "Stopped. `manage.py serve` continues the game.")


class Demonstration:
    """One game among bots."""

    def __init__(self, slug: str, bots: list[str], screen: Screen, wait_seconds: float) -> None:
        min_seats, max_seats = ENGINES[slug].about.seats
        seats = min(max(len(bots), min_seats), max_seats)
        names = [bots[seat % len(bots)] for seat in range(seats)]
        self._screen = screen
        screen.say("", f"{ENGINES[slug].about.title}: {', '.join(names)}", "")
        result = services.create_game(slug, [SeatAssignment(bot=name) for name in names])
        self._game = result.projection.game
        self._printer = LogPrinter(self._game, screen)
        self._wait_seconds = wait_seconds

    def run(self, pace: float, seconds: float) -> float:
        """Show the game from the first entry, for so many seconds, and from its end to the proof.
        Returns how long the next one should wait for a worker."""
        end = monotonic() + seconds
        while self._printer.print_new_entries() and monotonic() <= end:
            sleep(pace)
            if self._is_playing:
                self._wait_for_a_bot()
        if self._is_playing:
            self._screen.say("", "… and so on. The rest is played at once:")
            self._play_on()
        self._screen.say("", *ending_sentences(selectors.game_projection(self._game)))
        self._screen.say("", *proof_sentences(stored_game_verifier.verify_game(self._game)))
        return self._wait_seconds

    @property
    def _is_playing(self) -> bool:
        return selectors.game_projection(self._game).phase != "over"

    def _play_on(self) -> None:
        """Play to the end, and print the last entry."""
        while self._is_playing:
            self._wait_for_a_bot()
            self._printer.seq = selectors.game_projection(self._game).seq
        self._printer.seq -= 1
        self._printer.print_new_entries()

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
