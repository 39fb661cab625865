"""`manage.py recheck_decision GAME ENTRY`: repeat a bot's decision, and check whether the same code
decides the same. `--waiting SEAT` repeats the decision of a seat to wait after the entry."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

import orjson
from django.core.management.base import BaseCommand, CommandError

from ai import bot_registry, view_guard
from ai.analysis import parallel_bot_decision
from ai.analysis.finding_shapes import WAIT_LABEL
from ai.bot_kinds import BotDecision, Budget
from ai.models import Thought
from games import selectors
from tabularium_engines.common.json_codec import Json
from tabularium_log.projection.projection import Projection


class Command(BaseCommand):
    help = "Repeat a bot's decision from the same view and seed, and compare."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", help="the id of the game")
        parser.add_argument("entry", type=int, help="the number of the bot's entry in the log")
        parser.add_argument("--waiting", type=int, metavar="SEAT", help="a seat that then waited")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(
        self, *_: Any, game: str, entry: int, waiting: int | None, json: bool, **__: Any
    ) -> None:
        thought = find_thought(game, entry, waiting)
        table = selectors.game_projection(game, thought.known)
        action = selectors.game_projection(game, entry).entry.action if waiting is None else None
        decision = decide_again(thought, table)
        document = recheck_document(thought, table, decision, action)
        if json:
            self.stdout.write(orjson.dumps(document, option=orjson.OPT_INDENT_2).decode())
        else:
            self.stdout.writelines(document_lines(document))
        if not document["same"]:
            raise CommandError(document["verdict"])


def find_thought(game: str, entry: int, waiting: int | None) -> Thought:
    """How a bot reached the action of an entry, or the decision of a seat to wait after it."""
    thoughts = Thought.objects.filter(game_id=game)
    found = (
        thoughts.filter(seq=entry)
        if waiting is None
        else thoughts.filter(seq=None, known=entry, seat=waiting)
    ).first()
    if found is None:
        what = f"entry {entry}" if waiting is None else f"seat {waiting} after entry {entry}"
        raise CommandError(f"No bot decision is stored for {what} of {game}.")
    return found


def decide_again(thought: Thought, table: Projection) -> BotDecision:
    """The bot's decision from the same view with the same seed."""
    if thought.parts and thought.simulations:
        return parallel_bot_decision.repeat_decision(
            thought, selectors.game_decision(thought.game_id, thought.seat, thought.known)
        )
    view = table.engine.view(table.state, thought.seat)
    budget = Budget(simulations=thought.simulations, is_whole=True)
    creation = table.creation
    return view_guard.decide_from_view(
        creation.rules, creation.version, thought.bot, view, thought.seed, budget
    )


def recheck_document(
    thought: Thought, table: Projection, decision: BotDecision, action: Json
) -> dict[str, Any]:
    """The stored and the repeated decision, as a document."""
    is_same = action_json(table, decision.action) == action
    return {
        "game": thought.game_id,
        "entry": thought.seq or thought.known,
        "seat": thought.seat,
        "bot": thought.bot,
        "simulations": thought.simulations,
        "seed": str(thought.seed),  # not every JSON reader keeps all its digits
        "action": action,
        "tried": [
            {
                "label": action_label(table, thought.seat, estimate.action),
                "action": action_json(table, estimate.action),
                "visits": estimate.visits,
                "value": round(estimate.value, 4),
            }
            for estimate in decision.estimates
        ],
        "same": is_same,
        "verdict": verdict_text(thought, table, is_same),
    }


def action_json(table: Projection, action: Any) -> Json:
    """An action as JSON; None for waiting."""
    return None if action is None else table.engine.action_codec.to_json(action)


def action_label(table: Projection, seat: int, action: Any) -> str:
    """The label of an action, or of waiting."""
    if action is None:
        return WAIT_LABEL
    number = table.engine.encode(table.state, seat, action)
    return table.engine.label(table.state, seat, number)


def verdict_text(thought: Thought, table: Projection, is_same: bool) -> str:
    """The verdict: whether the bot decided the same, and if not, why."""
    if is_same:
        return "The bot makes the same decision."
    if thought.digest not in bot_registry.equal_code_digests(
        table.creation.rules, table.creation.version
    ):
        return "The bot makes a different decision, and its code has changed since."
    return (
        "The bot makes a different decision although its code is the same: the action "
        "or the stored decision was altered."
    )


def document_lines(document: dict[str, Any]) -> list[str]:
    """The document as lines."""
    head = "Entry {entry} of {game}: {bot} at seat {seat}, {simulations} simulations".format(
        **document
    )
    lines = [head + "\n", ""]
    lines += [
        f"{estimate['visits']:>8}  {estimate['value']:.4f}  {estimate['label']}\n"
        for estimate in document["tried"]
    ]
    return [*lines, document["verdict"] + "\n"]
