"""The view of a table as a page of plain text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from textwrap import wrap

from games.engines.common.english_text import pluralize
from games.engines.duel_edged_sword import status_text
from games.engines.duel_edged_sword.news_text import card_text
from games.engines.duel_edged_sword.view import View

PAGE_WIDTH = 80
HORIZONTAL_RULE = "─" * PAGE_WIDTH
LABEL_WIDTH = 14  # of the column of names


def text(view: View) -> str:
    """The view as a page of plain text, about 80 columns wide."""
    lines = [
        status_text.title(view),
        *wrap(status_text.variant_text(view.options), PAGE_WIDTH),
        HORIZONTAL_RULE,
        *wrap(status_text.round_heading(view), PAGE_WIDTH),
        *wrap(status_text.headline(view), PAGE_WIDTH),
        *wrap(" ".join(status_text.remarks(view)), PAGE_WIDTH),
        "",
        *_row_lines(view),
        "",
        *_unseen_lines(view),
        HORIZONTAL_RULE,
    ]
    for seat in status_text.seat_order(view):
        lines += _player_lines(view, seat)
    return "\n".join(line.rstrip() for line in lines)


def _hanging_paragraph(label: str, content: str) -> list[str]:
    """A paragraph with its label in front, or the label alone."""
    head, indent = label.ljust(LABEL_WIDTH), " " * LABEL_WIDTH
    return wrap(content, PAGE_WIDTH, initial_indent=head, subsequent_indent=indent) or [head]


def _row_lines(view: View) -> Iterator[str]:
    """The cards of each row from left to right, face-down ones in brackets."""
    for number, row in enumerate(view.rows, start=1):
        names = ((card_text(laid.card), laid.is_up) for laid in row)
        cards = " · ".join(name if is_up else f"[{name}]" for name, is_up in names)
        yield from _hanging_paragraph(f"Row {number} ({len(row)})", cards or "empty")


def _unseen_lines(view: View) -> Iterator[str]:
    unseen = status_text.unseen_counts(view)
    left = [status_text.unseen_completes(unseen), *status_text.count_texts(unseen)]
    yield from _hanging_paragraph("Not yet seen", ", ".join(left))
    if any(not laid.is_up for row in view.rows for laid in row):
        yield from _hanging_paragraph("", "[…] lies face down, and matches nothing")


def _player_lines(view: View, seat: int) -> list[str]:
    """Points and pile, then the collected cards."""
    player = view.players[seat]
    mark = "▶ " if seat in view.to_act else "  "
    head = [pluralize(view.points[seat], "point"), f"{pluralize(player.pile, 'card')} to draw"]
    head += status_text.role_texts(view, seat)
    completes = " ".join(player.completes) or "none"
    edges = ", ".join(status_text.count_texts(Counter(player.constraints))) or "none"
    return [
        *_hanging_paragraph(mark + status_text.player_label(view, seat), ", ".join(head)),
        *_hanging_paragraph("", f"Completes ({len(player.completes)}): {completes}"),
        *_hanging_paragraph("", f"Edges: {edges}"),
    ]
