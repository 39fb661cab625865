"""Promise 14: the log shows a viewer exactly as much of an entry as the table does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson

from tabularium_engines.base import AnyEngine, State
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.common.replayable_log import apply_to_copy
from tabularium_engines.promises.random_games import (
    Position,
    play,
    viewer_seat,
    viewers_of_position,
)

MAX_ACTIONS = 12  # tried in each world of a position
WORLDS = 3


def promise_14(engine: AnyEngine, options: Any, seats: int, seed: int, sample: int) -> None:
    """Steps with the same view and news for a viewer have the same fields in the log, and a seat
    may read all fields of its own actions."""
    for position in play(engine, options, seats, seed).sample(sample):
        for seat in engine.awaited_seats(position.state):
            check_own_fields(engine, position.state, seat)
            for viewer in viewers_of_position(position, sample):
                if viewer != seat:
                    check_readable_fields(engine, position, seat, viewer, seed)


def check_own_fields(engine: AnyEngine, state: State, seat: int) -> None:
    """No field of a seat's action is sealed to that seat."""
    for action in state.legal_actions(seat):
        sealed = engine.sealed_fields(state, seat, action)
        fields = engine.action_codec.to_json(engine.decode(state, seat, action))
        for field, readers in sealed.items():
            assert field in ("", *fields), f"there is no field {field} to seal in {fields}"
            assert field != "type", "the type of an action is sealed with all of it, or not at all"
            assert readers >> seat & 1, f"seat {seat} may not read {field} of what it does"


def check_readable_fields(
    engine: AnyEngine, position: Position, seat: int, viewer: int | None, seed: int
) -> None:
    """Steps that the viewer cannot distinguish have the same readable fields."""
    fields_by_observation: dict[bytes, Any] = {}
    for observation, fields in possible_steps(engine, position.state, seat, viewer, seed):
        assert fields_by_observation.setdefault(observation, fields) == fields, (
            f"after {position}, the log shows {viewer} of seat {seat}: {fields}, or"
            f" {fields_by_observation[observation]}"
        )


def possible_steps(
    engine: AnyEngine, state: State, seat: int, viewer: int | None, seed: int
) -> Iterator[tuple[bytes, Any]]:
    """The view and news of a step, with the fields that the viewer may read, in several worlds."""
    for number in range(WORLDS):
        world = state.clone()
        world.determinize(viewer_seat(viewer), FastRng(WORLDS * seed + number))
        for action in world.legal_actions(seat)[:MAX_ACTIONS]:
            successor = apply_to_copy(world, seat, action, FastRng(seed))
            observation = orjson.dumps(
                [engine.view(successor, viewer), engine.news(successor, viewer)]
            )
            yield observation, readable_fields(engine, world, seat, int(action), viewer)


def readable_fields(
    engine: AnyEngine, state: State, seat: int, action: int, viewer: int | None
) -> Any:
    """The fields of an action that the viewer may read in the log, and the names of the sealed
    fields."""
    sealed = engine.sealed_fields(state, seat, action)
    document = engine.action_codec.to_json(engine.decode(state, seat, action))
    hidden_fields = [f for f, mask in sealed.items() if viewer is None or not mask >> viewer & 1]
    if "" in hidden_fields:
        return None, sorted(sealed)
    return {f: value for f, value in document.items() if f not in hidden_fields}, sorted(sealed)
