"""The state with which a game begins: a deal, or the position of a fork, which another game had
reached: the complete one if that game is over, or one seat's view of it, the rest dealt again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tabularium_engines.base import Rng, State
from tabularium_engines.common import json_codec
from tabularium_engines.common.json_codec import Json
from tabularium_engines.common.random_generators import ReplayingRng
from tabularium_engines.common.replayable_log import apply_to_copy

if TYPE_CHECKING:
    from tabularium_log.projection.entry import Entry
    from tabularium_log.projection.projection import Projection


def initial_state(table: Projection, position: Json, rng: Rng) -> State:
    """The state after the start; the position must be of the kind that the origin requires."""
    engine, origin, seats = table.engine, table.creation.origin, table.creation.seats
    if origin is None:
        if position is not None:
            raise json_codec.MalformedDocument(
                "/action/position", "must be null: the game is not a fork"
            )
        state: State = engine.start(table.options, seats, rng)
        return state
    if origin.seat is None:
        return _replay_position(table, position)
    view = json_codec.from_json(engine.about.view, position, "/action/position")
    if view.options != table.options or view.seat != origin.seat:
        raise json_codec.MalformedDocument(
            "/action/position", "belongs to another seat or another game"
        )
    state = engine.imagine(view, rng)
    if state.seats != seats:
        raise json_codec.MalformedDocument("/action/position", "has a different number of seats")
    state.record_news()
    return state


def fork_position(start: Entry, entries: Sequence[Entry]) -> Json:
    """A completely known position, as the path that led to it; forks of forks still give one
    path."""
    base = start.action["position"]
    steps = [[entry.seat, entry.action, entry.draws] for entry in entries]
    if base is not None and "actions" in base:
        return {**base, "actions": [*base["actions"], *steps]}
    return {"position": base, "draws": start.draws, "actions": steps}


def _replay_position(table: Projection, position: Json) -> State:
    """The state to which a path leads."""
    engine = table.engine
    path = _ReplayPath(position)
    rng = ReplayingRng(path.draws)
    state = _base_state(table, path.position, rng)
    rng.finish()
    for seat, action, draws in path.actions:
        rng = ReplayingRng(draws)
        state = apply_to_copy(state, seat, engine.encode(state, seat, action), rng)
        rng.finish()
    return state


def _base_state(table: Projection, position: Json, rng: Rng) -> State:
    if position is None:
        state: State = table.engine.start(table.options, table.creation.seats, rng)
    else:
        state = table.engine.imagine(json_codec.from_json(table.engine.about.view, position), rng)
    return state


class _ReplayPath:
    """The path to a position, read from JSON."""

    def __init__(self, position: Json) -> None:
        try:
            self.position: Any = position["position"]
            self.draws = _parse_draws(position["draws"])
            self.actions: list[tuple[int, Json, list[tuple[int, int]]]] = [
                (int(seat), action, _parse_draws(draws))
                for seat, action, draws in position["actions"]
            ]
        except (KeyError, TypeError, ValueError) as problem:
            raise json_codec.MalformedDocument(
                "/action/position", "is not a path to a position"
            ) from problem


def _parse_draws(draws: Json) -> list[tuple[int, int]]:
    return [(int(value), int(limit)) for value, limit in draws]
