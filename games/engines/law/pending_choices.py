"""The pending choices of a seat in the middle of an effect: their legal answers, and the effects of
an answer."""

from __future__ import annotations

from mypy_extensions import i64

from games.engines.base import Rng
from games.engines.common.agenda import kind_of, subject_of
from games.engines.common.bits import bit, count, has, members
from games.engines.common.playing_cards import card_code
from games.engines.law.action_numbers import (
    APPLY,
    CHOOSE,
    CHOOSE_LAW,
    CHOOSE_SEAT,
    COLLECT_ONE,
    TASK_AIM,
    TASK_BIND,
    TASK_BIND_WHOM,
    TASK_COLLECT,
    TASK_DISCARD,
    TASK_FIRST_SEAT,
    TASK_GRANT,
    TASK_LAY,
    TASK_ORDER,
    TASK_PASS,
    TASK_REPLACE,
    TASK_RETURN,
    TASK_SECOND_SEAT,
    TASK_STEAL,
    card_of,
    encode_action,
    encode_subject,
    first_field,
    number_of,
    other_of,
    second_field,
)
from games.engines.law.bill_combinations import lay_actions, lay_card
from games.engines.law.card_moves import LawTable
from games.engines.law.effect_chains import apply_law, collect_law, discard_card
from games.engines.law.laws_in_force import EVENT_CARDS
from games.engines.law.optional_plays import steal_card
from games.engines.law.simultaneous_choices import add_choice, is_sealed, offered_cards
from games.engines.law.turn_duties import add_discard_actions, usable_piles

# -- legal answers --------------------------------------------------------------------------------


def legal_answers(table: LawTable, seat: i64, task: i64) -> list[i64]:
    """All legal answers to the task on top."""
    kind = kind_of(task)
    if kind == TASK_LAY:
        return lay_actions(table, seat)
    if kind == TASK_COLLECT:
        return [encode_action(COLLECT_ONE, pile) for pile in usable_piles(table, seat)]
    if kind == TASK_DISCARD:
        found: list[i64] = []
        add_discard_actions(table, seat, found)
        return found
    if kind in (TASK_AIM, TASK_FIRST_SEAT, TASK_SECOND_SEAT, TASK_BIND_WHOM):
        but = other_of(subject_of(task)) if kind == TASK_SECOND_SEAT else -1
        return [encode_action(CHOOSE_SEAT, other) for other in range(table.seats) if other != but]
    if kind == TASK_ORDER:
        return [encode_action(APPLY, law) for law in members(table.pending_trigger_laws[0])]
    if kind in (TASK_REPLACE, TASK_BIND, TASK_RETURN):
        return [
            encode_action(CHOOSE_LAW, law) for law in members(eligible_cards(table, seat, task))
        ]
    return [encode_action(CHOOSE, card) for card in members(eligible_cards(table, seat, task))]


def eligible_cards(table: LawTable, seat: i64, task: i64) -> i64:
    """The cards to choose from."""
    kind = kind_of(task)
    if is_sealed(kind):
        return offered_cards(table, seat, kind) & ~table.chosen[seat]
    if kind == TASK_REPLACE:
        return table.collected_cards()
    if kind == TASK_BIND:
        return table.collected_cards() & ~EVENT_CARDS  # R58
    return table.hands[other_of(subject_of(task)) if kind == TASK_STEAL else seat]


# -- effects of an answer -------------------------------------------------------------------------


def apply_answer(table: LawTable, seat: i64, chosen: i64, rng: Rng) -> None:
    """Apply an answer; the task on top is then finished, or asked again."""
    task = table.agenda.top()
    kind = kind_of(task)
    card = first_field(chosen)
    if is_sealed(kind):
        add_choice(table, seat, card)
        return
    if kind == TASK_LAY:
        lay_card(table, seat, card)
        return
    table.agenda.pop()
    if chosen & 0xFF == CHOOSE_SEAT:
        apply_seat_choice(table, seat, task, card)
    elif kind == TASK_COLLECT:
        collect_from_pile(table, seat, task, card, rng)
    elif kind == TASK_ORDER:
        apply_law(table, seat, card)
    elif kind in (TASK_REPLACE, TASK_BIND):
        apply_law_choice(table, seat, kind, card)
    else:
        apply_card_choice(table, seat, task, card, second_field(chosen))


def repeat_task(table: LawTable, seat: i64, task: i64) -> None:
    """Push the same task again, for one card less."""
    subject = subject_of(task)
    if number_of(subject) > 1:
        table.agenda.push(kind_of(task), seat, subject - 1)


def apply_card_choice(table: LawTable, seat: i64, task: i64, card: i64, pile: i64) -> None:
    """Apply the choice of a card from a hand."""
    kind = kind_of(task)
    other = other_of(subject_of(task))
    repeat_task(table, seat, task)
    if kind == TASK_DISCARD:
        discard_card(table, seat, card, pile)
    elif kind == TASK_PASS:
        table.add_card_news(
            "passed", seat, {"to": int(other)}, card, table.transfer_viewers(seat, other)
        )
        table.hand_over(seat, other, bit(card), 0)
    elif kind == TASK_STEAL:
        steal_card(table, seat, other, card)
    else:
        table.hands[seat] = table.hands[seat] & ~bit(card)
        if table.is_recording_news:
            table.add_news("collected", seat, {"card": card_code(card), "pile": -1})
        collect_law(table, seat, card)  # R55


def collect_from_pile(table: LawTable, seat: i64, task: i64, pile: i64, rng: Rng) -> None:
    """Collect the top card of a pile."""
    repeat_task(table, seat, task)
    card = table.take_top_card(rng) if pile == 0 else table.take_top_discard(pile)
    if table.is_recording_news:
        table.add_news("collected", seat, {"card": card_code(card), "pile": int(pile)})
    collect_law(table, seat, card)


def apply_seat_choice(table: LawTable, seat: i64, task: i64, other: i64) -> None:
    """Apply the choice of a player."""
    kind = kind_of(task)
    subject = subject_of(task)
    if kind == TASK_AIM:
        make_discard(table, seat, other, number_of(subject))
    elif kind == TASK_FIRST_SEAT:
        table.agenda.push(TASK_SECOND_SEAT, seat, encode_subject(0, other))
    elif kind == TASK_SECOND_SEAT:
        table.swap_hands(seat, other_of(subject), other)
    else:
        bind_law(table, seat, card_of(subject), other)


def make_discard(table: LawTable, seat: i64, other: i64, cards: i64) -> None:
    """Make a player discard, as far as the hand goes."""
    cards = min(cards, count(table.hands[other]))  # R30
    if table.is_recording_news:
        table.add_news("aimed", seat, {"at": int(other), "count": int(cards)})
    if cards > 0:
        table.agenda.push(TASK_DISCARD, other, encode_subject(cards))


def apply_law_choice(table: LawTable, seat: i64, kind: i64, law: i64) -> None:
    """Apply the choice of a Law to bind or to replace."""
    if kind == TASK_BIND:
        table.agenda.push(TASK_BIND_WHOM, seat, encode_subject(0, -1, law))
        return
    owner: i64 = 0
    while not has(table.laws[owner], law):
        owner += 1
    table.repeal(bit(law))
    table.throw_away(bit(law))
    if table.is_recording_news:
        table.add_news("replaced", seat, {"card": card_code(law), "of": int(owner)})
    table.agenda.push(TASK_GRANT, owner, encode_subject(1))  # R57


def bind_law(table: LawTable, seat: i64, law: i64, other: i64) -> None:
    """Bind a Law to one player from now on."""
    table.unbind(bit(law))
    table.bound[other] = table.bound[other] | bit(law)
    if table.is_recording_news:
        table.add_news("bound", seat, {"card": card_code(law), "to": int(other)})
