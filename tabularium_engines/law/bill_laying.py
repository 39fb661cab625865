"""Bills on the table: proposed, and laid card by card into the trash."""

from __future__ import annotations

from typing import Any

from mypy_extensions import i64

from tabularium_engines.common.bits import bit, count, members
from tabularium_engines.common.playing_cards import RANK_SIGNS, SUIT_NAMES, card_code
from tabularium_engines.law import action_numbers as n
from tabularium_engines.law import card_moves
from tabularium_engines.law.bill_combinations import BillBeingLaid
from tabularium_engines.law.cards import rank_at
from tabularium_engines.law.table_state import LawTable


def propose_bill(state: LawTable, seat: i64, kind: i64, first: i64, second: i64) -> None:
    """Begin a Bill: its cards are laid next, and then a Law is collected or the game is won."""
    terms = state.parameters[seat]
    shape = kind - n.BILL_KIND
    if shape != n.SHAPE_STRAIGHT_FLUSH:
        state.agenda.push(n.TASK_GAIN, seat, n.encode_subject(1))
    if shape == n.SHAPE_KIND:
        state.bill = BillBeingLaid(shape, first, 0, terms.bill_size(shape))
    elif shape == n.SHAPE_FLUSH:
        state.bill = BillBeingLaid(shape, 0, first, terms.bill_size(shape))
    else:
        size = terms.bill_size(n.SHAPE_STRAIGHT)
        state.bill = BillBeingLaid(shape, first, second, size, terms.hearts)
    state.agenda.push(n.TASK_LAY, seat)
    if state.is_recording_news:
        state.add_news("billed", seat, bill_facts(shape, first, second))


def bill_facts(shape: i64, first: i64, second: i64) -> dict[str, Any]:
    """The proposed Bill, for the news."""
    rank = first if shape == n.SHAPE_KIND else rank_at(first)
    of = SUIT_NAMES[first] if shape == n.SHAPE_FLUSH else RANK_SIGNS[rank]
    facts: dict[str, Any] = {"shape": n.SHAPE_NAMES[shape], "of": of}
    if shape == n.SHAPE_STRAIGHT_FLUSH:
        facts["suit"] = SUIT_NAMES[second]
    return facts


def lay_card(state: LawTable, seat: i64, card: i64) -> None:
    """Move the next card of the Bill to the trash."""
    state.hands[seat] = state.hands[seat] & ~bit(card)
    card_moves.throw_away(state, bit(card))
    state.bill = state.bill.after(card, state.parameters[seat])
    if state.is_recording_news:
        state.add_news("laid", seat, {"cards": [card_code(card)]})


def lay_forced_cards(state: LawTable, seat: i64) -> bool:
    """Lay the next cards if there is only one way to do so; whether that was the case."""
    cards = state.bill.next_cards(state.hands[seat], state.parameters[seat])
    forced: i64 = 1 if state.bill.is_straight() else state.bill.cards
    if count(cards) != forced:
        return False
    for card in members(cards):
        lay_card(state, seat, card)
    return True
