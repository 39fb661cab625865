"""The view of a table as a page of plain text."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap
from typing import Final

from games.engines.common.english_text import card_text, cards_text, player_name, pluralize
from games.engines.law import status_text
from games.engines.law.actions import Card
from games.engines.law.view import Law, View

PAGE_WIDTH: Final = 80
HORIZONTAL_RULE: Final = "─" * PAGE_WIDTH
LABEL_WIDTH: Final = 16  # columns before the description of a pile or a hand
MAX_TOP_DISCARDS: Final = 12
BACK_SIGN: Final = "▒"


def text(view: View) -> str:
    """The view as a page of plain text, 80 columns wide."""
    lines = [status_text.title(view), status_text.variant_text(view), HORIZONTAL_RULE]
    lines += wrap(status_text.headline(view), PAGE_WIDTH)
    for remark in status_text.remarks(view):
        lines += wrap(remark, PAGE_WIDTH)
    lines += ["", *_pile_lines(view)]
    for seat in status_text.seat_order(view):
        lines += [HORIZONTAL_RULE, *_seat_lines(view, seat)]
    return "\n".join(line.rstrip() for line in lines)


def _labelled_paragraph(label: str, content: str) -> list[str]:
    """A paragraph with a label in front."""
    first = f"{label:{LABEL_WIDTH}}"
    lines = wrap(content, PAGE_WIDTH, initial_indent=first, subsequent_indent=" " * LABEL_WIDTH)
    return lines or [first]


def _pile_lines(view: View) -> Iterator[str]:
    yield from _labelled_paragraph("Draw pile", _pile_text(view.draw_pile, view.draw_top))
    several = len(view.discard_piles) > 1
    for number, pile in enumerate(view.discard_piles, 1):
        label = f"Discard pile {number}" if several else "Discard pile"
        yield from _labelled_paragraph(label, _pile_text(len(pile), pile))
    for label, cards in (("Trash", view.trash), ("Out of the game", view.removed)):
        if cards:
            yield from _labelled_paragraph(label, cards_text(cards))


def _pile_text(count: int, cards: tuple[Card | None, ...]) -> str:
    """The number of cards, and the topmost ones from the top, as far as the viewer knows them."""
    number = pluralize(count, "card")
    if not any(cards):
        return number
    topmost = reversed(cards[-MAX_TOP_DISCARDS:])
    top = " ".join(card_text(card) if card else BACK_SIGN for card in topmost)
    more = " …" if count > min(len(cards), MAX_TOP_DISCARDS) else ""
    return f"{number}, from the top: {top}{more}"


def _seat_lines(view: View, seat: int) -> Iterator[str]:
    """The seat and its number of Laws, each Law with its text, and the hand."""
    mark = "▶" if seat in view.to_act else " "
    has, needs = len(view.laws[seat]), view.needed[seat]
    roles = ", ".join(_role_texts(view, seat))
    yield f"{mark} {player_name(seat)}: {has} of {needs} Laws{f' ({roles})' if roles else ''}"
    for law in view.laws[seat]:
        yield from _law_lines(view, law)
    cards = status_text.visible_hand(view, seat)
    backs = [BACK_SIGN] * (view.hand_sizes[seat] - len(cards))
    hand = " ".join([*backs, *map(card_text, cards)])
    yield from _labelled_paragraph(f"  {pluralize(view.hand_sizes[seat], 'card')}", hand)


def _role_texts(view: View, seat: int) -> Iterator[str]:
    if seat == view.seat:
        yield "you"
    if seat == view.turn and view.to_act:
        yield "on turn"
    if seat in view.winners:
        yield "wins"


def _law_lines(view: View, law: Law) -> list[str]:
    bound = "" if law.bound is None else f" ({player_name(law.bound).lower()} only)"
    happened = " (has happened)" if status_text.has_happened(law.card) else ""
    label = f"    {card_text(law.card):4}"
    content = status_text.law_text(view, law) + bound + happened
    indent = " " * len(label)
    return wrap(content, PAGE_WIDTH, initial_indent=label, subsequent_indent=indent)
