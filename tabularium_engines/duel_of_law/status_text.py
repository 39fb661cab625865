"""Status texts of the table, for the page of text and the picture: the headline with the pending
decision, remarks and ending."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from tabularium_engines.common.english_text import join_words, pluralize
from tabularium_engines.duel_of_law import cards as deck
from tabularium_engines.duel_of_law.laws import clause_text
from tabularium_engines.duel_of_law.news_text import line_text, player_name
from tabularium_engines.duel_of_law.view import (
    Branch,
    Open,
    Tableau,
    View,
    clause_code,
    last_turn_of,
)

ALWAYS_PRINTED_FEATURES: Final = ("dice", "shade")  # even on jokers
MAX_LISTED_VALUES: Final = 10


def headline(view: View) -> str:
    """The decision that the table waits for, or how the game ended."""
    if not view.to_act:
        return ending(view)
    name, trial = player_name(view.turn), view.trial
    if trial is None or not trial.laid:
        choice = "draws six" if view.deck else "passes"
        return f"{name} lays cards or {choice}."
    if not trial.questions:
        then = "lays another card" if trial.is_laying else "lays another card or finishes"
        return f"{name} has laid {join_words(trial.laid)}, and {then}."
    asked = trial.questions[0]
    place = line_text(asked.axis, asked.row, asked.column)
    line = (asked.axis, asked.row, asked.column)
    owners = [one.owner for one in view.tableau.branches if (one.axis, one.row, one.column) == line]
    if owners:
        return f"{name} may narrow the law of {place}, which is {player_name(owners[0])}'s."
    return f"{name} has to give {place} a law."


def ending(view: View) -> str:
    """The winners, and how they won."""
    names = join_words(player_name(seat) for seat in view.winners)
    most = branches_text(view.owned[view.winners[0]])
    if view.ending == "lead":
        others = [owned for seat, owned in enumerate(view.owned) if seat not in view.winners]
        return f"{names} wins with {most}, nobody else having more than {max(others)}."
    verb = "share the victory" if len(view.winners) > 1 else "wins"
    return f"All have passed: {names} {verb} with {most}."


def branches_text(number: int) -> str:
    """ "1 branch", "2 branches"."""
    return f"{number} {'branch' if number == 1 else 'branches'}"


def remarks(view: View) -> list[str]:
    """Further remarks, a sentence each."""
    found = ["A hand has been empty: who is two branches ahead wins."] if view.is_open else []
    if last := last_turn_of(view):
        found.append(f"{player_name(last.seat)} laid {join_words(last.laid)} last.")
    if view.to_act and view.passes:
        found.append(f"Passes in succession: {view.passes} of {view.seats}.")
    if view.trial is not None and view.trial.taken_back:
        times = pluralize(view.trial.taken_back, "time")
        found.append(f"You have taken back {times} in this turn.")
    return found


def last_laid(view: View) -> tuple[str, ...]:
    """The cards of the last turn that laid any."""
    last = last_turn_of(view)
    return last.laid if last else ()


def is_just_stolen(view: View, branch: Branch) -> bool:
    """Whether the last turn that laid cards took over this branch."""
    last = last_turn_of(view)
    lines = [(line.axis, line.row, line.column) for line in last.stolen] if last else []
    return (branch.axis, branch.row, branch.column) in lines


@dataclass(frozen=True)
class CardPrint:
    """The features shown on a card; of a joker, those that are certain."""

    corner: str
    letter: str
    value: str
    poker: str
    dice: int
    colour: str  # "" on a joker that may have any
    name: str
    shade: int

    @property
    def poker_sign(self) -> str:
        """The sign of the poker suit."""
        return deck.POKER_SIGNS[deck.POKER_SUITS.index(self.poker)]


def print_of_card(card: str) -> CardPrint:
    """The features printed on a card."""
    number = deck.CARD_CODES.index(card)
    shade, dice = int(deck.SHADE_BY_CARD[number]), int(deck.DIE_BY_CARD[number])
    if deck.is_joker(number):
        return CardPrint(card, "", "", "", dice, "", f"{deck.SHADE_NAMES[shade]} joker", shade)
    letter, colour = int(deck.LETTER_BY_CARD[number]), deck.COLOUR_NAMES[deck.SUIT_BY_CARD[number]]
    poker = deck.POKER_SUITS[deck.POKER_SUIT_BY_CARD[number]]
    value = str(deck.VALUE_BY_LETTER[letter])
    return CardPrint(card, deck.ALPHABET[letter], value, poker, dice, colour, colour, shade)


def card_features_text(card: str) -> str:
    """All that is printed on a card: "07 red A1 ♠ die 1"."""
    shown = print_of_card(card)
    if not shown.letter:
        return f"{card} joker, {deck.SHADE_NAMES[shown.shade]}, die {shown.dice}"
    letter = f"{shown.letter}{shown.value}"
    return f"{card} {shown.colour} {letter} {shown.poker_sign} die {shown.dice}"


def law_text(branch: Branch) -> str:
    """A law in words, one clause after the other."""
    return "; ".join(clause_text.clause_sentence(clause_code(clause)) for clause in branch.law)


def tokens_text(branch: Branch) -> str:
    """The stack of a branch, from the top down."""
    return ", ".join(player_name(clause.seat) for clause in reversed(branch.law))


def joker_texts(shown: Tableau) -> Iterator[tuple[str, str]]:
    """Each joker on the tableau, and the features fixed so far."""
    for joker in shown.jokers:
        fixed = (one for one in joker.is_now if one.feature not in ALWAYS_PRINTED_FEATURES)
        yield joker.card, ", ".join(map(_open_values_text, fixed)) or "still open"


def _open_values_text(one: Open) -> str:
    """The values that a joker may still have in one respect."""
    feature = one.feature.replace("_", " ")
    if len(one.values) > MAX_LISTED_VALUES:
        return f"{feature} one of {len(one.values)}"
    return f"{feature} {'/'.join(one.values)}"


def display_positions(coordinates: Iterable[int]) -> dict[int, int]:
    """The positions of rows or columns in the order in which they lie, from 0; a tableau may reach
    over the seam between 127 and -128."""  # R40
    used = set(coordinates)
    first = next(n for n in sorted(used) if (n - 1 + 128) % 256 - 128 not in used)
    return {number: (number - first) % 256 for number in used}
