"""Random actions: every legal action is chosen equally often, and no other, where a game does not
list its legal actions first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.registry import ENGINES
from tabularium_engines.promises.random_games import Position, legal_kinds, play
from tests.engines.uniformity import assert_uniform

GAMES = {"law_of_the_dice": (3, 30), "duality": (2, 6)}  # seats, and how many games are searched
CALLS_PER_ACTION = 60  # per legal action


def positions(slug: str, seats: int, seed: int) -> Sequence[Position]:
    """All positions of a game except the last."""
    engine = ENGINES[slug]
    return play(engine, engine.about.options(), seats, seed).positions[:-1]


def decisions() -> Iterator[Any]:
    """For each game, a position for each kind of decision, and several with many actions."""
    for slug, (seats, games) in GAMES.items():
        by_kinds: dict[Any, Position] = {}
        for seed in range(games):
            for position in positions(slug, seats, seed):
                action_count = sum(len(position.state.legal_actions(seat)) for seat in range(seats))
                by_kinds.setdefault((legal_kinds(position.state), action_count // 8), position)
        ordered = sorted(by_kinds.items(), key=lambda item: (sorted(item[0][0]), item[0][1]))
        for key, position in ordered:
            yield pytest.param(slug, position, id=f"{slug}-{sorted(key[0])}-{key[1]}")


@pytest.mark.parametrize(("slug", "position"), list(decisions()))
def test_random_action_is_uniform_on_the_legal_actions(slug: str, position: Position) -> None:
    seat = ENGINES[slug].awaited_seats(position.state)[0]
    assert_uniform(position.state, seat, CALLS_PER_ACTION, position.seq)


@pytest.mark.parametrize("slug", GAMES)
def test_random_action_leaves_the_state_unchanged(slug: str) -> None:
    for position in positions(slug, GAMES[slug][0], 0):
        before = position.state.contents()
        position.state.random_action(ENGINES[slug].awaited_seats(position.state)[0], FastRng(1))
        assert position.state.contents() == before
