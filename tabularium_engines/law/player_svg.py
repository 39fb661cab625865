"""A player's panel as SVG: name, Laws with their texts, and the hand. Laws that bind one player are
marked, and events that have happened are dimmed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import inf
from typing import Final, NamedTuple

from tabularium_engines.common import playing_card_svg, seat_text, svg
from tabularium_engines.common.english_text import card_name, player_name, pluralize
from tabularium_engines.common.playing_card_svg import GOLD_COLOUR, PAPER_COLOUR, CardPainter
from tabularium_engines.common.playing_cards import (
    CARD_CODES,
    RANK_SIGNS,
    SUIT_NAMES,
    rank_of,
    suit_of,
)
from tabularium_engines.common.svg import GILT_COLOUR, TEXT_COLOUR, Box, Markup
from tabularium_engines.law import status_text
from tabularium_engines.law.actions import STRAIGHT_STARTS
from tabularium_engines.law.view import Law, View

MUTED_TEXT_COLOUR: Final = "#b9c6d2"
PANEL_COLOUR: Final = "#121f2e"
EDGE_COLOUR: Final = "#47607a"

PADDING: Final = 12.0
HEADER_HEIGHT: Final = 40.0
NARROW_WIDTH: Final = 390.0  # a panel below it shows one state and the size of the hand
SECTION_GAP: Final = 10.0
OWN_CARD_SCALE: Final = 0.78  # scale of the cards in the viewer's hand …
OTHER_CARD_SCALE: Final = 0.52  # … and in the other hands
MAX_TABLETS: Final = 5
TABLET_SIZE: Final = (11.0, 15.0)  # the small sign of a Law, won or still to be won

PLATE_HEIGHT: Final = 62.0  # of a Law
PLATE_GAP: Final = 6.0
PLATE_PADDING: Final = 5.0
THUMB_SCALE: Final = 0.36
FONT_SIZES: Final = (13.0, 12.0, 11.0, 10.0)  # of the text of a Law; the largest that fits is used
SEAL_LINE_HEIGHT: Final = 16.0
INK_COLOUR: Final = "#2a2115"
STONE_COLOUR: Final = "#e9dfc6"
SPENT_COLOUR: Final = "#b9b4a2"
SEAL_COLOUR: Final = "#8c1d2f"


def panel_height(view: View, seat: int, width: float) -> float:
    """The height of a player's panel: all Laws and one row of cards."""
    *_, laws = grid_size(len(view.laws[seat]), width - 2 * PADDING)
    hand = _card_scale(view, seat) * playing_card_svg.CARD_HEIGHT
    return HEADER_HEIGHT + laws + SECTION_GAP + hand + PADDING


def panel(view: View, cards: CardPainter, seat: int, box: Box) -> Markup:
    """A player's panel, whose edge shines if the table waits for the player."""
    edge = GILT_COLOUR if seat in view.to_act else EDGE_COLOUR
    width = 3.5 if seat in view.to_act else 1
    board = svg.panel(box, 10, fill=PANEL_COLOUR, fill_opacity=0.8, stroke=edge, stroke_width=width)
    header = svg.transform(box.x, box.y, *_header(view, seat, box.width))
    content = _laws(view, cards, seat, box.width), _hand(view, cards, seat, box)
    back = svg.thing(board, header, pick=f"seat={seat}", name=player_name(seat))
    return svg.group(back, svg.transform(box.x, box.y, *content))


def _card_scale(view: View, seat: int) -> float:
    return OWN_CARD_SCALE if seat == (view.seat or 0) else OTHER_CARD_SCALE


def _header(view: View, seat: int, width: float) -> Iterator[Markup]:
    """Name and Laws won on the left, the player's badges on the right, as many as there is room
    for."""
    name = seat_text.marked_name(player_name(seat), seat == view.seat)
    yield svg.text(PADDING, 26, name, 18, fill=TEXT_COLOUR, font_weight="bold")
    x, is_narrow = PADDING + svg.text_width(name, 18) + 20, width < NARROW_WIDTH
    *state, size = _badges(view, seat)
    rows = [[*(state[:1] if is_narrow else state), size], [size]]
    counts = _law_tablets(view, seat, x), _law_numbers(view, seat, x, is_narrow)
    for badges, count in product(rows, counts):
        if count.end + 8 <= width - PADDING - svg.badges_width(badges, 7):
            break
    yield count.drawing
    yield from svg.badge_row(badges, width - PADDING, 10, 7)
    right = width - PADDING - svg.badges_width(badges, 7) - 8
    yield svg.name_slot(seat, count.end + 18, 26, right, 15)


class Count(NamedTuple):
    """The number of Laws as it is drawn, and where it ends."""

    drawing: Markup
    end: float


def _law_tablets(view: View, seat: int, x: float) -> Count:
    """A golden tablet for each Law and an outline for each that is still needed; without an end if
    they are too many."""
    has, most = len(view.laws[seat]), max(len(view.laws[seat]), view.needed[seat])
    wide, high = TABLET_SIZE
    tablets = [
        svg.rect(x + n * (wide + 4), 13, wide, high, 2.5, **_tablet_style(n < has))
        for n in range(most)
    ]
    end = x + most * (wide + 4) - 4 if most <= MAX_TABLETS else inf
    return Count(svg.group(*tablets), end)


def _law_numbers(view: View, seat: int, x: float, is_narrow: bool) -> Count:
    """The numbers of Laws that a player has and needs."""
    words = f"{len(view.laws[seat])} of {view.needed[seat]}{'' if is_narrow else ' Laws'}"
    drawing = svg.text(x, 26, words, 14, fill=GILT_COLOUR)
    return Count(drawing, x + svg.text_width(words, 14))


def _tablet_style(is_won: bool) -> dict[str, str]:
    if is_won:
        return {"fill": GILT_COLOUR, "stroke": "#7d5a10"}
    return {"fill": "none", "stroke": MUTED_TEXT_COLOUR, "stroke_dasharray": "2.5 2.5"}


def _badges(view: View, seat: int) -> Iterator[tuple[str, str]]:
    """Short words about a player, each with a colour, from right to left: the weightiest first, and
    the size of the hand last."""
    if seat in view.winners:
        yield "wins", GILT_COLOUR
    if seat in view.to_act:
        yield "to act", GILT_COLOUR
    if seat == view.turn and view.to_act:
        yield "on turn", "#d8e2ef"
    if seat in status_text.answered_seats(view):
        yield "answered", "#a9cdf0"
    yield pluralize(view.hand_sizes[seat], "card"), MUTED_TEXT_COLOUR


def _laws(view: View, cards: CardPainter, seat: int, width: float) -> Markup:
    """All Laws of a player, in the order in which they were collected."""
    laws = view.laws[seat]
    in_row, wide, _ = grid_size(len(laws), width - 2 * PADDING)
    plates = []
    for place, law in enumerate(laws):
        x = PADDING + place % in_row * (wide + PLATE_GAP)
        y = HEADER_HEIGHT + place // in_row * (PLATE_HEIGHT + PLATE_GAP)
        plate = _plate(view, cards, law, wide)
        name = f"{card_name(law.card)}, a Law of seat {seat}"
        plates.append(svg.transform(x, y, svg.thing(plate, pick=f"card={law.card}", name=name)))
    if not laws:
        middle = HEADER_HEIGHT + PLATE_HEIGHT / 2 + 5
        look = {"fill": MUTED_TEXT_COLOUR, "font_style": "italic"}
        plates.append(svg.text(PADDING, middle, "No Laws yet", 14, **look))
    return svg.group(*plates)


def _plate(view: View, cards: CardPainter, law: Law, width: float) -> Markup:
    text = status_text.law_text(view, law)
    bound = "" if law.bound is None else f"{player_name(law.bound)} only"
    return law_plate(cards, law.card, text, width, bound, status_text.has_happened(law.card))


def law_plate(
    cards: CardPainter, card: str, text: str, width: float, bound: str = "", is_spent: bool = False
) -> Markup:
    """A Law: a small card and its text; `bound` names the only player it binds, if there is one. A
    spent event counts as a Law, and does nothing more."""
    fill, edge = (SPENT_COLOUR, "#8d8875") if is_spent else (STONE_COLOUR, GOLD_COLOUR)
    stone = svg.rect(0, 0, width, PLATE_HEIGHT, 7, fill=fill, stroke=edge)
    thumb_top = (PLATE_HEIGHT - playing_card_svg.CARD_HEIGHT * THUMB_SCALE) / 2
    thumb = svg.transform(PLATE_PADDING, thumb_top, cards.thumb(card), scale=THUMB_SCALE)
    left = PLATE_PADDING + playing_card_svg.CARD_WIDTH * THUMB_SCALE + 8
    seal_height = SEAL_LINE_HEIGHT if bound else 0
    room = PLATE_HEIGHT - 2 * PLATE_PADDING + 4 - seal_height
    lines, size = fit_text(text, width - left - PLATE_PADDING, room)
    first = (PLATE_HEIGHT - svg.LINE_SPACING * size * len(lines) - seal_height) / 2 + size * 0.95
    content = [thumb, svg.paragraph(left, first, lines, size, fill=INK_COLOUR)]
    if bound:
        last = first + svg.LINE_SPACING * size * (len(lines) - 1)
        content.append(_seal(left, last + SEAL_LINE_HEIGHT, bound))
    return svg.group(stone, *content, opacity=0.85 if is_spent else None)


def fit_text(text: str, width: float, height: float) -> tuple[list[str], float]:
    """The text of a Law broken into lines, as large as fits, and its font size."""
    for size in FONT_SIZES:
        lines = svg.wrap_text(text, size, width)
        if svg.LINE_SPACING * size * len(lines) <= height:
            break
    return lines, size


def _seal(x: float, baseline: float, bound: str) -> Markup:
    """The mark of a Law that binds one player."""
    width = svg.text_width(bound, 12) + 14
    shape = svg.rect(x - 2, baseline - 11, width, 16, 8, fill=SEAL_COLOUR)
    words = svg.text(x + 5, baseline + 1, bound, 12, fill=PAPER_COLOUR, font_weight="bold")
    return svg.group(shape, words)


def grid_size(count: int, width: float) -> tuple[int, float, float]:
    """The grid for `count` Laws in a strip: Laws per row, width of each, height of all."""
    in_row = max(1, int((width + PLATE_GAP) // (250 + PLATE_GAP)))
    rows = max(1, -(-count // in_row))
    height = rows * (PLATE_HEIGHT + PLATE_GAP) - PLATE_GAP
    return in_row, (width + PLATE_GAP) / in_row - PLATE_GAP, height


def _hand(view: View, cards: CardPainter, seat: int, box: Box) -> Markup:
    """Backs, then the cards that the viewer knows, overlapping as far as necessary."""
    scale, seen = _card_scale(view, seat), seat_text.visible_hand(view, seat)
    draw = cards.face if scale == OWN_CARD_SCALE else cards.thumb
    drawn = [cards.back()] * (view.hand_sizes[seat] - len(seen))
    for card in status_text.cards_by_rank(seen):
        if seat == view.seat:
            face = svg.group(draw(card), opacity=0.45 if card in view.chosen else None)
            pick = f"card={card} {_bill_marks(card)}"
            drawn.append(svg.thing(face, pick=pick, name=f"{card_name(card)}, in your hand"))
        else:
            face = seen_card(draw(card)) if view.to_act else draw(card)
            name = f"{card_name(card)}, in the hand of seat {seat}"
            drawn.append(svg.thing(face, pick=f"card={card}", name=name))
    row = svg.group(*playing_card_svg.card_row(drawn, box.width - 2 * PADDING, scale))
    if drawn and not seen:
        row = svg.thing(row, pick=f"seat={seat}", name=f"The hand of seat {seat}")
    return svg.transform(PADDING, box.height - PADDING - scale * playing_card_svg.CARD_HEIGHT, row)


def _bill_marks(card: str) -> str:
    """The fields of Bills that a card of the hand may begin."""
    number = CARD_CODES.index(card)
    rank, suit = RANK_SIGNS[rank_of(number)], SUIT_NAMES[suit_of(number)]
    lowest = f" lowest={rank}" if rank in STRAIGHT_STARTS else ""
    return f"rank={rank}{lowest} suit={suit}"


def seen_card(face: Markup) -> Markup:
    """A hidden card that the viewer has seen, marked with an eye."""
    return svg.group(face, *playing_card_svg.seen_mark(GILT_COLOUR, 24, 112))
