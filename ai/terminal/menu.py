"""The menu of a person's legal actions at the terminal: its numbers and keys, its layout by card,
and the offers that a typed line means."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import groupby
from textwrap import wrap
from typing import Any, Final

from tabularium_engines.base import AnyEngine, State
from tabularium_engines.common.english_text import card_text
from tabularium_engines.common.playing_cards import CARD_CODES

RESERVED_KEYS: Final = "?hnsbqw"  # of the terminal itself
COLUMN_GAP: Final = 2
MAX_COLUMNS: Final = 4  # more are hard to read
NO_BREAK: Final = "\N{NO-BREAK SPACE}"  # within a cell of a wrapped row


@dataclass(frozen=True)
class Offer:
    """One legal action. Each has a number; an action without fields has a fixed key as well, and is
    listed by it."""

    number: int
    key: str
    action: Any
    document: Mapping[str, Any]  # the action's JSON
    label: str

    def __str__(self) -> str:
        return f"{self.key:>3}  {self.label}"

    @property
    def card(self) -> str:
        """The card that the action names, as its label writes it; "" for none."""
        code = str(self.document.get("card", ""))
        return card_text(code) if code in CARD_CODES else code


def build_menu(engine: AnyEngine, state: State, seat: int, codes: Iterable[int]) -> list[Offer]:
    """Some legal actions of a seat: those that name a card by card, then by kind, those with fixed
    keys last."""
    keys = fixed_keys(engine)
    offers = [_offer(engine, state, seat, code, keys) for code in codes]
    kinds = engine.about.actions
    cards = {card: place for place, card in enumerate(dict.fromkeys(o.card for o in offers))}
    is_by_card = _is_by_card(offers)
    offers.sort(
        key=lambda offer: (
            offer.key != "",
            cards[offer.card] if is_by_card and offer.card else len(cards),
            kinds.index(type(offer.action)),
        )
    )
    return [
        replace(offer, number=number, key=offer.key or str(number))
        for number, offer in enumerate(offers, start=1)
    ]


def _offer(
    engine: AnyEngine, state: State, seat: int, code: int, keys: Mapping[type[Any], str]
) -> Offer:
    """A legal action that has no number yet."""
    action, document = engine.decode(state, seat, code), engine.action_json(state, seat, code)
    label = engine.label(state, seat, code)
    return Offer(0, keys.get(type(action), ""), action, document, label)


def fixed_keys(engine: AnyEngine) -> dict[type[Any], str]:
    """A letter for each kind of action without fields, the same throughout a game: the first one in
    its name that is free."""
    keys: dict[type[Any], str] = {}
    for kind in engine.about.actions:
        if not fields(kind):
            taken = {*RESERVED_KEYS, *keys.values()}
            letters = (letter for letter in kind.kind if letter.isalpha())
            keys[kind] = next((letter for letter in letters if letter not in taken), "")
    return keys


# -- typed lines ----------------------------------------------------------------------------------


def offers_typed(menu: Sequence[Offer], line: str) -> list[Offer]:
    """The offers that a line means: by number or key, or by the beginning of a label or of the kind
    and the fields of an action."""
    line = " ".join(line.lower().split())
    exact = [offer for offer in menu if line == offer.key or line.lstrip("0") == str(offer.number)]
    if exact or not line or line.isdecimal():
        return exact
    spoken = f"{line} "
    return [
        offer
        for offer in menu
        if any(f"{words} ".startswith(spoken) for words in _spellings(offer))
    ]


def offers_wished(menu: Sequence[Offer], wish: Mapping[str, Any]) -> list[Offer]:
    """The offers whose JSON has these members."""
    return [offer for offer in menu if wish.items() <= offer.document.items()]


def offers_with(menu: Sequence[Offer], words: str) -> list[Offer]:
    """The offers that have these words, in this order, in one of their spellings."""
    spoken = f" {' '.join(words.lower().split())} "
    return [
        offer for offer in menu if any(spoken in f" {spelling} " for spelling in _spellings(offer))
    ]


def _spellings(offer: Offer) -> Iterator[str]:
    """The ways to type an action in full."""
    yield offer.label.lower().replace(":", "").replace(",", "")
    kind = str(offer.document["type"]).rpartition(".")[2]
    members = [value for name, value in offer.document.items() if name != "type"]
    values = [str(value) for value in members if value != ""]
    for name in (kind, kind.replace("_", " ")):
        yield " ".join([name, *values]).lower()
        if offer.card:
            yield " ".join([name, offer.card, *values[1:]]).lower()


# -- layout ---------------------------------------------------------------------------------------


def render_menu(menu: Sequence[Offer], width: int, is_cramped: bool = False) -> Iterator[str]:
    """The menu as text. In lines of some width the offers of a card share a line; else each kind of
    action is in as many columns as fit."""
    if width > 1 and _is_by_card(menu):
        by_card = [offer for offer in menu if offer.card]
        yield from _render_cards(by_card, width)
        menu = [offer for offer in menu if not offer.card]
    for _, group in groupby(menu, key=lambda offer: type(offer.action)):
        offers = [*group]
        cells = _folded_cells(offers) if is_cramped else [str(offer) for offer in offers]
        yield from _render_columns(cells, width)


def render_brief_menu(menu: Sequence[Offer], width: int) -> Iterator[str]:
    """The menu in few lines: the numbers of each card, and labels without consequences."""
    by_card = [offer for offer in menu if offer.card] if _is_by_card(menu) else []
    groups = [[*group] for _, group in groupby(by_card, key=lambda offer: offer.card)]
    cells = [f"{group[0].card}: {_keys_text(group)}".replace(" ", NO_BREAK) for group in groups]
    for line in wrap((" " * COLUMN_GAP).join(cells), width, break_on_hyphens=False):
        yield line.replace(NO_BREAK, " ")
    others = [
        replace(offer, label=offer.label.partition(": ")[0])
        for offer in menu
        if not (by_card and offer.card)
    ]
    for is_keyed, group in groupby(others, key=lambda offer: offer.key.isalpha()):
        offers = [*group]
        cells = [str(offer) for offer in offers] if is_keyed else _folded_cells(offers)
        yield from _render_columns(cells, width)


def example_word(menu: Sequence[Offer]) -> str:
    """A word of choices that the menu in brief has not in full: a card, or else the first word of a
    label; "" if there are none."""
    if _is_by_card(menu):
        return next(offer.card for offer in menu if offer.card)
    labels = (offer.label for offer in menu if ": " in offer.label)
    return next(labels, "").partition(" ")[0].lower()


def _keys_text(offers: Sequence[Offer]) -> str:
    """The keys of neighbours: "7–9"."""
    first, last = offers[0].key, offers[-1].key
    return first if first == last else f"{first}–{last}"


def _is_by_card(offers: Iterable[Offer]) -> bool:
    """Whether there are several cards, and several offers for one of them."""
    cards = [offer.card for offer in offers if offer.card]
    return 1 < len(set(cards)) < len(cards)


def _render_cards(offers: Sequence[Offer], width: int) -> Iterator[str]:
    """A line for each card: its name, then its offers, folded."""
    margin = max(len(offer.card) for offer in offers) + COLUMN_GAP
    for card, group in groupby(offers, key=lambda offer: offer.card):
        cells = [cell.strip().replace(" ", NO_BREAK) for cell in _folded_cells([*group], card)]
        row = wrap(
            (" " * COLUMN_GAP).join(cells),
            max(width - margin, margin),
            break_long_words=False,
            break_on_hyphens=False,
        )
        for number, text in enumerate(row):
            head = card if number == 0 else ""
            yield f"{head:{margin}}{text.replace(NO_BREAK, ' ')}"


def _render_columns(cells: list[str], width: int) -> Iterator[str]:
    """The cells in rows, each column as wide as its widest cell."""
    for count in range(min(MAX_COLUMNS, len(cells)), 0, -1):
        widths = [max(map(len, cells[column::count])) + COLUMN_GAP for column in range(count)]
        if sum(widths) - COLUMN_GAP <= width:
            break
    for first in range(0, len(cells), count):
        row = zip(cells[first : first + count], widths, strict=False)
        yield "".join(cell.ljust(cell_width) for cell, cell_width in row).rstrip()


# -- cells: "7–9  Make 2♠ law 1/2/3, on 20" --------------------------------------------------------


def _folded_cells(offers: list[Offer], card: str = "") -> list[str]:
    """Neighbours whose labels differ in the same single word, folded into one cell each; without
    the name of the card, where it follows the first word."""
    cells = []
    while offers:
        count = next((n for n in range(len(offers), 1, -1) if _is_foldable(offers[:n])), 1)
        cells.append(_folded_cell(offers[:count], card))
        offers = offers[count:]
    return cells


def _is_foldable(offers: Sequence[Offer]) -> bool:
    return (
        len({type(offer.action) for offer in offers}) == 1 and _differing_word(offers) is not None
    )


def _differing_word(offers: Sequence[Offer]) -> int | None:
    """The index of the one word in which the labels differ; None if they differ in more."""
    labels = [offer.label.split(" ") for offer in offers]
    if len({len(words) for words in labels}) > 1:
        return None
    columns = zip(*labels, strict=True)
    indexes = [place for place, words in enumerate(columns) if len(set(words)) > 1]
    return indexes[0] if len(indexes) == 1 else None


def _folded_cell(offers: Sequence[Offer], card: str) -> str:
    place = _differing_word(offers)
    words = offers[0].label.split(" ")
    keys = offers[0].key
    if place is not None:
        keys = _keys_text(offers)
        punctuation = words[place][-1] if words[place][-1:] in (",", ":", ";") else ""
        variants = [offer.label.split(" ")[place].removesuffix(punctuation) for offer in offers]
        words[place] = "/".join(variants) + punctuation
    if card and len(words) > 1 and words[1].rstrip(",:;") == card:
        words[0:2] = [words[0] + words[1].removeprefix(card)]
    return f"{keys:>6}  {' '.join(words)}"
