"""Optional plays, which a player may but need not make: Bills, trades and cards on top of piles at
any time; stealing and asking only on the player's own turn."""

from __future__ import annotations

from mypy_extensions import i64

from games.engines.common.bits import bit, count, has, members
from games.engines.common.playing_cards import card_code, rank_of
from games.engines.law.action_numbers import (
    ASK,
    REVEAL,
    TASK_DISCARD,
    TASK_DRAW,
    TASK_STEAL,
    TOP,
    TRADE,
    encode_action,
    encode_subject,
)
from games.engines.law.bill_combinations import bill_actions
from games.engines.law.card_moves import LawTable
from games.engines.law.cards import is_next_rank


def add_anytime_actions(table: LawTable, seat: i64, found: list[i64]) -> None:
    """Add the actions that a player may take at any time."""
    terms = table.parameters[seat]
    found.extend(bill_actions(table.hands[seat], terms))
    if can_trade(table, seat):
        found.append(TRADE)
    if terms.topping != 0 and seat != table.turn:
        add_top_actions(table, seat, found)


def can_trade(table: LawTable, seat: i64) -> bool:
    """Whether a Law lets the player discard to draw, and the hand has enough cards."""
    cost = table.parameters[seat].trade_cost
    return cost != 0 and count(table.hands[seat]) >= cost  # R46


def start_trade(table: LawTable, seat: i64) -> None:
    """Discard some cards to draw fewer."""
    terms = table.parameters[seat]
    table.agenda.push(TASK_DRAW, seat, encode_subject(terms.trade_gain))
    table.agenda.push(TASK_DISCARD, seat, encode_subject(terms.trade_cost))
    if table.is_recording_news:
        facts = {"discards": int(terms.trade_cost), "draws": int(terms.trade_gain)}
        table.add_news("traded", seat, facts)


def add_top_actions(table: LawTable, seat: i64, found: list[i64]) -> None:
    """Add the plays of the next rank on top of a discard pile."""
    piles = min(table.parameters[seat].piles, len(table.discards))
    for card in members(table.hands[seat]):
        for pile in range(1, piles + 1):
            if can_top(table, seat, card, pile):
                found.append(encode_action(TOP, card, pile))


def can_top(table: LawTable, seat: i64, card: i64, pile: i64) -> bool:
    """Whether a card is the next rank on a pile, or can stand for it."""
    if len(table.discards[pile - 1]) == 0:
        return False
    if has(table.parameters[seat].wild_ranks, card):  # R44
        return True
    return is_next_rank(rank_of(card), rank_of(table.top_discard(pile)))


def play_on_top(table: LawTable, seat: i64, card: i64, pile: i64) -> None:
    """Play a card on top of a discard pile, which does not count as a discard, and draw."""
    table.lay_from_hand(seat, card, pile)
    if table.is_recording_news:
        table.add_news("topped", seat, {"card": card_code(card), "pile": int(pile)})
    table.agenda.push(TASK_DRAW, seat, encode_subject(table.parameters[seat].topping))


# -- on the player's own turn ---------------------------------------------------------------------


def add_optional_turn_actions(table: LawTable, seat: i64, found: list[i64]) -> None:
    """Add stealing and asking, where Laws allow them."""
    terms = table.parameters[seat]
    if terms.steals != 0 and not table.has_stolen:
        for other in range(table.seats):
            if other != seat and table.hands[other] != 0:
                found.append(encode_action(REVEAL, other))
    if table.asked < terms.asks:
        cards = members(askable_cards(table, seat))
        for other in range(table.seats):
            if other != seat and table.hands[other] != 0:
                for card in cards:
                    found.append(encode_action(ASK, other, card))


def askable_cards(table: LawTable, seat: i64) -> i64:
    """The cards that, judging by the open cards, another player might hold."""
    return table.deck & ~(table.hands[seat] | table.open_cards())  # R47


def reveal_hand(table: LawTable, seat: i64, other: i64) -> None:
    """Look at a hand, to steal from it."""
    table.has_stolen = True
    table.learn(bit(seat), table.hands[other])
    if table.is_recording_news:
        table.add_hand_news("revealed", seat, other)
    table.agenda.push(TASK_STEAL, seat, encode_subject(table.parameters[seat].steals, other))


def steal_card(table: LawTable, seat: i64, other: i64, card: i64) -> None:
    """Take a card out of a hand that the player has seen."""
    if table.is_recording_news:
        to = table.transfer_viewers(seat, other)
        table.add_card_news("stole", seat, {"from": int(other)}, card, to)
    table.hand_over(other, seat, bit(card), 0)


def ask_for_card(table: LawTable, seat: i64, other: i64, card: i64) -> None:
    """Ask a player for a card, publicly."""
    table.asked += 1
    is_found = has(table.hands[other], card)
    if table.is_recording_news:
        facts = {"of": int(other), "card": card_code(card), "found": is_found}
        table.add_news("asked", seat, facts)
    if is_found:
        table.hand_over(other, seat, bit(card), table.all_viewers())
