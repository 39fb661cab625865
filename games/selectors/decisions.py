"""Selectors of decisions, each with the view that its seat had: the one that a table awaits now or
awaited after an entry, and all that were taken in a finished game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from games.selectors.logs import game_projections
from games.selectors.positions import check_game_over, dealt_state, game_projection
from tabularium_engines.common.json_codec import Json
from tabularium_log.projection.projection import GameRefusal, Projection
from tabularium_log.projection.table_actions import TABLE_ACTION_CODEC, Hint

HINT_ACTION_TYPE: Final = TABLE_ACTION_CODEC.type_of(Hint)


@dataclass(frozen=True)
class DecisionPoint:
    """A decision that the table waited for after an entry, as the seat saw it: its view, and
    nothing else."""

    ruleset: str
    version: int
    seq: int  # of the last entry the seat knew of
    seat: int
    view: Any


@dataclass(frozen=True)
class TakenDecision:
    """A decision of a game that is over, and the action that was taken."""

    decision: DecisionPoint
    action: Json


def game_decision(game: str, seat: int, seq: int | None = None) -> DecisionPoint:
    """The decision that the table awaits from this seat, now or after entry `seq`; raises
    GameRefusal if there is none."""
    table = game_projection(game, seq)
    if not 0 <= seat < table.creation.seats:
        raise GameRefusal("unknown-seat", f"There is no seat {seat} at this table.")
    dealt_state(table)
    if table.phase == "over" or table.is_decided:
        raise GameRefusal("game-over", "There is no decision in this position.")
    if not table.is_awaited(seat):
        raise GameRefusal("not-your-turn", f"Seat {seat} has no decision in this position.")
    return _decision_point(table, seat)


def seq_before_hints(game: str) -> int:
    """The last entry of a game that is no hint: hints leave the position as it is."""
    table = game_projection(game)
    while table.entry.action["type"] == HINT_ACTION_TYPE:
        table = game_projection(game, table.seq - 1)
    return table.seq


def taken_decision(game: str, seat: int, seq: int) -> TakenDecision:
    """The decision after entry `seq` of a game that is over, and the action that was taken."""
    check_game_over(game)
    return TakenDecision(
        game_decision(game, seat, seq), game_projection(game, seq + 1).entry.action
    )


def decision_behind_entry(game: str, entry: int, seat: int, known: int) -> TakenDecision:
    """The decision of this seat that led to an entry of a game that is over, whether or not the
    table waited for it, as the seat saw it after entry `known`."""
    check_game_over(game)
    action = game_projection(game, entry).entry.action
    return TakenDecision(_decision_point(game_projection(game, known), seat), action)


def taken_decisions(game: str) -> Iterator[TakenDecision]:
    """Every decision that the table waited for, in log order; raises GameRefusal before the end."""
    check_game_over(game)
    for table, next_table in pairwise(game_projections(game)):
        seat, action = next_table.entry.seat, next_table.entry.action
        if seat is not None and next_table.entry.draws is not None and table.is_awaited(seat):
            yield TakenDecision(_decision_point(table, seat), action)


def _decision_point(table: Projection, seat: int) -> DecisionPoint:
    create = table.creation
    view = table.engine.view(table.state, seat)
    return DecisionPoint(create.rules, create.version, table.seq, seat, view)
