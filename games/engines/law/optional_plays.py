"""Optional plays, which a player may but need not make: Bills, trades and cards on top of piles at
any time; stealing and asking only on the player's own turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from games.engines.common.bits import bit, count, has, members
from games.engines.common.playing_cards import card_code, rank_of
from games.engines.law import action_numbers as n
from games.engines.law import card_knowledge as knowledge
from games.engines.law import card_moves
from games.engines.law.bill_combinations import bill_actions
from games.engines.law.cards import card_codes, is_next_rank

if TYPE_CHECKING:
    from games.engines.law.table_state import LawState


def add_anytime_actions(state: LawState, seat: i64, found: list[i64]) -> None:
    """Add the actions that a player may take at any time."""
    terms = state.parameters[seat]
    found.extend(bill_actions(state.hands[seat], terms))
    if terms.trade_cost != 0 and count(state.hands[seat]) >= terms.trade_cost:  # R46
        found.append(n.TRADE)
    if terms.topping != 0 and seat != state.turn:
        add_top_actions(state, seat, found)


def start_trade(state: LawState, seat: i64) -> None:
    """Discard some cards to draw fewer."""
    terms = state.parameters[seat]
    state.agenda.push(n.TASK_DRAW, seat, n.encode_subject(terms.trade_gain))
    state.agenda.push(n.TASK_DISCARD, seat, n.encode_subject(terms.trade_cost))
    if state.is_recording_news:
        facts = {"discards": int(terms.trade_cost), "draws": int(terms.trade_gain)}
        state.add_news("traded", seat, facts)


def add_top_actions(state: LawState, seat: i64, found: list[i64]) -> None:
    """Add the plays of the next rank on top of a discard pile."""
    piles = min(state.parameters[seat].piles, len(state.piles.discarded))
    wild = state.parameters[seat].wild_ranks
    for card in members(state.hands[seat]):
        for pile in range(1, piles + 1):
            if state.piles.has_discards(pile) and (
                has(wild, card)  # R44
                or is_next_rank(rank_of(card), rank_of(state.piles.top_discard(pile)))
            ):
                found.append(n.encode_action(n.TOP, card, pile))


def play_on_top(state: LawState, seat: i64, card: i64, pile: i64) -> None:
    """Play a card on top of a discard pile, which does not count as a discard, and draw."""
    card_moves.lay_from_hand(state, seat, card, pile)
    if state.is_recording_news:
        state.add_news("topped", seat, {"card": card_code(card), "pile": int(pile)})
    state.agenda.push(n.TASK_DRAW, seat, n.encode_subject(state.parameters[seat].topping))


# -- on the player's own turn ---------------------------------------------------------------------


def add_optional_turn_actions(state: LawState, seat: i64, found: list[i64]) -> None:
    """Add stealing and asking, where Laws allow them."""
    terms = state.parameters[seat]
    if terms.steals != 0 and not state.progress.stolen:
        for other in range(state.seats):
            if other != seat and state.hands[other] != 0:
                found.append(n.encode_action(n.REVEAL, other))
    if state.progress.asked < terms.asks:
        # R47: judging by the open cards, another player might hold these
        cards = members(state.deck & ~(state.hands[seat] | state.open_cards()))
        for other in range(state.seats):
            if other != seat and state.hands[other] != 0:
                for card in cards:
                    found.append(n.encode_action(n.ASK, other, card))


def reveal_hand(state: LawState, seat: i64, other: i64) -> None:
    """Look at a hand, to steal from it."""
    state.progress.stolen = True
    knowledge.learn(state, bit(seat), state.hands[other])
    if state.is_recording_news:
        secrets = {"cards": card_codes(state.hands[other])}
        state.add_news("revealed", seat, {"of": int(other)}, secrets, bit(seat) | bit(other))
    state.agenda.push(n.TASK_STEAL, seat, n.encode_subject(state.parameters[seat].steals, other))


def steal_card(state: LawState, seat: i64, other: i64, card: i64) -> None:
    """Take a card out of a hand that the player has seen."""
    if state.is_recording_news:
        to = knowledge.transfer_viewers(state, seat, other)
        state.add_card_news("stole", seat, {"from": int(other)}, card, to)
    card_moves.hand_over(state, other, seat, bit(card), 0)


def ask_for_card(state: LawState, seat: i64, other: i64, card: i64) -> None:
    """Ask a player for a card, publicly."""
    state.progress.asked += 1
    is_found = has(state.hands[other], card)
    if state.is_recording_news:
        facts = {"of": int(other), "card": card_code(card), "found": is_found}
        state.add_news("asked", seat, facts)
    if is_found:
        card_moves.hand_over(state, other, seat, bit(card), state.all_viewers())
