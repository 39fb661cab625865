"""Texts call seats by the names that their reader has for them, and say the same otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import pytest

from tabularium_engines.base import AnyEngine
from tabularium_engines.common.english_text import join_words, seats_called
from tabularium_engines.common.names_svg import seat_look
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.registry import RULESETS, Ruleset
from tabularium_engines.promises.variants import tables

pytestmark = pytest.mark.one_mode  # texts are never compiled
STEPS: Final = 60
LABELS: Final = 20  # of one choice
NAMES: Final = {seat: f"⟦{seat}⟧" for seat in range(6)}
SEVERAL: Final = re.compile(r"\bSeats ([\d, and]+\d)")


def positions(engine: AnyEngine) -> Iterator[Any]:
    """Positions of a random game at tables of every size and variant, after each action."""
    for number, table in enumerate(tables(engine)):
        rng = FastRng(number)
        state = engine.start(table.options, table.seats, rng)
        for _ in range(STEPS):
            yield state
            if not state.to_act:
                break
            seat = engine.awaited_seats(state)[0]
            state.apply(seat, state.random_action(seat, rng), rng)


def texts(engine: AnyEngine, state: Any) -> Iterator[str]:
    """The news of the last action, the labels of the next, and the result."""
    yield from (str(item["text"]) for viewer in (0, None) for item in engine.news(state, viewer))
    for seat in engine.awaited_seats(state)[:1]:
        for action in state.legal_actions(seat)[:LABELS]:
            yield engine.label(state, seat, action)
    if result := engine.result(state):
        yield result.reason


def each_seat(text: str) -> str:
    """A text that names each seat by itself: "Seat 0 and Seat 2"."""
    return SEVERAL.sub(
        lambda found: join_words(f"Seat {seat}" for seat in re.findall(r"\d", found[1])), text
    )


def with_titles(text: str, titles: dict[str, str]) -> str:
    """A text with titles in the place of names."""
    return re.sub(r"⟦\d⟧", lambda found: titles[found[0]], text)


@pytest.mark.lane("slow", core=2)
@pytest.mark.parametrize("ruleset", RULESETS, ids=str)
def test_names_take_the_place_of_titles(ruleset: Ruleset) -> None:
    engine = RULESETS[ruleset]
    named_texts = 0
    for state in positions(engine):
        titles = {NAMES[seat]: seat_look(engine, seat)[0] for seat in range(int(state.seats))}
        plain = [each_seat(text) for text in texts(engine, state)]
        with seats_called(NAMES):
            named = list(texts(engine, state))
        for before, after in zip(plain, named, strict=True):
            assert with_titles(after, titles).lower() == before.lower()
            assert not any(re.search(rf"\b{title}\b", after) for title in titles.values()), after
            assert not re.search(r"\b[Ss]eats? \d", after), after
            named_texts += before != after
    assert named_texts
