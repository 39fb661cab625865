"""Foresight: the certain consequences of an action, and their words."""

from __future__ import annotations

import pytest

from tabularium_engines.common.consequences import Consequences
from tabularium_engines.common.foresight import Foresight, gist, with_gist
from tabularium_engines.common.random_generators import FastRng
from tests.engines.lucky_draw import DRAW, LuckyDraw, LuckyState, Options, Play

ENGINE = LuckyDraw()
CERTAIN: dict[str, tuple[str, ...] | None] = {"played": None, "drew": ()}


def started(seats: int = 2) -> LuckyState:
    return ENGINE.start(Options(), seats, FastRng(3))


def seat_of(state: LuckyState) -> int:
    return ENGINE.awaited_seats(state)[0]


def name_of(seat: int) -> str:
    return f"Seat {seat}"


@pytest.mark.parametrize(
    ("winners", "changes", "words"),
    [
        (None, None, ""),
        (None, (0, 0, 0), ""),
        (None, (0, 2, -1), "points +2, Seat 2 −1"),
        (None, (1, None, 0), "Seat 0 +1"),
        ((1,), (0, 1, 0), "you win, points +1"),
        ((2,), None, "Seat 2 wins"),
        ((0, 1), None, "Seat 0 and you win"),
    ],
)
def test_the_gist_tells_winners_and_changes_of_scores(
    winners: tuple[int, ...] | None, changes: tuple[int | None, ...] | None, words: str
) -> None:
    assert gist(1, winners, changes, "points", name_of) == words


def test_a_label_ends_with_the_gist() -> None:
    told = Consequences("you win", (), (), (0,), None)
    assert with_gist("Pass", told) == "Pass: you win"
    assert with_gist("Pass: no other action", told) == "Pass: no other action; you win"
    assert with_gist("Pass", None) == "Pass"
    assert with_gist("Pass", Consequences("", (), (1,), None, None)) == "Pass"


def test_what_chance_decides_is_left_out() -> None:
    state = started()
    seat = seat_of(state)
    told = ENGINE.consequences(state, seat, DRAW)
    assert told is not None
    text = f"Seat {seat} drew a card"
    assert told.news == ({"kind": "drew", "seat": seat, "text": text},)
    assert (told.to_act, told.winners, told.score_changes) == ((1 - seat,), None, (0, 0))


def test_the_end_and_the_scores_are_foretold() -> None:
    state = started()
    seat = seat_of(state)
    state.hands[seat] = [11]
    told = ENGINE.consequences(state, seat, ENGINE.encode(state, seat, Play(11)))
    assert told is not None
    assert (told.text, told.to_act, told.winners) == ("you win, points +11", (), (seat,))


def test_news_of_another_kind_end_the_foresight() -> None:
    state = started()
    seat = seat_of(state)
    foresight = Foresight(ENGINE, state, seat, DRAW, {"played": None})
    assert (foresight.is_complete, foresight.has_drawn, foresight.news) == (False, True, [])
    assert foresight.to_act() is foresight.winners() is foresight.score_changes() is None
    assert foresight.consequences("points", name_of) is None


@pytest.mark.parametrize(("limit", "is_complete"), [(0, False), (1, False), (2, True)])
def test_a_game_limits_what_is_certain(limit: int, is_complete: bool) -> None:
    state = started()
    foresight = Foresight(
        ENGINE, state, seat_of(state), DRAW, CERTAIN, lambda foresight, items: limit
    )
    assert foresight.is_complete == is_complete
    assert len(foresight.news) == min(limit, 1)


def test_the_state_is_left_as_it_was() -> None:
    state = started()
    before = state.contents()
    ENGINE.consequences(state, seat_of(state), DRAW)
    assert state.contents() == before
