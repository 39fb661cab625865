"""Choices that several make at the same time: nobody hears one before all are in."""

from __future__ import annotations

from typing import Any

from mypy_extensions import i64

from games.engines.base import News
from games.engines.common.agenda import kind_of, seat_of, subject_of
from games.engines.common.bits import bit, count, members
from games.engines.common.french import code
from games.engines.law.table import LawTable
from games.engines.law.tasks import CONTRIBUTE, RETURN, SWAP, number_of, other_of


def is_sealed(kind: i64) -> bool:
    """Is this a task that several answer at the same time?"""
    return kind in (SWAP, CONTRIBUTE, RETURN)


def offered(table: LawTable, seat: i64, kind: i64) -> i64:
    """The cards of which a seat chooses."""
    return table.laws[seat] if kind == RETURN else table.hands[seat]


def quota(table: LawTable, seat: i64, task: i64) -> i64:
    """How many cards a seat has to choose."""
    kind = kind_of(task)
    number = number_of(subject_of(task))
    if kind != SWAP:
        return min(number, count(offered(table, seat, kind)))
    one = seat_of(task)
    other = other_of(subject_of(task))
    if seat not in (one, other):
        return 0
    return min(number, count(table.hands[one]), count(table.hands[other]))  # R32


def waits_for(table: LawTable, task: i64) -> i64:
    """The seats that have a choice, and have not made it."""
    waiting: i64 = 0
    for seat in range(table.seats):
        wanted = quota(table, seat, task)
        if count(offered(table, seat, kind_of(task))) > wanted > count(table.chosen[seat]):
            waiting |= bit(seat)
    return waiting


def choice_of(table: LawTable, seat: i64, task: i64) -> i64:
    """What a seat has chosen, or all there is if that is not enough to choose from."""
    cards = offered(table, seat, kind_of(task))
    return cards if count(cards) <= quota(table, seat, task) else table.chosen[seat]


def choose(table: LawTable, seat: i64, card: i64) -> None:
    """One card more of a sealed choice."""
    table.chosen[seat] = table.chosen[seat] | bit(card)


def unseal(table: LawTable, task: i64) -> None:
    """All choices are in, and take effect at the same time."""
    choices = [choice_of(table, seat, task) for seat in range(table.seats)]
    for seat in range(table.seats):
        table.chosen[seat] = 0
    kind = kind_of(task)
    if kind == SWAP:
        one = seat_of(task)
        swap(table, one, other_of(subject_of(task)), choices)
    elif kind == CONTRIBUTE:
        for seat in range(table.seats):
            if choices[seat] != 0:
                contribute(table, seat, choices[seat])
    else:
        give_back(table, choices)


def swap(table: LawTable, one: i64, other: i64, choices: list[i64]) -> None:
    """Two players give each other cards that nobody else sees."""
    gave = choices[one]
    got = choices[other]
    if table.listening and gave != 0:
        facts: dict[str, Any] = {"with": int(other), "count": int(count(gave))}
        secrets = {"gave": codes(gave), "got": codes(got)}
        table.news.append(News("swapped", one, facts, secrets, table.witnesses(one, other)))
    table.exchange(one, other, gave, got)


def contribute(table: LawTable, seat: i64, cards: i64) -> None:
    """A player puts cards into the empty draw pile, face down."""
    seen_by = table.witnesses(seat, seat)
    if table.listening:
        facts: dict[str, Any] = {"count": int(count(cards))}
        secrets = {"cards": codes(cards)}
        table.news.append(News("contributed", seat, facts, secrets, seen_by))
    table.lose_sight(table.hands[seat], cards, seen_by)
    table.hands[seat] = table.hands[seat] & ~cards
    table.pile |= cards
    table.learn(seen_by, cards)


def give_back(table: LawTable, choices: list[i64]) -> None:
    """Laws go back into the draw pile, all together."""
    together: i64 = 0
    for seat in range(table.seats):
        together |= choices[seat]
        if table.listening and choices[seat] != 0:
            table.tell("returned", seat, {"laws": codes(choices[seat])})
    table.repeal(together)
    table.shuffle_in(together)


def codes(cards: i64) -> list[str]:
    """Cards as programs write them."""
    return [code(card) for card in members(cards)]
