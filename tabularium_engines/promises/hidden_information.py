"""Promises 10 and 11: no sampled world is nearer the truth than by chance, and no view, news or
refusal depends on hidden information."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from itertools import islice
from math import sqrt
from random import Random
from typing import Any

import orjson

from tabularium_engines.base import AnyEngine, IllegalAction, State
from tabularium_engines.common.random_generators import DrawMismatch, FastRng, ReplayingRng
from tabularium_engines.common.replayable_log import apply_to_copy
from tabularium_engines.promises.clones_and_worlds import worlds
from tabularium_engines.promises.decisions import illegal_actions
from tabularium_engines.promises.random_games import (
    Position,
    all_viewers,
    play,
    viewer_seat,
    viewers_of_position,
)

DEALS = 8  # worlds that are compared with the truth
SIBLINGS = 3  # alternative truths that it is compared with
SIGMAS = 4.0
MAX_GAMES = 10  # tried until there are enough ranks
PICTURES = 1  # positions whose pictures are compared, which takes long
TWINS = 1  # pairs of worlds in which the same action is applied


# -- 10: worlds are no better than chance ---------------------------------------------------------


def promise_10(engine: AnyEngine, options: Any, seats: int, seed: int, sample: int) -> None:
    """A seat's worlds favour none of several truths that look the same to it.

    A sibling of the truth is the result of another draw (or another sealed answer) in the last
    step, and looks the same to the viewer. All are equally likely, and a correct re-deal cannot
    distinguish them: so the truth's rank among them, by similarity to the worlds, is uniform in
    every game.
    """
    rank_pairs = list(islice(ranks(engine, options, seats, seed), 5 * sample))
    excess = sum(rank_value - 0.5 for rank_value, _ in rank_pairs)
    limit = SIGMAS * sqrt(
        sum((sibling_count + 2) / (12 * sibling_count) for _, sibling_count in rank_pairs)
    )
    assert excess <= limit, f"worlds favour the truth: {excess:.1f}, at most {limit:.1f}"


def ranks(engine: AnyEngine, options: Any, seats: int, seed: int) -> Iterator[tuple[float, int]]:
    """The truth's rank, and the number of siblings, at positions of a few games. Each position is
    ranked for one viewer only: several viewers of one position give no independent evidence."""
    for game in range(seed, seed + MAX_GAMES * 100, 100):
        for position in play(engine, options, seats, game).positions:
            viewer = all_viewers(position.state)[(position.seq + seed) % (seats + 1)]
            sibling_states = list(islice(siblings(engine, position, viewer, options), SIBLINGS))
            if sibling_states:
                chance = game + 1000 * position.seq
                yield (
                    rank(engine, position.state, sibling_states, viewer, chance),
                    len(sibling_states),
                )


def siblings(
    engine: AnyEngine, position: Position, viewer: int | None, options: Any
) -> Iterator[State]:
    """States that are consistent with the viewer's view and differ from the truth."""
    view, contents = engine.view(position.state, viewer), position.state.contents()
    for state in other_outcomes(engine, position, viewer, options):
        if engine.view(state, viewer) == view and state.contents() != contents:
            yield state


def other_outcomes(
    engine: AnyEngine, position: Position, viewer: int | None, options: Any
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
        for draw in shuffle(set(range(limit)) - {value}, position.seq):
            yield position.action, [*others, (draw, limit)]
    elif position.before is not None and position.seat != viewer:
        legal_actions = {
            int(action) for action in position.before.legal_actions(position.seat or 0)
        }
        for action in shuffle(legal_actions - {position.action}, position.seq):
            yield action, []


def shuffle(numbers: set[int], seed: int) -> list[int]:
    """The numbers in an order independent of the truth; otherwise the first siblings would be
    biased."""
    return Random(seed).sample(sorted(numbers), len(numbers))


def outcome(
    engine: AnyEngine, position: Position, action: int, options: Any, rng: ReplayingRng
) -> State:
    """The state after this step in place of the last one."""
    if position.before is None:
        start_state: State = engine.start(options, position.state.seats, rng)
        return start_state
    return apply_to_copy(position.before, position.seat or 0, action, rng)


def rank(
    engine: AnyEngine, truth: State, others: list[State], viewer: int | None, seed: int
) -> float:
    """The truth's place among its siblings by similarity to the worlds: 1 highest, 0 lowest."""
    world_numbers = [
        contents_number(world.contents())
        for deal in range(DEALS // 2)
        for world in worlds(engine, truth, viewer, seed + 100_003 * deal)
    ]
    similarities = [
        -sum((state_number ^ world).bit_count() for world in world_numbers)
        for state_number in (contents_number(state.contents()) for state in (truth, *others))
    ]
    below = sum(similarity < similarities[0] for similarity in similarities[1:])
    equal = sum(similarity == similarities[0] for similarity in similarities[1:])
    return (below + equal / 2) / len(others)


def contents_number(contents: Any) -> int:
    """All numbers of a state's contents as one number, 64 bits each."""
    row = array("q")
    append_numbers(row, contents)
    return int.from_bytes(row.tobytes(), "big")


def append_numbers(row: array[int], contents: Any) -> None:
    """Append the numbers in lists of lists."""
    for item in contents:
        if not isinstance(item, (list, tuple)):
            row.append(item)
        elif any(isinstance(part, (list, tuple)) for part in item):
            append_numbers(row, item)
        else:
            row.extend(item)


# -- 11: hidden information does not show ---------------------------------------------------------


def promise_11(engine: AnyEngine, options: Any, seats: int, seed: int, sample: int) -> None:
    """Two states that differ only in information hidden from a seat are the same to that seat."""
    positions = play(engine, options, seats, seed).sample(sample)
    picture_seqs = {position.seq for position in positions[:: max(1, len(positions) // PICTURES)]}
    for position in positions:
        for viewer in viewers_of_position(position, sample):
            twin = position.state.clone()
            twin.determinize(viewer_seat(viewer), FastRng(seed))
            has_picture = position.seq in picture_seqs and (
                viewer is None or viewer == seed % seats
            )
            both_facts = [
                viewer_facts(engine, state, viewer, seed, has_picture)
                for state in (position.state, twin)
            ]
            for name in both_facts[0]:
                assert both_facts[0][name] == both_facts[1][name], (
                    f"{position}: viewer {viewer} sees hidden information in the {name}"
                )
            check_news(engine, position, viewer, seed)


def viewer_facts(
    engine: AnyEngine, state: State, viewer: int | None, seed: int, has_picture: bool
) -> dict[str, Any]:
    """All that an engine gives the viewer of a state."""
    view = engine.view(state, viewer)
    facts = {
        "view": orjson.dumps(view),
        "text": engine.text(view),
        "awaited seats": engine.awaited_seats(state),
        "reacting seats": engine.reacting_seats(state),
        "result": engine.result(state),
        "picture": engine.svg(view) if has_picture else "",
    }
    if viewer is None:
        return facts
    legal_actions = [int(action) for action in state.legal_actions(viewer)]
    return facts | {
        "legal actions": legal_actions,
        "labels": [engine.label(state, viewer, action) for action in legal_actions],
        "consequences": [engine.consequences(state, viewer, code) for code in legal_actions],
        "scores": engine.scores(state, viewer),
        "refusals": refusals(engine, state, viewer, seed),
    }


def refusals(engine: AnyEngine, state: State, viewer: int, seed: int) -> list[Any]:
    """The refusals of actions that a seat may not take."""
    legal_actions = {int(action) for action in state.legal_actions(viewer)}
    return [
        refusal_of(engine, state, viewer, action)
        for action in illegal_actions(engine, legal_actions, seed, 0)
    ]


def refusal_of(engine: AnyEngine, state: State, viewer: int, action: Any) -> Any:
    """One refusal in full."""
    try:
        return engine.encode(state, viewer, action)
    except IllegalAction as refusal:
        return [refusal.code, refusal.sentence, refusal.pointer]


def check_news(engine: AnyEngine, position: Position, viewer: int | None, seed: int) -> None:
    """The same step in two worlds that the viewer cannot distinguish gives it the same news, if it
    cannot distinguish them afterwards.

    Two facts may be published without a trace in a view: sealed answers that are opened, and
    cards that are shown and shuffled again. `is_sealed` recognises the first; after the second,
    both worlds are equal.
    """
    state = position.state
    if position.is_sealed and int(state.to_act).bit_count() == 1:
        return
    for pair in range(TWINS):
        successors = twin_successors(engine, state, viewer, seed + pair)
        views = [engine.view(successor, viewer) for successor in successors]
        if (
            successors
            and views[0] == views[1]
            and successors[0].contents() != successors[1].contents()
        ):
            first_news, second_news = (engine.news(successor, viewer) for successor in successors)
            context = f"after {position} viewer {viewer} gets hidden information as news"
            assert first_news == second_news, f"{context}: {first_news} or {second_news}"


def twin_successors(engine: AnyEngine, state: State, viewer: int | None, seed: int) -> list[State]:
    """Two worlds that the viewer cannot distinguish, after the same action with the same seed."""
    twins = [state.clone(), state.clone()]
    for number, twin in enumerate(twins):
        twin.determinize(viewer_seat(viewer), FastRng(2 * seed + number))
    for seat in engine.awaited_seats(state):
        common_actions = set(twins[0].legal_actions(seat)) & set(twins[1].legal_actions(seat))
        if common_actions:
            action = sorted(common_actions)[seed % len(common_actions)]
            return [apply_to_copy(twin, seat, int(action), FastRng(seed)) for twin in twins]
    return []
