"""`manage.py rethink GAME ENTRY`: what did a bot think there, and does it think so again?"""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

import orjson
from django.core.management.base import BaseCommand, CommandError

from ai import minds, registry
from ai.analysis import deciding
from ai.bots import Answer, Budget
from ai.models import Thought
from games import selectors
from games.engines.common.codec import Json
from games.table.table import Table


class Command(BaseCommand):
    help = "Let a bot think again about one of its actions, from the same view and the same seed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", help="its id")
        parser.add_argument("entry", type=int, help="the number of the bot's entry in the log")
        parser.add_argument("--json", action="store_true", help="as JSON")

    def handle(self, *_: Any, game: str, entry: int, json: bool, **__: Any) -> None:
        was = Thought.objects.filter(game_id=game, seq=entry).first()
        if was is None:
            raise CommandError(
                f"Nothing is kept of a bot's thoughts about entry {entry} of {game}."
            )
        table = selectors.game_table(game, was.known)
        acted = selectors.game_table(game, entry).entry.action
        found = again(was, table)
        told = document(was, table, found, acted)
        if json:
            self.stdout.write(orjson.dumps(told, option=orjson.OPT_INDENT_2).decode())
        else:
            self.stdout.writelines(page(told))
        if not told["same"]:
            raise CommandError(told["verdict"])


def again(was: Thought, table: Table) -> Answer:
    """What the bot makes of the same view with the same wits."""
    if was.parts:
        return deciding.again(was, selectors.game_decision(was.game_id, was.seat, was.known))
    view = table.engine.view(table.state, was.seat)
    budget = Budget(simulations=was.simulations)
    create = table.create
    return minds.thought(create.rules, create.version, was.bot, view, was.seed, budget)


def document(was: Thought, table: Table, found: Answer, acted: Json) -> dict[str, Any]:
    """All that can be said of it."""
    to_json = table.engine.actions.to_json
    same = to_json(found.action) == acted
    return {
        "game": was.game_id,
        "entry": was.seq,
        "seat": was.seat,
        "bot": was.bot,
        "simulations": was.simulations,
        "seed": str(was.seed),  # JSON's numbers are not that exact everywhere
        "action": acted,
        "tried": [
            {
                "label": label(table, was.seat, tried.action),
                "action": to_json(tried.action),
                "visits": tried.visits,
                "value": round(tried.value, 4),
            }
            for tried in found.tried
        ],
        "same": same,
        "verdict": verdict(was, table, same),
    }


def label(table: Table, seat: int, action: Any) -> str:
    """An action in a few words."""
    number = table.engine.encode(table.state, seat, action)
    return table.engine.label(table.state, seat, number)


def verdict(was: Thought, table: Table, same: bool) -> str:
    """Is it the same bot?"""
    if same:
        return "It decides the same again."
    if was.digest != registry.digest(table.create.rules):
        return "It decides otherwise, and its code is not what it was then."
    return "It decides otherwise, though its code is the same: the action or the note was altered."


def page(told: dict[str, Any]) -> list[str]:
    """The document as lines."""
    head = "Entry {entry} of {game}: {bot} at seat {seat}, {simulations} simulations".format(**told)
    lines = [head + "\n", ""]
    lines += [
        f"{tried['visits']:>8}  {tried['value']:.4f}  {tried['label']}\n" for tried in told["tried"]
    ]
    return [*lines, told["verdict"] + "\n"]
