"""Promises 10 and 11: no sampled world is nearer the truth than by chance, and nothing that a seat
sees, hears or is refused depends on hidden information."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from itertools import islice
from math import sqrt
from random import Random
from typing import Any

import orjson

from games.engines.base import Engine, IllegalAction, State
from games.engines.common.replay_log import apply_to_copy
from games.engines.common.rng import DrawMismatch, FastRng, ReplayingRng
from tests.engines.playing import Position, lookers, number_of, onlooking, play
from tests.engines.promises.decisions import illegal
from tests.engines.promises.worlds import worlds

DEALS = 8  # worlds that are compared with the truth
SIBLINGS = 3  # alternative truths that it is compared with
SIGMAS = 4.0
MOST_GAMES = 10  # tried at most, until there are enough ranks
PICTURED = 1  # positions whose pictures are compared, which takes long
TWINS = 1  # pairs of worlds in which the same action is applied

Rules = Engine[Any, Any]


# -- 10: worlds are no better than chance ---------------------------------------------------------


def promise_10(engine: Rules, options: Any, seats: int, seed: int, sample: int) -> None:
    """Of several truths that look the same to a seat, its worlds favour none.

    A sibling of the truth is the result of another draw (or another sealed answer) in the last
    step, and looks the same to the viewer. All are equally likely, and an honest re-deal cannot
    distinguish them: so the truth's rank among them, by similarity to the worlds, is uniform in
    every game.
    """
    found = list(islice(ranks(engine, options, seats, seed), 5 * sample))
    surplus = sum(place - 0.5 for place, _ in found)
    limit = SIGMAS * sqrt(sum((others + 2) / (12 * others) for _, others in found))
    assert surplus <= limit, f"worlds favour the truth: {surplus:.1f}, at most {limit:.1f}"


def ranks(engine: Rules, options: Any, seats: int, seed: int) -> Iterator[tuple[float, int]]:
    """The truth's rank, and the number of siblings, at positions of a few games. Each position is
    ranked for one viewer only: several viewers of one position give no independent evidence."""
    for game in range(seed, seed + MOST_GAMES * 100, 100):
        for position in play(engine, options, seats, game).positions:
            viewer = onlooking(position.state)[(position.seq + seed) % (seats + 1)]
            others = list(islice(siblings(engine, position, viewer, options), SIBLINGS))
            if others:
                chance = game + 1000 * position.seq
                yield rank(engine, position.state, others, viewer, chance), len(others)


def siblings(
    engine: Rules, position: Position, viewer: int | None, options: Any
) -> Iterator[State]:
    """States that are consistent with the viewer's view and differ from the truth."""
    view, contents = engine.view(position.state, viewer), position.state.contents()
    for state in other_outcomes(engine, position, viewer, options):
        if engine.view(state, viewer) == view and state.contents() != contents:
            yield state


def other_outcomes(
    engine: Rules, position: Position, viewer: int | None, options: Any
) -> Iterator[State]:
    """The results of another last draw, or of another action if there was no draw."""
    for action, draws in other_steps(position, viewer):
        try:
            yield outcome(engine, position, action, options, ReplayingRng(draws))
        except DrawMismatch:
            continue  # this outcome needs more draws


def other_steps(
    position: Position, viewer: int | None
) -> Iterator[tuple[int, list[tuple[int, int]]]]:
    """The action with another last draw, or other actions of another seat if there was no draw."""
    if position.draws:
        *others, (value, limit) = position.draws
        for draw in shuffled(set(range(limit)) - {value}, position.seq):
            yield position.action, [*others, (draw, limit)]
    elif position.before is not None and position.seat != viewer:
        legal = {int(action) for action in position.before.legal_actions(position.seat or 0)}
        for action in shuffled(legal - {position.action}, position.seq):
            yield action, []


def shuffled(numbers: set[int], seed: int) -> list[int]:
    """The numbers in an order independent of the truth; otherwise the first siblings would be
    biased."""
    return Random(seed).sample(sorted(numbers), len(numbers))


def outcome(
    engine: Rules, position: Position, action: int, options: Any, rng: ReplayingRng
) -> State:
    """The state if the last step had been this one."""
    if position.before is None:
        started: State = engine.start(options, position.state.seats, rng)
        return started
    return apply_to_copy(position.before, position.seat or 0, action, rng)


def rank(engine: Rules, truth: State, others: list[State], viewer: int | None, seed: int) -> float:
    """The truth's place among its siblings by similarity to the worlds: 1 highest, 0 lowest."""
    imagined = [
        one_number(world.contents())
        for deal in range(DEALS // 2)
        for world in worlds(engine, truth, viewer, seed + 100_003 * deal)
    ]
    likeness = [
        -sum((one_number(state.contents()) ^ world).bit_count() for world in imagined)
        for state in [truth, *others]
    ]
    below = sum(like < likeness[0] for like in likeness[1:])
    equal = sum(like == likeness[0] for like in likeness[1:])
    return (below + equal / 2) / len(others)


def one_number(contents: Any) -> int:
    """All numbers of a state's contents concatenated, 64 bits each."""
    row = array("q", flattened(contents))
    return int.from_bytes(row.tobytes(), "big")


def flattened(contents: Any) -> Iterator[int]:
    """The numbers in lists of lists."""
    for item in contents:
        if isinstance(item, (list, tuple)):
            yield from flattened(item)
        else:
            yield item


# -- 11: hidden information does not show ---------------------------------------------------------


def promise_11(engine: Rules, options: Any, seats: int, seed: int, sample: int) -> None:
    """Two states that differ only in information hidden from a seat are the same to that seat."""
    positions = play(engine, options, seats, seed).sample(sample)
    pictured = {position.seq for position in positions[:: max(1, len(positions) // PICTURED)]}
    for position in positions:
        for viewer in lookers(position, sample):
            twin = position.state.clone()
            twin.determinize(number_of(viewer), FastRng(seed))
            is_pictured = position.seq in pictured and (viewer is None or viewer == seed % seats)
            faces = [
                face(engine, state, viewer, seed, is_pictured) for state in (position.state, twin)
            ]
            for name in faces[0]:
                told = f"{position}: viewer {viewer} sees hidden things in the {name}"
                assert faces[0][name] == faces[1][name], told
            hears_the_same(engine, position, viewer, seed)


def face(
    engine: Rules, state: State, viewer: int | None, seed: int, is_pictured: bool
) -> dict[str, Any]:
    """Everything that the viewer gets of a state."""
    view = engine.view(state, viewer)
    shown = {
        "view": orjson.dumps(view),
        "text": engine.text(view),
        "awaited seats": engine.awaited_seats(state),
        "result": engine.result(state),
        "picture": engine.svg(view) if is_pictured else "",
    }
    if viewer is None:
        return shown
    legal = [int(action) for action in state.legal_actions(viewer)]
    return shown | {
        "legal actions": legal,
        "labels": [engine.label(state, viewer, action) for action in legal],
        "refusals": refusals(engine, state, viewer, seed),
    }


def refusals(engine: Rules, state: State, viewer: int, seed: int) -> list[Any]:
    """The refusals of actions that a seat may not take."""
    legal = {int(action) for action in state.legal_actions(viewer)}
    return [refused(engine, state, viewer, action) for action in illegal(engine, legal, seed, 0)]


def refused(engine: Rules, state: State, viewer: int, action: Any) -> Any:
    """One refusal in full."""
    try:
        return engine.encode(state, viewer, action)
    except IllegalAction as refusal:
        return [refusal.code, refusal.sentence, refusal.pointer]


def hears_the_same(engine: Rules, position: Position, viewer: int | None, seed: int) -> None:
    """The same step in two worlds that the viewer cannot distinguish gives it the same news, if it
    cannot distinguish them afterwards either.

    Two things may be published and yet leave no trace in a view: sealed answers that are opened,
    and cards that are shown and shuffled together again. The first is recognised by `is_sealed`,
    the second by both worlds having become one.
    """
    state = position.state
    if position.is_sealed and int(state.to_act).bit_count() == 1:
        return
    for pair in range(TWINS):
        ends = twins_after_a_step(engine, state, viewer, seed + pair)
        views = [engine.view(end, viewer) for end in ends]
        if ends and views[0] == views[1] and ends[0].contents() != ends[1].contents():
            first, second = (engine.news(end, viewer) for end in ends)
            told = f"after {position} viewer {viewer} hears what is hidden"
            assert first == second, f"{told}: {first} or {second}"


def twins_after_a_step(engine: Rules, state: State, viewer: int | None, seed: int) -> list[State]:
    """Two worlds that the viewer cannot distinguish, after the same action with the same seed."""
    pair = [state.clone(), state.clone()]
    for number, twin in enumerate(pair):
        twin.determinize(number_of(viewer), FastRng(2 * seed + number))
    for seat in engine.awaited_seats(state):
        shared = set(pair[0].legal_actions(seat)) & set(pair[1].legal_actions(seat))
        if shared:
            action = sorted(shared)[seed % len(shared)]
            return [apply_to_copy(twin, seat, int(action), FastRng(seed)) for twin in pair]
    return []
