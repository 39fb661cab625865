"""What does the table look like to one who sits at it or watches? As a page of text and a picture,
both made from a view alone."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap
from typing import Final

from games.engines.law import captions, picture
from games.engines.law.actions import Card
from games.engines.law.news import listed, player, shown
from games.engines.law.view import Law, View

WIDTH: Final = 80
RULE: Final = "─" * WIDTH
LABEL: Final = 16  # columns before what is said of a pile or a hand
TOP_DISCARDS: Final = 12
BACK: Final = "▒"


def svg(view: View) -> str:
    """The view as a picture, with the text as its description."""
    return picture.draw(view, text(view))


def text(view: View) -> str:
    """The view as a page of plain text, 80 columns wide."""
    lines = [captions.title(view), captions.variant(view), RULE]
    lines += wrap(captions.headline(view), WIDTH)
    for remark in captions.remarks(view):
        lines += wrap(remark, WIDTH)
    lines += ["", *_piles(view)]
    for seat in captions.order(view):
        lines += [RULE, *_seat(view, seat)]
    return "\n".join(line.rstrip() for line in lines)


def _row(label: str, content: str) -> list[str]:
    """A paragraph with its label before it."""
    first = f"{label:{LABEL}}"
    lines = wrap(content, WIDTH, initial_indent=first, subsequent_indent=" " * LABEL)
    return lines or [first]


# -- the piles ----------------------------------------------------------------------------------


def _piles(view: View) -> Iterator[str]:
    yield from _row("Draw pile", _pile(view.draw_pile, view.draw_top))
    several = len(view.discard_piles) > 1
    for number, pile in enumerate(view.discard_piles, 1):
        yield from _row(
            f"Discard pile {number}" if several else "Discard pile", _pile(len(pile), pile)
        )
    for label, cards in (("Trash", view.trash), ("Out of the game", view.removed)):
        if cards:
            yield from _row(label, listed(cards))


def _pile(count: int, cards: tuple[Card | None, ...]) -> str:
    """How many cards, and the uppermost ones from the top, as far as the viewer knows them."""
    number = captions.plural(count, "card")
    if not any(cards):
        return number
    top = " ".join(_back_or(card) for card in reversed(cards[-TOP_DISCARDS:]))
    more = " …" if count > min(len(cards), TOP_DISCARDS) else ""
    return f"{number}, from the top: {top}{more}"


def _back_or(card: Card | None) -> str:
    return BACK if card is None else shown(card)


# -- the seats ----------------------------------------------------------------------------------


def _seat(view: View, seat: int) -> Iterator[str]:
    """Who it is and how many Laws they have; each Law with all it says; the hand."""
    mark = "▶" if seat in view.to_act else " "
    has, needs = len(view.laws[seat]), view.needed[seat]
    roles = ", ".join(_roles(view, seat))
    yield f"{mark} {player(seat)}: {has} of {needs} Laws{f' ({roles})' if roles else ''}"
    for law in view.laws[seat]:
        yield from _law(view, law)
    cards = captions.open_hand(view, seat)
    backs = [BACK] * (view.hand_sizes[seat] - len(cards))
    hand = " ".join([*backs, *map(shown, cards)])
    yield from _row(f"  {captions.plural(view.hand_sizes[seat], 'card')}", hand)


def _roles(view: View, seat: int) -> Iterator[str]:
    if seat == view.seat:
        yield "you"
    if seat == view.turn and view.to_act:
        yield "on turn"
    if seat in view.winners:
        yield "wins"


def _law(view: View, law: Law) -> list[str]:
    bound = "" if law.bound is None else f" ({player(law.bound).lower()} only)"
    happened = " (has happened)" if captions.has_happened(law.card) else ""
    label = f"    {shown(law.card):4}"
    return wrap(
        captions.law_text(view, law) + bound + happened,
        WIDTH,
        initial_indent=label,
        subsequent_indent=" " * len(label),
    )
