"""Promises 6, 8 and 9: clones, the conservation of cards, and worlds rebuilt from a view."""

from __future__ import annotations

import json
from typing import Any

from games.engines.base import Engine, State
from games.engines.common import codec
from games.engines.common.rng import FastRng
from tests.engines.playing import lookers, number_of, play, run_on

AHEAD = 12  # steps that two copies are played on

Rules = Engine[Any, Any]


def promise_6(engine: Rules, options: Any, seats: int, seed: int, sample: int) -> None:
    """A clone is equal, records no news, takes the same course, and is independent of the
    original."""
    for position in play(engine, options, seats, seed).sample(sample):
        original = position.state.clone()
        at_first = original.contents()
        copy = original.clone()
        assert copy.contents() == at_first == position.state.contents(), f"{position}: not equal"
        assert not copy.is_recording_news, f"{position}: a clone listens"
        assert not copy.news, f"{position}: a clone remembers news"
        course = list(run_on(copy, FastRng(seed), AHEAD))
        assert original.contents() == at_first, f"{position}: the clone's play changed the original"
        played_out = copy.contents()
        again = list(run_on(original, FastRng(seed), AHEAD))
        assert again == course, f"{position}: the original goes another way than its clone"
        assert copy.contents() == played_out, f"{position}: the original's play changed the clone"
        redealt = original.clone()
        kept = original.contents()
        redealt.determinize(number_of(None), FastRng(seed))
        assert original.contents() == kept, f"{position}: the clone's re-deal changed the original"


def promise_8(engine: Rules, options: Any, seats: int, seed: int, sample: int) -> None:
    """No card appears or vanishes: not in play, not in a re-deal, not in an imagined world."""
    game = play(engine, options, seats, seed)
    cards = game.positions[0].state.cards()
    assert cards == sorted(cards), f"{cards} are not in order"
    for position in game.positions:
        assert position.state.cards() == cards, f"{position}: the cards are others now"
    for position in game.sample(sample):
        for viewer in lookers(position, sample):
            for world in worlds(engine, position.state, viewer, seed):
                told = f"{position}, as {viewer} may imagine it"
                assert world.cards() == cards, f"{told}: the cards are others now"


def worlds(engine: Rules, state: State, viewer: int | None, seed: int) -> tuple[State, State]:
    """One world re-dealt in place, and one imagined from the view."""
    redealt = state.clone()
    redealt.determinize(number_of(viewer), FastRng(seed))
    return redealt, engine.imagine(engine.view(state, viewer), FastRng(seed))


def promise_9(engine: Rules, options: Any, seats: int, seed: int, sample: int) -> None:
    """`view(imagine(v)) == v`, with the same legal actions; equal views and seeds give equal
    worlds."""
    for position in play(engine, options, seats, seed).sample(sample):
        for viewer in lookers(position, sample):
            told = f"{position}, viewer {viewer}"
            for world in worlds(engine, position.state, viewer, seed):
                looks_the_same(engine, position.state, world, viewer, told)
                list(run_on(world.clone(), FastRng(seed), AHEAD))
            depends_on_the_view_alone(engine, position.state, viewer, seed, told)


def looks_the_same(
    engine: Rules, state: State, world: State, viewer: int | None, told: str
) -> None:
    """The world has the viewer's view and legal actions of the true state."""
    expected, seen = engine.view(state, viewer), engine.view(world, viewer)
    assert seen == expected, f"{told}: {differences(expected, seen)}"
    assert world.to_act == state.to_act, f"{told}: it waits for others"
    if viewer is not None:
        legal = state.legal_actions(viewer)
        assert world.legal_actions(viewer) == legal, f"{told}: other legal actions"


def differences(expected: Any, seen: Any) -> str:
    """The fields in which two views differ."""
    before, after = codec.to_json(expected), codec.to_json(seen)
    return "; ".join(
        f"{name} was {before[name]}, is {after[name]}"
        for name in before
        if before[name] != after[name]
    )


def depends_on_the_view_alone(
    engine: Rules, state: State, viewer: int | None, seed: int, told: str
) -> None:
    """The same view gives the same worlds, independent of the true state, and even after a round
    trip through JSON."""
    view = engine.view(state, viewer)
    document = json.loads(json.dumps(codec.to_json(view)))
    assert codec.from_json(engine.about.view, document) == view, f"{told}: JSON changes the view"
    redealt, imagined = worlds(engine, state, viewer, seed)
    other = state.clone()
    other.determinize(number_of(viewer), FastRng(seed + 1))
    for first, second in zip((redealt, imagined), worlds(engine, other, viewer, seed), strict=True):
        assert first.contents() == second.contents(), f"{told}: the truth shows in a re-deal"
