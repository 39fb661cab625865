"""What does the table look like to one who sits at it or watches? As a page of text and a picture,
both made from a view alone."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from games.engines.duel_edged_sword import captions, picture
from games.engines.duel_edged_sword.cards import COMPLETE_CODES, KIND_CODES
from games.engines.duel_edged_sword.news import plural, shown
from games.engines.duel_edged_sword.view import Laid, View

WIDTH = 80
RULE = "─" * WIDTH
LABEL = 14  # the column of names
STEP = " · "


def svg(view: View) -> str:
    """The view as a picture, with the text as its description."""
    return picture.draw(view, text(view))


def text(view: View) -> str:
    """The view as a page of plain text, about 80 columns wide."""
    lines = [captions.title(view), *wrap(captions.variant(view.options), WIDTH), RULE]
    lines += [*_situation(view), ""]
    for number, row in enumerate(view.rows, start=1):
        lines += _row(number, row)
    lines += ["", *_to_come(view), RULE]
    for seat in captions.order(view):
        lines += _player(view, seat)
    return "\n".join(line.rstrip() for line in lines)


def _situation(view: View) -> Iterator[str]:
    yield from wrap(captions.heading(view), WIDTH)
    yield from wrap(captions.headline(view), WIDTH)
    yield from wrap(" ".join(captions.remarks(view)), WIDTH)


def _hung(label: str, content: str) -> list[str]:
    """A paragraph with its label before it, or the label alone."""
    head = label.ljust(LABEL)
    return wrap(content, WIDTH, initial_indent=head, subsequent_indent=" " * LABEL) or [head]


# -- the rows -------------------------------------------------------------------------------------


def _row(number: int, row: tuple[Laid, ...]) -> list[str]:
    """The cards from left to right; what lies face down in brackets."""
    cards = STEP.join(_laid(laid) for laid in row)
    return _hung(f"Row {number} ({len(row)})", cards or "empty")


def _laid(laid: Laid) -> str:
    return shown(laid.card) if laid.is_up else f"[{shown(laid.card)}]"


def _to_come(view: View) -> Iterator[str]:
    left = captions.to_come(view)
    kinds = [f"{left[kind]} {shown(kind)}" for kind in KIND_CODES if left[kind]]
    number = sum(left[card] for card in COMPLETE_CODES)
    yield from _hung("Not yet seen", ", ".join([plural(number, "Complete"), *kinds]))
    if any(not laid.is_up for row in view.rows for laid in row):
        yield from _hung("", "[…] lies face down, and matches nothing")


# -- the players ----------------------------------------------------------------------------------


def _player(view: View, seat: int) -> list[str]:
    """Points and pile, then what was collected."""
    player = view.players[seat]
    mark = "▶ " if seat in view.to_act else "  "
    head = [plural(view.points[seat], "point"), f"{plural(player.pile, 'card')} to draw"]
    head += captions.roles(view, seat)
    completes = " ".join(player.completes) or "none"
    edges = captions.edges(player.constraints)
    constraints = ", ".join(f"{number} {shown(kind)}" for kind, number in edges) or "none"
    return [
        *_hung(mark + captions.named(view, seat), ", ".join(head)),
        *_hung("", f"Completes ({len(player.completes)}): {completes}"),
        *_hung("", f"Edges: {constraints}"),
    ]
