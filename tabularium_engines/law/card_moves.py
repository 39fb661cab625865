"""Card moves between hands, piles and collections, with what viewers see of them, and piles that
run out."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.base import Rng
from tabularium_engines.common.bits import bit, count
from tabularium_engines.common.playing_cards import card_code
from tabularium_engines.law import action_numbers as n
from tabularium_engines.law import card_knowledge as knowledge
from tabularium_engines.law.table_state import LawTable

CONTRIBUTION_SIZE: Final[i64] = 2  # cards

# -- hands ----------------------------------------------------------------------------------------


def add_to_hand(state: LawTable, seat: i64, cards: i64, seen_by: i64) -> None:
    """Add cards to a hand."""
    state.hands[seat] = state.hands[seat] | cards
    knowledge.forget(state, seat, cards)
    knowledge.learn(state, seen_by, cards)


def remove_from_hand(state: LawTable, seat: i64, cards: i64, seen_by: i64) -> None:
    """Remove cards from a hand, of which all other viewers lose sight."""
    knowledge.lose_sight(state, state.hands[seat], cards, seen_by)
    state.hands[seat] = state.hands[seat] & ~cards


def hand_over(state: LawTable, giver: i64, taker: i64, cards: i64, seen_by: i64) -> None:
    """Move cards from hand to hand, seen by these viewers and by the two players."""
    seen_by |= knowledge.transfer_viewers(state, giver, taker)
    remove_from_hand(state, giver, cards, seen_by)
    add_to_hand(state, taker, cards, seen_by)


def replace_hands(state: LawTable, hands: vec[i64]) -> None:
    """Give all hands new owners, whole; a viewer who knew a card still does."""
    for seat in range(state.seats):
        # each player knows where their old hand has gone
        state.known_cards[seat] = state.known_cards[seat] | state.hands[seat]
    state.hands = hands
    for seat in range(state.seats):
        knowledge.forget(state, seat, hands[seat])


def swap_hands(state: LawTable, seat: i64, one: i64, other: i64) -> None:
    """Swap the hands of two players."""
    hands = state.hands[:]
    hands[one] = state.hands[other]
    hands[other] = state.hands[one]
    replace_hands(state, hands)
    state.add_news("hands_swapped", seat, {"seats": [int(one), int(other)]})


# -- piles ----------------------------------------------------------------------------------------


def take_top_card_seen_by(state: LawTable, seen_by: i64, rng: Rng) -> i64:
    """Remove and return the top card of the draw pile, where only these viewers see which it is."""
    among = state.piles.possible_top_cards()
    card = state.piles.take_top(0, rng)
    knowledge.lose_sight_of_top(state, among, card, seen_by)
    return card


def top_card_shown_to(state: LawTable, watchers: i64, rng: Rng) -> i64:
    """Remove and return the top card of the draw pile, to be put back there for these viewers."""
    if not state.rulings.keeps_pile_known:
        return take_top_card_seen_by(state, watchers, rng)
    among = state.piles.possible_top_cards()
    card = state.piles.take_top(0, rng)
    knowledge.fix_top(state, among, card, watchers)  # R60
    return card


def lay_from_hand(state: LawTable, news: str, seat: i64, card: i64, pile: i64) -> None:
    """Move a card from a hand onto a discard pile or the draw pile (0), seen by all."""
    state.hands[seat] = state.hands[seat] & ~bit(card)
    state.piles.put(card, pile)  # R35, R38
    knowledge.learn(state, state.all_viewers(), bit(card))
    if state.is_recording_news:
        state.add_news(news, seat, {"card": card_code(card), "pile": int(pile)})


def throw_away(state: LawTable, cards: i64) -> None:
    """Move cards to the trash."""
    knowledge.lay_open(state, cards)
    state.piles.trash |= cards


def shuffle_in(state: LawTable, cards: i64) -> None:
    """Shuffle cards that all have seen, and the stack, into the draw pile."""
    state.piles.shuffle_in(cards)
    knowledge.mix_pile(state)
    knowledge.learn(state, state.all_viewers(), cards)


def settle_piles(state: LawTable, rng: Rng) -> None:
    """Lay out as many discard piles as the Laws require, and refill piles that have run out."""
    piles = state.piles
    piles.lay_out(state.piles_required)
    reshuffle(state)
    for index in range(len(piles.discarded)):
        if len(piles.discarded[index]) == 0 and not piles.is_draw_pile_empty():
            replenish_discard_pile(state, index + 1, rng)
            reshuffle(state)
    show_top(state, rng)
    if piles.is_draw_pile_empty() and not state.chain.contributed:  # R13
        state.chain.contributed = True
        state.agenda.push(n.TASK_CONTRIBUTE, state.turn, n.encode_subject(CONTRIBUTION_SIZE))


def reshuffle(state: LawTable) -> None:
    """If the draw pile has run out, rebuild it from the trash and all discards but the top ones."""
    piles = state.piles
    if not piles.is_draw_pile_empty():
        return
    # discards stay known to viewers who knew them
    knowledge.learn(state, state.all_viewers(), piles.trash)
    piles.turn_over()
    if piles.rest != 0:
        state.add_news("reshuffled", state.turn, {"count": int(count(piles.rest))})


def replenish_discard_pile(state: LawTable, pile: i64, rng: Rng) -> None:
    """Start a discard pile with the top card of the draw pile."""
    seen_by = state.discard_pile_viewers | state.draw_pile_viewers
    card = take_top_card_seen_by(state, seen_by, rng)
    state.piles.put(card, pile)
    knowledge.learn(state, seen_by, bit(card))
    state.add_card_news("replenished", state.turn, {"pile": int(pile)}, card, seen_by)


def show_top(state: LawTable, rng: Rng) -> None:
    """If any viewer sees the draw pile face up, make sure that its top card is fixed."""
    piles = state.piles
    watchers = state.draw_pile_viewers
    if watchers == 0 or piles.is_draw_pile_empty():
        return
    if len(piles.stack) == 0:
        piles.put(top_card_shown_to(state, watchers, rng), 0)
    knowledge.learn(state, watchers, bit(piles.stack[len(piles.stack) - 1]))


# -- collections ----------------------------------------------------------------------------------


def repeal(state: LawTable, cards: i64) -> None:
    """Remove Laws from all collections, and forget which players they were bound to."""
    for seat in range(state.seats):
        state.laws[seat] = state.laws[seat] & ~cards
    unbind(state, cards)


def unbind(state: LawTable, cards: i64) -> None:
    """Make these Laws bind all players."""
    for seat in range(state.seats):
        state.bound[seat] = state.bound[seat] & ~cards  # R59
    state.has_stale_parameters = True
