"""The view of a table as a page of plain text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import wrap

from games.engines.common.english_text import pluralize
from games.engines.law_of_the_dice import status_text
from games.engines.law_of_the_dice.news_text import card_text, player_name
from games.engines.law_of_the_dice.view import Law, Place, View

PAGE_WIDTH = 80
HORIZONTAL_RULE = "─" * PAGE_WIDTH
MAX_TOP_DISCARDS = 8
LABEL_WIDTH, POINTS_WIDTH, LAW_WIDTH = 15, 11, 18  # the columns of a seat
HAND_INDENT = LABEL_WIDTH + POINTS_WIDTH


def text(view: View) -> str:
    """The view as a page of plain text, about 80 columns wide."""
    lines = [
        status_text.title(view),
        *wrap(status_text.variant_text(view), PAGE_WIDTH),
        HORIZONTAL_RULE,
    ]
    lines += [*_situation(view), "", *_pile_lines(view), HORIZONTAL_RULE, _seat_heading()]
    for seat in status_text.seat_order(view):
        lines += _seat_lines(view, seat)
    return "\n".join(line.rstrip() for line in lines)


def _situation(view: View) -> Iterator[str]:
    yield from wrap(status_text.headline(view), PAGE_WIDTH)
    yield from _labelled_paragraph("", " ".join(status_text.remarks(view)))
    yield from _labelled_paragraph("Dice:      ", ", ".join(_roll_texts(view)))
    yield from _labelled_paragraph(
        "Fired:     ", _places_text(view, status_text.fired_places(view))
    )
    yield from _labelled_paragraph("To fire:   ", _places_text(view, view.waiting))


def _labelled_paragraph(label: str, content: str) -> list[str]:
    """A paragraph with its label in front; nothing if there is no content."""
    return wrap(content, PAGE_WIDTH, initial_indent=label, subsequent_indent=" " * len(label))


def _roll_texts(view: View) -> Iterator[str]:
    return (f"{player_name(roll.seat).lower()} d{roll.die} → {roll.number}" for roll in view.rolled)


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


# -- the seats ----------------------------------------------------------------------------------


def _seat_heading() -> str:
    laws = "".join(f"Law {slot}".ljust(LAW_WIDTH) for slot in (1, 2, 3))
    return f"{'':{LABEL_WIDTH}}{'Points':{POINTS_WIDTH}}{laws}"


def _seat_lines(view: View, seat: int) -> list[str]:
    """Two lines or more: points and laws, then the hand."""
    mark = "▶ " if seat in view.to_act else "  "
    laws = "".join(_law_cell(view, seat, slot).ljust(LAW_WIDTH) for slot in (1, 2, 3))
    name, points = mark + player_name(seat), _points_text(view, seat)
    first = f"{name:{LABEL_WIDTH}}{points:{POINTS_WIDTH}}{laws}"
    label = f"  {_role_text(view, seat)}".ljust(LABEL_WIDTH)
    label += pluralize(view.hand_sizes[seat], "card").ljust(POINTS_WIDTH)
    hand = wrap(_hand_text(view, seat), PAGE_WIDTH - HAND_INDENT)
    return [first, *_hanging_lines(label, hand)]


def _hanging_lines(label: str, lines: list[str]) -> list[str]:
    """Lines with a label before the first; the others are indented to match."""
    first, *rest = lines or [""]
    return [label + first, *(" " * HAND_INDENT + line for line in rest)]


def _points_text(view: View, seat: int) -> str:
    points = view.points[seat]
    return "●" * points + "○" * (view.options.points_to_win - points)


def _role_text(view: View, seat: int) -> str:
    roles = ["you"] if seat == view.seat else []
    return ", ".join([*roles, "on turn"] if seat == view.turn and view.to_act else roles)


def _law_cell(view: View, seat: int, slot: int) -> str:
    place = Place(seat, slot)
    state = " (waits)" if place in view.waiting else " (fired)" if place in view.fired else ""
    return _law_text(view.laws[seat][slot - 1]) + state


def _law_text(law: Law) -> str:
    card = card_text(law.card) if law.card else "–"
    return f"{card} on {law.number}" if law.number else card


def _hand_text(view: View, seat: int) -> str:
    """The viewer's own cards, or backs and then the known cards of another player."""
    open_cards = status_text.visible_hand(view, seat)
    backs = ["▒"] * (view.hand_sizes[seat] - len(open_cards))
    return " ".join([*backs, *(card_text(card) for card in open_cards)])
