"""`manage.py play <game>`: a game against bots in the terminal, or the replay of one."""

from __future__ import annotations

from argparse import ArgumentParser
from dataclasses import fields
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from ai.bot_registry import COMMON_BOT_NAMES
from ai.terminal.session_setup import PlayArguments, SetupError, start_session
from games.registry import ENGINES

OPTION_HELP = "a variant, such as suit_by=die; may be given several times"


class Command(BaseCommand):
    help = "Play a game in the terminal against bots."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add("game", help=f"one of {', '.join(ENGINES)}")
        add("--seats", type=int, help="how many play")
        add("--option", action="append", default=[], metavar="NAME=VALUE", help=OPTION_HELP)
        add(
            "--bots",
            default="mcts",
            help=f"who else plays: some of {','.join(COMMON_BOT_NAMES)} (mcts)",
        )
        add("--seconds", type=float, default=0.5, help="how long a bot may think (0.5)")
        add("--seed", type=int, help="the same seed deals the same cards")
        add("--everything", action="store_true", help="replay a finished game with all secrets")
        who = parser.add_mutually_exclusive_group()
        who.add_argument("--seat", type=int, help="where you sit (0), or whose view is replayed")
        who.add_argument("--watch", action="store_true", help="only bots play")
        file = parser.add_mutually_exclusive_group()
        file.add_argument("--log", type=Path, metavar="FILE", help="where the log is written")
        file.add_argument("--resume", type=Path, metavar="FILE", help="go on with this log")
        file.add_argument("--replay", type=Path, metavar="FILE", help="step through this log")

    def handle(self, *args: Any, **asked: Any) -> None:
        wishes = PlayArguments(**{field.name: asked[field.name] for field in fields(PlayArguments)})
        try:
            start_session(wishes, settings.DATA / "games")
        except SetupError as unmet:
            raise CommandError(str(unmet)) from unmet
