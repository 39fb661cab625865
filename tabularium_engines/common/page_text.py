"""Pages of plain text: their head, paragraphs, hands, piles, and cells side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from textwrap import wrap
from typing import Final, TypeVar

from tabularium_engines.common.english_text import card_text, pluralize

PAGE_WIDTH: Final = 80
HORIZONTAL_RULE: Final = "─" * PAGE_WIDTH
CACHED_PARAGRAPHS: Final = 4096  # those that pages have in common
BACK_SIGN: Final = "▒"

T = TypeVar("T")


def page(lines: Iterable[str]) -> str:
    """The lines as a page, without blanks at their ends."""
    return "\n".join(line.rstrip() for line in lines)


def head_lines(title: str, variant: str, *paragraphs: str) -> list[str]:
    """The head of a page: title and variant, and below a rule the paragraphs on the situation."""
    wrapped = (line for content in paragraphs for line in paragraph(content))
    return [title, *paragraph(variant), HORIZONTAL_RULE, *wrapped]


def paragraph(content: str, label: str = "", indent: str | None = None) -> list[str]:
    """A text broken into lines, with a label in front of the first; the others are indented by as
    much, if no other indent is given. Nothing if there is no text."""
    indent = " " * len(label) if indent is None else indent
    return list(_cached_paragraph(content, label, indent))


@lru_cache(CACHED_PARAGRAPHS)
def _cached_paragraph(content: str, label: str, indent: str) -> tuple[str, ...]:
    return tuple(wrap(content, PAGE_WIDTH, initial_indent=label, subsequent_indent=indent))


def hand_lines(label: str, known: Sequence[str], size: int) -> list[str]:
    """A hand of playing cards with its label: backs, then the cards that the viewer knows."""
    cards = [BACK_SIGN] * (size - len(known)) + [card_text(card) for card in known]
    return paragraph(" ".join(cards), label) or [label]


def pile_text(count: int, cards: Sequence[str | None], most: int) -> str:
    """The number of playing cards in a pile, and the topmost ones from the top, at most so many
    and as far as the viewer knows them; the last of `cards` lies on top."""
    number = pluralize(count, "card")
    if not any(cards):
        return number
    top = " ".join(card_text(card) if card else BACK_SIGN for card in reversed(cards[-most:]))
    more = " …" if count > min(len(cards), most) else ""
    return f"{number}, from the top: {top}{more}"


def blocks(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """The items in blocks of `size`, the last of which may be shorter."""
    return (items[first : first + size] for first in range(0, len(items), size))


def join_cells(cells: Iterable[Sequence[str]]) -> list[str]:
    """Cells of as many lines each, side by side."""
    return ["".join(parts) for parts in zip(*cells, strict=True)]
