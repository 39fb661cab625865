"""`manage.py demo`: bots at a table of each game, and their logs as they grow."""

from __future__ import annotations

import logging
from argparse import ArgumentParser
from time import monotonic, sleep
from typing import Any, Final

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from ai import thinking
from ai.registry import BOTS
from ai.terminal.screen import Screen
from ai.terminal.showing import Shown, ending, proof
from games import selectors, services
from games.audit import stored
from games.registry import ENGINES
from games.services import Seating

PATIENCE: Final = 3.0  # seconds that a worker has for its first answer
LOOK: Final = 0.05  # seconds between two looks at a table
PACE: Final = 0.1


class Command(BaseCommand):
    help = "Seat bots at a table of each game and show the log as it grows. Nothing need run."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        games, bots = ", ".join(ENGINES), ", ".join(BOTS)
        add("--games", nargs="+", choices=list(ENGINES), default=list(ENGINES), help=games)
        add("--bots", nargs="+", choices=BOTS, default=list(BOTS), help=f"by seat: {bots}")
        add("--pace", type=float, default=PACE, help=f"seconds from entry to entry ({PACE:g})")

    def handle(self, *_: Any, games: list[str], bots: list[str], pace: float, **__: Any) -> None:
        if not pace >= 0:
            raise CommandError("The pace is a number of seconds, not below 0.")
        logging.getLogger("games.publishing").setLevel(logging.ERROR)  # we can do without a broker
        call_command("migrate", verbosity=0)
        screen = Screen()
        try:
            for slug in games:
                Demonstration(slug, bots, screen).run(pace)
        except KeyboardInterrupt:
            screen.say("", "Stopped. The game goes on where bots are served: manage.py serve.")


class Demonstration:
    """One game among bots."""

    def __init__(self, slug: str, bots: list[str], screen: Screen) -> None:
        fewest, most = ENGINES[slug].about.seats
        seats = min(max(len(bots), fewest), most)
        names = [bots[seat % len(bots)] for seat in range(seats)]
        self._screen = screen
        screen.say("", f"{ENGINES[slug].about.title}: {', '.join(names)}", "")
        made = services.game_create(slug, [Seating(bot=name) for name in names])
        self._game = made.table.game
        self._shown = Shown(self._game, screen)
        self._patience = PATIENCE

    def run(self, pace: float) -> None:
        """From the first entry to the proof."""
        while self._shown.catch_up():
            sleep(pace)
            if selectors.game_table(self._game).phase != "over":
                self._wait_for_a_bot()
        self._screen.say("", *ending(selectors.game_table(self._game)))
        self._screen.say("", *proof(stored.verified(self._game)))

    def _wait_for_a_bot(self) -> None:
        """Until a worker has let a bot act; if none does, we do it."""
        end = monotonic() + self._patience
        while monotonic() < end:
            if selectors.game_table(self._game).seq > self._shown.seq:
                return
            sleep(LOOK)
        self._patience = 0.0
        table = selectors.game_table(self._game)
        for seat in selectors.bots_awaited(table)[:1]:
            thinking.answer(self._game, seat, table.token(seat))
