"""The view of a table as a page of plain text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tabularium_engines.common import page_text, seat_text
from tabularium_engines.common.english_text import card_text, player_name, pluralize
from tabularium_engines.law_of_the_dice import status_text
from tabularium_engines.law_of_the_dice.view import Place, View

MAX_TOP_DISCARDS = 8
LABEL_WIDTH, POINTS_WIDTH, LAW_WIDTH = 15, 11, 18  # the columns of a seat


def text(view: View) -> str:
    """The view as a page of plain text, about 80 columns wide."""
    head = status_text.headline(view), " ".join(status_text.remarks(view))
    title = seat_text.title("Law of the Dice", view.seat)
    lines = page_text.head_lines(title, status_text.variant_text(view), *head)
    lines += [*_dice_lines(view), "", *_pile_lines(view), page_text.HORIZONTAL_RULE]
    lines.append(_row("", "Points", *(f"Law {slot}" for slot in (1, 2, 3))))
    for seat in seat_text.clockwise(view.seat, view.seats):
        lines += _seat_lines(view, seat)
    return page_text.page(lines)


def _dice_lines(view: View) -> Iterator[str]:
    rolls = (f"seat {roll.seat} d{roll.die} → {roll.number}" for roll in view.rolled)
    fired = status_text.fired_places(view)
    yield from page_text.paragraph(", ".join(rolls), "Dice:      ")
    yield from page_text.paragraph(_places_text(view, fired), "Fired:     ")
    yield from page_text.paragraph(_places_text(view, view.waiting), "To fire:   ")


def _places_text(view: View, places: Iterable[Place]) -> str:
    return ", ".join(_place_text(view, place) for place in places)


def _place_text(view: View, place: Place) -> str:
    card = view.laws[place.seat][place.slot - 1].card
    which = f" ({card_text(card)})" if card else ""
    return f"law {place.slot} of seat {place.seat}{which}"


def _pile_lines(view: View) -> Iterator[str]:
    yield f"Draw pile:    {pluralize(view.draw_pile, 'card')}"
    discards = page_text.pile_text(len(view.discard_pile), view.discard_pile, MAX_TOP_DISCARDS)
    yield f"Discard pile: {discards}"


def _row(label: str, points: str, *laws: str) -> str:
    cells = "".join(f"{law:{LAW_WIDTH}}" for law in laws)
    return f"{label:{LABEL_WIDTH}}{points:{POINTS_WIDTH}}{cells}"


def _seat_lines(view: View, seat: int) -> Iterator[str]:
    """Two lines or more: points and laws, then the hand."""
    mark = "▶" if seat in view.to_act else " "
    points = "●" * view.points[seat] + "○" * (view.options.points_to_win - view.points[seat])
    laws = (_law_cell(view, Place(seat, slot)) for slot in (1, 2, 3))
    yield _row(f"{mark} {player_name(seat)}", points, *laws)
    cards, size = seat_text.visible_hand(view, seat), view.hand_sizes[seat]
    label = _row(f"  {', '.join(seat_text.roles(view, seat))}", pluralize(size, "card"))
    yield from page_text.hand_lines(label, cards, size)


def _law_cell(view: View, place: Place) -> str:
    law = view.laws[place.seat][place.slot - 1]
    state = " (waits)" if place in view.waiting else " (fired)" if place in view.fired else ""
    card = card_text(law.card) if law.card else "–"
    return (f"{card} on {law.number}" if law.number else card) + state
