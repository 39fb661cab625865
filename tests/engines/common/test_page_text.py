"""The parts of pages of plain text."""

from __future__ import annotations

import pytest

from tabularium_engines.common import page_text


def test_the_head_of_a_page_has_a_rule_below_the_variant() -> None:
    head = page_text.head_lines("A title", "Two decks.", "Seat 1 acts.", "")
    assert head == ["A title", "Two decks.", page_text.HORIZONTAL_RULE, "Seat 1 acts."]


def test_a_page_has_no_blanks_at_the_ends_of_lines() -> None:
    assert page_text.page(["one  ", "", "  two"]) == "one\n\n  two"


def test_a_paragraph_hangs_from_its_label() -> None:
    first, second = page_text.paragraph("word " * 17, "Label ")
    assert first == "Label" + 15 * " word"
    assert second == "     " + 2 * " word"
    assert page_text.paragraph("word " * 17, indent="  ")[1] == "  word"
    assert page_text.paragraph("", "Label ") == []


@pytest.mark.parametrize(
    ("count", "cards", "text"),
    [
        (0, (), "0 cards"),
        (2, (None, None), "2 cards"),
        (2, ("7S", "10H"), "2 cards, from the top: 10♥ 7♠"),
        (3, ("7S", "8S", None), "3 cards, from the top: ▒ 8♠ …"),
        (9, ("7S",), "9 cards, from the top: 7♠ …"),
    ],
)
def test_a_pile_shows_its_topmost_cards(
    count: int, cards: tuple[str | None, ...], text: str
) -> None:
    assert page_text.pile_text(count, cards, 2) == text


def test_a_hand_has_backs_before_the_known_cards() -> None:
    assert page_text.hand_lines("Hand: ", ("7S", "10H"), 4) == ["Hand: ▒ ▒ 7♠ 10♥"]
    assert page_text.hand_lines("Hand: ", (), 0) == ["Hand: "]


def test_cells_lie_side_by_side_in_blocks() -> None:
    assert page_text.join_cells([("a", "b"), ("c", "d")]) == ["ac", "bd"]
    assert [*page_text.blocks("abcde", 2)] == ["ab", "cd", "e"]
