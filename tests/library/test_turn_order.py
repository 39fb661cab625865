"""The order in which environments ask the seats, and that it shows nothing of a hand."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tabularium_engines.adapters.action_space import action_space
from tabularium_engines.adapters.turn_order import (
    MAY_INTERRUPT,
    NO_SEAT,
    Decision,
    TurnOrder,
    number_count,
)
from tabularium_engines.base import AnyEngine, State
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.registry import find_engine
from tests.library.adapters import ALL_ENGINES, slug_of

pytestmark = pytest.mark.lane("builds")

STEPS = 10_000  # of masked random play in each game
DECISIONS = 400


def random_steps(engine: AnyEngine, seats: int, steps: int) -> Iterator[TurnOrder]:
    """Random games, one after the other, before each number that is chosen."""
    rng = FastRng(4)
    order = TurnOrder(engine, engine.start(engine.about.options(), seats, rng).clone())
    for _ in range(steps):
        if order.seat == NO_SEAT:
            order.set_state(engine.start(engine.about.options(), seats, rng).clone())
        yield order
        numbers = order.legal_numbers()
        if decision := order.choose(numbers[rng.below(len(numbers))]):
            order.state.apply(decision.seat, decision.action, rng)
            order.set_state(order.state)


@pytest.mark.parametrize("engine", ALL_ENGINES, ids=slug_of)
def test_masked_random_play_finishes_games(engine: AnyEngine) -> None:
    ended, last = 0, None
    for order in random_steps(engine, engine.about.seats[1], STEPS):
        numbers = order.legal_numbers()
        assert numbers
        assert numbers == sorted(set(numbers))
        assert 0 <= numbers[0] <= numbers[-1] < order.number_count
        ended += last is not None and order.state is not last
        last = order.state
    assert ended > 0


@pytest.mark.parametrize("engine", ALL_ENGINES, ids=slug_of)
def test_every_seat_with_a_legal_action_is_asked(engine: AnyEngine) -> None:
    """The lowest of the seats that must act, and all others where they may act out of turn."""
    interruptions = 0
    for order in random_steps(engine, engine.about.seats[1], DECISIONS):
        state, awaited = order.state, engine.awaited_seats(order.state)
        asked = order.copy()
        asked.set_state(state)
        strangers = {
            seat
            for seat in range(int(state.seats))
            if seat not in awaited and state.legal_actions(seat)
        }
        interruptions += len(strangers)
        assert set(seats_asked(asked)) >= {awaited[0], *strangers}
        assert seats_asked(asked)[-1] == awaited[0]
    assert (interruptions > 0) == (engine.about.slug in MAY_INTERRUPT)


def seats_asked(order: TurnOrder) -> list[int]:
    """All seats that are asked if each of them waits."""
    asked = [order.seat]
    while order.legal_numbers()[-1] == order.space.size:
        order.choose(order.space.size)
        asked.append(order.seat)
    return asked


def test_the_seats_that_are_asked_do_not_depend_on_hidden_cards() -> None:
    engine, worlds = find_engine("law"), 0
    for order in random_steps(engine, 4, DECISIONS):
        state = order.state.clone()
        asked = seats_asked(TurnOrder(engine, state))
        state.determinize(order.seat, FastRng(9))
        worlds += state.contents() != order.state.contents()
        assert seats_asked(TurnOrder(engine, state)) == asked
    assert worlds > 0


def test_simultaneous_seats_are_asked_one_after_the_other() -> None:
    engine, followed = find_engine("law_of_the_dice"), 0
    before: tuple[State, list[int]] | None = None
    for order in random_steps(engine, 4, STEPS // 10):
        awaited = engine.awaited_seats(order.state)
        assert order.seat == awaited[0]
        if before is not None and before[0] is order.state and len(before[1]) > 1:
            assert awaited == before[1][1:] or order.seat in awaited
            followed += awaited == before[1][1:]
        before = order.state, awaited
    assert followed > 0


def test_an_action_of_several_words_is_complete_after_the_last() -> None:
    engine = find_engine("duel_of_law")
    state = engine.start(engine.about.options(), 2, FastRng(1))
    action = int(state.legal_actions(engine.awaited_seats(state)[0])[0])
    order, words = TurnOrder(engine, state), action_space(engine).words_of(action)
    assert [order.choose(word) for word in words[:-1]] == [None] * (len(words) - 1)
    assert order.words == words[:-1]
    copied = order.copy()
    assert order.choose(words[-1]) == Decision(order.seat, action)
    assert copied.words == words[:-1]


def test_a_number_that_is_not_legal_is_refused() -> None:
    engine = find_engine("law")
    order = TurnOrder(engine, engine.start(engine.about.options(), 2, FastRng(1)))
    with pytest.raises(ValueError, match="not a legal action number"):
        order.choose(number_count(engine))
