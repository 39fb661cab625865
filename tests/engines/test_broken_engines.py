"""Each promise can fail: a small correct game keeps all promises, and each broken engine is
caught."""

from __future__ import annotations

import pytest

from tabularium_engines.promises import PROMISES
from tabularium_engines.promises.variants import tables
from tests.engines.broken_engines import BREAKS_SEVERAL, BROKEN_ENGINES
from tests.engines.lucky_draw import LuckyDraw

pytestmark = pytest.mark.one_mode  # neither these games nor the promises are compiled
SEEDS = range(6)
SAMPLE = 30


def check_promise(number: int, engine: LuckyDraw) -> None:
    """Check a promise at all tables of a game."""
    for table in tables(engine):
        for seed in SEEDS:
            PROMISES[number](engine, table.options, table.seats, seed, SAMPLE)


@pytest.mark.lane("slow", core=3)
@pytest.mark.parametrize("number", PROMISES)
def test_a_correct_game_keeps_every_promise(number: int) -> None:
    check_promise(number, LuckyDraw())


@pytest.mark.parametrize(("number", "broken_engine"), BROKEN_ENGINES)
def test_a_broken_engine_is_caught(number: int, broken_engine: type[LuckyDraw]) -> None:
    with pytest.raises(AssertionError):
        check_promise(number, broken_engine())


@pytest.mark.lane("slow", core=10)
@pytest.mark.parametrize(
    ("number", "broken_engine"), [pair for pair in BROKEN_ENGINES if pair[1] not in BREAKS_SEVERAL]
)
def test_a_broken_engine_breaks_no_other_promise(
    number: int, broken_engine: type[LuckyDraw]
) -> None:
    engine = broken_engine()
    for other_number in set(PROMISES) - {number}:
        for table in tables(engine)[:4]:
            PROMISES[other_number](engine, table.options, table.seats, 1, 5)


def test_every_promise_has_a_broken_engine() -> None:
    assert {number for number, _ in BROKEN_ENGINES} == set(PROMISES)
