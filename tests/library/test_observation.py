"""Observation tensors: their size is fixed, they come from the view alone, and they show what it
shows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from tabularium_engines.adapters.observation import Observer, UndeclaredShape, _Layouts
from tabularium_engines.adapters.tensor_shapes import Keyed, Ordered, Seats, Shapes
from tabularium_engines.base import ONLOOKER_SEAT, AnyEngine, State
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.registry import RULESETS
from tabularium_engines.promises.variants import tables
from tests.examples.small_games import SMALL_GAMES, load_engine

ALL_ENGINES = [*RULESETS.values(), *[load_engine(name) for name in SMALL_GAMES]]
STRIDE = 12  # decisions between two positions that are looked at
DECISIONS = 240  # of each game, at most
WORLDS = 3


def slug_of(engine: AnyEngine) -> str:
    return engine.about.slug


def positions(engine: AnyEngine) -> Iterator[State]:
    """Positions of a random game of each variant and number of seats, the last one included."""
    for table in tables(engine):
        rng = FastRng(11 + table.seats)
        state = engine.start(table.options, table.seats, rng)
        for number in range(DECISIONS):
            if not state.to_act:
                break
            if number % STRIDE == 0:
                yield state
            seat = engine.awaited_seats(state)[-1]
            state.apply(seat, state.random_action(seat, rng), rng)
        yield state


def viewers(state: State) -> list[int | None]:
    return [None, *range(int(state.seats))]


@pytest.mark.lane("builds", core=1)
@pytest.mark.parametrize("engine", ALL_ENGINES, ids=slug_of)
def test_two_worlds_with_one_view_give_one_tensor(engine: AnyEngine) -> None:
    """The worlds differ in the hidden cards: each is dealt again from the view."""
    observer, different = Observer(engine), 0
    for state in positions(engine):
        for seat in viewers(state):
            tensor = observer.tensor(engine.view(state, seat))
            assert len(tensor) == observer.size
            for seed in range(WORLDS):
                world = state.clone()
                world.determinize(ONLOOKER_SEAT if seat is None else seat, FastRng(seed))
                different += world.contents() != state.contents()
                assert observer.tensor(engine.view(world, seat)) == tensor
    assert different > 0 or engine.about.slug == "four_in_a_row"  # it hides nothing


@pytest.mark.lane("builds", core=1)
@pytest.mark.parametrize("engine", ALL_ENGINES, ids=slug_of)
def test_different_views_give_different_tensors(engine: AnyEngine) -> None:
    """None of the lists is longer than its place, so nothing that the view shows is lost."""
    observer = Observer(engine)
    views = {engine.view(state, seat) for state in positions(engine) for seat in viewers(state)}
    assert len({tuple(observer.tensor(view)) for view in views}) == len(views)


def test_a_tensor_shows_the_words_of_an_action_that_was_begun() -> None:
    engine = next(engine for engine in ALL_ENGINES if engine.about.slug == "duel_of_law")
    observer, state = Observer(engine), next(positions(engine))
    view = engine.view(state, 0)
    tensors = [observer.tensor(view, words) for words in [(), (0,), (1,), (0, 1), (0, 1, 901, 0)]]
    assert len(set(map(tuple, tensors))) == len(tensors)
    assert {len(tensor) for tensor in tensors} == {observer.size}


# -- the layouts ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Hand:
    """A record with a field of its own for each shape."""

    owner: int
    size: int


@dataclass(frozen=True)
class Sample:
    """A view with one list of each shape."""

    recent: tuple[int, ...]
    next: tuple[int, ...]
    hands: tuple[Hand, ...]
    seats: tuple[int, ...]
    pair: tuple[int, int] | None
    is_open: bool


SHAPES: Shapes = {
    "Sample.recent": Ordered(2),
    "Sample.next": Ordered(2, keeps_first=True),
    "Sample.hands": Keyed("owner"),
    "Sample.seats": Seats(),
}


def sample_tensor(sample: Sample) -> list[float]:
    layout = _Layouts(SHAPES, seats=2).of_record(Sample)
    floats = [0.0] * layout.size
    layout.write(sample, floats, 0)
    return floats


def test_every_shape_has_its_floats() -> None:
    sample = Sample((7, 8, 9), (7, 8, 9), (Hand(1, 5),), (1,), (3, 4), is_open=True)
    assert sample_tensor(sample) == [
        *(3, 1, 8, 1, 9),  # the length, and the last two
        *(3, 1, 7, 1, 8),  # the length, and the first two
        *(0, 0, 1, 5),  # no hand of seat 0; seat 1 has five cards
        *(0, 1, 0),  # seat 1, and no stranger
        *(1, 3, 4),  # the pair is there
        1,
    ]


def test_absent_values_are_zero() -> None:
    assert sample_tensor(Sample((), (), (), (), None, is_open=False)) == [0] * 21


def test_a_list_without_bounds_and_without_a_shape_is_refused() -> None:
    with pytest.raises(UndeclaredShape, match=r'give its shape, such as \{"Sample.hands": Ord'):
        _Layouts({}, seats=2).of_record(Sample)


def test_an_engine_that_the_library_does_not_know_brings_its_shapes() -> None:
    engine = load_engine("four_in_a_row")
    shapes = {"View.grid": Ordered(6), "View.grid[]": Ordered(3)}
    assert Observer(engine, shapes).size < Observer(engine).size
