"""Refusals: any input from any seat at any time is either legal or refused with a code and a
sentence, and leaves the state unchanged."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tabularium_engines.base import AnyEngine, IllegalAction, State
from tabularium_engines.installed.registry import ENGINES
from tabularium_engines.promises.action_inputs import well_formed_actions
from tabularium_engines.promises.random_games import Game, play
from tests.engines.lucky_draw import LuckyDraw, Play

pytestmark = pytest.mark.one_mode  # promise 13 compares refusals, too
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
JUNK = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)
SEATS = st.integers(-3, 9) | st.integers()


@st.composite
def states(draw: st.DrawFn, engine: AnyEngine) -> State:
    """The state at some position of a game."""
    seats = draw(st.integers(*engine.about.seats))
    game = play(engine, engine.about.options(), seats, draw(st.integers(0, 1)))
    return draw(st.sampled_from(game.positions)).state


@st.composite
def documents(draw: st.DrawFn, engine: AnyEngine) -> Any:
    """JSON that is an action, a corrupted one, an action of another game, or no action."""
    document = engine.action_codec.to_json(draw(st.sampled_from(well_formed_actions(engine))))
    fields = st.sampled_from(sorted(document))
    with_changed_fields = st.dictionaries(fields, SCALARS | JUNK, max_size=2).map(
        lambda changes: document | changes
    )
    with_extra_fields = st.dictionaries(st.text(max_size=8), SCALARS).map(
        lambda extra: extra | document
    )
    with_missing_field = fields.map(lambda name: {n: v for n, v in document.items() if n != name})
    of_another_game = st.just(LuckyDraw().action_codec.to_json(Play(3)))
    with_another_type = st.text(max_size=20).map(lambda kind: document | {"type": kind})
    return draw(
        st.just(document)
        | with_changed_fields
        | with_extra_fields
        | with_missing_field
        | of_another_game
        | with_another_type
        | JUNK
    )


@pytest.mark.lane("slow", core=1)
@pytest.mark.parametrize("slug", ENGINES)
@settings(suppress_health_check=[HealthCheck.too_slow])  # a position requires playing a whole game
@given(choice=st.data())
def test_any_input_is_legal_or_refused_in_due_form(slug: str, choice: st.DataObject) -> None:
    engine = ENGINES[slug]
    state = choice.draw(states(engine))
    seat, document = choice.draw(SEATS), choice.draw(documents(engine))
    before = state.contents()
    try:
        code = engine.encode(state, seat, document)
    except IllegalAction as refusal:
        assert_in_due_form(refusal)
    else:
        assert code in state.legal_actions(seat)
    assert state.contents() == before


def assert_in_due_form(refusal: IllegalAction) -> None:
    """The refusal has a code for programs, a sentence for people, and a valid pointer if any."""
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", refusal.code)
    assert len(refusal.sentence) > 10
    assert str(refusal) == refusal.sentence
    assert refusal.pointer == "" or refusal.pointer.startswith("/")


def smallest_game(engine: AnyEngine) -> Game:
    """A game with as few players as possible."""
    return play(engine, engine.about.options(), engine.about.seats[0], 0)


@pytest.mark.parametrize("slug", ENGINES)
class TestEachKindOfRefusal:
    def refusal_code(self, engine: AnyEngine, state: State, seat: int, action: Any) -> str:
        """The code of a refusal."""
        with pytest.raises(IllegalAction) as caught:
            engine.encode(state, seat, action)
        assert_in_due_form(caught.value)
        return caught.value.code

    def test_any_action_after_the_end(self, slug: str) -> None:
        engine = ENGINES[slug]
        state = smallest_game(engine).positions[-1].state
        for action in [*well_formed_actions(engine)[:9], {}, None]:
            assert self.refusal_code(engine, state, 0, action) == "game-over"

    def test_an_unknown_seat(self, slug: str) -> None:
        engine = ENGINES[slug]
        state = smallest_game(engine).positions[0].state
        for seat in (-1, state.seats, 2**63, -(2**70)):
            assert (
                self.refusal_code(engine, state, seat, well_formed_actions(engine)[0])
                == "unknown-seat"
            )

    @pytest.mark.lane("slow", core=1)
    def test_a_seat_that_is_not_awaited(self, slug: str) -> None:
        engine = ENGINES[slug]
        for position in smallest_game(engine).positions[:-1]:
            for seat in range(position.state.seats):
                if not position.state.legal_actions(seat):
                    for action in well_formed_actions(engine)[::400]:
                        code = self.refusal_code(engine, position.state, seat, action)
                        assert code == "not-your-turn"

    def test_an_action_of_another_game(self, slug: str) -> None:
        engine = ENGINES[slug]
        state = smallest_game(engine).positions[0].state
        for action in (LuckyDraw().action_codec.to_json(Play(3)), Play(3), {"type": "no.such"}):
            seat = engine.awaited_seats(state)[0]
            assert self.refusal_code(engine, state, seat, action) in {"unknown-action", "malformed"}
