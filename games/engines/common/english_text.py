"""English phrases for the texts of all games: plurals, enumerations and lists of seats."""

from __future__ import annotations

from collections.abc import Iterable


def pluralize(number: int, noun: str) -> str:
    """ "1 card", "2 cards"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def join_words(words: Iterable[str], last_link: str = "and") -> str:
    """ "a", "a and b", "a, b and c"; nothing for no words."""
    *most, last = [*words] or [""]
    return f"{', '.join(most)} {last_link} {last}" if most else last


def seats_text(seats: Iterable[int]) -> str:
    """ "Seat 1", "Seats 0 and 2"."""
    numbers = [str(seat) for seat in seats]
    return f"Seat{'s' if len(numbers) > 1 else ''} {join_words(numbers)}"
