"""Imagined worlds: the truth is a typical one of them, and none is impossible."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Final

import pytest

from tabularium_engines.installed.registry import ENGINES
from tabularium_engines.promises.variants import tables
from tests.ai.honesty.leaks import Skewed
from tests.ai.honesty.pairs import IS_COMPILED
from tests.ai.honesty.worlds import chi_square, rank_bound, surprises
from tests.engines.lucky_draw import LuckyDraw

LONG: Final = {"duel_of_law": 200}  # number of games, because they take long; 1,500 for others
GAMES: Final = [
    pytest.param(slug, marks=pytest.mark.soak) if slug in LONG else slug for slug in ENGINES
]

compiled = pytest.mark.skipif(not IS_COMPILED, reason="takes minutes, interpreted")

Counted = Callable[[int, int], int]


@compiled
@pytest.mark.parametrize("slug", GAMES)
def test_the_truth_stands_anywhere_among_imagined_worlds(slug: str, games_count: Counted) -> None:
    number = games_count(60, LONG.get(slug, 1500))
    assert chi_square(ENGINES[slug], number) <= rank_bound()


@pytest.mark.lane("slow", core=1)
@compiled
@pytest.mark.parametrize("slug", GAMES)
def test_what_led_here_leads_to_the_same_worlds(slug: str, games_count: Counted) -> None:
    laid = tables(ENGINES[slug])[: games_count(2, 60)]
    for game in range(games_count(1, 5)):
        for table in laid:
            assert list(surprises(table, game, games_count(4, 20))) == []


def differences(engine: LuckyDraw) -> list[str]:
    """The differences in a few small games."""
    return [
        difference for table in tables(engine) for difference in islice(surprises(table, 1, 5), 1)
    ]


def test_a_re_deal_with_favourites_is_noticed() -> None:
    assert chi_square(Skewed(), 300) > rank_bound()
    assert differences(Skewed())


def test_an_even_one_is_not() -> None:
    assert chi_square(LuckyDraw(), 300) <= rank_bound()
    assert not differences(LuckyDraw())
