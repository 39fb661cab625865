"""Outlooks of lines that are being built: which beginnings can become lawful, by one print."""

from __future__ import annotations

import pytest

from tabularium_engines.duel_of_law.laws import clause_codes as codes
from tabularium_engines.duel_of_law.laws.clause_reader import ClauseReader
from tabularium_engines.duel_of_law.laws.excluded_line import distinct_cards
from tabularium_engines.duel_of_law.laws.print_outlook import PrintOutlook, outlooks
from tests.engines.duel_of_law.lines import law, line


def only_outlook(text: str) -> PrintOutlook:
    """The outlook under a law that is about one print."""
    said = law(text)
    readers = [ClauseReader(one, said, False) for one in said if codes.pattern_in(one) != codes.IS]
    (outlook,) = outlooks(readers, said, distinct_cards(said, said[0]), False)
    return outlook


def is_open(text: str, begun: str) -> bool:
    """Whether a line that has begun with these cards can become lawful; they are read first."""
    outlook, cards = only_outlook(text), line(begun)
    for place, card in enumerate(cards):
        assert all(reader.read(place, card) for reader in outlook.readers)
    return outlook.is_open(cards, len(cards))


@pytest.mark.parametrize(
    ("text", "begun", "expected"),
    [
        ("colour cycles 4 & suit falls", "30 20 10", True),  # then suit 0, and 3 again
        ("colour cycles 4 & suit falls", "20 10 00", True),
        ("colour cycles 3 & suit falls", "50 40 30", False),  # 5 comes after 0 alone
        ("rank doubles & rank peaks", "01 02 04", False),
        ("dice adds_to 5", "00 60 01", True),
        ("letter word & colour is gray", "110 112", True),
        ("letter word & colour is gray", "118 112", False),
    ],
)
def test_R12_a_beginning_is_open_if_some_cards_make_it_lawful(
    text: str, begun: str, expected: bool
) -> None:
    assert is_open(text, begun) == expected
