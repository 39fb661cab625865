"""`manage.py analyse GAME`: analysis of a position, or of each decision of a finished game."""

from __future__ import annotations

from argparse import ArgumentParser
from dataclasses import astuple
from typing import Any, Final

import orjson
from django.core.management.base import BaseCommand, CommandError
from rich.console import Console, RenderableType
from rich.progress import Progress
from rich.table import Table

from ai.analysis import analysis_requests, finding_shapes
from ai.analysis.decision_search import SearchResult, decision_seed, part_seed, search_decision
from ai.analysis.finding_shapes import GameFindings, PositionFindings, ReviewedDecision
from ai.bot_types import Budget
from games import selectors
from games.engines.common.codec import Json, to_json
from games.position_cache import UnknownGame
from games.projection.projection import GameRefusal
from games.selectors import DecisionPoint

DEFAULT_LOSSES_SHOWN: Final = 20
STEP_SEPARATOR: Final = " → "


class Command(BaseCommand):
    help = "Analyse a position or, without --seq, each decision of a finished game."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        one, all_ = (
            analysis_requests.DEFAULT_SIMULATIONS,
            analysis_requests.DEFAULT_SIMULATIONS_PER_DECISION,
        )
        usual = f"simulations per decision (default: {one}; {all_} for a whole game)"
        add("game", help="the id of the game")
        add("--seq", type=int, help="the position after this entry (default: the last)")
        add("--seat", type=int, help="the seat that decides (default: the first that must act)")
        add("--simulations", type=int, help=usual)
        add(
            "--worst",
            type=int,
            default=DEFAULT_LOSSES_SHOWN,
            help=f"the number of losses to show (default: {DEFAULT_LOSSES_SHOWN}; 0: all)",
        )
        add("--json", action="store_true", help="print JSON")

    def handle(self, *_: Any, game: str, **asked: Any) -> None:
        if asked["simulations"] is not None and asked["simulations"] < 1:
            raise CommandError("At least one simulation is needed.")
        try:
            found = self.run_analysis(game, asked)
        except (GameRefusal, UnknownGame) as problem:
            raise CommandError(str(problem) or f"There is no game {game}.") from problem
        if asked["json"]:
            told = orjson.dumps(to_json(found), option=orjson.OPT_INDENT_2)
            self.stdout.write(told.decode())
            return
        shown = (
            position_page(found)
            if isinstance(found, PositionFindings)
            else review_page(found, asked)
        )
        Console().print(*shown, sep="\n")

    def run_analysis(self, game: str, asked: dict[str, Any]) -> PositionFindings | GameFindings:
        """The findings about the requested position or game."""
        table = selectors.game_projection(game, asked["seq"])
        if table.phase == "over" and asked["seq"] is None:
            return review_game(
                game, asked["simulations"] or analysis_requests.DEFAULT_SIMULATIONS_PER_DECISION
            )
        awaited = [seat for seat in range(table.creation.seats) if table.is_awaited(seat)]
        seat = asked["seat"] if asked["seat"] is not None else next(iter(awaited), 0)
        decision = selectors.game_decision(game, seat, asked["seq"])
        simulations = asked["simulations"] or analysis_requests.DEFAULT_SIMULATIONS
        seed, found = search_once(decision, simulations)
        return finding_shapes.position_findings(decision, simulations, [(seed, found)])


def search_once(
    decision: DecisionPoint, simulations: int, did: Json = None
) -> tuple[int, SearchResult]:
    """One local search of a decision (and of the action taken), with its seed."""
    seed = part_seed(decision_seed(decision), 0)
    return seed, search_decision(decision, seed, Budget(simulations=simulations), did)


def review_game(game: str, simulations: int) -> GameFindings:
    """The findings about each decision of a game."""
    taken = list(selectors.taken_decisions(game))
    with Progress(transient=True, console=Console(stderr=True)) as progress:
        decisions = [
            finding_shapes.review_decision(
                each, search_once(each.decision, simulations, each.action)[1]
            )
            for each in progress.track(taken, description="Thinking")
        ]
    return finding_shapes.game_findings(
        decisions, selectors.game_projection(game).creation.seats, is_partial=False
    )


# -- as a page ------------------------------------------------------------------------------------


def position_page(found: PositionFindings) -> list[RenderableType]:
    """The best actions, with the expected continuation of each."""
    table = Table(box=None, pad_edge=False)
    for heading in ("visits", "value"):
        table.add_column(heading, justify="right")
    table.add_column("action")
    table.add_column("expected continuation")
    for one in found.actions:
        then = STEP_SEPARATOR.join(f"{step.seat}: {step.label}" for step in one.line[1:])
        table.add_row(str(one.visits), number_text(one.value), one.label, then)
    head = f"{found.simulations} simulations, {found.considered} actions considered"
    return [head, table]


def review_page(found: GameFindings, asked: dict[str, Any]) -> list[RenderableType]:
    """The greatest losses, and each seat's mean loss."""
    losses = Table(box=None, pad_edge=False)
    for heading in ("entry", "seat", "loss"):
        losses.add_column(heading, justify="right")
    losses.add_column("action")
    losses.add_column("best")
    for one in worst_decisions(found, asked["worst"]):
        cells = (
            str(one.entry),
            str(one.seat),
            number_text(one.loss),
            one.label,
            one.best_label or "",
        )
        losses.add_row(*cells)
    seats = Table(box=None, pad_edge=False)
    for heading in ("seat", "decisions", "compared", "mean loss"):
        seats.add_column(heading, justify="right")
    for seat in found.seats:
        seats.add_row(*map(number_text, astuple(seat)))
    return [losses, "", seats]


def worst_decisions(found: GameFindings, most: int) -> list[ReviewedDecision]:
    """The decisions with the greatest losses, in the order of the game."""
    lost = sorted(found.decisions, key=lambda one: -(one.loss or 0))
    lost = [one for one in lost if one.loss][: most or None]
    return sorted(lost, key=lambda one: one.entry)


def number_text(value: int | None) -> str:
    """A number, or a dash if it is unknown."""
    return "–" if value is None else str(value)
