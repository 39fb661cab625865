"""The view of a table as a page of plain text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tabularium_engines.common import page_text, seat_text
from tabularium_engines.common.english_text import card_text, cards_text, player_name, pluralize
from tabularium_engines.law import status_text
from tabularium_engines.law.view import Law, View

LABEL_WIDTH: Final = 16  # columns before the description of a pile or a hand
MAX_TOP_DISCARDS: Final = 12
MAX_UNSORTED_CARDS: Final = 3  # of a hand that is shown in the order of suits alone


def text(view: View) -> str:
    """The view as a page of plain text, 80 columns wide."""
    head = status_text.headline(view), *status_text.remarks(view)
    title = seat_text.title("Law", view.seat)
    lines = page_text.head_lines(title, status_text.variant_text(view), *head)
    lines += ["", *_pile_lines(view)]
    for seat in seat_text.clockwise(view.seat, view.seats):
        lines += [page_text.HORIZONTAL_RULE, *_seat_lines(view, seat)]
    return page_text.page(lines)


def _pile_lines(view: View) -> Iterator[str]:
    piles = [("Draw pile", page_text.pile_text(view.draw_pile, view.draw_top, MAX_TOP_DISCARDS))]
    several = len(view.discard_piles) > 1
    for number, pile in enumerate(view.discard_piles, 1):
        label = f"Discard pile {number}" if several else "Discard pile"
        piles.append((label, page_text.pile_text(len(pile), pile, MAX_TOP_DISCARDS)))
    for label, cards in (("Trash", view.trash), ("Out of the game", view.removed)):
        piles += [(label, cards_text(cards))] if cards else []
    for label, content in piles:
        yield from page_text.paragraph(content, f"{label:{LABEL_WIDTH}}")


def _seat_lines(view: View, seat: int) -> Iterator[str]:
    """The seat and its number of Laws, each Law with its text, and the hand."""
    mark = "▶" if seat in view.to_act else " "
    has, needs = len(view.laws[seat]), view.needed[seat]
    roles = ", ".join([*seat_text.roles(view, seat), *(["wins"] if seat in view.winners else [])])
    yield f"{mark} {player_name(seat)}: {has} of {needs} Laws{f' ({roles})' if roles else ''}"
    for law in view.laws[seat]:
        yield from _law_lines(view, law)
    cards, size = seat_text.visible_hand(view, seat), view.hand_sizes[seat]
    label = f"  {pluralize(size, 'card'):{LABEL_WIDTH - 2}}"
    yield from page_text.hand_lines(label, cards, size)
    if seat == view.seat and size > MAX_UNSORTED_CARDS:
        by_rank = cards_text(status_text.cards_by_rank(cards))
        yield from page_text.paragraph(by_rank, f"{'  by rank':{LABEL_WIDTH}}")


def _law_lines(view: View, law: Law) -> list[str]:
    bound = "" if law.bound is None else f" ({player_name(law.bound).lower()} only)"
    happened = " (has happened)" if status_text.has_happened(law.card) else ""
    label = f"    {card_text(law.card):4}"
    content = status_text.law_text(view, law) + bound + happened
    return page_text.paragraph(content, label)
