"""`manage.py play <game>`: play a game against bots in the terminal, or replay one."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from ai.bot_registry import COMMON_BOT_NAMES
from ai.terminal.session_setup import PlayArguments, SetupError, start_session
from tabularium_engines.installed.registry import ENGINES, is_proven

OPTION_HELP = "an option, such as suit_by=die; may be repeated"


class Command(BaseCommand):
    help = "Play a game in the terminal against bots."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add("game", nargs="?", help=f"one of {', '.join(map(listed_name, ENGINES))}")
        add("--seats", type=int, help="the number of players")
        add("--option", action="append", default=[], metavar="NAME=VALUE", help=OPTION_HELP)
        add(
            "--bots",
            default="mcts",
            help=f"the opponents, from {','.join(COMMON_BOT_NAMES)} (default: mcts)",
        )
        add("--seconds", type=float, default=0.5, help="thinking time of a bot (default: 0.5)")
        add("--seed", type=int, help="the seed of the deal: the same seed deals the same cards")
        add(
            "--everything",
            action="store_true",
            help="replay a finished game with all hidden information",
        )
        seat_group = parser.add_mutually_exclusive_group()
        seat_group.add_argument(
            "--seat", type=int, help="your seat (default: 0), or the seat whose view is replayed"
        )
        seat_group.add_argument("--watch", action="store_true", help="watch bots play")
        file_group = parser.add_mutually_exclusive_group()
        file_group.add_argument("--log", type=Path, metavar="FILE", help="the file for the log")
        file_group.add_argument(
            "--resume", type=Path, metavar="FILE", help="resume the game in this log"
        )
        file_group.add_argument(
            "--replay", type=Path, metavar="FILE", help="replay this log step by step"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["game"] is None:
            raise CommandError("Name one of these games:\n" + "\n".join(game_lines()))
        arguments = PlayArguments(
            **{field.name: options[field.name] for field in fields(PlayArguments)}
        )
        try:
            start_session(arguments, settings.DATA / "games")
        except SetupError as problem:
            raise CommandError(str(problem)) from problem


def listed_name(slug: str) -> str:
    """A game in the list of games: an unproven one is marked."""
    is_marked = not is_proven(slug, ENGINES[slug].about.version)
    return f"{slug} (unproven)" if is_marked else slug


def game_lines() -> Iterator[str]:
    """The games that can be played, with the numbers of players."""
    width = max(map(len, map(listed_name, ENGINES)))
    for slug, engine in ENGINES.items():
        fewest, most = engine.about.seats
        players = f"{fewest}" if fewest == most else f"{fewest} to {most}"
        yield f"  {listed_name(slug):{width}}  {engine.about.title}, {players} players"
