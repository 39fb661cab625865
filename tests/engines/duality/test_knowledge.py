"""Knowledge in views: the cards that each seat knows (R16 and R17)."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb, sqrt
from typing import Any

import pytest

from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.duality import ENGINE
from tabularium_engines.duality.actions import Pass, Play, Replace
from tabularium_engines.duality.cards import CARD_CODES
from tabularium_engines.duality.game_logic import DualityState
from tabularium_engines.promises.random_games import all_viewers, play, viewer_seat
from tests.engines.duality.tables import (
    BLACK,
    WHITE,
    cards,
    do,
    hand,
    reference_board,
    table,
    view_of,
)

DEALS = 3000
SIGMAS = 5
FILE = "D39 D37 D34"  # Black can use a card only for the middle, or next to the first card


def worlds(state: DualityState, viewer: int | None, number: int) -> list[DualityState]:
    """Worlds consistent with the viewer's knowledge, alternately re-dealt in place and imagined."""
    worlds = []
    for seed in range(number):
        world = state.clone()
        world.determinize(viewer_seat(viewer), FastRng(seed))
        worlds.append(world if seed % 2 else ENGINE.imagine(view_of(state, viewer), FastRng(seed)))
    return worlds


def table_after_replacement() -> DualityState:
    """A table on which Black has taken D37 from the board."""
    state = table(FILE, ("D48 D01 D02", "D03 D04 D05"))
    do(state, BLACK, Replace("D48", False, 2, 0))
    return state


def test_R16_all_viewers_know_a_card_taken_from_the_board() -> None:
    state = table_after_replacement()
    assert view_of(state).known == (("D37",), ())
    assert view_of(state, WHITE).known == (("D37",), ())
    assert view_of(state, WHITE).hand_sizes == (3, 3)
    for viewer in (WHITE, None):
        assert all("D37" in hand(world, BLACK) for world in worlds(state, viewer, 40))


def test_R16_a_known_card_is_known_until_it_is_laid() -> None:
    state = table_after_replacement()
    state.to_act = 1
    action = next(
        a
        for a in (ENGINE.decode(state, BLACK, code) for code in state.legal_actions(BLACK))
        if isinstance(a, Play) and a.card == "D37"
    )
    do(state, BLACK, action, 0)
    assert view_of(state).known == ((), ())


def test_R16_a_drawn_card_is_known_to_its_owner_alone() -> None:
    state = table(FILE, ("D48 D01 D02", "D03 D04 D05"))
    state.apply(BLACK, ENGINE.encode(state, BLACK, Play("D48", False, 1, 1)), FastRng(2))
    news_by_viewer = {viewer: ENGINE.news(state, viewer)[1] for viewer in (BLACK, WHITE, None)}
    assert [viewer for viewer, item in news_by_viewer.items() if "card" in item] == [BLACK]
    assert news_by_viewer[None]["text"] == "Black draws a card"


def test_R16_a_pass_bars_all_cards_that_could_have_been_laid() -> None:
    """Three cards have no black line towards either player, and no flank leads anywhere here."""
    state = table(FILE, ("D22 D24", "D03 D04 D05"))
    playable_cards = {
        code for code in CARD_CODES if reference_board(state.board).legal_plays(BLACK, [code])
    }
    do(state, BLACK, Pass())
    assert set(view_of(state).barred[BLACK]) == playable_cards
    assert view_of(state).barred[WHITE] == ()
    for viewer in (WHITE, None):
        hands = Counter(frozenset(hand(world, BLACK)) for world in worlds(state, viewer, 60))
        assert set(hands) == set(map(frozenset, combinations(("D22", "D23", "D24"), 2)))


def test_R16_a_pass_with_a_known_hand_bars_no_card() -> None:
    state = table(FILE, ("D22", "D03 D04 D05"))
    state.hidden.known[BLACK] = state.hidden.hands[BLACK]
    do(state, BLACK, Pass())
    assert view_of(state).barred == ((), ())


def test_R16_a_draw_removes_the_bars_of_a_pass() -> None:
    state = table(FILE, ("D48 D01 D02", "D03 D04 D05"))
    state.hidden.barred[BLACK] = cards("D06 D07")
    replaced_state = state.clone()
    do(replaced_state, BLACK, Replace("D48", False, 2, 0))
    assert view_of(replaced_state).barred == (("D06", "D07"), ())
    do(state, BLACK, Play("D48", False, 1, 1), 0)
    assert view_of(state).barred == ((), ())


@pytest.mark.parametrize("bars", [("", ""), ("D06 D07", ""), ("D06 D07", "D07 D08")])
def test_R16_all_deals_that_agree_with_the_view_are_equally_likely(
    bars: tuple[str, str],
) -> None:
    """Worlds of an onlooker: both hands are re-dealt, and neither is favoured."""
    state = table(FILE, ("D09 D10", "D11 D12"), pile="D06 D07 D08")
    for seat, bar in enumerate(bars):
        state.hidden.barred[seat] = cards(bar)
    pool = {"D06", "D07", "D08", "D09", "D10", "D11", "D12"}
    possible_deals = [
        (frozenset(black), frozenset(white))
        for black in combinations(sorted(pool - set(bars[0].split())), 2)
        for white in combinations(sorted(pool - set(bars[1].split()) - set(black)), 2)
    ]
    counts = Counter(
        (frozenset(hand(world, BLACK)), frozenset(hand(world, WHITE)))
        for world in worlds(state, None, DEALS)
    )
    assert set(counts) == set(possible_deals)
    mean = DEALS / len(possible_deals)
    degrees_of_freedom = len(possible_deals) - 1
    chi_square = sum((counts[deal] - mean) ** 2 / mean for deal in possible_deals)
    assert chi_square <= degrees_of_freedom + SIGMAS * sqrt(2 * degrees_of_freedom)


def test_the_other_hand_has_each_unseen_card_equally_often() -> None:
    state = table_after_replacement()
    counts = Counter(
        code for world in worlds(state, WHITE, DEALS) for code in hand(world, BLACK) - {"D37"}
    )
    unseen_count = 54 - 3 - 3 - 1
    assert len(counts) == unseen_count
    share = 2 / unseen_count
    for count in counts.values():
        assert abs(count - share * DEALS) <= SIGMAS * sqrt(DEALS * share * (1 - share))


def test_the_true_deal_is_as_frequent_as_any_other() -> None:
    state = table(FILE, ("D09 D10 D11", "D12"), pile="D06 D07 D08")
    deal_count = 60 * comb(6, 3)
    match_count = sum(
        world.hidden.hands == state.hidden.hands for world in worlds(state, WHITE, deal_count)
    )
    assert abs(match_count - 60) <= SIGMAS * sqrt(60)


def test_R17_when_the_game_is_over_all_hands_are_open() -> None:
    for seed in range(4):
        state: Any = play(ENGINE, ENGINE.about.options(), 2, seed).positions[-1].state
        for viewer in all_viewers(state):
            assert [set(known) for known in view_of(state, viewer).known] == [
                hand(state, BLACK),
                hand(state, WHITE),
            ]
        open_hands = [item for item in ENGINE.news(state, None) if item["kind"] == "opened"]
        assert [set(item["cards"]) for item in open_hands] == [hand(state, 0), hand(state, 1)]


def test_no_field_of_an_action_is_sealed() -> None:
    for position in play(ENGINE, ENGINE.about.options(), 2, 1).positions[1:]:
        before: Any = position.before
        assert ENGINE.sealed_fields(before, position.seat or 0, position.action) == {}
