"""`manage.py recheck_decision GAME ENTRY`: repeat a bot's decision, and check whether the same code
decides the same."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

import orjson
from django.core.management.base import BaseCommand, CommandError

from ai import bot_registry, view_guard
from ai.analysis import parallel_decision
from ai.bot_types import BotDecision, Budget
from ai.models import Thought
from games import selectors
from games.engines.common.codec import Json
from games.projection.projection import Projection


class Command(BaseCommand):
    help = "Repeat a bot's decision from the same view and seed, and compare."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", help="the id of the game")
        parser.add_argument("entry", type=int, help="the number of the bot's entry in the log")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *_: Any, game: str, entry: int, json: bool, **__: Any) -> None:
        was = Thought.objects.filter(game_id=game, seq=entry).first()
        if was is None:
            raise CommandError(f"No bot decision is stored for entry {entry} of {game}.")
        table = selectors.game_projection(game, was.known)
        acted = selectors.game_projection(game, entry).entry.action
        found = decide_again(was, table)
        told = recheck_document(was, table, found, acted)
        if json:
            self.stdout.write(orjson.dumps(told, option=orjson.OPT_INDENT_2).decode())
        else:
            self.stdout.writelines(document_lines(told))
        if not told["same"]:
            raise CommandError(told["verdict"])


def decide_again(was: Thought, table: Projection) -> BotDecision:
    """The bot's decision from the same view with the same seed."""
    if was.parts:
        return parallel_decision.repeat_decision(
            was, selectors.game_decision(was.game_id, was.seat, was.known)
        )
    view = table.engine.view(table.state, was.seat)
    budget = Budget(simulations=was.simulations)
    create = table.creation
    return view_guard.decide_from_view(
        create.rules, create.version, was.bot, view, was.seed, budget
    )


def recheck_document(
    was: Thought, table: Projection, found: BotDecision, acted: Json
) -> dict[str, Any]:
    """The stored and the repeated decision, as a document."""
    to_json = table.engine.action_codec.to_json
    same = to_json(found.action) == acted
    return {
        "game": was.game_id,
        "entry": was.seq,
        "seat": was.seat,
        "bot": was.bot,
        "simulations": was.simulations,
        "seed": str(was.seed),  # not every JSON reader keeps all its digits
        "action": acted,
        "tried": [
            {
                "label": action_label(table, was.seat, tried.action),
                "action": to_json(tried.action),
                "visits": tried.visits,
                "value": round(tried.value, 4),
            }
            for tried in found.estimates
        ],
        "same": same,
        "verdict": verdict_text(was, table, same),
    }


def action_label(table: Projection, seat: int, action: Any) -> str:
    """The label of an action."""
    number = table.engine.encode(table.state, seat, action)
    return table.engine.label(table.state, seat, number)


def verdict_text(was: Thought, table: Projection, same: bool) -> str:
    """The verdict: whether the bot decided the same, and if not, why."""
    if same:
        return "The bot makes the same decision."
    if was.digest not in bot_registry.equal_code_digests(table.creation.rules):
        return "The bot makes a different decision, and its code has changed since."
    return (
        "The bot makes a different decision although its code is the same: the action "
        "or the stored decision was altered."
    )


def document_lines(told: dict[str, Any]) -> list[str]:
    """The document as lines."""
    head = "Entry {entry} of {game}: {bot} at seat {seat}, {simulations} simulations".format(**told)
    lines = [head + "\n", ""]
    lines += [
        f"{tried['visits']:>8}  {tried['value']:.4f}  {tried['label']}\n" for tried in told["tried"]
    ]
    return [*lines, told["verdict"] + "\n"]
