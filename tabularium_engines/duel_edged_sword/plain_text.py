"""The view of a table as a page of plain text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tabularium_engines.common import page_text, seat_text
from tabularium_engines.common.english_text import pluralize
from tabularium_engines.duel_edged_sword import status_text
from tabularium_engines.duel_edged_sword.news_text import SEAT_NAMES, card_text
from tabularium_engines.duel_edged_sword.view import View

LABEL_WIDTH = 14  # of the column of names


def text(view: View) -> str:
    """The view as a page of plain text, about 80 columns wide."""
    head = status_text.round_heading(view), status_text.headline(view)
    remarks = " ".join(status_text.remarks(view))
    title = seat_text.title("Duel-Edged Sword", view.seat, SEAT_NAMES)
    variant = status_text.variant_text(view.options)
    lines = page_text.head_lines(title, variant, *head, remarks)
    lines += ["", *_row_lines(view), "", *_unseen_lines(view), page_text.HORIZONTAL_RULE]
    for seat in seat_text.clockwise(view.seat, 4):
        lines += _player_lines(view, seat)
    return page_text.page(lines)


def _labelled(label: str, content: str) -> list[str]:
    return page_text.paragraph(content, f"{label:{LABEL_WIDTH}}")


def _row_lines(view: View) -> Iterator[str]:
    """The cards of each row from left to right, face-down ones in brackets, and the effects of the
    viewer's card at its ends."""
    for number, row in enumerate(view.rows, start=1):
        names = ((card_text(laid.card), laid.is_up) for laid in row)
        cards = " · ".join(name if is_up else f"[{name}]" for name, is_up in names)
        yield from _labelled(f"Row {number} ({len(row)})", cards or "empty")
        if view.card is not None:
            player = view.players[view.turn]
            for side, effect in status_text.effect_texts(row, view.card, player).items():
                yield from _labelled(f"  {side}", effect)


def _unseen_lines(view: View) -> Iterator[str]:
    unseen = status_text.unseen_counts(view)
    left = [status_text.unseen_completes(unseen), *status_text.count_texts(unseen)]
    yield from _labelled("Not yet seen", ", ".join(left))
    if any(not laid.is_up for row in view.rows for laid in row):
        yield from _labelled("", "[…] lies face down, and matches nothing")


def _player_lines(view: View, seat: int) -> list[str]:
    """Points and pile, then the collected cards."""
    player = view.players[seat]
    mark = "▶" if seat in view.to_act else " "
    name = seat_text.marked_name(SEAT_NAMES[seat], seat == view.seat)
    head = [pluralize(view.points[seat], "point"), f"{pluralize(player.pile, 'card')} to draw"]
    head += status_text.role_texts(view, seat)
    completes = " ".join(player.completes) or "none"
    edges = ", ".join(status_text.count_texts(Counter(player.constraints))) or "none"
    return [
        *_labelled(f"{mark} {name}", ", ".join(head)),
        *_labelled("", f"Completes ({len(player.completes)}): {completes}"),
        *_labelled("", f"Edges: {edges}"),
    ]
