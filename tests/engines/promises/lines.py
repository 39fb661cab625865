"""Promise 14: a viewer may read of an entry exactly as much as it has learnt at the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson

from games.engines.base import Engine, State
from games.engines.common.replay_log import apply_to_copy
from games.engines.common.rng import FastRng
from tests.engines.playing import Position, lookers, number_of, play

ACTIONS = 12  # tried at most in each world of a position
WORLDS = 3

Rules = Engine[Any, Any]


def promise_14(engine: Rules, options: Any, seats: int, seed: int, sample: int) -> None:
    """Steps that look and sound the same to a viewer read the same in the log, and the acting seat
    may read all of its own."""
    for position in play(engine, options, seats, seed).sample(sample):
        for seat in engine.awaited_seats(position.state):
            may_read_itself(engine, position.state, seat)
            for viewer in lookers(position, sample):
                if viewer != seat:
                    reads_no_more(engine, position, seat, viewer, seed)


def may_read_itself(engine: Rules, state: State, seat: int) -> None:
    """No field of a seat's action is sealed to that seat."""
    for action in state.legal_actions(seat):
        sealed = engine.sealed_fields(state, seat, action)
        fields = engine.action_codec.to_json(engine.decode(state, seat, action))
        for field, readers in sealed.items():
            assert field in ("", *fields), f"there is no field {field} to seal in {fields}"
            assert field != "type", "the type of an action is sealed with all of it, or not at all"
            assert readers >> seat & 1, f"seat {seat} may not read {field} of what it does"


def reads_no_more(
    engine: Rules, position: Position, seat: int, viewer: int | None, seed: int
) -> None:
    """Outcomes that are the same to the viewer are one line to it."""
    lines: dict[bytes, Any] = {}
    for learnt, line in possibilities(engine, position.state, seat, viewer, seed):
        told = f"after {position}, the log tells {viewer} of seat {seat}: {line}"
        assert lines.setdefault(learnt, line) == line, f"{told}, or {lines[learnt]}"


def possibilities(
    engine: Rules, state: State, seat: int, viewer: int | None, seed: int
) -> Iterator[tuple[bytes, Any]]:
    """The view and news of a step, with the fields that the viewer may read, in several worlds."""
    for number in range(WORLDS):
        world = state.clone()
        world.determinize(number_of(viewer), FastRng(WORLDS * seed + number))
        for action in world.legal_actions(seat)[:ACTIONS]:
            end = apply_to_copy(world, seat, action, FastRng(seed))
            learnt = orjson.dumps([engine.view(end, viewer), engine.news(end, viewer)])
            yield learnt, readable(engine, world, seat, int(action), viewer)


def readable(engine: Rules, state: State, seat: int, action: int, viewer: int | None) -> Any:
    """The fields of an action that the viewer may read in the log, and the names of the sealed
    fields."""
    sealed = engine.sealed_fields(state, seat, action)
    document = engine.action_codec.to_json(engine.decode(state, seat, action))
    hidden = [f for f, mask in sealed.items() if viewer is None or not mask >> viewer & 1]
    if "" in hidden:
        return None, sorted(sealed)
    return {f: value for f, value in document.items() if f not in hidden}, sorted(sealed)
