"""`manage.py hide GAME`: take a game off the lists; clients that know its id may still watch."""

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

    def handle(self, *args: Any, **asked: Any) -> None:
        games = Game.objects.in_bulk(asked["game"])
        unknown = [game for game in asked["game"] if game not in games]
        if unknown:
            raise CommandError(f"There is no game {', '.join(unknown)}.")
        private = [game.pk for game in games.values() if game.visibility == "private"]
        if private:
            raise CommandError(f"Private games are never listed: {', '.join(private)}.")
        changed = sum(services.game_hide(game, not asked["undo"]) for game in games)
        self.stdout.write(f"{'Listed' if asked['undo'] else 'Hidden'}: {changed} of {len(games)}.")
