"""What does the table look like to one who sits at it or watches? As a page of text and a picture,
both made from a view alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import wrap

from games.engines.law_of_the_dice import captions, picture
from games.engines.law_of_the_dice.news import player, shown
from games.engines.law_of_the_dice.view import Law, Place, View

WIDTH = 80
RULE = "─" * WIDTH
TOP_DISCARDS = 8
LABEL, POINTS, LAW = 15, 11, 18  # the columns of a seat
INDENT = LABEL + POINTS


def svg(view: View) -> str:
    """The view as a picture, with the text as its description."""
    return picture.draw(view, text(view))


def text(view: View) -> str:
    """The view as a page of plain text, about 80 columns wide."""
    lines = [captions.title(view), *wrap(captions.variant(view), WIDTH), RULE]
    lines += [*_situation(view), "", *_piles(view), RULE, _heading()]
    for seat in captions.order(view):
        lines += _seat(view, seat)
    return "\n".join(line.rstrip() for line in lines)


def _situation(view: View) -> Iterator[str]:
    yield from wrap(captions.headline(view), WIDTH)
    yield from _filled("", " ".join(captions.remarks(view)))
    yield from _filled("Dice:      ", ", ".join(_rolls(view)))
    yield from _filled("Fired:     ", _places(view, captions.spent(view)))
    yield from _filled("To fire:   ", _places(view, view.waiting))


def _filled(label: str, content: str) -> list[str]:
    """A paragraph with its label before it; nothing if there is no content."""
    return wrap(content, WIDTH, initial_indent=label, subsequent_indent=" " * len(label))


def _rolls(view: View) -> Iterator[str]:
    return (f"{player(roll.seat).lower()} d{roll.die} → {roll.number}" for roll in view.rolled)


def _places(view: View, places: Iterable[Place]) -> str:
    return ", ".join(_place(view, place) for place in places)


def _place(view: View, place: Place) -> str:
    card = view.laws[place.seat][place.slot - 1].card
    which = f" ({shown(card)})" if card else ""
    return f"law {place.slot} of seat {place.seat}{which}"


def _piles(view: View) -> Iterator[str]:
    yield f"Draw pile:    {captions.plural(view.draw_pile, 'card')}"
    top = [shown(card) for card in reversed(view.discard_pile[-TOP_DISCARDS:])]
    more = " …" if len(view.discard_pile) > TOP_DISCARDS else ""
    which = f", from the top: {' '.join(top)}{more}" if top else ""
    yield f"Discard pile: {captions.plural(len(view.discard_pile), 'card')}{which}"


# -- the seats ----------------------------------------------------------------------------------


def _heading() -> str:
    laws = "".join(f"Law {slot}".ljust(LAW) for slot in (1, 2, 3))
    return f"{'':{LABEL}}{'Points':{POINTS}}{laws}"


def _seat(view: View, seat: int) -> list[str]:
    """Two lines or more: points and laws, then the hand."""
    mark = "▶ " if seat in view.to_act else "  "
    laws = "".join(_law(view, seat, slot).ljust(LAW) for slot in (1, 2, 3))
    first = f"{mark + player(seat):{LABEL}}{_points(view, seat):{POINTS}}{laws}"
    label = f"  {_role(view, seat)}".ljust(LABEL)
    label += captions.plural(view.hand_sizes[seat], "card").ljust(POINTS)
    hand = wrap(_hand(view, seat), WIDTH - INDENT)
    return [first, *_hung(label, hand)]


def _hung(label: str, lines: list[str]) -> list[str]:
    """Lines of which the first has a label and the others its width."""
    first, *rest = lines or [""]
    return [label + first, *(" " * INDENT + line for line in rest)]


def _points(view: View, seat: int) -> str:
    points = view.points[seat]
    return "●" * points + "○" * (view.options.points_to_win - points)


def _role(view: View, seat: int) -> str:
    roles = ["you"] if seat == view.seat else []
    return ", ".join([*roles, "on turn"] if seat == view.turn and view.to_act else roles)


def _law(view: View, seat: int, slot: int) -> str:
    place = Place(seat, slot)
    state = " (waits)" if place in view.waiting else " (fired)" if place in view.fired else ""
    return _written(view.laws[seat][slot - 1]) + state


def _written(law: Law) -> str:
    card = shown(law.card) if law.card else "–"
    return f"{card} on {law.number}" if law.number else card


def _hand(view: View, seat: int) -> str:
    """Own cards; of others, the known ones after the backs."""
    open_cards = captions.open_hand(view, seat)
    backs = ["▒"] * (view.hand_sizes[seat] - len(open_cards))
    return " ".join([*backs, *(shown(card) for card in open_cards)])
