"""Promise 15: the foretold consequences of an action come true in every world."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tabularium_engines.base import AnyEngine, State
from tabularium_engines.common.consequences import Consequences
from tabularium_engines.common.foresight import consequences_from_view
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.common.replayable_log import apply_to_copy
from tabularium_engines.promises.random_games import Position, play

MAX_ACTIONS = 16  # looked at in a position, of every kind
WORLDS = 3  # beside the truth


def promise_15(engine: AnyEngine, options: Any, seats: int, seed: int, sample: int) -> None:
    """The consequences that an action is said to have come true in all worlds, and in every one the
    scores at the end are those of the result."""
    game = play(engine, options, seats, seed)
    for position in game.sample(sample):
        for seat in range(seats):
            check_consequences(engine, position, seat, seed)
    final_state = game.positions[-1].state
    result = engine.result(final_state)
    assert result is not None, "no result at the end"
    for seat in range(seats):
        scores = engine.scores(final_state, seat)
        assert scores in ((), result.scores), f"scores {scores}, but the result says {result}"


def check_consequences(engine: AnyEngine, position: Position, seat: int, seed: int) -> None:
    """Each consequence of the seat's actions comes true, and follows from the view alone."""
    legal_actions = sampled_actions(position.state.legal_actions(seat), position.seq)
    if not legal_actions:
        return
    view = engine.view(position.state, seat)
    for action, told in zip(
        legal_actions, consequences_from_view(engine, view, seat, legal_actions), strict=True
    ):
        context = f"{position}: action {action:#x} of seat {seat}"
        labels = {
            engine.label(position.state, seat, action),
            engine.label_with(position.state, seat, action, told),
        }
        assert len(labels) == 1, f"{context}: two labels, {labels}"
        for number, world in enumerate(worlds_of(engine, position.state, view, seed)):
            assert engine.consequences(world, seat, action) == told, (
                f"{context}: the consequences depend on the world"
            )
            if told is not None:
                successor = apply_to_copy(world, seat, action, FastRng(seed + 31 * number))
                check_truth(engine, world, successor, seat, told, context)


def sampled_actions(legal_actions: Sequence[int], salt: int) -> list[int]:
    """Some actions of each kind: all if there are few."""
    by_kind: dict[int, list[int]] = {}
    for action in legal_actions:
        by_kind.setdefault(int(action) & 0xFF, []).append(int(action))
    share = max(1, MAX_ACTIONS // max(1, len(by_kind)))
    found: list[int] = []
    for actions in by_kind.values():
        stride = max(1, len(actions) // share)
        found += actions[salt % stride :: stride][: share + 1]
    return found


def worlds_of(engine: AnyEngine, state: State, view: Any, seed: int) -> list[State]:
    """The truth, and worlds with the same view."""
    imagined = [engine.imagine(view, FastRng(seed + 7919 * deal)) for deal in range(WORLDS)]
    return [state, *imagined]


def check_truth(
    engine: AnyEngine, world: State, successor: State, seat: int, told: Consequences, context: str
) -> None:
    """The action has had these consequences."""
    if told.to_act is not None:
        awaited = tuple(engine.awaited_seats(successor))
        assert awaited == told.to_act, f"{context}: {awaited} must act, not {told.to_act}"
    if told.winners is not None:
        result = engine.result(successor)
        assert told.to_act == (), f"{context}: {told} names winners while the game goes on"
        assert result is not None, f"{context}: the game is not over"
        assert result.winners == told.winners, f"{context}: {result}, not {told.winners}"
    check_scores(engine, world, successor, seat, told, context)
    check_news(engine.news(successor, seat), told, context)


def check_scores(
    engine: AnyEngine, world: State, successor: State, seat: int, told: Consequences, context: str
) -> None:
    """The scores have changed as foretold."""
    if told.score_changes is None:
        return
    before, after = engine.scores(world, seat), engine.scores(successor, seat)
    for each, change in enumerate(told.score_changes):
        if change is not None:
            assert after[each] - before[each] == change, (
                f"{context}: scores {before} became {after}, not {told.score_changes}"
            )


def check_news(happened: Sequence[Any], told: Consequences, context: str) -> None:
    """The foretold items are among the news, in this order."""
    left = list(happened)
    for item in told.news:
        facts = {name: value for name, value in item.items() if name != "text"}
        while left and not facts.items() <= left[0].items():
            left.pop(0)
        assert left, f"{context}: {item} is not among the news {happened}"
        left.pop(0)
