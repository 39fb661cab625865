"""Secrecy of turns: a turn stays hidden until it is over, and then all viewers are notified of
it."""

from __future__ import annotations

from typing import Any

import pytest

from games.engines.common.rng import FastRng
from games.engines.duel_of_law import ENGINE
from games.engines.duel_of_law.actions import DrawSix, Finish, More, Name, Place, TakeBack
from games.engines.duel_of_law.game_logic import DuelState
from tests.engines.duel_of_law.tables import (
    BLUE,
    RED,
    Script,
    claiming,
    do,
    finish,
    hand,
    legal,
    seen,
    table,
)

STEPS = [
    *(Place("*1", 0, 2), Name("*1", "rank", "8"), More(), Place("25", 0, 3)),
    *(TakeBack(), Place("25", 0, 2), Finish()),
]


def fresh() -> DuelState:
    return table("01 12", ("*1 25 45", "90 91", "80 81"))


def others(state: DuelState) -> list[Any]:
    """All views, pages and pictures of the viewers other than red."""
    views = [seen(state, viewer) for viewer in (BLUE, 2, None)]
    return [[view, ENGINE.text(view), ENGINE.svg(view)] for view in views]


def test_R38_nothing_of_a_turn_in_progress_shows() -> None:
    state = fresh()
    before = others(state)
    for action in STEPS:
        do(state, action)
        assert others(state) == before
        assert seen(state, RED).trial != seen(fresh(), RED).trial


def test_R38_others_hear_only_that_something_is_tried() -> None:
    state = fresh()
    for action in STEPS:
        do(state, action)
        for viewer in (BLUE, 2, None):
            assert ENGINE.news(state, viewer) == [
                {"kind": "tried", "seat": RED, "text": "Red is acting"}
            ]
        (own,) = ENGINE.news(state, RED)
        assert own["did"] in own["text"] or len(own["text"]) > len("Red is acting")


def test_R38_every_step_is_sealed_for_all_but_who_takes_it() -> None:
    state = fresh()
    for action in STEPS:
        for one in legal(state):
            sealed = ENGINE.sealed_fields(state, RED, ENGINE.action_codec.to_int(one))
            assert sealed == ({} if isinstance(one, DrawSix) else {"": 1 << RED})
        do(state, action)


def test_R38_when_the_turn_is_over_all_is_told() -> None:
    state = fresh()
    do(state, Place("25", 0, 2))
    news = finish(state, "rank rises")
    assert [item["kind"] for item in news] == ["laid", "claimed", "drew"]
    assert news[0] == {
        "kind": "laid",
        "seat": RED,
        "card": "25",
        "row": 0,
        "column": 2,
        "text": "Red lays 25 at row 0, column 2",
    }
    assert news[1]["clause"]["pattern"] == "rises"
    assert {laid.card for laid in seen(state, BLUE).tableau.cards} == {"01", "12", "25"}


def test_who_lays_cards_sees_them_on_the_tableau() -> None:
    state = fresh()
    do(state, Place("25", 0, 2))
    view = seen(state, RED)
    assert "25" in {laid.card for laid in view.tableau.cards}
    assert view.hand == ("45", "*1")
    assert view.hand_sizes == (2, 2, 2)
    assert seen(state, BLUE).hand_sizes == (3, 2, 2)


@pytest.mark.parametrize("steps", range(1, len(STEPS) + 1))
def test_another_seat_imagines_the_turn_at_its_beginning(steps: int) -> None:
    state = fresh()
    for action in STEPS[:steps]:
        do(state, action)
    for world in (ENGINE.imagine(seen(state, BLUE), FastRng(1)), state.clone()):
        world.determinize(BLUE, FastRng(2))
        assert len(world.laid) == 0
        assert world.count_in_zone(RED) == 3
        assert hand(world, BLUE) == {"90", "91"}
        assert world.tableau.contents() == fresh().tableau.contents()


@pytest.mark.parametrize("steps", range(1, len(STEPS) + 1))
def test_who_lays_cards_imagines_the_turn_as_it_is(steps: int) -> None:
    state = fresh()
    for action in STEPS[:steps]:
        do(state, action)
    world = ENGINE.imagine(seen(state, RED), FastRng(1))
    assert world.tableau.contents() == state.tableau.contents()
    assert world.before.contents() == state.before.contents()
    assert world.legal_actions(RED) == state.legal_actions(RED)
    if steps < len(STEPS):
        do(world, STEPS[steps])


def test_what_was_drawn_only_the_hand_knows() -> None:
    state = fresh()
    state.apply(RED, ENGINE.encode(state, RED, DrawSix()), Script())
    (own,), (other,) = ENGINE.news(state, RED), ENGINE.news(state, BLUE)
    assert len(own["cards"]) == 6
    assert "cards" not in other
    assert other["text"] == "Red draws 6 cards"


def test_a_re_deal_spreads_the_hidden_cards_evenly() -> None:
    state = fresh()
    found: dict[str, int] = {}
    for seed in range(400):
        world = state.clone()
        world.determinize(BLUE, FastRng(seed))
        for card in hand(world, RED):
            found[card] = found.get(card, 0) + 1
        assert not hand(world, RED) & {"01", "12", "90", "91"}
    assert len(found) > 150
    assert max(found.values()) < 25


def test_a_claim_that_is_tried_is_told_to_nobody_else() -> None:
    state = table("01 02\n11 12", ("21 22", "90"))
    for action in (Place("21", 2, 0), More(), Place("22", 2, 1), Finish(), claiming("rank is 1")):
        do(state, action)
    assert seen(state, BLUE).owned == (0, 0)
    assert seen(state, RED).owned == (1, 0)
