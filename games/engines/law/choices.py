"""Choices inside effects: what can be answered, and what an answer does."""

from __future__ import annotations

from mypy_extensions import i64

from games.engines.base import Rng
from games.engines.common.agenda import kind_of, subject_of
from games.engines.common.bits import bit, count, has, members
from games.engines.common.french import code
from games.engines.law.bills import lay, layings
from games.engines.law.chains import apply_law, arrive, discard
from games.engines.law.force import EVENTS
from games.engines.law.plays import steal
from games.engines.law.sealed import choose, is_sealed, offered
from games.engines.law.table import LawTable
from games.engines.law.tasks import (
    AIM,
    APPLY,
    BIND,
    BIND_WHOM,
    CHOOSE,
    CHOOSE_LAW,
    CHOOSE_SEAT,
    COLLECT,
    COLLECT_ONE,
    DISCARD,
    FIRST,
    GRANT,
    LAY,
    ORDER,
    PASS,
    REPLACE,
    RETURN,
    SECOND,
    STEAL,
    about,
    action,
    card_of,
    first_of,
    number_of,
    other_of,
    second_of,
)
from games.engines.law.turns import add_discards, sources

# -- what can be answered -------------------------------------------------------------------------


def answers(table: LawTable, seat: i64, task: i64) -> list[i64]:
    """All answers to the task on top."""
    kind = kind_of(task)
    if kind == LAY:
        return layings(table, seat)
    if kind == COLLECT:
        return [action(COLLECT_ONE, pile) for pile in sources(table, seat)]
    if kind == DISCARD:
        found: list[i64] = []
        add_discards(table, seat, found)
        return found
    if kind in (AIM, FIRST, SECOND, BIND_WHOM):
        but = other_of(subject_of(task)) if kind == SECOND else -1
        return [action(CHOOSE_SEAT, other) for other in range(table.seats) if other != but]
    if kind == ORDER:
        return [action(APPLY, law) for law in members(table.waiting_laws[0])]
    if kind in (REPLACE, BIND, RETURN):
        return [action(CHOOSE_LAW, law) for law in members(eligible(table, seat, task))]
    return [action(CHOOSE, card) for card in members(eligible(table, seat, task))]


def eligible(table: LawTable, seat: i64, task: i64) -> i64:
    """The cards of which one is to be chosen."""
    kind = kind_of(task)
    if is_sealed(kind):
        return offered(table, seat, kind) & ~table.chosen[seat]
    if kind == REPLACE:
        return table.collected()
    if kind == BIND:
        return table.collected() & ~EVENTS  # R58
    return table.hands[other_of(subject_of(task)) if kind == STEAL else seat]


# -- what an answer does --------------------------------------------------------------------------


def answer(table: LawTable, seat: i64, chosen: i64, rng: Rng) -> None:
    """Do what was chosen; the task on top is done with it, or comes again."""
    task = table.agenda.top()
    kind = kind_of(task)
    card = first_of(chosen)
    if is_sealed(kind):
        choose(table, seat, card)
        return
    if kind == LAY:
        lay(table, seat, card)
        return
    table.agenda.pop()
    if chosen & 0xFF == CHOOSE_SEAT:
        name_seat(table, seat, task, card)
    elif kind == COLLECT:
        collect(table, seat, task, card, rng)
    elif kind == ORDER:
        apply_law(table, seat, card)
    elif kind in (REPLACE, BIND):
        name_law(table, seat, kind, card)
    else:
        give_card(table, seat, task, card, second_of(chosen))


def again(table: LawTable, seat: i64, task: i64) -> None:
    """The same task, for one card less."""
    subject = subject_of(task)
    if number_of(subject) > 1:
        table.agenda.push(kind_of(task), seat, subject - 1)


def give_card(table: LawTable, seat: i64, task: i64, card: i64, pile: i64) -> None:
    """A card was chosen out of a hand."""
    kind = kind_of(task)
    other = other_of(subject_of(task))
    again(table, seat, task)
    if kind == DISCARD:
        discard(table, seat, card, pile)
    elif kind == PASS:
        table.tell_card("passed", seat, {"to": int(other)}, card, table.witnesses(seat, other))
        table.hand_over(seat, other, bit(card), 0)
    elif kind == STEAL:
        steal(table, seat, other, card)
    else:
        table.hands[seat] = table.hands[seat] & ~bit(card)
        if table.listening:
            table.tell("collected", seat, {"card": code(card), "pile": -1})
        arrive(table, seat, card)  # R55


def collect(table: LawTable, seat: i64, task: i64, pile: i64, rng: Rng) -> None:
    """Collect the top card of a pile."""
    again(table, seat, task)
    card = table.pull(rng) if pile == 0 else table.pick_up(pile)
    if table.listening:
        table.tell("collected", seat, {"card": code(card), "pile": int(pile)})
    arrive(table, seat, card)


def name_seat(table: LawTable, seat: i64, task: i64, other: i64) -> None:
    """A player was chosen."""
    kind = kind_of(task)
    subject = subject_of(task)
    if kind == AIM:
        aim(table, seat, other, number_of(subject))
    elif kind == FIRST:
        table.agenda.push(SECOND, seat, about(0, other))
    elif kind == SECOND:
        table.swap_hands(seat, other_of(subject), other)
    else:
        bind(table, seat, card_of(subject), other)


def aim(table: LawTable, seat: i64, other: i64, cards: i64) -> None:
    """A player has to discard, as far as the hand goes."""
    cards = min(cards, count(table.hands[other]))  # R30
    if table.listening:
        table.tell("aimed", seat, {"at": int(other), "count": int(cards)})
    if cards > 0:
        table.agenda.push(DISCARD, other, about(cards))


def name_law(table: LawTable, seat: i64, kind: i64, law: i64) -> None:
    """A Law was chosen, to be bound or to be replaced."""
    if kind == BIND:
        table.agenda.push(BIND_WHOM, seat, about(0, -1, law))
        return
    owner: i64 = 0
    while not has(table.laws[owner], law):
        owner += 1
    table.repeal(bit(law))
    table.throw_away(bit(law))
    if table.listening:
        table.tell("replaced", seat, {"card": code(law), "of": int(owner)})
    table.agenda.push(GRANT, owner, about(1))  # R57


def bind(table: LawTable, seat: i64, law: i64, other: i64) -> None:
    """From now on a Law binds one player only."""
    table.unbind(bit(law))
    table.bound[other] = table.bound[other] | bit(law)
    if table.listening:
        table.tell("bound", seat, {"card": code(law), "to": int(other)})
