"""Skills follow the paper's update, worked out by hand."""

from __future__ import annotations

from math import exp, sqrt

import pytest

from games.ratings.skill import CONSTANT_SKILL_MODEL, RATING_MODEL, Skill, rate_sides

NEW = Skill()
BETA = 25 / 6
TAU = 25 / 300


def by_hand(winner: Skill, loser: Skill) -> tuple[Skill, Skill]:
    """Weng and Lin (2011), algorithm 4, for two players of which the first has won."""
    wide = [Skill(s.mu, sqrt(s.sigma**2 + TAU**2)) for s in (winner, loser)]
    c = sqrt(sum(s.sigma**2 + BETA**2 for s in wide))
    chance = exp(wide[0].mu / c) / (exp(wide[0].mu / c) + exp(wide[1].mu / c))

    def moved_skill(skill: Skill, sign: int) -> Skill:
        omega = sign * skill.sigma**2 / c * (1 - chance)
        delta = skill.sigma**2 / c**2 * chance * (1 - chance) * skill.sigma / c
        return Skill(skill.mu + omega, skill.sigma * sqrt(max(1 - delta, 0.0001)))

    return moved_skill(wide[0], 1), moved_skill(wide[1], -1)


@pytest.mark.parametrize("loser", [NEW, Skill(31.0, 2.0), Skill(12.5, 7.0)])
def test_two_players_are_rated_as_the_paper_says(loser: Skill) -> None:
    (winner,), (rated_loser,) = rate_sides([[NEW], [loser]], [1, 2])
    for skill, expected in zip((winner, rated_loser), by_hand(NEW, loser), strict=True):
        assert skill == pytest.approx(expected)


def test_whoever_is_new_is_worth_nothing_for_sure() -> None:
    assert NEW.ordinal == pytest.approx(0)
    assert Skill(30.0, 2.0).ordinal == 24.0


def test_a_tie_brings_players_together() -> None:
    (strong,), (weak,) = rate_sides([[Skill(30.0, 5.0)], [Skill(20.0, 5.0)]], [1, 1])
    assert 20 < weak.mu < strong.mu < 30
    assert strong.mu - 30 == pytest.approx(20 - weak.mu)


def test_the_order_of_sides_and_the_size_of_ranks_do_not_matter() -> None:
    skills = [Skill(25.0 + n, 8.0 - n) for n in range(4)]
    ranks = [3, 1, 2, 2]
    forward = rate_sides([[skill] for skill in skills], ranks)
    backward = rate_sides(
        [[skill] for skill in reversed(skills)], [10 * r for r in reversed(ranks)]
    )
    for one, other in zip(forward, reversed(backward), strict=True):
        assert one[0] == pytest.approx(other[0])
    mus = [after.mu - before.mu for (after,), before in zip(forward, skills, strict=True)]
    assert mus[1] > 0 > mus[0]


def test_partners_rise_together_and_the_surer_one_less() -> None:
    (first, second), (other, fourth) = rate_sides([[NEW, Skill(25.0, 2.0)], [NEW, NEW]], [1, 2])
    assert first.mu > second.mu > 25 > other.mu == fourth.mu


def test_of_steady_players_doubt_only_ever_falls() -> None:
    sure = Skill(25.0, 0.5)
    (drawn,), _ = rate_sides([[sure], [sure]], [1, 1], CONSTANT_SKILL_MODEL)
    (moving,), _ = rate_sides([[sure], [sure]], [1, 1], RATING_MODEL)
    assert drawn.sigma < sure.sigma < moving.sigma
