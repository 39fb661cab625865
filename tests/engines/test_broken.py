"""Each promise can fail: a small correct game keeps them all, and every saboteur is caught."""

from __future__ import annotations

import pytest

from tests.engines.lucky_draw import LuckyDraw
from tests.engines.promises import PROMISES
from tests.engines.saboteurs import DEEP, SABOTEURS
from tests.engines.variants import tables

SEEDS = range(6)
SAMPLE = 30


def check(number: int, engine: LuckyDraw) -> None:
    """Check a promise at all tables of a game."""
    for table in tables(engine):
        for seed in SEEDS:
            PROMISES[number](engine, table.options, table.seats, seed, SAMPLE)


@pytest.mark.parametrize("number", PROMISES)
def test_an_honest_game_keeps_every_promise(number: int) -> None:
    check(number, LuckyDraw())


@pytest.mark.parametrize(("number", "saboteur"), SABOTEURS)
def test_a_saboteur_is_caught(number: int, saboteur: type[LuckyDraw]) -> None:
    with pytest.raises(AssertionError):
        check(number, saboteur())


@pytest.mark.parametrize(
    ("number", "saboteur"), [pair for pair in SABOTEURS if pair[1] not in DEEP]
)
def test_a_saboteur_breaks_nothing_else(number: int, saboteur: type[LuckyDraw]) -> None:
    engine = saboteur()
    for other in set(PROMISES) - {number}:
        for table in tables(engine)[:4]:
            PROMISES[other](engine, table.options, table.seats, 1, 5)


def test_every_promise_has_a_saboteur() -> None:
    assert {number for number, _ in SABOTEURS} == set(PROMISES)
