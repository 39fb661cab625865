"""The deck, and sets of its cards as counts."""

from __future__ import annotations

from collections import Counter

import pytest

from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.duel_edged_sword import card_counts, cards
from tests.engines.duel_edged_sword.tables import DECK, heap_of


def test_the_deck_is_the_published_one() -> None:
    counts = Counter(
        cards.CARD_CODES[face]
        for face in card_counts.faces_in(card_counts.ALL_COMPLETES, card_counts.ALL_KINDS)
    )
    assert sum(counts.values()) == cards.CARD_COUNT == 83
    completes = [code for code in counts if code.isupper()]
    assert len(completes) == cards.COMPLETE_COUNT == 27
    assert {counts[code] for code in completes} == {1}
    assert set(completes) == {p + c + s for p in "FPH" for c in "RGB" for s in "CST"}
    singles = (*cards.PATTERNS, *cards.COLOURS, *cards.SHAPES)
    assert [counts[code] for code in singles] == [4] * 9
    assert (counts["true"], counts["false"]) == (10, 10)
    assert len(cards.CARD_CODES) == 38


def test_parts_of_the_whole_deck() -> None:
    assert card_counts.ALL_SINGLES | card_counts.ALL_LOGICAL == card_counts.ALL_KINDS
    assert card_counts.ALL_KINDS & card_counts.SINGLES_MASK == card_counts.ALL_SINGLES
    assert card_counts.ALL_KINDS & card_counts.LOGICAL_MASK == card_counts.ALL_LOGICAL
    assert card_counts.heap_size(0, card_counts.ALL_SINGLES) == 36
    assert card_counts.heap_size(0, card_counts.ALL_LOGICAL) == 20


@pytest.mark.parametrize("seed", range(50))
def test_a_heap_lists_its_cards(seed: int) -> None:
    rng = FastRng(seed)
    places = sorted({int(rng.below(83)) for _ in range(rng.below(60))})
    heap = [DECK[place] for place in places]
    completes, tally = heap_of(heap)
    assert card_counts.faces_in(completes, tally) == heap
    assert card_counts.heap_size(completes, tally) == len(heap)
    assert [card_counts.face_at(completes, tally, place) for place in range(len(heap))] == heap


@pytest.mark.parametrize("kind", range(11))
@pytest.mark.parametrize("number", range(11))
def test_three_and_four_of_a_kind_are_detected(kind: int, number: int) -> None:
    _, others = heap_of([cards.face_of(k) for k in range(11) if k != kind for _ in range(2)])
    tally = others + number * card_counts.single_tally(kind)
    assert card_counts.has_three(tally) == (number >= 3)
    assert card_counts.has_four(tally) == (number >= 4)


def test_true_and_false_are_each_others_opposite() -> None:
    assert cards.opposite_kind(cards.TRUE_KIND) == cards.FALSE_KIND
    assert cards.opposite_kind(cards.FALSE_KIND) == cards.TRUE_KIND
    assert [kind for kind in range(11) if cards.is_logical(kind)] == [9, 10]
