"""Promises 6, 8 and 9: clones, the conservation of cards, and worlds rebuilt from a view."""

from __future__ import annotations

import json
from typing import Any

from tabularium_engines.base import AnyEngine, State
from tabularium_engines.common import json_codec
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.promises.random_games import (
    contents_after_steps,
    play,
    viewer_seat,
    viewers_of_position,
)

STEPS_AHEAD = 12  # that two copies are played on


def promise_6(engine: AnyEngine, options: Any, seats: int, seed: int, sample: int) -> None:
    """A clone is equal, records no news, takes the same course, and is independent of the
    original."""
    for position in play(engine, options, seats, seed).sample(sample):
        original = position.state.clone()
        first_contents = original.contents()
        copy = original.clone()
        assert copy.contents() == first_contents == position.state.contents(), (
            f"{position}: not equal"
        )
        assert not copy.is_recording_news, f"{position}: a clone records news"
        assert not copy.news, f"{position}: a clone has news"
        course = list(contents_after_steps(copy, FastRng(seed), STEPS_AHEAD))
        assert original.contents() == first_contents, (
            f"{position}: the clone's play changed the original"
        )
        last_contents = copy.contents()
        original_course = list(contents_after_steps(original, FastRng(seed), STEPS_AHEAD))
        assert original_course == course, (
            f"{position}: the original takes another course than its clone"
        )
        assert copy.contents() == last_contents, (
            f"{position}: the original's play changed the clone"
        )
        redealt_copy = original.clone()
        kept_contents = original.contents()
        redealt_copy.determinize(viewer_seat(None), FastRng(seed))
        assert original.contents() == kept_contents, (
            f"{position}: the clone's re-deal changed the original"
        )


def promise_8(engine: AnyEngine, options: Any, seats: int, seed: int, sample: int) -> None:
    """No card appears or vanishes: not in play, not in a re-deal, not in an imagined world."""
    game = play(engine, options, seats, seed)
    cards = game.positions[0].state.cards()
    assert cards == sorted(cards), f"{cards} are not in order"
    for position in game.positions:
        assert position.state.cards() == cards, f"{position}: the cards have changed"
    for position in game.sample(sample):
        for viewer in viewers_of_position(position, sample):
            for world in worlds(engine, position.state, viewer, seed):
                context = f"{position}, as {viewer} may imagine it"
                assert world.cards() == cards, f"{context}: the cards have changed"


def worlds(engine: AnyEngine, state: State, viewer: int | None, seed: int) -> tuple[State, State]:
    """One world re-dealt in place, and one imagined from the view."""
    redealt_copy = state.clone()
    redealt_copy.determinize(viewer_seat(viewer), FastRng(seed))
    return redealt_copy, engine.imagine(engine.view(state, viewer), FastRng(seed))


def promise_9(engine: AnyEngine, options: Any, seats: int, seed: int, sample: int) -> None:
    """`view(imagine(v)) == v`, with the same legal actions; equal views and seeds give equal
    worlds."""
    for position in play(engine, options, seats, seed).sample(sample):
        for viewer in viewers_of_position(position, sample):
            context = f"{position}, viewer {viewer}"
            view = engine.view(position.state, viewer)
            both_worlds = worlds(engine, position.state, viewer, seed)
            for world in both_worlds:
                check_view_and_actions(engine, position.state, view, world, viewer, context)
                list(contents_after_steps(world.clone(), FastRng(seed), STEPS_AHEAD))
            check_json_preserves(engine, view, context)
            check_view_dependence(engine, position.state, both_worlds, viewer, seed, context)


def check_view_and_actions(
    engine: AnyEngine, state: State, view: Any, world: State, viewer: int | None, context: str
) -> None:
    """The world has the viewer's view and legal actions of the true state."""
    world_view = engine.view(world, viewer)
    assert world_view == view, f"{context}: {differences(view, world_view)}"
    assert world.to_act == state.to_act, f"{context}: other seats are awaited"
    if viewer is not None:
        legal_actions = state.legal_actions(viewer)
        assert world.legal_actions(viewer) == legal_actions, f"{context}: other legal actions"


def differences(expected: Any, actual: Any) -> str:
    """The fields in which two views differ."""
    expected_fields, actual_fields = json_codec.to_json(expected), json_codec.to_json(actual)
    return "; ".join(
        f"{name} was {expected_fields[name]}, is {actual_fields[name]}"
        for name in expected_fields
        if expected_fields[name] != actual_fields[name]
    )


def check_json_preserves(engine: AnyEngine, view: Any, context: str) -> None:
    """JSON preserves the view."""
    document = json.loads(json.dumps(json_codec.to_json(view)))
    assert json_codec.from_json(engine.about.view, document) == view, (
        f"{context}: JSON changes the view"
    )


def check_view_dependence(
    engine: AnyEngine,
    state: State,
    both_worlds: tuple[State, State],
    viewer: int | None,
    seed: int,
    context: str,
) -> None:
    """The same view gives the same worlds, whatever the true state."""
    other = state.clone()
    other.determinize(viewer_seat(viewer), FastRng(seed + 1))
    for first, second in zip(both_worlds, worlds(engine, other, viewer, seed), strict=True):
        assert first.contents() == second.contents(), f"{context}: the truth shows in a re-deal"
