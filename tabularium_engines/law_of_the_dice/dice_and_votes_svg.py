"""The turn's dice and the sealed votes as SVG, or tied suits or a laurel in their place: the centre
of the table, drawn around (0, 0), 132 wide and 112 high."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from tabularium_engines.common import svg
from tabularium_engines.common.playing_card_svg import PAPER_COLOUR, CardPainter
from tabularium_engines.common.svg import GILT_COLOUR, TEXT_COLOUR, Box, Markup
from tabularium_engines.law_of_the_dice.actions import Suit
from tabularium_engines.law_of_the_dice.player_svg import MUTED_TEXT_COLOUR
from tabularium_engines.law_of_the_dice.view import View, opened_votes

STAGE_WIDTH: Final = 132.0
MAX_EARLIER_DICE: Final = 3  # dice shown in addition to the last one
BONE_COLOUR: Final = "#f3e8cf"
SHADE_COLOUR: Final = "#d9c6a0"
CARVED_COLOUR: Final = "#43301c"


class Solid(NamedTuple):
    """A die around (0, 0): its outline, the top face, the edges between, the number's position."""

    outline: str
    face: str
    edges: str
    number_offset: float  # how far below the middle the number is
    number_size: float


D6_OUTLINE: Final = "M-34-26Q-34-34-26-34H26Q34-34 34-26V26Q34 34 26 34H-26Q-34 34-34 26Z"
D6_EDGES: Final = "M-28-28L-33-33M28-28L33-33M28 28L33 33M-28 28L-33 33"
D10_FACE: Final = "M0-42L26 8L0 20L-26 8Z"
D12_OUTLINE: Final = "M0-42L24.7-34L39.9-13V13L24.7 34L0 42L-24.7 34L-39.9 13V-13L-24.7-34Z"
D12_FACE: Final = "M0-26L24.7-8L15.3 21H-15.3L-24.7-8Z"
D12_EDGES: Final = "M0-26V-42M24.7-8L39.9-13M15.3 21L24.7 34M-15.3 21L-24.7 34M-24.7-8L-39.9-13"
D20_OUTLINE: Final = "M0-42L36.4-21V21L0 42L-36.4 21V-21Z"
D20_EDGES: Final = (
    "M0-31V-42M0-31L36.4-21M0-31L-36.4-21M29 18L36.4-21M29 18L36.4 21M29 18L0 42"
    "M-29 18L0 42M-29 18L-36.4 21M-29 18L-36.4-21"
)
SOLIDS: Final = {
    4: Solid("M0-40L42 30H-42Z", "M0-40L42 30H-42Z", "", 10, 30),
    6: Solid(D6_OUTLINE, "M-28-28H28V28H-28Z", D6_EDGES, 0, 36),
    8: Solid("M0-42L38-16V16L0 42L-38 16V-16Z", "M0-42L38 16H-38Z", "M-38 16L0 42L38 16", 0, 30),
    10: Solid("M0-42L42-8V8L0 42L-42 8V-8Z", D10_FACE, "M26 8H42M-26 8H-42M0 20V42", -5, 30),
    12: Solid(D12_OUTLINE, D12_FACE, D12_EDGES, 0, 30),
    20: Solid(D20_OUTLINE, "M0-31L29 18H-29Z", D20_EDGES, 4, 26),
}


def die(sides: int, shown: str, glow: str | None = None) -> Markup:
    """A die of 84 by 84 units around (0, 0), optionally with a coloured glow."""
    outline, face, edges, y, size = SOLIDS[sides]
    line = {"stroke": CARVED_COLOUR, "stroke_linejoin": "round"}
    return svg.group(
        svg.path(outline, fill="none", stroke=glow, stroke_width=9, stroke_linejoin="round"),
        svg.path(outline, fill=SHADE_COLOUR, stroke_width=2, **line),
        svg.path(face, fill=BONE_COLOUR),
        svg.path(face + edges, fill="none", stroke_width=1, stroke_opacity=0.6, **line),
        svg.centred_text(0, y, shown, size, fill=CARVED_COLOUR, font_weight="bold"),
    )


def stage(view: View, cards: CardPainter) -> Markup:
    """The picture for the current task."""
    kind = view.agenda[-1].kind if view.to_act else ""
    if not kind:
        parts = _laurel(view)
    elif kind == "vote" or (kind == "last_word" and opened_votes(view)):
        parts = _ballots(view, cards)
    elif kind == "last_word":
        parts = _tied_suits(view.agenda[-1].suits, cards)
    else:
        parts = _dice(view, view.agenda[-1].die)
    return svg.group(*parts)


def _dice(view: View, pending: int | None) -> Iterator[Markup]:
    """The die to be rolled or rolled last, large; the turn's earlier dice at its left."""
    past = list(view.rolled)
    if pending:
        large = _captioned(die(pending, "?", glow=GILT_COLOUR), f"d{pending}?")
        yield svg.thing(large, pick="type=roll", name=f"The d{pending}, to be rolled")
    elif past:
        last = past.pop()
        yield _captioned(die(last.die, str(last.number)), f"seat {last.seat}: d{last.die}")
    for place, roll in enumerate(past[-MAX_EARLIER_DICE:][::-1]):
        small = svg.transform(-47, -38 + 38 * place, die(roll.die, str(roll.number)), scale=0.42)
        yield svg.group(small, opacity=0.85)


def _captioned(large: Markup, name: str) -> Markup:
    caption = svg.centred_text(0, 55, name, 14, fill=TEXT_COLOUR)
    return svg.transform(22, -4, svg.transform(0, -6, large), caption)


def _ballots(view: View, cards: CardPainter) -> Iterator[Markup]:
    """A ballot for each seat: sealed when cast, open if all are or if it is the viewer's own."""
    columns = min(view.seats, 3)
    rows = (view.seats + 2) // 3
    for seat in range(view.seats):
        x = (seat % columns - (columns - 1) / 2) * 44
        y = (seat // columns - (rows - 1) / 2) * 54
        ballot = svg.group(*_ballot(view, cards, seat))
        if view.agenda[-1].kind == "last_word":
            suit = opened_votes(view)[seat]
            ballot = svg.thing(ballot, pick=f"suit={suit}", name=f"Seat {seat}'s vote for {suit}")
        yield svg.transform(x, y, ballot)


def _ballot(view: View, cards: CardPainter, seat: int) -> Iterator[Markup]:
    yield svg.centred_text(0, 21, str(seat), 13, fill=TEXT_COLOUR)
    is_open = view.agenda[-1].kind == "last_word"
    if not is_open and seat not in view.voted:
        look = {"fill": "none", "stroke": MUTED_TEXT_COLOUR, "stroke_dasharray": "3 3"}
        yield svg.rect(-18, -20, 36, 30, 3, **look)
        return
    yield svg.panel(Box(-18, -20, 36, 30), 3, fill=PAPER_COLOUR)
    vote = opened_votes(view)[seat] if is_open else view.vote if seat == view.seat else None
    if vote:
        yield cards.suit(vote[0].upper(), 0, -5)
    else:
        yield svg.path("M-18-20L0-4L18-20", fill="none", stroke="#b3a27c", stroke_width=1.5)
        yield svg.circle(0, -4, 6.5, fill="#a3202c", stroke="#6f121b")


def _tied_suits(tied: tuple[Suit, ...], cards: CardPainter) -> Iterator[Markup]:
    """The tied suits, of which the caller chooses one."""
    for place, suit in enumerate(tied):
        row = tied[place // 2 * 2 :][:2]
        x = (place % 2 - (len(row) - 1) / 2) * 54
        y = (place // 2 - (len(tied) - 1) // 2 / 2) * 52
        disc = svg.circle(x, y, 23, fill=PAPER_COLOUR)
        sign = cards.suit(suit[0].upper(), x, y, 1.35)
        yield svg.thing(disc, sign, pick=f"suit={suit}", name=suit.capitalize())


def _laurel(view: View) -> Iterator[Markup]:
    """A wreath around the winners."""
    leaf = svg.path("M0-40C7-46 7-56 0-62C-7-56-7-46 0-40Z")
    for turn in (side * (22 + 22 * step) for side in (-1, 1) for step in range(7)):
        yield svg.group(leaf, fill=GILT_COLOUR, transform=f"rotate({turn}) translate(0 8)")
    label = "Seat" if len(view.winners) == 1 else "Seats"
    names = " & ".join(str(seat) for seat in view.winners)
    size = 30 - 4 * min(len(view.winners) - 1, 4)
    yield svg.centred_text(0, -13, label, 14, fill=TEXT_COLOUR)
    yield svg.centred_text(0, 8, names, size, fill=TEXT_COLOUR, font_weight="bold")
