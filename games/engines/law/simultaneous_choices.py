"""Simultaneous choices of several seats: no seat learns another's choice before all are in."""

from __future__ import annotations

from typing import Any

from mypy_extensions import i64

from games.engines.common.agenda import kind_of, seat_of, subject_of
from games.engines.common.bits import bit, count, members
from games.engines.common.playing_cards import card_code
from games.engines.law.action_numbers import (
    TASK_CONTRIBUTE,
    TASK_RETURN,
    TASK_SWAP,
    number_of,
    other_of,
)
from games.engines.law.card_moves import LawTable


def is_sealed(kind: i64) -> bool:
    """Whether several seats answer this kind of task at the same time."""
    return kind in (TASK_SWAP, TASK_CONTRIBUTE, TASK_RETURN)


def offered_cards(table: LawTable, seat: i64, kind: i64) -> i64:
    """The cards from which a seat chooses."""
    return table.laws[seat] if kind == TASK_RETURN else table.hands[seat]


def cards_to_choose(table: LawTable, seat: i64, task: i64) -> i64:
    """The number of cards that a seat has to choose."""
    kind = kind_of(task)
    number = number_of(subject_of(task))
    if kind != TASK_SWAP:
        return min(number, count(offered_cards(table, seat, kind)))
    one = seat_of(task)
    other = other_of(subject_of(task))
    if seat not in (one, other):
        return 0
    return min(number, count(table.hands[one]), count(table.hands[other]))  # R32


def awaited_seats(table: LawTable, task: i64) -> i64:
    """The seats that have a choice and have not made it."""
    waiting: i64 = 0
    for seat in range(table.seats):
        wanted = cards_to_choose(table, seat, task)
        if count(offered_cards(table, seat, kind_of(task))) > wanted > count(table.chosen[seat]):
            waiting |= bit(seat)
    return waiting


def final_choice(table: LawTable, seat: i64, task: i64) -> i64:
    """The cards that a seat has chosen, or all it has if that is not enough to choose from."""
    cards = offered_cards(table, seat, kind_of(task))
    return cards if count(cards) <= cards_to_choose(table, seat, task) else table.chosen[seat]


def add_choice(table: LawTable, seat: i64, card: i64) -> None:
    """Add one card to a sealed choice."""
    table.chosen[seat] = table.chosen[seat] | bit(card)


def apply_choices(table: LawTable, task: i64) -> None:
    """Apply all choices at the same time."""
    choices = [final_choice(table, seat, task) for seat in range(table.seats)]
    for seat in range(table.seats):
        table.chosen[seat] = 0
    kind = kind_of(task)
    if kind == TASK_SWAP:
        one = seat_of(task)
        swap_cards(table, one, other_of(subject_of(task)), choices)
    elif kind == TASK_CONTRIBUTE:
        for seat in range(table.seats):
            if choices[seat] != 0:
                contribute_cards(table, seat, choices[seat])
    else:
        return_laws(table, choices)


def swap_cards(table: LawTable, one: i64, other: i64, choices: list[i64]) -> None:
    """Swap cards between two players, unseen by the others unless a hand is open."""
    gave = choices[one]
    got = choices[other]
    if table.is_recording_news and gave != 0:
        facts: dict[str, Any] = {"with": int(other), "count": int(count(gave))}
        secrets = {"gave": card_codes(gave), "got": card_codes(got)}
        table.add_news("swapped", one, facts, secrets, table.transfer_viewers(one, other))
    table.exchange_cards(one, other, gave, got)


def contribute_cards(table: LawTable, seat: i64, cards: i64) -> None:
    """Put a player's cards into the empty draw pile, face down."""
    seen_by = table.transfer_viewers(seat, seat)
    if table.is_recording_news:
        facts: dict[str, Any] = {"count": int(count(cards))}
        secrets = {"cards": card_codes(cards)}
        table.add_news("contributed", seat, facts, secrets, seen_by)
    table.lose_sight(table.hands[seat], cards, seen_by)
    table.hands[seat] = table.hands[seat] & ~cards
    table.pile |= cards
    table.learn(seen_by, cards)


def return_laws(table: LawTable, choices: list[i64]) -> None:
    """Return Laws to the draw pile, all together."""
    together: i64 = 0
    for seat in range(table.seats):
        together |= choices[seat]
        if table.is_recording_news and choices[seat] != 0:
            table.add_news("returned", seat, {"laws": card_codes(choices[seat])})
    table.repeal(together)
    table.shuffle_in(together)


def card_codes(cards: i64) -> list[str]:
    """The codes of a set of cards, for programs."""
    return [card_code(card) for card in members(cards)]
