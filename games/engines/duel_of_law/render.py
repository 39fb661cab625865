"""What does the table look like to one who sits at it or watches? As a page of text and a picture,
both made from a view alone."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap
from typing import Final

from games.engines.duel_of_law import captions, picture
from games.engines.duel_of_law.cards import (
    ALPHABET,
    CODES,
    COLOURS,
    DICE,
    LETTER,
    POKER,
    POKER_BY_SUIT,
    POKER_SIGNS,
    SHADE,
    SHADES,
    is_joker,
)
from games.engines.duel_of_law.news import line, player
from games.engines.duel_of_law.view import Branch, View

WIDTH: Final = 80
RULE: Final = "─" * WIDTH
CELL: Final = 6  # columns of text that a card takes
MARGIN: Final = 6
IN_A_ROW: Final = (WIDTH - MARGIN) // CELL
EMPTY: Final = ("  ·", "")
LEGEND: Final = (
    "A card: its number or suit and face, its letter; below, poker suit and dice suit. "
    "+ is a card that you have laid in this turn. Suits: "
)


def svg(view: View) -> str:
    """The view as a picture, with the text as its description."""
    return picture.draw(view, text(view))


def text(view: View) -> str:
    """The view as a page of plain text, 80 columns wide."""
    lines = [captions.title(view), RULE, *wrap(captions.headline(view), WIDTH)]
    lines += wrap(" ".join(captions.remarks(view)), WIDTH)
    lines += [_player(view, seat) for seat in range(view.seats)]
    lines += [f"Deck: {captions.plural(view.deck, 'card')}", RULE]
    lines += [*_tableau(view), RULE, *_branches(view), *_jokers(view), RULE]
    lines += [*wrap(LEGEND + suits(), WIDTH), *_hand(view)]
    return "\n".join(line.rstrip() for line in lines)


def suits() -> str:
    """What all cards of a suit have in common."""
    each = (
        f"{suit} {colour} {POKER_SIGNS[POKER_BY_SUIT[suit]]}{suit // 2 + 1}"
        for suit, colour in enumerate(COLOURS)
    )
    return ", ".join(each) + "."


def _player(view: View, seat: int) -> str:
    mark = "▶" if seat in view.to_act else "★" if seat in view.winners else " "
    you = " (you)" if seat == view.seat else ""
    owned = view.owned[seat]
    has = f"{owned} {'branch' if owned == 1 else 'branches'}"
    cards = captions.plural(view.hand_sizes[seat], "card")
    return f"{mark} {player(seat) + you + ':':14} {has:12} {cards}"


# -- the tableau ----------------------------------------------------------------------------------


def _tableau(view: View) -> Iterator[str]:
    """All rows and columns, as many beside each other as there is room for."""
    cards = view.tableau.cards
    rows = captions.positions(laid.row for laid in cards)
    columns = captions.positions(laid.column for laid in cards)
    cells = {(laid.row, laid.column): _card(view, laid.card) for laid in cards}
    every = sorted(columns, key=lambda column: columns[column])
    for first in range(0, len(every), IN_A_ROW):
        block = every[first : first + IN_A_ROW]
        yield " " * MARGIN + "".join(f"{column:<{CELL}}" for column in block)
        for row in sorted(rows, key=lambda row: rows[row]):
            drawn = [cells.get((row, column), EMPTY) for column in block]
            yield f"{row:>{MARGIN - 2}}  " + "".join(f"{upper:<{CELL}}" for upper, _ in drawn)
            yield " " * MARGIN + "".join(f"{lower:<{CELL}}" for _, lower in drawn)


def _card(view: View, card: str) -> tuple[str, str]:
    """A card in two lines."""
    number = CODES.index(card)
    mark = "+" if view.trial is not None and card in view.trial.laid else ""
    if is_joker(number):
        shade = SHADES[SHADE[number]]
        return f"{card}{mark}", f"{shade[:2]}{DICE[number]}"
    letter = ALPHABET[LETTER[number]]
    return f"{card}{letter}{mark}", f"{POKER_SIGNS[POKER[number]]}{DICE[number]}"


def _branches(view: View) -> Iterator[str]:
    if not view.tableau.branches:
        yield "No branches yet."
    for branch in view.tableau.branches:
        yield from wrap(_branch(branch), WIDTH, subsequent_indent="    ")


def _branch(branch: Branch) -> str:
    level = f"level {len(branch.law)} ({captions.tokens(branch)})"
    told = line(branch.axis, branch.row, branch.column).removeprefix("the line ")
    size = captions.plural(branch.size, "card")
    return f"{player(branch.owner)}: {size} {told}, {level}: {captions.law(branch)}"


def _jokers(view: View) -> Iterator[str]:
    for card, fixed in captions.jokers(view.tableau):
        yield from wrap(f"Joker {card}: {fixed}", WIDTH, subsequent_indent="    ")


def _hand(view: View) -> Iterator[str]:
    """The viewer's cards, two beside each other."""
    if not view.hand:
        return
    yield from (RULE, "Your cards:")
    shown = [captions.features(card) for card in view.hand]
    for first in range(0, len(shown), 2):
        yield "  " + "".join(f"{one:<39}" for one in shown[first : first + 2])
