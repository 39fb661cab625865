"""The picture of the whole table as SVG: players, message and laws on the left, the tableau on the
right, the viewer's hand below."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tabularium_engines.common import seat_text, shapes_svg, svg
from tabularium_engines.common.english_text import pluralize
from tabularium_engines.common.shapes_svg import TALL_MARGIN, Plan, Shape
from tabularium_engines.common.svg import TEXT_COLOUR, Box, Markup
from tabularium_engines.duel_of_law import card_svg, plain_text, status_text, tableau_svg
from tabularium_engines.duel_of_law.card_svg import GOLD_COLOUR, CardPainter
from tabularium_engines.duel_of_law.news_text import player_name
from tabularium_engines.duel_of_law.view import View

MARGIN: Final = 22.0
TEXT_COLUMN_WIDTH: Final = 400.0  # players, message and laws
WOOD_COLOUR: Final = "#3b2a20"
FELT_COLOURS: Final = ("#33493f", "#22332c")
HAND_SCALE: Final = 0.95  # scale of the cards in the hand
TALL_HAND_SCALE: Final = 1.12  # below the tableau: four fit side by side in a column
LEGIBLE_SIZE: Final = 12.8  # of letters in a tall picture
MIN_TABLEAU_WIDTH: Final = 420.0
MIN_UPPER_HEIGHT: Final = 560.0  # of the part above the remaining laws and the hand
PANEL_HEIGHT: Final = 46.0  # of a player
PADDING: Final = 12.0
MUTED_TEXT_COLOUR: Final = "#b9c7bf"
PANEL_COLOUR: Final = "#1a2621"

Block = tuple[Markup, float]  # markup and its height


def draw_table(view: View) -> str:
    """The table as SVG, with the page of text as its description."""
    cards = CardPainter(svg.ID_PREFIX)
    return _picture(cards, plain_text.text(view), _wide_plan(view, cards))


def draw_in_shape(view: View, shape: Shape) -> str:
    """The table with everything below each other: in one column if it is tall, or in as many as
    make it square."""
    if shape == "wide":
        return draw_table(view)
    cards = CardPainter(svg.ID_PREFIX)
    if shape == "tall":
        plan = _stacked_plan(view, cards, 1, TALL_MARGIN)
    else:
        stacked = [_stacked_plan(view, cards, columns, MARGIN) for columns in (2, 3)]
        plan = shapes_svg.square_of([_wide_plan(view, cards), *stacked])
    return _picture(cards, plain_text.text(view), plan)


def _wide_plan(view: View, cards: CardPainter) -> Plan:
    """Players, message and laws beside the tableau, the remaining laws and the hand below."""
    laid_out = tableau_svg.TableauLayout(view)
    width = 3 * MARGIN + TEXT_COLUMN_WIDTH + max(laid_out.size[0], MIN_TABLEAU_WIDTH)
    beside, below, middle = _text_column(view, laid_out.size[1])
    laws, more = _law_columns(below, width - 2 * MARGIN)
    hand, bottom = _hand(view, cards, width - 2 * MARGIN)
    size = (width, 2 * MARGIN + middle + more + bottom)
    x = 2 * MARGIN + TEXT_COLUMN_WIDTH + max(0.0, MIN_TABLEAU_WIDTH - laid_out.size[0]) / 2
    parts = [
        svg.transform(MARGIN, MARGIN, *beside),
        svg.transform(x, MARGIN, tableau_svg.draw(view, laid_out, cards)),
        svg.transform(MARGIN, MARGIN + middle, *laws),
        svg.transform(MARGIN, MARGIN + middle + more + 26, *hand),
    ]
    return Plan(size, parts)


def _stacked_plan(view: View, cards: CardPainter, columns: int, margin: float) -> Plan:
    """Players, message, tableau, laws and hand below each other, all texts in columns."""
    inner = columns * (TEXT_COLUMN_WIDTH + MARGIN) - MARGIN
    legible = LEGIBLE_SIZE if columns == 1 else 0.0
    laid_out = tableau_svg.TableauLayout(view, (inner, tableau_svg.MAX_HEIGHT), legible)
    rows = -(-view.seats // columns)
    panels = [
        svg.transform(
            margin + seat // rows * (TEXT_COLUMN_WIDTH + MARGIN),
            margin,
            _panel(view, seat, seat % rows * (PANEL_HEIGHT + 8)),
        )
        for seat in range(view.seats)
    ]
    y = margin + rows * (PANEL_HEIGHT + 8)
    message, y = svg.stack(margin, y + 20, _message_paragraphs(view), inner - 24, 8)
    blocks = [_law_block(view, number) for number in range(len(view.tableau.branches))]
    laws, more = _law_columns(blocks, inner)
    below = y + laid_out.size[1]
    hand, bottom = _hand(view, cards, inner, TALL_HAND_SCALE)
    x = margin + (inner - laid_out.size[0]) / 2
    parts = [
        *panels,
        message,
        svg.transform(x, y, tableau_svg.draw(view, laid_out, cards)),
        svg.transform(margin, below, *laws),
        svg.transform(margin, below + more + 26, *hand),
    ]
    return Plan((inner + 2 * margin, below + more + bottom + 26), parts)


def _picture(cards: CardPainter, page: str, plan: Plan) -> str:
    """The planned table as a picture."""
    felt = f"{cards.prefix}-felt"
    return svg.picture_of_page(
        plan.size,
        page,
        svg.element("defs", svg.gradient(felt, *FELT_COLOURS)),
        cards.definitions(),
        svg.table_top(plan.size, WOOD_COLOUR, svg.gradient_fill(felt), 18, 7),
        *plan.parts,
    )


def _text_column(view: View, height: float) -> tuple[list[Markup], list[Block], float]:
    """Players, message and as many laws as fit beside the tableau; the remaining laws; and the
    height of this upper part."""
    parts: list[Markup] = []
    y = 0.0
    for seat in range(view.seats):
        parts.append(_panel(view, seat, y))
        y += PANEL_HEIGHT + 8
    for content, size, look in _message_paragraphs(view):
        lines = svg.wrap_text(content, size, TEXT_COLUMN_WIDTH - 24)
        parts.append(svg.paragraph(0, y + 1.2 * size, lines, size, **look))
        y += svg.LINE_SPACING * size * len(lines) + 8
    height = max(height, y, MIN_UPPER_HEIGHT)
    below = [_law_block(view, number) for number in range(len(view.tableau.branches))]
    while below and y + below[0][1] <= height:
        law, taken = below.pop(0)
        parts.append(svg.transform(0, y, law))
        y += taken
    return parts, below, height


def _panel(view: View, seat: int, y: float) -> Markup:
    """A player's panel, whose edge shines if the player is to act or has won."""
    is_marked = seat in view.to_act or seat in view.winners
    edge, stroke = (GOLD_COLOUR, 3) if is_marked else ("#4a5f55", 1)
    box = Box(0, y, TEXT_COLUMN_WIDTH, PANEL_HEIGHT)
    board = svg.panel(box, 9, fill=PANEL_COLOUR, stroke=edge, stroke_width=stroke)
    return svg.group(board, svg.transform(0, y, *_panel_parts(view, seat)))


def _panel_parts(view: View, seat: int) -> Iterator[Markup]:
    """A token, the name, the numbers of branches and cards, and a badge."""
    yield svg.transform(PADDING + 14, PANEL_HEIGHT / 2, tableau_svg.token(seat, 14))
    name = seat_text.marked_name(player_name(seat), seat == view.seat)
    yield svg.text(PADDING + 38, 29, name, 17, fill=TEXT_COLOUR, font_weight="bold")
    right = TEXT_COLUMN_WIDTH - PADDING
    if badge := "to act" if seat in view.to_act else "wins" if seat in view.winners else "":
        yield from svg.badge_row([(badge, GOLD_COLOUR)], right, 12.5, 8, LEGIBLE_SIZE)
        right -= svg.text_width(badge, LEGIBLE_SIZE) + 16
    branches = status_text.branches_text(view.owned[seat])
    has = f"{branches}, {pluralize(view.hand_sizes[seat], 'card')}"
    yield svg.text(right - 8, 28, has, 13, fill=MUTED_TEXT_COLOUR, text_anchor="end")
    start, end = PADDING + 38 + svg.bold_text_width(name, 17), right - 16 - len(has) * 8.2
    yield svg.name_slot(seat, start, 29, end, 14)


def _law_columns(blocks: list[Block], width: float) -> tuple[list[Markup], float]:
    """Blocks in columns of about the same height, and the height of the tallest column."""
    number = int((width + MARGIN) / (TEXT_COLUMN_WIDTH + MARGIN))
    fair = sum(height for _, height in blocks) / number
    parts, column, y, highest = [], 0, 0.0, 0.0
    for block, height in blocks:
        parts.append(svg.transform(column * (TEXT_COLUMN_WIDTH + MARGIN), y + 14, block))
        y += height
        highest = max(highest, y + 14)
        if y >= fair:
            column, y = column + 1, 0.0
    return parts, highest


def _message_paragraphs(view: View) -> Iterator[tuple[str, float, dict[str, str]]]:
    """The pending decision, the remarks, and the jokers."""
    yield status_text.headline(view), 17, {"fill": TEXT_COLOUR, "font_weight": "bold"}
    remarks = " ".join([*status_text.remarks(view), f"{pluralize(view.deck, 'card')} to draw."])
    yield remarks, 13, {"fill": MUTED_TEXT_COLOUR}
    for card, fixed in status_text.joker_texts(view.tableau):
        yield f"Joker {card}: {fixed}", 13, {"fill": TEXT_COLOUR, "font_style": "italic"}


def _law_block(view: View, number: int) -> Block:
    """The number, the tokens and the law of a branch, and the height of that."""
    branch = view.tableau.branches[number]
    x = 38.0
    lines = svg.wrap_text(status_text.law_text(branch), 14, TEXT_COLUMN_WIDTH - x)
    whose = f"{status_text.tokens_text(branch)} · level {len(branch.law)} · {branch.size} cards"
    if is_stolen := status_text.is_just_stolen(view, branch):
        whose += " · just stolen"
    mark = tableau_svg.token(branch.owner, 13, str(number + 1), is_stolen)
    height = 24 + svg.LINE_SPACING * 14 * len(lines) + 9
    return svg.group(
        svg.transform(16, 16, mark),
        svg.text(x, 14, whose, LEGIBLE_SIZE, fill=MUTED_TEXT_COLOUR),
        svg.paragraph(x, 32, lines, 14, fill=TEXT_COLOUR),
    ), height


def _hand(
    view: View, cards: CardPainter, width: float, scale: float = HAND_SCALE
) -> tuple[list[Markup], float]:
    """The viewer's cards, and the height that they take."""
    smallest = LEGIBLE_SIZE / scale if scale == TALL_HAND_SCALE else card_svg.NAME_SIZE
    if not view.hand:
        return [], 0
    right, down = card_svg.CARD_WIDTH * scale + 8, card_svg.CARD_HEIGHT * scale + 8
    across = max(1, int((width + 8) / right))
    parts = [svg.text(0, -6, "Your cards", 13, fill=MUTED_TEXT_COLOUR)]
    for place, card in enumerate(view.hand):
        x, y = place % across * right, place // across * down
        name = f"The card {card}, in your hand"
        face = svg.thing(cards.face(card, smallest=smallest), pick=f"card={card}", name=name)
        parts.append(svg.transform(x, y, face, scale=scale))
    return parts, -(-len(view.hand) // across) * down + 34
