"""The selector of a fork's origin: the position of a game from which another game begins."""

from __future__ import annotations

from itertools import takewhile

from games.selectors.logs import game_projections
from games.selectors.positions import (
    check_help_allowed,
    dealt_state,
    game_position,
    game_projection,
)
from tabularium_engines.common import json_codec
from tabularium_engines.common.json_codec import Json
from tabularium_log.projection import initial_state
from tabularium_log.projection.entry import Entry
from tabularium_log.projection.projection import GameRefusal, Projection
from tabularium_log.projection.table_actions import Origin


def fork_origin(game: str, seq: int, seat: int | None) -> tuple[Origin, Projection, Json]:
    """The beginning of a fork: its origin, the projection there, and the position for its start."""
    position = game_position(game, seq)
    table = position.projection
    state = dealt_state(table)
    if table.entry.action["type"] == "table.end" or state.to_act == 0:
        raise GameRefusal("game-over", "There is no decision in this position.")
    check_help_allowed(game)
    origin = Origin(game, seq, position.hash, seat)
    if seat is not None:
        if not 0 <= seat < table.creation.seats:
            raise GameRefusal("unknown-seat", f"There is no seat {seat} at this table.")
        return origin, table, json_codec.to_json(table.engine.view(state, seat))
    if game_projection(game).phase != "over":
        raise GameRefusal("not-over", "A running game can be forked only from a seat's view.")
    return origin, table, initial_state.fork_position(*_chance_entries(game, seq))


def _chance_entries(game: str, seq: int) -> tuple[Entry, list[Entry]]:
    """The start of a game, and its actions up to entry `seq`."""
    tables = takewhile(lambda table: table.seq <= seq, game_projections(game))
    entries = [table.entry for table in tables]
    draw_entries = [entry for entry in entries if entry.draws is not None]
    return draw_entries[0], draw_entries[1:]
