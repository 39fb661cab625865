"""Secrecy of turns: a turn is hidden until it is over, and published then."""

from __future__ import annotations

from typing import Any

import pytest

from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.duel_of_law.actions import DrawSix, Finish, More, Name, Place, TakeBack
from tabularium_engines.duel_of_law.game_logic import DuelState
from tests.engines.duel_of_law.tables import (
    BLUE,
    FIRST,
    RED,
    ScriptedRng,
    claim_action,
    do,
    finish,
    hand,
    legal_actions,
    table,
    view_of,
)

STEPS = [
    *(Place("*1", 0, 2), Name("*1", "rank", "8"), More(), Place("25", 0, 3)),
    *(TakeBack(), Place("25", 0, 2), Finish()),
]


def start_table() -> DuelState:
    return table("01 12", ("*1 25 45", "90 91", "80 81"))


def other_views(state: DuelState) -> list[Any]:
    """The views, pages and pictures of all viewers except red."""
    views = [view_of(state, viewer) for viewer in (BLUE, 2, None)]
    return [[view, FIRST.text(view), FIRST.svg(view)] for view in views]


def test_R38_a_turn_in_progress_changes_no_other_view() -> None:
    state = start_table()
    before = other_views(state)
    for action in STEPS:
        do(state, action)
        assert other_views(state) == before
        assert view_of(state, RED).trial != view_of(start_table(), RED).trial


def test_R38_other_viewers_get_only_the_news_of_an_attempt() -> None:
    state = start_table()
    for action in STEPS:
        do(state, action)
        for viewer in (BLUE, 2, None):
            assert FIRST.news(state, viewer) == [
                {"kind": "tried", "seat": RED, "text": "Red is acting"}
            ]
        (own,) = FIRST.news(state, RED)
        assert own["did"] in own["text"] or len(own["text"]) > len("Red is acting")


def test_R38_every_step_is_sealed_to_all_other_viewers() -> None:
    state = start_table()
    for action in STEPS:
        for legal_action in legal_actions(state):
            sealed = FIRST.sealed_fields(state, RED, FIRST.action_codec.to_int(legal_action))
            assert sealed == ({} if isinstance(legal_action, DrawSix) else {"": 1 << RED})
        do(state, action)


def test_R38_at_the_end_of_the_turn_all_steps_are_published() -> None:
    state = start_table()
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
    assert {laid.card for laid in view_of(state, BLUE).tableau.cards} == {"01", "12", "25"}


def test_the_acting_player_sees_their_cards_on_the_tableau() -> None:
    state = start_table()
    do(state, Place("25", 0, 2))
    view = view_of(state, RED)
    assert "25" in {laid.card for laid in view.tableau.cards}
    assert view.hand == ("45", "*1")
    assert view.hand_sizes == (2, 2, 2)
    assert view_of(state, BLUE).hand_sizes == (3, 2, 2)


@pytest.mark.parametrize("steps", range(1, len(STEPS) + 1))
def test_another_seat_imagines_the_start_of_the_turn(steps: int) -> None:
    state = start_table()
    for action in STEPS[:steps]:
        do(state, action)
    for world in (FIRST.imagine(view_of(state, BLUE), FastRng(1)), state.clone()):
        world.determinize(BLUE, FastRng(2))
        assert len(world.turn.laid) == 0
        assert world.zones.count(RED) == 3
        assert hand(world, BLUE) == {"90", "91"}
        assert world.turn.tableau.contents() == start_table().turn.tableau.contents()


@pytest.mark.parametrize("steps", range(1, len(STEPS) + 1))
def test_the_acting_player_imagines_the_true_turn(steps: int) -> None:
    state = start_table()
    for action in STEPS[:steps]:
        do(state, action)
    world = FIRST.imagine(view_of(state, RED), FastRng(1))
    assert world.turn.tableau.contents() == state.turn.tableau.contents()
    assert world.turn.before.contents() == state.turn.before.contents()
    assert world.legal_actions(RED) == state.legal_actions(RED)
    if steps < len(STEPS):
        do(world, STEPS[steps])


def test_drawn_cards_are_known_to_their_owner_alone() -> None:
    state = start_table()
    state.apply(RED, FIRST.encode(state, RED, DrawSix()), ScriptedRng())
    (own,), (other,) = FIRST.news(state, RED), FIRST.news(state, BLUE)
    assert len(own["cards"]) == 6
    assert "cards" not in other
    assert other["text"] == "Red draws 6 cards"


def test_a_re_deal_spreads_the_hidden_cards_evenly() -> None:
    state = start_table()
    counts: dict[str, int] = {}
    for seed in range(400):
        world = state.clone()
        world.determinize(BLUE, FastRng(seed))
        for card in hand(world, RED):
            counts[card] = counts.get(card, 0) + 1
        assert not hand(world, RED) & {"01", "12", "90", "91"}
    assert len(counts) > 150
    assert max(counts.values()) < 25


def test_a_claim_of_an_unfinished_turn_is_hidden_from_others() -> None:
    state = table("01 02\n11 12", ("21 22", "90"))
    for action in (
        Place("21", 2, 0),
        More(),
        Place("22", 2, 1),
        Finish(),
        claim_action("rank is 1"),
    ):
        do(state, action)
    assert view_of(state, BLUE).owned == (0, 0)
    assert view_of(state, RED).owned == (1, 0)
