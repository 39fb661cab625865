"""Statistics of the arena: intervals and the sequential test agree with published values."""

from __future__ import annotations

import pytest

from ai.arena.statistics import (
    MIN_BLOCKS,
    Block,
    Sprt,
    interval_of_mean,
    score_blocks,
    wilson_interval,
)
from tabularium_engines.common.random_generators import FastRng


def test_wilsons_interval() -> None:
    """Newcombe (1998), table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29."""
    published = {
        (81, 263): (0.2553, 0.3662),
        (15, 148): (0.0624, 0.1605),
        (0, 20): (0.0000, 0.1611),
        (1, 29): (0.0061, 0.1718),
        (20, 20): (0.8389, 1.0),
    }
    for (won, games), (low, high) in published.items():
        assert wilson_interval(won / games, games) == pytest.approx((low, high), abs=0.0001)


def test_a_score_has_its_interval() -> None:
    even_score = score_blocks([Block((0.0, 0.0), 0.5), Block((1.0, 1.0), 0.5)] * 100)
    assert (even_score.share, even_score.par, even_score.games) == (0.5, 0.5, 400)
    assert (even_score.low, even_score.high) == pytest.approx((0.431, 0.569), abs=0.001)
    assert not even_score.is_better
    assert str(even_score) == "0.500 [0.431, 0.569] of 400 games, par 0.500"


def test_games_of_a_deal_that_always_share_a_victory_say_more_than_their_number() -> None:
    """Where the deal or the first player decides, each block has the same mean."""
    score = score_blocks([Block((0.0, 1.0), 0.5)] * 199 + [Block((1.0, 1.0), 0.5)])
    assert score.high - score.low < 0.03
    low, high = wilson_interval(score.share, score.games)
    assert high - low > 0.09


@pytest.mark.parametrize("blocks", [20, 60, 200])
@pytest.mark.parametrize("chance", [0.03, 0.25, 0.5])
def test_the_true_mean_is_within_its_interval_as_often_as_it_says(
    blocks: int, chance: float
) -> None:
    """At least 93 % of 2,000 samples of blocks of two games, half of which end alike."""
    rng, hits = FastRng(7), 0
    for _ in range(2000):
        means = [block_mean(chance, rng) for _ in range(blocks)]
        squares = sum(mean * mean for mean in means)
        low, high = interval_of_mean(sum(means), squares, blocks, weight=0.5)
        hits += low <= chance <= high
    assert hits >= 1860


def block_mean(chance: float, rng: FastRng) -> float:
    """The mean of two games, each won with this chance; half of the pairs end alike."""
    first, second = (float(rng.below(1000)) < 1000 * chance for _ in range(2))
    return float(first) if rng.below(2) else (first + second) / 2


def test_where_the_par_differs_by_deal_the_gains_are_what_counts() -> None:
    """In each deal the challengers get 0.1 more than the opponents got with the same cards."""
    blocks = [Block((par / 100 + 0.1,), par / 100) for par in range(20, 60)]
    better = score_blocks(blocks)
    assert better.share - better.par == pytest.approx(0.1)
    assert better.high - better.low < 0.14
    assert better.is_better


def test_a_deal_of_one_game_counts_as_much_as_one_of_several() -> None:
    score = score_blocks([Block((0.9,), 0.8), Block((0.2, 0.4, 0.2, 0.4), 0.25)] * 20)
    assert score.share == pytest.approx(0.6)
    assert score.low <= score.share <= score.high
    assert score.games == 100


def gains(mean: float, blocks: int, seed: int) -> list[float]:
    """Gains of blocks, scattered by one half around a mean."""
    rng = FastRng(seed)
    return [mean + (rng.below(1001) - 500) / 1000 for _ in range(blocks)]


def verdict_after(test: Sprt, results: list[float]) -> tuple[str, int]:
    """The verdict, and the number of blocks it took."""
    for block_count in range(1, len(results)):
        verdict = test.verdict(results[:block_count])
        if verdict != "open":
            return verdict, block_count
    return "open", len(results)


def test_a_sequential_test_is_mostly_right_and_mostly_quick() -> None:
    test = Sprt(0.1)
    stronger = [verdict_after(test, gains(0.1, 2000, seed)) for seed in range(40)]
    equal = [verdict_after(test, gains(0.0, 2000, seed)) for seed in range(40)]
    assert sum(verdict == "stronger" for verdict, _ in stronger) >= 34
    assert sum(verdict == "not stronger" for verdict, _ in equal) >= 34
    assert max(block_count for _, block_count in stronger + equal) < 500


def test_a_sequential_test_does_not_stop_on_a_few_blocks_nor_on_equal_ones() -> None:
    assert Sprt(0.1).verdict([0.5, 0.6] * (MIN_BLOCKS // 2 - 1)) == "open"
    assert Sprt(0.1).verdict([0.5, 0.6] * (MIN_BLOCKS // 2)) == "stronger"
    assert Sprt(0.1).verdict([0.0] * 100) == "open"
