"""English phrases for the texts of all games: plurals, enumerations and lists of seats. Texts call
seats by their titles, or by the names that their reader has for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from string import Formatter
from types import MappingProxyType
from typing import Any, Final

from tabularium_engines.common import playing_cards

COURT_NAMES: Final = {"J": "jack", "Q": "queen", "K": "king", "A": "ace"}
CARD_SIGNS: Final = {
    code: playing_cards.card_sign(number) for number, code in enumerate(playing_cards.CARD_CODES)
}
TITLES_ONLY: Final[Mapping[int, str]] = MappingProxyType({})
_names: Final[ContextVar[Mapping[int, str]]] = ContextVar("names", default=TITLES_ONLY)


@contextmanager
def seats_called(names: Mapping[int, str]) -> Iterator[None]:
    """Within the block, texts call these seats by these names."""
    token = _names.set(names)
    try:
        yield
    finally:
        _names.reset(token)


def is_calling_seats() -> bool:
    """Whether the reader has names for seats."""
    return bool(_names.get())


def seat_name(seat: int, title: str) -> str:
    """The name that the reader has for a seat, or its title."""
    return _names.get().get(seat, title)


def pluralize(number: int, noun: str) -> str:
    """ "1 card", "2 cards"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def join_words(words: Iterable[str], last_link: str = "and") -> str:
    """ "a", "a and b", "a, b and c"; nothing for no words."""
    *most, last = [*words] or [""]
    return f"{', '.join(most)} {last_link} {last}" if most else last


def seats_text(seats: Iterable[int]) -> str:
    """ "Seat 1", "Seats 0 and 2"."""
    seats = list(seats)
    if not _names.get().keys().isdisjoint(seats):
        return join_words(map(player_name, seats))
    numbers = [str(seat) for seat in seats]
    return f"Seat{'s' if len(numbers) > 1 else ''} {join_words(numbers)}"


def player_name(seat: int) -> str:
    """The name of a seat."""
    return seat_name(seat, f"Seat {seat}")


def name_within(seat: int) -> str:
    """The name of a seat within a sentence."""
    return seat_name(seat, f"seat {seat}")


def victory_text(winners: Sequence[int]) -> str:
    """ "Seat 1 wins", "Seats 0 and 2 share the victory"."""
    return f"{seats_text(winners)} {'share the victory' if len(winners) > 1 else 'wins'}"


def words_of(
    item: Mapping[str, Any], writers: Mapping[str, Callable[[Any], Any]]
) -> dict[str, Any]:
    """The facts of an item of news by name, in words where there is a writer for that name."""
    return {name: writers[name](fact) if name in writers else fact for name, fact in item.items()}


def label_text(
    template: str, writers: Mapping[str, Callable[[Any, int, Any], Any]], *choice: Any
) -> str:
    """A label by its template. `choice` is the state, the seat that chooses, and the action: the
    words of the template have a writer each, or are fields of the action."""
    form, names = _form_of(template)
    action = choice[-1]
    return form.format(
        *[writers[name](*choice) if name in writers else getattr(action, name) for name in names]
    )


@cache
def _form_of(template: str) -> tuple[str, tuple[str, ...]]:
    """A template with places for its words, and their names."""
    names = tuple(name for _, name, *_ in Formatter().parse(template) if name is not None)
    return template.format_map(dict.fromkeys(names, "{}")), names


def card_text(card: str) -> str:
    """A playing card as players read it."""
    return CARD_SIGNS[card]


def card_name(card: str) -> str:
    """A playing card as it is read aloud: "7 of spades", "ace of hearts"."""
    number = playing_cards.CARD_CODES.index(card)
    rank = playing_cards.RANK_SIGNS[playing_cards.rank_of(number)]
    suit = playing_cards.SUIT_NAMES[playing_cards.suit_of(number)]
    return f"{COURT_NAMES.get(rank, rank)} of {suit}"


def cards_text(cards: Iterable[str]) -> str:
    """Playing cards in a row, as players read them."""
    return " ".join(card_text(card) for card in cards) or "nothing"
