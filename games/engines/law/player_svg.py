"""How does one player's part of the table look? Name, Laws with all they say, and the hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from games.engines.common import french_svg, svg
from games.engines.common.french_svg import Cards
from games.engines.common.svg import Box, Markup
from games.engines.law import captions, law_svg, piles_svg
from games.engines.law.news import player
from games.engines.law.view import Law, View

CREAM: Final = "#f7f0dd"
MUTED: Final = "#b9c6d2"
GILT: Final = "#f2c14e"
BOARD: Final = "#121f2e"
EDGE: Final = "#47607a"

PAD: Final = 12.0
HEADER: Final = 40.0
GAP: Final = 10.0
OWN: Final = 0.78  # how large the cards of the viewer's hand are …
OTHERS: Final = 0.52  # … and those of the others
MOST_TABLETS: Final = 8
TABLET: Final = (11.0, 15.0)  # the little sign of a Law, won or still to be won


def height(view: View, seat: int, width: float) -> float:
    """How high the panel of a player is: all Laws find room, and one row of cards."""
    *_, laws = law_svg.size(len(view.laws[seat]), width - 2 * PAD)
    return HEADER + laws + GAP + _scale(view, seat) * french_svg.HEIGHT + PAD


def panel(view: View, cards: Cards, seat: int, box: Box) -> Markup:
    """Everything a player has, on a board whose edge shines if the table waits for them."""
    edge = GILT if seat in view.to_act else EDGE
    width = 3.5 if seat in view.to_act else 1
    board = svg.panel(box, 10, fill=BOARD, fill_opacity=0.8, stroke=edge, stroke_width=width)
    header = _header(view, seat, box.width)
    content = _laws(view, cards, seat, box.width), _hand(view, cards, seat, box)
    return svg.group(board, svg.at(box.x, box.y, *header, *content))


def _scale(view: View, seat: int) -> float:
    return OWN if seat == captions.order(view)[0] else OTHERS


# -- the header ---------------------------------------------------------------------------------


def _header(view: View, seat: int, width: float) -> Iterator[Markup]:
    """Name and Laws won at the left, what is to be said of the player now at the right."""
    name = player(seat) + (" (you)" if seat == view.seat else "")
    yield svg.text(PAD, 26, name, 18, fill=CREAM, font_weight="bold")
    yield _won(view, seat, PAD + svg.width_of(name, 18) + 14)
    right = width - PAD
    for badge, colour in _badges(view, seat):
        size = svg.width_of(badge, 13) + 14
        right -= size
        yield svg.rect(right, 10, size, 21, 10.5, fill=colour)
        yield svg.centred(right + size / 2, 20.5, badge, 13, fill="#1c1607", font_weight="bold")
        right -= 6


def _won(view: View, seat: int, x: float) -> Markup:
    """A golden tablet for each Law, and an outline for each that is still needed; or, where these
    would be too many, their numbers."""
    has, needs = len(view.laws[seat]), view.needed[seat]
    if max(has, needs) > MOST_TABLETS:
        return svg.text(x, 26, f"{has} of {needs} Laws", 14, fill=GILT)
    wide, high = TABLET
    tablets = [
        svg.rect(x + n * (wide + 4), 13, wide, high, 2.5, **_look(n < has))
        for n in range(max(has, needs))
    ]
    return svg.group(*tablets)


def _look(is_won: bool) -> dict[str, str]:
    if is_won:
        return {"fill": GILT, "stroke": "#7d5a10"}
    return {"fill": "none", "stroke": MUTED, "stroke_dasharray": "2.5 2.5"}


def _badges(view: View, seat: int) -> Iterator[tuple[str, str]]:
    """Short words about a player, each with a colour, from right to left."""
    if seat in view.winners:
        yield "wins", GILT
    if seat in view.to_act:
        yield "to act", GILT
    if seat == view.turn and view.to_act:
        yield "on turn", "#d8e2ef"
    if seat in captions.answered(view):
        yield "answered", "#a9cdf0"


# -- Laws and hand ------------------------------------------------------------------------------


def _laws(view: View, cards: Cards, seat: int, width: float) -> Markup:
    """All Laws of a player, in the order in which they were collected."""
    laws = view.laws[seat]
    in_row, wide, _ = law_svg.size(len(laws), width - 2 * PAD)
    plates = []
    for place, law in enumerate(laws):
        x = PAD + place % in_row * (wide + law_svg.GAP)
        y = HEADER + place // in_row * (law_svg.HEIGHT + law_svg.GAP)
        plates.append(svg.at(x, y, _plate(view, cards, law, wide)))
    if not laws:
        middle = HEADER + law_svg.HEIGHT / 2 + 5
        plates.append(svg.text(PAD, middle, "No Laws yet", 14, fill=MUTED, font_style="italic"))
    return svg.group(*plates)


def _plate(view: View, cards: Cards, law: Law, width: float) -> Markup:
    text = captions.law_text(view, law)
    if captions.has_happened(law.card):
        return law_svg.spent(cards, law.card, text, width)
    bound = "" if law.bound is None else f"{player(law.bound)} only"
    return law_svg.plate(cards, law.card, text, width, bound)


def _hand(view: View, cards: Cards, seat: int, box: Box) -> Markup:
    """Backs, then the cards that the viewer knows, overlapping as far as they must."""
    scale = _scale(view, seat)
    card = french_svg.WIDTH * scale
    drawn = _hand_cards(view, cards, seat, cards.face if scale == OWN else cards.thumb)
    step = min(card + 4, (box.width - 2 * PAD - card) / max(len(drawn) - 1, 1))
    row = (svg.at(place * step, 0, one, scale=scale) for place, one in enumerate(drawn))
    return svg.at(PAD, box.height - PAD - scale * french_svg.HEIGHT, *row)


def _hand_cards(view: View, cards: Cards, seat: int, draw: Callable[[str], Markup]) -> list[Markup]:
    seen = captions.open_hand(view, seat)
    faces = [draw(card) for card in seen]
    if seat != view.seat and view.to_act:
        faces = [piles_svg.peeked(face) for face in faces]
    if seat == view.seat:
        faces = [
            svg.group(face, opacity=0.45 if card in view.chosen else None)
            for face, card in zip(faces, seen, strict=True)
        ]
    return [cards.back()] * (view.hand_sizes[seat] - len(seen)) + faces
