"""The view of a table as a page of plain text."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from games.engines.common.english_text import pluralize
from games.engines.duel_edged_sword import status_text
from games.engines.duel_edged_sword.cards import COMPLETE_CODES, KIND_CODES
from games.engines.duel_edged_sword.news_text import card_text
from games.engines.duel_edged_sword.view import Laid, View

PAGE_WIDTH = 80
HORIZONTAL_RULE = "─" * PAGE_WIDTH
LABEL_WIDTH = 14  # of the column of names
CARD_SEPARATOR = " · "


def text(view: View) -> str:
    """The view as a page of plain text, about 80 columns wide."""
    lines = [
        status_text.title(view),
        *wrap(status_text.variant_text(view.options), PAGE_WIDTH),
        HORIZONTAL_RULE,
    ]
    lines += [*_situation(view), ""]
    for number, row in enumerate(view.rows, start=1):
        lines += _row_lines(number, row)
    lines += ["", *_unseen_lines(view), HORIZONTAL_RULE]
    for seat in status_text.seat_order(view):
        lines += _player_lines(view, seat)
    return "\n".join(line.rstrip() for line in lines)


def _situation(view: View) -> Iterator[str]:
    yield from wrap(status_text.round_heading(view), PAGE_WIDTH)
    yield from wrap(status_text.headline(view), PAGE_WIDTH)
    yield from wrap(" ".join(status_text.remarks(view)), PAGE_WIDTH)


def _hanging_paragraph(label: str, content: str) -> list[str]:
    """A paragraph with its label in front, or the label alone."""
    head = label.ljust(LABEL_WIDTH)
    return wrap(content, PAGE_WIDTH, initial_indent=head, subsequent_indent=" " * LABEL_WIDTH) or [
        head
    ]


# -- the rows -------------------------------------------------------------------------------------


def _row_lines(number: int, row: tuple[Laid, ...]) -> list[str]:
    """The cards from left to right, face-down ones in brackets."""
    cards = CARD_SEPARATOR.join(_laid_text(laid) for laid in row)
    return _hanging_paragraph(f"Row {number} ({len(row)})", cards or "empty")


def _laid_text(laid: Laid) -> str:
    return card_text(laid.card) if laid.is_up else f"[{card_text(laid.card)}]"


def _unseen_lines(view: View) -> Iterator[str]:
    left = status_text.unseen_counts(view)
    kinds = [f"{left[kind]} {card_text(kind)}" for kind in KIND_CODES if left[kind]]
    number = sum(left[card] for card in COMPLETE_CODES)
    yield from _hanging_paragraph(
        "Not yet seen", ", ".join([pluralize(number, "Complete"), *kinds])
    )
    if any(not laid.is_up for row in view.rows for laid in row):
        yield from _hanging_paragraph("", "[…] lies face down, and matches nothing")


# -- the players ----------------------------------------------------------------------------------


def _player_lines(view: View, seat: int) -> list[str]:
    """Points and pile, then the collected cards."""
    player = view.players[seat]
    mark = "▶ " if seat in view.to_act else "  "
    head = [pluralize(view.points[seat], "point"), f"{pluralize(player.pile, 'card')} to draw"]
    head += status_text.role_texts(view, seat)
    completes = " ".join(player.completes) or "none"
    edges = status_text.kind_counts(player.constraints)
    constraints = ", ".join(f"{number} {card_text(kind)}" for kind, number in edges) or "none"
    return [
        *_hanging_paragraph(mark + status_text.player_label(view, seat), ", ".join(head)),
        *_hanging_paragraph("", f"Completes ({len(player.completes)}): {completes}"),
        *_hanging_paragraph("", f"Edges: {constraints}"),
    ]
