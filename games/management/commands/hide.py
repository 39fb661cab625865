"""`manage.py hide GAME`: hide public games from the lists of games, or list them again; clients
that know the id of a game may still watch."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games import services
from games.models import Game


class Command(BaseCommand):
    help = "Hide public games: they are no longer listed, but their logs stay."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", nargs="+")
        parser.add_argument("--undo", action="store_true", help="list hidden games again")

    def handle(self, *args: Any, **options: Any) -> None:
        games = Game.objects.in_bulk(options["game"])
        unknown_games = [game for game in options["game"] if game not in games]
        if unknown_games:
            raise CommandError(f"There is no game {', '.join(unknown_games)}.")
        private_games = [game.pk for game in games.values() if game.visibility == "private"]
        if private_games:
            raise CommandError(f"Private games are never listed: {', '.join(private_games)}.")
        count = sum(services.game_hide(game, not options["undo"]) for game in games)
        self.stdout.write(f"{'Listed' if options['undo'] else 'Hidden'}: {count} of {len(games)}.")
