"""A player's panel as SVG: name, Laws with their texts, and the hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from games.engines.common import playing_card_svg, svg
from games.engines.common.playing_card_svg import CardPainter
from games.engines.common.svg import Box, Markup
from games.engines.law import law_svg, piles_svg, status_text
from games.engines.law.news_text import player_name
from games.engines.law.view import Law, View

TEXT_COLOUR: Final = "#f7f0dd"
MUTED_TEXT_COLOUR: Final = "#b9c6d2"
GILT_COLOUR: Final = "#f2c14e"
PANEL_COLOUR: Final = "#121f2e"
EDGE_COLOUR: Final = "#47607a"

PADDING: Final = 12.0
HEADER_HEIGHT: Final = 40.0
SECTION_GAP: Final = 10.0
OWN_CARD_SCALE: Final = 0.78  # scale of the cards in the viewer's hand …
OTHER_CARD_SCALE: Final = 0.52  # … and in the other hands
MAX_TABLETS: Final = 8
TABLET_SIZE: Final = (11.0, 15.0)  # the small sign of a Law, won or still to be won


def panel_height(view: View, seat: int, width: float) -> float:
    """The height of a player's panel: all Laws and one row of cards."""
    *_, laws = law_svg.grid_size(len(view.laws[seat]), width - 2 * PADDING)
    return (
        HEADER_HEIGHT
        + laws
        + SECTION_GAP
        + _card_scale(view, seat) * playing_card_svg.CARD_HEIGHT
        + PADDING
    )


def panel(view: View, cards: CardPainter, seat: int, box: Box) -> Markup:
    """A player's panel, whose edge shines if the table waits for the player."""
    edge = GILT_COLOUR if seat in view.to_act else EDGE_COLOUR
    width = 3.5 if seat in view.to_act else 1
    board = svg.panel(box, 10, fill=PANEL_COLOUR, fill_opacity=0.8, stroke=edge, stroke_width=width)
    header = _header(view, seat, box.width)
    content = _laws(view, cards, seat, box.width), _hand(view, cards, seat, box)
    return svg.group(board, svg.transform(box.x, box.y, *header, *content))


def _card_scale(view: View, seat: int) -> float:
    return OWN_CARD_SCALE if seat == status_text.seat_order(view)[0] else OTHER_CARD_SCALE


# -- the header ---------------------------------------------------------------------------------


def _header(view: View, seat: int, width: float) -> Iterator[Markup]:
    """Name and Laws won on the left, the player's badges on the right."""
    name = player_name(seat) + (" (you)" if seat == view.seat else "")
    yield svg.text(PADDING, 26, name, 18, fill=TEXT_COLOUR, font_weight="bold")
    yield _law_tablets(view, seat, PADDING + svg.text_width(name, 18) + 14)
    right = width - PADDING
    for badge, colour in _badges(view, seat):
        size = svg.text_width(badge, 13) + 14
        right -= size
        yield svg.rect(right, 10, size, 21, 10.5, fill=colour)
        yield svg.centred_text(
            right + size / 2, 20.5, badge, 13, fill="#1c1607", font_weight="bold"
        )
        right -= 6


def _law_tablets(view: View, seat: int, x: float) -> Markup:
    """A golden tablet for each Law and an outline for each that is still needed, or their numbers
    if there are too many."""
    has, needs = len(view.laws[seat]), view.needed[seat]
    if max(has, needs) > MAX_TABLETS:
        return svg.text(x, 26, f"{has} of {needs} Laws", 14, fill=GILT_COLOUR)
    wide, high = TABLET_SIZE
    tablets = [
        svg.rect(x + n * (wide + 4), 13, wide, high, 2.5, **_tablet_style(n < has))
        for n in range(max(has, needs))
    ]
    return svg.group(*tablets)


def _tablet_style(is_won: bool) -> dict[str, str]:
    if is_won:
        return {"fill": GILT_COLOUR, "stroke": "#7d5a10"}
    return {"fill": "none", "stroke": MUTED_TEXT_COLOUR, "stroke_dasharray": "2.5 2.5"}


def _badges(view: View, seat: int) -> Iterator[tuple[str, str]]:
    """Short words about a player, each with a colour, from right to left."""
    if seat in view.winners:
        yield "wins", GILT_COLOUR
    if seat in view.to_act:
        yield "to act", GILT_COLOUR
    if seat == view.turn and view.to_act:
        yield "on turn", "#d8e2ef"
    if seat in status_text.answered_seats(view):
        yield "answered", "#a9cdf0"


# -- Laws and hand ------------------------------------------------------------------------------


def _laws(view: View, cards: CardPainter, seat: int, width: float) -> Markup:
    """All Laws of a player, in the order in which they were collected."""
    laws = view.laws[seat]
    in_row, wide, _ = law_svg.grid_size(len(laws), width - 2 * PADDING)
    plates = []
    for place, law in enumerate(laws):
        x = PADDING + place % in_row * (wide + law_svg.PLATE_GAP)
        y = HEADER_HEIGHT + place // in_row * (law_svg.PLATE_HEIGHT + law_svg.PLATE_GAP)
        plates.append(svg.transform(x, y, _plate(view, cards, law, wide)))
    if not laws:
        middle = HEADER_HEIGHT + law_svg.PLATE_HEIGHT / 2 + 5
        plates.append(
            svg.text(
                PADDING, middle, "No Laws yet", 14, fill=MUTED_TEXT_COLOUR, font_style="italic"
            )
        )
    return svg.group(*plates)


def _plate(view: View, cards: CardPainter, law: Law, width: float) -> Markup:
    text = status_text.law_text(view, law)
    if status_text.has_happened(law.card):
        return law_svg.spent_event_plate(cards, law.card, text, width)
    bound = "" if law.bound is None else f"{player_name(law.bound)} only"
    return law_svg.law_plate(cards, law.card, text, width, bound)


def _hand(view: View, cards: CardPainter, seat: int, box: Box) -> Markup:
    """Backs, then the cards that the viewer knows, overlapping as far as necessary."""
    scale = _card_scale(view, seat)
    card = playing_card_svg.CARD_WIDTH * scale
    drawn = _hand_cards(view, cards, seat, cards.face if scale == OWN_CARD_SCALE else cards.thumb)
    step = min(card + 4, (box.width - 2 * PADDING - card) / max(len(drawn) - 1, 1))
    row = (svg.transform(place * step, 0, one, scale=scale) for place, one in enumerate(drawn))
    return svg.transform(PADDING, box.height - PADDING - scale * playing_card_svg.CARD_HEIGHT, *row)


def _hand_cards(
    view: View, cards: CardPainter, seat: int, draw: Callable[[str], Markup]
) -> list[Markup]:
    seen = status_text.visible_hand(view, seat)
    faces = [draw(card) for card in seen]
    if seat != view.seat and view.to_act:
        faces = [piles_svg.seen_card(face) for face in faces]
    if seat == view.seat:
        faces = [
            svg.group(face, opacity=0.45 if card in view.chosen else None)
            for face, card in zip(faces, seen, strict=True)
        ]
    return [cards.back()] * (view.hand_sizes[seat] - len(seen)) + faces
