"""The deck, and heaps of its cards."""

from __future__ import annotations

from collections import Counter

import pytest

from games.engines.common.rng import FastRng
from games.engines.duel_edged_sword import cards, heaps
from tests.engines.duel_edged_sword.tables import DECK


def test_the_deck_is_the_published_one() -> None:
    whole = Counter(cards.code(face) for face in heaps.faces(heaps.ALL_COMPLETES, heaps.ALL_KINDS))
    assert sum(whole.values()) == cards.CARDS == 83
    completes = [code for code in whole if code.isupper()]
    assert len(completes) == cards.COMPLETES == 27
    assert {whole[code] for code in completes} == {1}
    assert set(completes) == {p + c + s for p in "FPH" for c in "RGB" for s in "CST"}
    singles = (*cards.PATTERNS, *cards.COLOURS, *cards.SHAPES)
    assert [whole[code] for code in singles] == [4] * 9
    assert (whole["true"], whole["false"]) == (10, 10)
    assert len(cards.CODES) == cards.FACES


def test_parts_of_the_whole_deck() -> None:
    assert heaps.ALL_SINGLES | heaps.ALL_LOGICAL == heaps.ALL_KINDS
    assert heaps.ALL_KINDS & heaps.SINGLES_PART == heaps.ALL_SINGLES
    assert heaps.ALL_KINDS & heaps.LOGICAL_PART == heaps.ALL_LOGICAL
    assert heaps.size(0, heaps.ALL_SINGLES) == 36
    assert heaps.size(0, heaps.ALL_LOGICAL) == 20


@pytest.mark.parametrize("seed", range(50))
def test_a_heap_is_the_list_of_its_cards(seed: int) -> None:
    rng = FastRng(seed)
    listed = sorted({int(rng.below(83)) for _ in range(rng.below(60))})
    heap = [DECK[place] for place in listed]
    completes, tally = heaps.completes_among(heap), heaps.tally_of(heap)
    assert heaps.faces(completes, tally) == heap
    assert heaps.size(completes, tally) == len(heap)
    assert [heaps.at(completes, tally, place) for place in range(len(heap))] == heap


@pytest.mark.parametrize("kind", range(11))
@pytest.mark.parametrize("number", range(11))
def test_three_and_four_of_a_kind_are_noticed(kind: int, number: int) -> None:
    others = heaps.tally_of([cards.face_of(k) for k in range(11) if k != kind for _ in range(2)])
    tally = others + number * heaps.one(kind)
    assert heaps.of_kind(tally, kind) == number
    assert heaps.has_three(tally) == (number >= 3)
    assert heaps.has_four(tally) == (number >= 4)


def test_true_and_false_are_each_others_opposite() -> None:
    assert cards.opposite(cards.TRUE) == cards.FALSE
    assert cards.opposite(cards.FALSE) == cards.TRUE
    assert [kind for kind in range(11) if cards.is_logical(kind)] == [9, 10]
