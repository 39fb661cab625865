"""How does the whole table look? The players, what the table waits for and the laws at the left,
the tableau at the right, the viewer's hand below."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from games.engines.common import svg
from games.engines.common.svg import Markup
from games.engines.duel_of_law import captions, card_svg, player_svg, tableau_svg
from games.engines.duel_of_law.card_svg import Cards
from games.engines.duel_of_law.player_svg import CREAM, MUTED
from games.engines.duel_of_law.view import View

MARGIN: Final = 22.0
LEFT: Final = 400.0  # the column of words
WOOD: Final = "#3b2a20"
FELT: Final = ("#33493f", "#22332c")
HAND: Final = 0.95  # how large the cards of the hand are
LEAST: Final = 420.0  # width of the tableau's part
LOWEST: Final = 560.0  # height of the upper part

Block = tuple[Markup, float]  # something, and how high it is


def draw(view: View, description: str) -> str:
    """The table as SVG."""
    prefix = svg.prefix_of(description)
    cards = Cards(prefix)
    laid_out = tableau_svg.plan(view)
    width = 3 * MARGIN + LEFT + max(laid_out.size[0], LEAST)
    beside, below, middle = _words(view, laid_out.size[1])
    laws, more = _columns(below, width - 2 * MARGIN)
    rows = _rows(view, width - 2 * MARGIN)
    hand = rows * (card_svg.HEIGHT * HAND + 8) + 34 if rows else 0
    size = (width, 2 * MARGIN + middle + more + hand)
    x = 2 * MARGIN + LEFT + max(0.0, LEAST - laid_out.size[0]) / 2
    return svg.document(
        size,
        prefix,
        captions.title(view),
        description,
        svg.element("defs", svg.gradient(f"{prefix}-felt", *FELT)),
        cards.definitions(),
        _table(size, prefix),
        svg.at(MARGIN, MARGIN, *beside),
        svg.at(x, MARGIN, tableau_svg.draw(view, laid_out, cards)),
        svg.at(MARGIN, MARGIN + middle, *laws),
        svg.at(MARGIN, MARGIN + middle + more + 26, *_hand(view, cards, width - 2 * MARGIN)),
    )


def _table(size: tuple[float, float], prefix: str) -> Markup:
    """The table top: felt in a wooden frame."""
    width, height = size
    wood = svg.rect(0, 0, width, height, 18, fill=WOOD)
    felt = svg.rect(7, 7, width - 14, height - 14, 13, fill=svg.paint(f"{prefix}-felt"))
    return svg.group(wood, felt)


# -- the column of words --------------------------------------------------------------------------


def _words(view: View, height: float) -> tuple[list[Markup], list[Block], float]:
    """Players, message and as many laws below each other as the tableau is high; the other laws;
    and how high the first ones are, or the tableau."""
    parts: list[Markup] = []
    y = 0.0
    for seat in range(view.seats):
        parts.append(player_svg.panel(view, seat, 0, y, LEFT))
        y += player_svg.HEIGHT + 8
    for content, size, look in _said(view):
        lines = svg.lines_of(content, size, LEFT - 24)
        parts.append(svg.paragraph(0, y + 1.2 * size, lines, size, **look))
        y += svg.LEADING * size * len(lines) + 8
    height = max(height, y, LOWEST)
    below = [_law(view, number) for number in range(len(view.tableau.branches))]
    while below and y + below[0][1] <= height:
        law, taken = below.pop(0)
        parts.append(svg.at(0, y, law))
        y += taken
    return parts, below, height


def _columns(blocks: list[Block], width: float) -> tuple[list[Markup], float]:
    """Blocks in columns of about the same height, and how high they are."""
    number = int((width + MARGIN) / (LEFT + MARGIN))
    fair = sum(height for _, height in blocks) / number
    parts, column, y, highest = [], 0, 0.0, 0.0
    for block, height in blocks:
        parts.append(svg.at(column * (LEFT + MARGIN), y + 14, block))
        y += height
        highest = max(highest, y + 14)
        if y >= fair:
            column, y = column + 1, 0.0
    return parts, highest


def _said(view: View) -> Iterator[tuple[str, float, dict[str, str]]]:
    """What the table waits for, and what is worth knowing."""
    yield captions.headline(view), 17, {"fill": CREAM, "font_weight": "bold"}
    remarks = " ".join([*captions.remarks(view), f"{captions.plural(view.deck, 'card')} to draw."])
    yield remarks, 13, {"fill": MUTED}
    for card, fixed in captions.jokers(view.tableau):
        yield f"Joker {card}: {fixed}", 13, {"fill": CREAM, "font_style": "italic"}


def _law(view: View, number: int) -> Block:
    """A branch's number, its tokens in words and its law; and how high that is."""
    branch = view.tableau.branches[number]
    x = 38.0
    lines = svg.lines_of(captions.law(branch), 14, LEFT - x)
    whose = f"{captions.tokens(branch)} · level {len(branch.law)} · {branch.size} cards"
    height = 24 + svg.LEADING * 14 * len(lines) + 9
    return svg.group(
        svg.at(16, 16, tableau_svg.token(branch.owner, 13, str(number + 1))),
        svg.text(x, 14, whose, 12, fill=MUTED),
        svg.paragraph(x, 32, lines, 14, fill=CREAM),
    ), height


# -- the hand -------------------------------------------------------------------------------------


def _in_a_row(width: float) -> int:
    return max(1, int((width + 8) / (card_svg.WIDTH * HAND + 8)))


def _rows(view: View, width: float) -> int:
    """How many rows the hand takes."""
    return -(-len(view.hand) // _in_a_row(width))


def _hand(view: View, cards: Cards, width: float) -> Iterator[Markup]:
    """The viewer's cards."""
    if view.hand:
        yield svg.text(0, -6, "Your cards", 13, fill=MUTED)
    across = _in_a_row(width)
    for place, card in enumerate(view.hand):
        x = place % across * (card_svg.WIDTH * HAND + 8)
        y = place // across * (card_svg.HEIGHT * HAND + 8)
        yield svg.at(x, y, cards.face(card), scale=HAND)
