"""The view of a table as a page of plain text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tabularium_engines.common import page_text, seat_text
from tabularium_engines.common.english_text import pluralize
from tabularium_engines.duel_of_law import cards as deck
from tabularium_engines.duel_of_law import status_text
from tabularium_engines.duel_of_law.news_text import TOKEN_COLOUR_NAMES, line_text, player_name
from tabularium_engines.duel_of_law.view import Branch, View

CELL_WIDTH: Final = 6  # columns of text for a card
MARGIN_WIDTH: Final = 6
CARDS_PER_ROW: Final = (page_text.PAGE_WIDTH - MARGIN_WIDTH) // CELL_WIDTH
EMPTY_CELL: Final = ("  ·   ", "      ")
LEGEND: Final = (
    "A card: its number or suit and face, its letter; below, poker suit and dice suit. "
    "+ is a card that you have laid in this turn. "
)
LAST_TURN_LEGEND: Final = "* is a card that was laid last. "


def text(view: View) -> str:
    """The view as a page of plain text, 80 columns wide."""
    title = seat_text.title("Duel of Law", view.seat, TOKEN_COLOUR_NAMES)
    head = status_text.headline(view), " ".join(status_text.remarks(view))
    lines = page_text.head_lines(title, "", *head)
    lines += [_player_line(view, seat) for seat in range(view.seats)]
    lines += [f"Deck: {pluralize(view.deck, 'card')}", page_text.HORIZONTAL_RULE]
    lines += [*_tableau_lines(view), page_text.HORIZONTAL_RULE]
    lines += [*_branch_lines(view), *_joker_lines(view), page_text.HORIZONTAL_RULE]
    legend = LEGEND + LAST_TURN_LEGEND * bool(status_text.last_laid(view)) + suits_legend()
    lines += [*page_text.paragraph(legend), *_hand_lines(view)]
    return page_text.page(lines)


def suits_legend() -> str:
    """The features that all cards of a suit have in common."""
    each = (
        f"{suit} {colour} {deck.POKER_SIGNS[deck.POKER_BY_SUIT[suit]]}{suit // 2 + 1}"
        for suit, colour in enumerate(deck.COLOUR_NAMES)
    )
    return f"Suits: {', '.join(each)}."


def _player_line(view: View, seat: int) -> str:
    mark = "▶" if seat in view.to_act else "★" if seat in view.winners else " "
    name = seat_text.marked_name(player_name(seat), seat == view.seat)
    has = status_text.branches_text(view.owned[seat])
    cards = pluralize(view.hand_sizes[seat], "card")
    return f"{mark} {name + ':':14} {has:12} {cards}"


def _tableau_lines(view: View) -> Iterator[str]:
    """All rows and columns, in blocks of as many columns as there is room for."""
    cards = view.tableau.cards
    rows = status_text.display_positions(laid.row for laid in cards)
    columns = status_text.display_positions(laid.column for laid in cards)
    cells = {(laid.row, laid.column): _card_cell(view, laid.card) for laid in cards}
    every = sorted(columns, key=lambda column: columns[column])
    for block in page_text.blocks(every, CARDS_PER_ROW):
        yield " " * MARGIN_WIDTH + "".join(f"{column:<{CELL_WIDTH}}" for column in block)
        for row in sorted(rows, key=lambda row: rows[row]):
            margin = (f"{row:>{MARGIN_WIDTH - 2}}  ", " " * MARGIN_WIDTH)
            shown = (cells.get((row, column), EMPTY_CELL) for column in block)
            yield from page_text.join_cells([margin, *shown])


def _card_cell(view: View, card: str) -> tuple[str, str]:
    """A card in two lines."""
    shown = status_text.print_of_card(card)
    is_new = view.trial is not None and card in view.trial.laid
    mark = "+" if is_new else "*" if card in status_text.last_laid(view) else ""
    suit = shown.poker_sign if shown.letter else deck.SHADE_NAMES[shown.shade][:2]
    face = f"{card}{shown.letter}{mark}"
    return f"{face:{CELL_WIDTH}}", f"{suit + str(shown.dice):{CELL_WIDTH}}"


def _branch_lines(view: View) -> Iterator[str]:
    if not view.tableau.branches:
        yield "No branches yet."
    for branch in view.tableau.branches:
        yield from page_text.paragraph(_branch_text(view, branch), indent="    ")


def _branch_text(view: View, branch: Branch) -> str:
    level = f"level {len(branch.law)} ({status_text.tokens_text(branch)})"
    if status_text.is_just_stolen(view, branch):
        level += ", just stolen"
    line = line_text(branch.axis, branch.row, branch.column).removeprefix("the line ")
    size = pluralize(branch.size, "card")
    return f"{player_name(branch.owner)}: {size} {line}, {level}: {status_text.law_text(branch)}"


def _joker_lines(view: View) -> Iterator[str]:
    for card, fixed in status_text.joker_texts(view.tableau):
        yield from page_text.paragraph(f"Joker {card}: {fixed}", indent="    ")


def _hand_lines(view: View) -> Iterator[str]:
    """The viewer's cards, two per line."""
    if not view.hand:
        return
    yield from (page_text.HORIZONTAL_RULE, "Your cards:")
    shown = [status_text.card_features_text(card) for card in view.hand]
    for pair in page_text.blocks(shown, 2):
        yield "  " + "".join(f"{one:<39}" for one in pair)
