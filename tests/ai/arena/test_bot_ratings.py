"""Bot ratings: they agree with the bots' shares, across contests with different opponents."""

from __future__ import annotations

from math import exp, sqrt

import pytest

from ai.arena.bot_ratings import PlayedContest, block_ranks, rate_bots
from ai.arena.statistics import Block
from games.ratings.skill import CONSTANT_SKILL_MODEL, Skill

HALF, QUARTER = 0.5, 0.25


@pytest.mark.parametrize(
    ("block", "ranks"),
    [
        (Block((1.0, 0.0), HALF), [(1, 2), (2, 1)]),
        (Block((0.5, 0.5), HALF), [(1, 1), (1, 1)]),
        (
            Block((1.0, 0.5, 0.25, 0.0), QUARTER),
            [(1, 2, 2, 2), (1, 1, 2, 2), (1, 1, 1, 1), (2, 1, 2, 2)],
        ),
        (Block((1 / 3, 0.0, 0.0), 1 / 3), [(1, 1, 1), (2, 1, 2), (2, 1, 2)]),
        (Block((0.8,), 0.6), [(1, 2)]),
        (Block((0.6,), 0.6), [(1, 1)]),
        (Block((0.2,), 0.6), [(2, 1)]),
    ],
)
def test_the_ranks_of_a_game(block: Block, ranks: list[tuple[int, ...]]) -> None:
    assert block_ranks(block) == ranks


def win_probability(one: Skill, other: Skill) -> float:
    """The probability by the model that the first beats the second."""
    c = sqrt(one.sigma**2 + other.sigma**2 + 2 * CONSTANT_SKILL_MODEL.beta**2)
    return exp(one.mu / c) / (exp(one.mu / c) + exp(other.mu / c))


def test_two_bots_are_as_far_apart_as_their_shares() -> None:
    blocks = [Block((1.0, 0.0), HALF), Block((1.0, 1.0), HALF)] * 200
    ratings = rate_bots([PlayedContest("strong", "weak", blocks)])
    assert list(ratings) == ["strong", "weak"]
    assert win_probability(ratings["strong"], ratings["weak"]) == pytest.approx(0.75, abs=0.05)


@pytest.mark.parametrize("seats", [3, 4])
def test_whoever_wins_as_often_as_chance_has_it_is_as_good(seats: int) -> None:
    block = Block((1.0, *[0.0] * (seats - 1)), 1 / seats)
    ratings = rate_bots([PlayedContest("one", "another", [block] * 200)])
    assert ratings["one"].mu == pytest.approx(ratings["another"].mu, abs=1.0)
    better = rate_bots(
        [PlayedContest("one", "another", [Block((1.0, 1.0, *block.shares[2:]), 1 / seats)] * 200)]
    )
    assert better["one"].mu > better["another"].mu + 2


def test_one_number_serves_contests_with_several_others() -> None:
    win, loss = Block((1.0, 0.0), HALF), Block((0.0, 0.0), HALF)
    mostly = [win, win, Block((1.0, 1.0), HALF)] * 60
    schedule = [
        PlayedContest("greedy", "random", mostly),
        PlayedContest("mcts", "random", mostly),
        PlayedContest("mcts", "greedy", mostly[:90]),  # stopped early, when it was decided
        PlayedContest("idle", "random", [loss] * 30),
    ]
    ratings = rate_bots(schedule)
    assert list(ratings) == ["mcts", "greedy", "random", "idle"]
    assert all(ratings[bot].sigma < Skill().sigma / 4 for bot in ("mcts", "greedy", "random"))
    assert ratings["idle"].sigma > ratings["random"].sigma  # less is known of it
