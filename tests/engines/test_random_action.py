"""Random actions: every legal action is chosen equally often, and no other, where a game does not
list its legal actions first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from games.engines.common.rng import FastRng
from games.registry import ENGINES
from tests.engines.playing import Position, kinds_of, play
from tests.engines.uniform import assert_uniform

GAMES = {"law_of_the_dice": (3, 30), "duality": (2, 6)}  # seats, and how many games are searched
THROWS = 60  # per legal action


def positions(slug: str, seats: int, seed: int) -> Sequence[Position]:
    """All positions of a game except the last."""
    engine = ENGINES[slug]
    return play(engine, engine.about.options(), seats, seed).positions[:-1]


def decisions() -> Iterator[Any]:
    """For each game, a position for each kind of decision, and several with many actions."""
    for slug, (seats, games) in GAMES.items():
        found: dict[Any, Position] = {}
        for seed in range(games):
            for position in positions(slug, seats, seed):
                number = sum(len(position.state.legal_actions(seat)) for seat in range(seats))
                found.setdefault((kinds_of(position.state), number // 8), position)
        kept = sorted(found.items(), key=lambda item: (sorted(item[0][0]), item[0][1]))
        for key, position in kept:
            yield pytest.param(slug, position, id=f"{slug}-{sorted(key[0])}-{key[1]}")


@pytest.mark.parametrize(("slug", "position"), list(decisions()))
def test_random_action_is_uniform_on_the_legal_actions(slug: str, position: Position) -> None:
    seat = ENGINES[slug].awaited_seats(position.state)[0]
    assert_uniform(position.state, seat, THROWS, position.seq)


@pytest.mark.parametrize("slug", GAMES)
def test_choosing_changes_nothing(slug: str) -> None:
    for position in positions(slug, GAMES[slug][0], 0):
        before = position.state.contents()
        position.state.random_action(ENGINES[slug].awaited_seats(position.state)[0], FastRng(1))
        assert position.state.contents() == before
