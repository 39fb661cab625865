"""Promise 14: what a seat may read of an entry is what it has learnt at the table, and no more."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from games.engines.base import Engine, State
from games.engines.common import codec
from games.engines.common.replay_log import apply_to_copy
from games.engines.common.rng import FastRng
from tests.engines.playing import Position, lookers, number_of, play

ACTIONS = 12  # of a position that are tried in each world
WORLDS = 3

Rules = Engine[Any, Any]


def promise_14(engine: Rules, options: Any, seats: int, seed: int, sample: int) -> None:
    """Steps that look and sound the same to somebody read the same in the log, and whoever acts may
    read all of it."""
    for position in play(engine, options, seats, seed).sample(sample):
        for seat in engine.awaited_seats(position.state):
            may_read_itself(engine, position.state, seat)
            for viewer in lookers(position, sample):
                if viewer != seat:
                    reads_no_more(engine, position, seat, viewer, seed)


def may_read_itself(engine: Rules, state: State, seat: int) -> None:
    """Nothing that a seat does is sealed to that seat."""
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
    """Of all that could happen, what is the same to the viewer is one line to it."""
    lines: dict[str, Any] = {}
    for learnt, line in possibilities(engine, position.state, seat, viewer, seed):
        told = f"after {position}, the log tells {viewer} of seat {seat}: {line}"
        assert lines.setdefault(learnt, line) == line, f"{told}, or {lines[learnt]}"


def possibilities(
    engine: Rules, state: State, seat: int, viewer: int | None, seed: int
) -> Iterator[tuple[str, Any]]:
    """What the viewer sees and hears of a step, and what it may read of it, in several worlds."""
    for number in range(WORLDS):
        world = state.clone()
        world.determinize(number_of(viewer), FastRng(WORLDS * seed + number))
        for action in world.legal_actions(seat)[:ACTIONS]:
            end = apply_to_copy(world, seat, action, FastRng(seed))
            seen = codec.to_json(engine.view(end, viewer))
            learnt = json.dumps([seen, engine.news(end, viewer)])
            yield learnt, readable(engine, world, seat, int(action), viewer)


def readable(engine: Rules, state: State, seat: int, action: int, viewer: int | None) -> Any:
    """What the viewer may read of an action in the log, and which of its fields are sealed."""
    sealed = engine.sealed_fields(state, seat, action)
    document = engine.action_codec.to_json(engine.decode(state, seat, action))
    hidden = [f for f, mask in sealed.items() if viewer is None or not mask >> viewer & 1]
    if "" in hidden:
        return None, sorted(sealed)
    return {f: value for f, value in document.items() if f not in hidden}, sorted(sealed)
