"""Hidden information does not affect a bot's results: checked in ten thousand pairs of worlds for
each game and bot under --soak, and in a few of them otherwise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest

from ai.bot_registry import COMMON_BOT_NAMES
from tabularium_engines.installed.registry import ENGINES
from tests.ai.honesty.pairs import (
    IS_COMPILED,
    SWIFT,
    Pair,
    check_bot,
    check_search,
    judge_of,
    pairs,
    players,
)

LONG: Final = 10_000
SHORT: Final = 30 if IS_COMPILED else 4
IN_THE_CHECK: Final = {"law_of_the_dice", "law"}
OPEN: Final = {"duel_edged_sword"}  # a deciding seat sees all but the later draws


def game_of(slug: str) -> Any:
    """A game as a parameter; the check has those whose pairs are soon made."""
    return pytest.param(slug, marks=[] if slug in IN_THE_CHECK else [pytest.mark.lane("slow")])


@pytest.fixture(scope="module", params=map(game_of, SWIFT))
def slug(request: pytest.FixtureRequest) -> str:
    """A game; all checks of one run before the next."""
    parameter: str = request.param
    return parameter


@pytest.fixture(scope="module")
def game_pairs(slug: str, games_count: Callable[[int, int], int]) -> list[Pair]:
    """Pairs of that game."""
    return pairs(ENGINES[slug], games_count(SHORT, LONG))


@pytest.mark.parametrize("name", COMMON_BOT_NAMES)
def test_a_bot_makes_the_same_of_both_worlds(slug: str, name: str, game_pairs: list[Pair]) -> None:
    check_bot(game_pairs, players(slug)[name])


def test_a_search_makes_the_same_of_both_worlds(slug: str, game_pairs: list[Pair]) -> None:
    check_search(game_pairs, judge_of(slug))


def test_the_worlds_differ_where_anything_is_hidden(slug: str, game_pairs: list[Pair]) -> None:
    different = sum(pair.is_different() for pair in game_pairs)
    assert different == 0 if slug in OPEN else different > 0.7 * len(game_pairs)
