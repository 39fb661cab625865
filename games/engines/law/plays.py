"""What may be done that nobody has to do: Bills and more at any time, and some on one's turn."""

from __future__ import annotations

from mypy_extensions import i64

from games.engines.common.bits import bit, count, has, members
from games.engines.common.french import code, rank_of
from games.engines.law.bills import bills
from games.engines.law.cards import follows
from games.engines.law.table import LawTable
from games.engines.law.tasks import (
    ASK,
    DISCARD,
    DRAW,
    REVEAL,
    STEAL,
    TOP,
    TRADE,
    about,
    action,
)


def add_plays(table: LawTable, seat: i64, found: list[i64]) -> None:
    """What a player may do at any time."""
    terms = table.terms[seat]
    found.extend(bills(table.hands[seat], terms))
    if may_trade(table, seat):
        found.append(TRADE)
    if terms.topping != 0 and seat != table.turn:
        add_toppings(table, seat, found)


def may_trade(table: LawTable, seat: i64) -> bool:
    """Does a Law let the player discard to draw, and are there cards enough?"""
    cost = table.terms[seat].trade_cost
    return cost != 0 and count(table.hands[seat]) >= cost  # R46


def trade(table: LawTable, seat: i64) -> None:
    """Discard some cards to draw fewer."""
    terms = table.terms[seat]
    table.agenda.push(DRAW, seat, about(terms.trade_gain))
    table.agenda.push(DISCARD, seat, about(terms.trade_cost))
    if table.listening:
        facts = {"discards": int(terms.trade_cost), "draws": int(terms.trade_gain)}
        table.tell("traded", seat, facts)


def add_toppings(table: LawTable, seat: i64, found: list[i64]) -> None:
    """The next rank on top of a discard pile."""
    piles = min(table.terms[seat].piles, len(table.discards))
    for card in members(table.hands[seat]):
        for pile in range(1, piles + 1):
            if may_top(table, seat, card, pile):
                found.append(action(TOP, card, pile))


def may_top(table: LawTable, seat: i64, card: i64, pile: i64) -> bool:
    """Is a card the next one on a pile, or as good as that?"""
    if len(table.discards[pile - 1]) == 0:
        return False
    if has(table.terms[seat].wild_ranks, card):  # R44
        return True
    return follows(rank_of(card), rank_of(table.top_of(pile)))


def top(table: LawTable, seat: i64, card: i64, pile: i64) -> None:
    """Play a card on top of a discard pile, which is no discard, and draw."""
    table.put_down(seat, card, pile)
    if table.listening:
        table.tell("topped", seat, {"card": code(card), "pile": int(pile)})
    table.agenda.push(DRAW, seat, about(table.terms[seat].topping))


# -- on one's turn --------------------------------------------------------------------------------


def add_turn_plays(table: LawTable, seat: i64, found: list[i64]) -> None:
    """To steal and to ask, where Laws allow it."""
    terms = table.terms[seat]
    if terms.steals != 0 and not table.has_stolen:
        for other in range(table.seats):
            if other != seat and table.hands[other] != 0:
                found.append(action(REVEAL, other))
    if table.asked < terms.asks:
        cards = members(askable(table, seat))
        for other in range(table.seats):
            if other != seat and table.hands[other] != 0:
                for card in cards:
                    found.append(action(ASK, other, card))


def askable(table: LawTable, seat: i64) -> i64:
    """The cards that somebody else might hold for all that is plain to see."""
    return table.deck & ~(table.hands[seat] | table.open_cards())  # R47


def reveal(table: LawTable, seat: i64, other: i64) -> None:
    """Look at a hand, to steal from it."""
    table.has_stolen = True
    table.learn(bit(seat), table.hands[other])
    if table.listening:
        table.tell_hand("revealed", seat, other)
    table.agenda.push(STEAL, seat, about(table.terms[seat].steals, other))


def steal(table: LawTable, seat: i64, other: i64, card: i64) -> None:
    """Take a card out of a hand that one has seen."""
    if table.listening:
        to = table.witnesses(seat, other)
        table.tell_card("stole", seat, {"from": int(other)}, card, to)
    table.hand_over(other, seat, bit(card), 0)


def ask(table: LawTable, seat: i64, other: i64, card: i64) -> None:
    """Ask a player for a card, for all to hear."""
    table.asked += 1
    is_found = has(table.hands[other], card)
    if table.listening:
        facts = {"of": int(other), "card": code(card), "found": is_found}
        table.tell("asked", seat, facts)
    if is_found:
        table.hand_over(other, seat, bit(card), table.everybody())
