"""Knowledge in views: the cards that each player sees and remembers (R16 and R17)."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb, sqrt
from typing import Any

import pytest

from games.engines.common.rng import FastRng
from games.engines.duality import ENGINE
from games.engines.duality.actions import Pass, Play, Replace
from games.engines.duality.cards import CARD_CODES
from games.engines.duality.game_logic import DualityState
from tests.engines.duality.tables import BLACK, WHITE, cards, do, hand, plain, seen, table
from tests.engines.random_games import all_viewers, play, viewer_seat

DEALS = 3000
SIGMAS = 5
STUCK = "D39 D37 D34"  # Black can use a card only for the middle, or next to the first card


def worlds(state: DualityState, viewer: int | None, number: int) -> list[DualityState]:
    """Worlds consistent with the viewer's knowledge: half re-dealt in place, half imagined from the
    view."""
    found = []
    for seed in range(number):
        world = state.clone()
        world.determinize(viewer_seat(viewer), FastRng(seed))
        found.append(world if seed % 2 else ENGINE.imagine(seen(state, viewer), FastRng(seed)))
    return found


def swapped() -> DualityState:
    """A table on which Black has taken D37 from the board."""
    state = table(STUCK, ("D48 D01 D02", "D03 D04 D05"))
    do(state, BLACK, Replace("D48", False, 2, 0))
    return state


def test_R16_everybody_knows_a_card_that_was_taken_from_the_board() -> None:
    state = swapped()
    assert seen(state).known == (("D37",), ())
    assert seen(state, WHITE).known == (("D37",), ())
    assert seen(state, WHITE).hand_sizes == (3, 3)
    for viewer in (WHITE, None):
        assert all("D37" in hand(world, BLACK) for world in worlds(state, viewer, 40))


def test_R16_until_it_is_laid() -> None:
    state = swapped()
    state.to_act = 1
    action = next(
        a
        for a in (ENGINE.decode(state, BLACK, code) for code in state.legal_actions(BLACK))
        if isinstance(a, Play) and a.card == "D37"
    )
    do(state, BLACK, action, 0)
    assert seen(state).known == ((), ())


def test_R16_a_drawn_card_is_known_to_its_owner_alone() -> None:
    state = table(STUCK, ("D48 D01 D02", "D03 D04 D05"))
    state.apply(BLACK, ENGINE.encode(state, BLACK, Play("D48", False, 1, 1)), FastRng(2))
    heard = {viewer: ENGINE.news(state, viewer)[1] for viewer in (BLACK, WHITE, None)}
    assert [viewer for viewer, item in heard.items() if "card" in item] == [BLACK]
    assert heard[None]["text"] == "Black draws a card"


def test_R16_who_passes_holds_no_unseen_card_that_could_have_been_laid() -> None:
    """Three cards have no black line towards either player, and no flank leads anywhere here."""
    state = table(STUCK, ("D22 D24", "D03 D04 D05"))
    could = {code for code in CARD_CODES if plain(state.board).plays(BLACK, [code])}
    do(state, BLACK, Pass())
    assert set(seen(state).barred[BLACK]) == could
    assert seen(state).barred[WHITE] == ()
    for viewer in (WHITE, None):
        found = Counter(frozenset(hand(world, BLACK)) for world in worlds(state, viewer, 60))
        assert set(found) == set(map(frozenset, combinations(("D22", "D23", "D24"), 2)))


def test_R16_a_pass_of_a_hand_that_all_know_tells_nothing() -> None:
    state = table(STUCK, ("D22", "D03 D04 D05"))
    state.known[BLACK] = state.hands[BLACK]
    do(state, BLACK, Pass())
    assert seen(state).barred == ((), ())


def test_R16_what_a_pass_told_is_forgotten_when_a_card_is_drawn() -> None:
    state = table(STUCK, ("D48 D01 D02", "D03 D04 D05"))
    state.barred[BLACK] = cards("D06 D07")
    replaced = state.clone()
    do(replaced, BLACK, Replace("D48", False, 2, 0))
    assert seen(replaced).barred == (("D06", "D07"), ())
    do(state, BLACK, Play("D48", False, 1, 1), 0)
    assert seen(state).barred == ((), ())


@pytest.mark.parametrize("bars", [("", ""), ("D06 D07", ""), ("D06 D07", "D07 D08")])
def test_R16_all_deals_that_agree_with_what_is_known_are_equally_likely(
    bars: tuple[str, str],
) -> None:
    """Worlds of an onlooker: both hands are re-dealt, and neither is favoured."""
    state = table(STUCK, ("D09 D10", "D11 D12"), pile="D06 D07 D08")
    for seat, barred_ in enumerate(bars):
        state.barred[seat] = cards(barred_)
    pool = {"D06", "D07", "D08", "D09", "D10", "D11", "D12"}
    allowed = [
        (frozenset(black), frozenset(white))
        for black in combinations(sorted(pool - set(bars[0].split())), 2)
        for white in combinations(sorted(pool - set(bars[1].split()) - set(black)), 2)
    ]
    found = Counter(
        (frozenset(hand(world, BLACK)), frozenset(hand(world, WHITE)))
        for world in worlds(state, None, DEALS)
    )
    assert set(found) == set(allowed)
    mean = DEALS / len(allowed)
    freedom = len(allowed) - 1
    chi_square = sum((found[deal] - mean) ** 2 / mean for deal in allowed)
    assert chi_square <= freedom + SIGMAS * sqrt(2 * freedom)


def test_the_other_hand_is_any_of_the_unseen_cards_equally_often() -> None:
    state = swapped()
    found = Counter(
        code for world in worlds(state, WHITE, DEALS) for code in hand(world, BLACK) - {"D37"}
    )
    unseen = 54 - 3 - 3 - 1
    assert len(found) == unseen
    share = 2 / unseen
    for number in found.values():
        assert abs(number - share * DEALS) <= SIGMAS * sqrt(DEALS * share * (1 - share))


def test_the_whole_truth_is_one_world_among_all() -> None:
    state = table(STUCK, ("D09 D10 D11", "D12"), pile="D06 D07 D08")
    tries = 60 * comb(6, 3)
    found = sum(world.hands == state.hands for world in worlds(state, WHITE, tries))
    assert abs(found - 60) <= SIGMAS * sqrt(60)


def test_R17_when_the_game_is_over_all_hands_are_open() -> None:
    for seed in range(4):
        state: Any = play(ENGINE, ENGINE.about.options(), 2, seed).positions[-1].state
        for viewer in all_viewers(state):
            assert [set(known) for known in seen(state, viewer).known] == [
                hand(state, BLACK),
                hand(state, WHITE),
            ]
        opened = [item for item in ENGINE.news(state, None) if item["kind"] == "opened"]
        assert [set(item["cards"]) for item in opened] == [hand(state, 0), hand(state, 1)]


def test_nothing_of_an_action_is_sealed() -> None:
    for position in play(ENGINE, ENGINE.about.options(), 2, 1).positions[1:]:
        before: Any = position.before
        assert ENGINE.sealed_fields(before, position.seat or 0, position.action) == {}
