"""The view of a table as a page of plain text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import wrap

from games.engines.common.english_text import card_text, player_name, pluralize, seats_from
from games.engines.law_of_the_dice import status_text
from games.engines.law_of_the_dice.view import Place, View

PAGE_WIDTH = 80
HORIZONTAL_RULE = "─" * PAGE_WIDTH
MAX_TOP_DISCARDS = 8
LABEL_WIDTH, POINTS_WIDTH, LAW_WIDTH = 15, 11, 18  # the columns of a seat


def text(view: View) -> str:
    """The view as a page of plain text, about 80 columns wide."""
    lines = [status_text.title(view), *wrap(status_text.variant_text(view), PAGE_WIDTH)]
    lines += [HORIZONTAL_RULE, *_situation(view), "", *_pile_lines(view), HORIZONTAL_RULE]
    lines.append(_row("", "Points", *(f"Law {slot}" for slot in (1, 2, 3))))
    for seat in seats_from(view.seat, view.seats):
        lines += _seat_lines(view, seat)
    return "\n".join(line.rstrip() for line in lines)


def _situation(view: View) -> Iterator[str]:
    rolls = (f"seat {roll.seat} d{roll.die} → {roll.number}" for roll in view.rolled)
    fired = status_text.fired_places(view)
    yield from wrap(status_text.headline(view), PAGE_WIDTH)
    yield from _labelled_paragraph("", " ".join(status_text.remarks(view)))
    yield from _labelled_paragraph("Dice:      ", ", ".join(rolls))
    yield from _labelled_paragraph("Fired:     ", _places_text(view, fired))
    yield from _labelled_paragraph("To fire:   ", _places_text(view, view.waiting))


def _labelled_paragraph(label: str, content: str) -> list[str]:
    """A paragraph with its label in front; nothing if there is no content."""
    return wrap(content, PAGE_WIDTH, initial_indent=label, subsequent_indent=" " * len(label))


def _places_text(view: View, places: Iterable[Place]) -> str:
    return ", ".join(_place_text(view, place) for place in places)


def _place_text(view: View, place: Place) -> str:
    card = view.laws[place.seat][place.slot - 1].card
    which = f" ({card_text(card)})" if card else ""
    return f"law {place.slot} of seat {place.seat}{which}"


def _pile_lines(view: View) -> Iterator[str]:
    yield f"Draw pile:    {pluralize(view.draw_pile, 'card')}"
    top = [card_text(card) for card in reversed(view.discard_pile[-MAX_TOP_DISCARDS:])]
    more = " …" if len(view.discard_pile) > MAX_TOP_DISCARDS else ""
    which = f", from the top: {' '.join(top)}{more}" if top else ""
    yield f"Discard pile: {pluralize(len(view.discard_pile), 'card')}{which}"


def _row(label: str, points: str, *laws: str) -> str:
    cells = "".join(f"{law:{LAW_WIDTH}}" for law in laws)
    return f"{label:{LABEL_WIDTH}}{points:{POINTS_WIDTH}}{cells}"


def _seat_lines(view: View, seat: int) -> Iterator[str]:
    """Two lines or more: points and laws, then the hand."""
    mark = "▶" if seat in view.to_act else " "
    points = "●" * view.points[seat] + "○" * (view.options.points_to_win - view.points[seat])
    laws = (_law_cell(view, Place(seat, slot)) for slot in (1, 2, 3))
    yield _row(f"{mark} {player_name(seat)}", points, *laws)
    label = _row(f"  {_role_text(view, seat)}", pluralize(view.hand_sizes[seat], "card"))
    cards = status_text.visible_hand(view, seat)
    hand = ["▒"] * (view.hand_sizes[seat] - len(cards)) + [card_text(card) for card in cards]
    yield from _labelled_paragraph(label, " ".join(hand)) or [label]


def _role_text(view: View, seat: int) -> str:
    roles = ["you"] if seat == view.seat else []
    return ", ".join([*roles, "on turn"] if seat == view.turn and view.to_act else roles)


def _law_cell(view: View, place: Place) -> str:
    law = view.laws[place.seat][place.slot - 1]
    state = " (waits)" if place in view.waiting else " (fired)" if place in view.fired else ""
    card = card_text(law.card) if law.card else "–"
    return (f"{card} on {law.number}" if law.number else card) + state
