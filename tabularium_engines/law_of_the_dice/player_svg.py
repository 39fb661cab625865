"""A player's panel as SVG: name, points, law tablet and hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from tabularium_engines.common import playing_card_svg, seat_text, svg
from tabularium_engines.common.english_text import card_name, player_name, pluralize
from tabularium_engines.common.svg import GILT_COLOUR, TEXT_COLOUR, AttributeValue, Box, Markup
from tabularium_engines.law_of_the_dice import status_text
from tabularium_engines.law_of_the_dice.card_svg import PowerCardPainter as CardPainter
from tabularium_engines.law_of_the_dice.view import Law, Place, View, first_leg_winners

MUTED_TEXT_COLOUR: Final = "#c3cdbd"
PANEL_COLOUR: Final = "#142c26"
COIN_RADIUS: Final = 9.0

PADDING: Final = 12.0
HEADER_HEIGHT: Final = 36.0
NARROW_HEIGHT: Final = 260.0  # of a panel whose hand lies below the tablet …
WIDE_HEIGHT: Final = 206.0  # … and of one whose hand lies next to it
MIN_WIDE_WIDTH: Final = 500.0
WIDE_TABLET_SCALE: Final = 1.2
MIN_FACE_SCALE: Final = 0.7  # from here on cards in a hand are drawn in full

STONE_COLOURS: Final = ("#f1e9d8", "#cbbb98")
EDGE_COLOUR: Final = "#8d7a55"
ENGRAVED_COLOUR: Final = "#75633f"
BRONZE_COLOURS: Final = ("#95662c", "#6b4317")
QUEUE_COLOUR: Final = "#e08a00"
INK_COLOUR: Final = "#1c1607"
SLOT_NUMERALS: Final = ("I", "II", "III")

CARD_SCALE: Final = 0.6  # of the cards in the slots
CARD_WIDTH: Final = playing_card_svg.CARD_WIDTH * CARD_SCALE
CARD_HEIGHT: Final = playing_card_svg.CARD_HEIGHT * CARD_SCALE
SLOT_GAP: Final = 15.0
CARD_TOP: Final = 22.0
TOKEN_RADIUS: Final = 15.0
TABLET_WIDTH: Final = 3 * CARD_WIDTH + 4 * SLOT_GAP
TABLET_HEIGHT: Final = CARD_TOP + CARD_HEIGHT + 28


def definitions(prefix: str) -> Markup:
    """The colours of stone and bronze; include them once per picture, before the first tablet."""
    stone = svg.gradient(f"{prefix}-stone", *STONE_COLOURS)
    return svg.element("defs", stone, svg.gradient(f"{prefix}-bronze", *BRONZE_COLOURS))


def panel(view: View, cards: CardPainter, seat: int, box: Box) -> Markup:
    """A player's panel; its edge is highlighted if the player must act."""
    edge, thick = (GILT_COLOUR, 3.5) if seat in view.to_act else ("#3d5c50", 1)
    board = svg.panel(box, 10, fill=PANEL_COLOUR, fill_opacity=0.8, stroke=edge, stroke_width=thick)
    parts = _wide_parts if box.width > MIN_WIDE_WIDTH else _narrow_parts
    header = _header(view, seat, box.width)
    inside = svg.transform(box.x, box.y, *header, *parts(view, cards, seat, box))
    if seat == view.seat:
        return svg.group(board, inside)
    return svg.thing(board, inside, pick=f"seat={seat}", name=player_name(seat))


def _narrow_parts(view: View, cards: CardPainter, seat: int, box: Box) -> Iterator[Markup]:
    width = box.width
    side = PADDING + TABLET_WIDTH + 16
    yield svg.transform(PADDING, HEADER_HEIGHT, _tablet(view, cards, seat))
    yield _coins(view, seat, side, HEADER_HEIGHT + 16, width - side - PADDING)
    number = pluralize(view.hand_sizes[seat], "card")
    yield svg.text(side, HEADER_HEIGHT + 128, number, 15, fill=TEXT_COLOUR)
    top = HEADER_HEIGHT + TABLET_HEIGHT + 12
    area = Box(PADDING, top, width - 2 * PADDING, box.height - top - PADDING)
    yield _hand(view, cards, seat, area)


def _wide_parts(view: View, cards: CardPainter, seat: int, box: Box) -> Iterator[Markup]:
    width = box.width
    side = PADDING + TABLET_WIDTH * WIDE_TABLET_SCALE + 24
    tablet = _tablet(view, cards, seat)
    yield svg.transform(PADDING, HEADER_HEIGHT, tablet, scale=WIDE_TABLET_SCALE)
    yield _coins(view, seat, side, 20, 240)
    number = pluralize(view.hand_sizes[seat], "card")
    yield svg.text(side, HEADER_HEIGHT + 14, number, 14, fill=MUTED_TEXT_COLOUR)
    top = HEADER_HEIGHT + 36  # leaves room for the eyes above the cards
    area = Box(side, top, width - side - PADDING, WIDE_HEIGHT - top - PADDING)
    yield _hand(view, cards, seat, area)


def _header(view: View, seat: int, width: float) -> Iterator[Markup]:
    """The name at the left, badges at the right."""
    name = seat_text.marked_name(player_name(seat), seat == view.seat)
    yield svg.text(PADDING, 25, name, 18, fill=TEXT_COLOUR, font_weight="bold")
    badges = list(_badges(view, seat))
    yield from svg.badge_row(badges, width - PADDING, 9, 8)
    start = PADDING + svg.bold_text_width(name, 18)
    yield svg.name_slot(seat, start, 25, _name_end(view, badges, width), 15)


def _name_end(view: View, badges: list[tuple[str, str]], width: float) -> float:
    """Where the name of the player ends at most: before the badges, and in a wide panel before the
    coins."""
    end = width - PADDING - svg.badges_width(badges, 8) - 8
    side = PADDING + TABLET_WIDTH * WIDE_TABLET_SCALE + 24
    return min(end, side - 8) if width > MIN_WIDE_WIDTH else end


def _badges(view: View, seat: int) -> Iterator[tuple[str, str]]:
    """The badges of a player with their colours, from right to left."""
    if seat in view.winners:
        yield "wins", GILT_COLOUR
    if seat in view.to_act:
        yield "to act", GILT_COLOUR
    if seat == view.turn and view.to_act:
        yield "on turn", "#d8e2cf"
    if seat == view.caller:
        yield "called", "#f0a58f"
    if seat in view.voted:
        yield "voted", "#a9cdf0"
    if seat in first_leg_winners(view):
        yield "leg 1", "#e3d3a0"


def _coins(view: View, seat: int, x: float, y: float, width: float) -> Markup:
    """A coin for each point won and a ring for each still to win, in rows."""
    step = 2 * COIN_RADIUS + 5
    in_row = int((width + 5) // step)
    coins = (
        _coin(x + COIN_RADIUS + n % in_row * step, y + n // in_row * step, n < view.points[seat])
        for n in range(view.options.points_to_win)
    )
    return svg.group(*coins)


def _coin(x: float, y: float, is_won: bool) -> Markup:
    if not is_won:
        ring = {"fill": "none", "stroke": MUTED_TEXT_COLOUR, "stroke_dasharray": "2.5 2.5"}
        return svg.circle(x, y, COIN_RADIUS - 1, **ring)
    rim = svg.circle(x, y, COIN_RADIUS, fill=GILT_COLOUR, stroke="#7d5a10")
    return svg.group(rim, svg.circle(x, y, COIN_RADIUS - 3.5, fill="none", stroke="#9a7016"))


def _hand(view: View, cards: CardPainter, seat: int, area: Box) -> Markup:
    """Backs, then the cards that the viewer knows; those of other players are marked."""
    scale = area.height / playing_card_svg.CARD_HEIGHT
    draw = cards.face if scale >= MIN_FACE_SCALE else cards.thumb
    seen = seat_text.visible_hand(view, seat)
    faces = [_own_card(draw, card) if seat == view.seat else draw(card) for card in seen]
    backs = [cards.back()] * (view.hand_sizes[seat] - len(faces))
    if seat != view.seat and view.to_act:
        mark = svg.group(*playing_card_svg.seen_mark(GILT_COLOUR, 24, -5))
        faces = [svg.group(face, mark) for face in faces]
    row = playing_card_svg.card_row(backs + faces, area.width, scale)
    return svg.transform(area.x, area.y, *row)


def _own_card(draw: Callable[[str], Markup], card: str) -> Markup:
    return svg.thing(draw(card), pick=f"card={card}", name=f"{card_name(card)}, in your hand")


# -- the law tablet: a slab of stone with three slots, each with a card and a number --------------


def _tablet(view: View, cards: CardPainter, seat: int) -> Markup:
    """A player's three laws."""
    stone = svg.gradient_fill(f"{cards.prefix}-stone")
    slab = svg.panel(Box(0, 0, TABLET_WIDTH, TABLET_HEIGHT), 7, fill=stone)
    look = {"fill": "none", "stroke": EDGE_COLOUR, "stroke_opacity": "0.6"}
    bevel = svg.rect(3, 3, TABLET_WIDTH - 6, TABLET_HEIGHT - 6, 5, **look)
    return svg.group(slab, bevel, *(_slot(view, cards, Place(seat, n)) for n in (1, 2, 3)))


def _slot(view: View, cards: CardPainter, place: Place) -> Markup:
    law = view.laws[place.seat][place.slot - 1]
    x = SLOT_GAP + (place.slot - 1) * (CARD_WIDTH + SLOT_GAP)
    parts = *_niche(place.slot), *_law_parts(view, cards, place, law)
    if place.seat != view.seat:
        return svg.transform(x, 0, *parts)
    pick = f"slot={place.slot} other={place.slot}"
    return svg.transform(x, 0, svg.thing(*parts, pick=pick, name=_slot_name(place.slot, law)))


def _slot_name(slot: int, law: Law) -> str:
    number = f"number {law.number}" if law.number else "no number"
    return f"Your slot {slot}: {card_name(law.card) if law.card else 'no law'}, {number}"


def _niche(slot: int) -> Iterator[Markup]:
    """The engraved numeral over a card-sized hollow."""
    numeral, middle = SLOT_NUMERALS[slot - 1], CARD_WIDTH / 2
    letters = {"font_family": svg.SERIF_FONTS, "font_weight": "bold"}
    yield svg.centred_text(middle, 12.2, numeral, 13, fill=ENGRAVED_COLOUR, **letters)
    yield _frame(fill="#8a7751", fill_opacity=0.55)
    light = {"fill": "#fff", "fill_opacity": "0.25"}
    yield svg.rect(0, CARD_TOP + 1, CARD_WIDTH + 1, CARD_HEIGHT, 6, **light)


def _frame(**look: AttributeValue) -> Markup:
    """A rectangle slightly larger than the card in it."""
    return svg.rect(-1, CARD_TOP - 1, CARD_WIDTH + 2, CARD_HEIGHT + 2, 6, **look)


def _law_parts(view: View, cards: CardPainter, place: Place, law: Law) -> Iterator[Markup]:
    if law.card:
        is_spent = place in status_text.fired_places(view)
        face = svg.transform(0, CARD_TOP, cards.open_face(law.card), scale=CARD_SCALE)
        yield svg.group(face, opacity=0.45) if is_spent else face
    if place in view.waiting:  # highlighted, with its rank in the queue
        rank = str(view.waiting.index(place) + 1)
        yield _frame(fill="none", stroke=QUEUE_COLOUR, stroke_width=4)
        yield svg.circle(
            CARD_WIDTH, CARD_TOP, 10, fill=QUEUE_COLOUR, stroke="#fff", stroke_width=1.5
        )
        yield svg.centred_text(CARD_WIDTH, CARD_TOP, rank, 13, fill=INK_COLOUR, font_weight="bold")
    token = _number_token(cards.prefix, law.number)
    yield svg.transform(CARD_WIDTH / 2, CARD_TOP + CARD_HEIGHT + 7, *token)


def _number_token(prefix: str, number: int | None) -> Iterator[Markup]:
    """The number that triggers the law, or an empty hollow."""
    if number is None:
        hollow = {"fill": "#b5a379", "stroke": EDGE_COLOUR, "stroke_dasharray": "3 3"}
        yield svg.circle(0, 0, TOKEN_RADIUS - 2, **hollow)
        return
    bronze = svg.gradient_fill(f"{prefix}-bronze")
    yield svg.circle(0, 0, TOKEN_RADIUS, fill=bronze, stroke="#4c2f0f")
    yield svg.circle(0, 0, TOKEN_RADIUS - 1.5, fill="none", stroke="#e9c48a", stroke_opacity=0.7)
    yield svg.centred_text(0, 0, str(number), 15, fill="#fff6e0", font_weight="bold")
