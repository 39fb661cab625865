"""The picture of the whole table as SVG: the panels of both players at the left, the viewer's
below, with the draw pile and the status between them; the board at the right."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tabularium_engines.common import seat_text, shapes_svg, svg
from tabularium_engines.common.shapes_svg import TALL_MARGIN, TALL_WIDTH, Plan, Shape
from tabularium_engines.common.svg import TEXT_COLOUR, Box, Markup
from tabularium_engines.duality import board_svg, card_svg, plain_text, status_text
from tabularium_engines.duality.card_svg import LabelStyle
from tabularium_engines.duality.news_text import PLAYER_NAMES
from tabularium_engines.duality.view import View

MARGIN: Final = 22.0
MIN_MIDDLE_HEIGHT: Final = 176.0  # between both players
STATUS_HEIGHT: Final = 140.0  # of the pile and the status below the board
WOOD_COLOUR: Final = "#3a2a1d"
SLATE_COLOURS: Final = ("#2f4149", "#22313a")
PILE_SCALE: Final = 0.62
PANEL_WIDTH: Final = 330.0
PANEL_HEIGHT: Final = 122.0
PADDING: Final = 14.0
SMALL_SIZE: Final = 12.4  # of the smallest letters beside the board
CARD_GAP: Final = 8.0
MUTED_TEXT_COLOUR: Final = "#b9c2c9"
PANEL_COLOUR: Final = "#1b262d"


def draw_table(view: View) -> str:
    """The table as SVG, with the page of text as its description."""
    laid_out = board_svg.BoardLayout(view)
    return _picture(view, _wide_plan(view, laid_out))


def draw_in_shape(view: View, shape: Shape) -> str:
    """The table with the board between both players: upended if it is tall, and in whichever way is
    the squarest."""
    if shape == "wide":
        return draw_table(view)
    if shape == "tall":
        room = TALL_WIDTH - 2 * TALL_MARGIN
        return _picture(view, _stacked_plan(view, board_svg.BoardLayout(view, room, True), room))
    level, upended = board_svg.BoardLayout(view), board_svg.BoardLayout(view, is_upended=True)
    plans = [_wide_plan(view, upended), _stacked_plan(view, level, 2 * PANEL_WIDTH + MARGIN)]
    return _picture(view, shapes_svg.square_of(plans))


def _wide_plan(view: View, laid_out: board_svg.BoardLayout) -> Plan:
    """The players at the left of the board."""
    width, height = laid_out.size
    inner = max(height, 2 * PANEL_HEIGHT + MIN_MIDDLE_HEIGHT)
    left = 2 * MARGIN + PANEL_WIDTH
    size = (left + width + MARGIN, inner + 2 * MARGIN)
    lower = MARGIN + inner - PANEL_HEIGHT
    far, near = status_text.seats_from_far(view)
    parts = [
        _panel(view, far, MARGIN, MARGIN),
        _panel(view, near, MARGIN, lower),
        svg.transform(MARGIN + 4, (MARGIN + PANEL_HEIGHT + lower) / 2, *_middle(view)),
        svg.transform(left, MARGIN + (inner - height) / 2, board_svg.draw(view, laid_out)),
    ]
    return Plan(size, parts)


def _stacked_plan(view: View, laid_out: board_svg.BoardLayout, least: float) -> Plan:
    """The players, the pile and the status above and below the board, in at least this width."""
    far, near = status_text.seats_from_far(view)
    width, height = laid_out.size
    inner, x = max(width, least), TALL_MARGIN
    board = svg.transform(x + (inner - width) / 2, x, board_svg.draw(view, laid_out))
    top = PANEL_HEIGHT + x
    middle = x + top + height + STATUS_HEIGHT / 2
    lower = middle + STATUS_HEIGHT / 2
    parts = [
        _panel(view, far, x, x, "large"),
        svg.transform(0, top, board),
        svg.transform(x + 4, middle, *_middle(view, inner - TALL_MARGIN)),
        _panel(view, near, x, lower, "large"),
    ]
    return Plan((inner + 2 * x, lower + PANEL_HEIGHT + x), parts)


def _picture(view: View, plan: Plan) -> str:
    """The planned table as a picture."""
    slate = f"{svg.ID_PREFIX}-slate"
    return svg.picture_of_page(
        plan.size,
        plain_text.text(view),
        svg.element("defs", svg.gradient(slate, *SLATE_COLOURS)),
        svg.table_top(plan.size, WOOD_COLOUR, svg.gradient_fill(slate), 18, 7),
        *plan.parts,
    )


def _middle(view: View, room: float = PANEL_WIDTH) -> Iterator[Markup]:
    """The draw pile, drawn to its thickness, and the status at its right, around y = 0."""
    thick = (view.draw_pile + 7) // 8
    for layer in range(thick):
        yield svg.transform(2 * layer, -24 - 2.5 * layer, card_svg.back(), scale=PILE_SCALE)
    if not thick:
        width, height = card_svg.CARD_WIDTH * PILE_SCALE, card_svg.CARD_HEIGHT * PILE_SCALE
        hollow = svg.rect(0, -24, width, height, 5, fill="none")
        yield svg.group(hollow, stroke=MUTED_TEXT_COLOUR, stroke_dasharray="4 4")
    yield svg.text(0, 34, f"{view.draw_pile} to draw", 13, fill=MUTED_TEXT_COLOUR)
    yield _message(view, 92, room - 96)


def _message(view: View, x: float, width: float) -> Markup:
    """The headline, with the remarks and the variant below."""
    paragraphs = (
        (status_text.headline(view), 16, {"fill": TEXT_COLOUR, "font_weight": "bold"}),
        (" ".join(status_text.remarks(view)), 13, {"fill": TEXT_COLOUR}),
        (
            status_text.variant_text(view),
            SMALL_SIZE,
            {"fill": MUTED_TEXT_COLOUR, "font_style": "italic"},
        ),
    )
    _, height = svg.stack(x, 0, paragraphs, width, 3)
    return svg.stack(x, 12 - height / 2, paragraphs, width, 3)[0]


# -- players ------------------------------------------------------------------------------------


def _panel(view: View, seat: int, x: float, y: float, labels: LabelStyle = "small") -> Markup:
    """A player's panel; its edge is highlighted if the player must act or has won."""
    is_marked = seat in view.to_act or seat in view.winners
    edge, width = (card_svg.GOLD_COLOUR, 3) if is_marked else ("#4b5a64", 1)
    box = Box(x, y, PANEL_WIDTH, PANEL_HEIGHT)
    board = svg.panel(box, 10, fill=PANEL_COLOUR, stroke=edge, stroke_width=width)
    return svg.group(
        board, svg.transform(x, y, *_panel_header(view, seat), *_hand(view, seat, labels))
    )


def _panel_header(view: View, seat: int) -> Iterator[Markup]:
    """A stone in the player's colour, the name, a badge and the longest path."""
    colour, edge = card_svg.LINE_COLOURS[seat], card_svg.STRIPE_COLOURS[seat]
    yield svg.circle(PADDING + 9, 22, 9, fill=colour, stroke=edge, stroke_width=2.5)
    name = seat_text.marked_name(PLAYER_NAMES[seat], seat == view.seat)
    yield svg.text(PADDING + 26, 28, name, 17, fill=TEXT_COLOUR, font_weight="bold")
    right = PANEL_WIDTH - PADDING
    if badge := _badge(view, seat):
        yield from svg.badge_row([(badge, card_svg.GOLD_COLOUR)], right, 11, 8, SMALL_SIZE)
        right -= svg.text_width(badge, SMALL_SIZE) + 16
    longest = f"path {view.longest[seat]}"
    yield svg.text(right - 8, 27, longest, 13, fill=MUTED_TEXT_COLOUR, text_anchor="end")
    start, end = PADDING + 26 + svg.bold_text_width(name, 17), right - 16 - len(longest) * 9
    yield svg.name_slot(seat, start, 28, end, 14)


def _badge(view: View, seat: int) -> str:
    if seat in view.to_act:
        return "to act"
    if seat in view.winners:
        return "wins" if len(view.winners) == 1 else "level"
    return ""


def _hand(view: View, seat: int, labels: LabelStyle) -> Iterator[Markup]:
    """The cards that the viewer knows, framed in hands of others; then backs."""
    seen = status_text.visible_hand(view, seat)
    for number in range(view.hand_sizes[seat]):
        is_seen = number < len(seen)
        drawn = [_seen_card(view, seen[number], labels) if is_seen else card_svg.back()]
        if is_seen and seat != view.seat and view.to_act:  # all players saw it going into the hand
            look = {"fill": "none", "stroke": card_svg.GOLD_COLOUR}
            drawn.append(card_svg.frame(0, 0, 1.5, **look, stroke_width=3))
        if is_seen and seat == view.seat:
            card = seen[number]
            drawn = [svg.thing(*drawn, pick=f"card={card}", name=f"{card}, in your hand")]
        x = PADDING + number * (card_svg.CARD_WIDTH + CARD_GAP - 1)
        yield svg.transform(x, 46, *drawn)
    if not view.hand_sizes[seat]:
        yield svg.text(PADDING, 84, "no cards", 14, fill=MUTED_TEXT_COLOUR, font_style="italic")


def _seen_card(view: View, card: str, labels: LabelStyle) -> Markup:
    """A card in a hand, as it would lie if it were not turned."""
    is_turned = status_text.is_turned(view)
    return card_svg.face(card, False, is_seen_turned=is_turned, labels=labels)
