"""`manage.py analyse GAME`: analyse a position, or each decision of a finished game."""

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
from ai.bot_kinds import Budget
from games import selectors
from games.position_cache import UnknownGame
from games.selectors import DecisionPoint
from tabularium_engines.common.json_codec import Json, to_json
from tabularium_log.projection.projection import GameRefusal

DEFAULT_LOSSES_SHOWN: Final = 20
STEP_SEPARATOR: Final = " → "


class Command(BaseCommand):
    help = "Analyse a position or, without --seq, each decision of a finished game."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        position_default, game_default = (
            analysis_requests.DEFAULT_SIMULATIONS,
            analysis_requests.DEFAULT_SIMULATIONS_PER_DECISION,
        )
        simulations_help = (
            f"simulations per decision (default: {position_default}; "
            f"{game_default} for a whole game)"
        )
        add("game", help="the id of the game")
        add("--seq", type=int, help="the position after this entry (default: the last)")
        add("--seat", type=int, help="the seat that decides (default: the first that must act)")
        add("--simulations", type=int, help=simulations_help)
        add(
            "--worst",
            type=int,
            default=DEFAULT_LOSSES_SHOWN,
            help=f"the number of losses to show (default: {DEFAULT_LOSSES_SHOWN}; 0: all)",
        )
        add("--json", action="store_true", help="print JSON")

    def handle(self, *_: Any, game: str, **options: Any) -> None:
        if options["simulations"] is not None and options["simulations"] < 1:
            raise CommandError("At least one simulation is needed.")
        try:
            findings = self.run_analysis(game, options)
        except (GameRefusal, UnknownGame) as problem:
            raise CommandError(str(problem) or f"There is no game {game}.") from problem
        if options["json"]:
            document = orjson.dumps(to_json(findings), option=orjson.OPT_INDENT_2)
            self.stdout.write(document.decode())
            return
        page = (
            position_page(findings)
            if isinstance(findings, PositionFindings)
            else review_page(findings, options)
        )
        Console().print(*page, sep="\n")

    def run_analysis(self, game: str, options: dict[str, Any]) -> PositionFindings | GameFindings:
        """The findings about the requested position or game."""
        table = selectors.game_projection(game, options["seq"])
        if table.phase == "over" and options["seq"] is None:
            return review_game(
                game, options["simulations"] or analysis_requests.DEFAULT_SIMULATIONS_PER_DECISION
            )
        seats = [seat for seat in range(table.creation.seats) if table.is_awaited(seat)]
        seat = options["seat"] if options["seat"] is not None else next(iter(seats), 0)
        decision = selectors.game_decision(game, seat, options["seq"])
        simulations = options["simulations"] or analysis_requests.DEFAULT_SIMULATIONS
        seed, result = search_once(decision, simulations)
        return finding_shapes.position_findings(decision, simulations, [(seed, result)])


def search_once(
    decision: DecisionPoint, simulations: int, action: Json = None
) -> tuple[int, SearchResult]:
    """One local search of a decision (and of the action taken), with its seed."""
    seed = part_seed(decision_seed(decision), 0)
    return seed, search_decision(decision, seed, Budget(simulations=simulations), action)


def review_game(game: str, simulations: int) -> GameFindings:
    """The findings about each decision of a game."""
    taken_decisions = list(selectors.taken_decisions(game))
    with Progress(transient=True, console=Console(stderr=True)) as progress:
        decisions = [
            finding_shapes.review_decision(
                taken, search_once(taken.decision, simulations, taken.action)[1]
            )
            for taken in progress.track(taken_decisions, description="Thinking")
        ]
    return finding_shapes.game_findings(
        decisions, selectors.game_projection(game).creation.seats, is_partial=False
    )


# -- as a page ------------------------------------------------------------------------------------


def position_page(findings: PositionFindings) -> list[RenderableType]:
    """The best actions, with the expected continuation of each."""
    table = Table(box=None, pad_edge=False)
    for heading in ("visits", "value"):
        table.add_column(heading, justify="right")
    table.add_column("action")
    table.add_column("expected continuation")
    for action in findings.actions:
        continuation = STEP_SEPARATOR.join(f"{step.seat}: {step.label}" for step in action.line[1:])
        table.add_row(str(action.visits), number_text(action.value), action.label, continuation)
    head = f"{findings.simulations} simulations, {findings.considered} actions considered"
    return [head, table]


def review_page(findings: GameFindings, options: dict[str, Any]) -> list[RenderableType]:
    """The greatest losses, and each seat's mean loss."""
    losses = Table(box=None, pad_edge=False)
    for heading in ("entry", "seat", "loss"):
        losses.add_column(heading, justify="right")
    losses.add_column("action")
    losses.add_column("best")
    for decision in worst_decisions(findings, options["worst"]):
        cells = (
            str(decision.entry),
            str(decision.seat),
            number_text(decision.loss),
            decision.label,
            decision.best_label or "",
        )
        losses.add_row(*cells)
    seats = Table(box=None, pad_edge=False)
    for heading in ("seat", "decisions", "compared", "mean loss"):
        seats.add_column(heading, justify="right")
    for seat in findings.seats:
        seats.add_row(*map(number_text, astuple(seat)))
    return [losses, "", seats]


def worst_decisions(findings: GameFindings, limit: int) -> list[ReviewedDecision]:
    """The decisions with the greatest losses, in the order of the game."""
    decisions = sorted(findings.decisions, key=lambda decision: -(decision.loss or 0))
    decisions = [decision for decision in decisions if decision.loss][: limit or None]
    return sorted(decisions, key=lambda decision: decision.entry)


def number_text(value: int | None) -> str:
    """A number, or a dash if it is unknown."""
    return "–" if value is None else str(value)
