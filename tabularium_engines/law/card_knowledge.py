"""The cards whose places each viewer knows: how viewers learn of cards, and lose sight of them."""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.common.bits import bit, has
from tabularium_engines.law.table_state import LawTable


def learn(state: LawTable, viewers: i64, cards: i64) -> None:
    """Record that the viewers know where these cards are."""
    for viewer in range(state.seats + 1):
        if has(viewers, viewer):
            own: i64 = state.hands[viewer] if viewer < state.seats else 0
            state.known_cards[viewer] = state.known_cards[viewer] | (cards & ~own)
            state.unplaced_cards[viewer] = state.unplaced_cards[viewer] & ~cards


def forget(state: LawTable, viewer: i64, cards: i64) -> None:
    """Drop cards whose place the viewer no longer knows, or no longer needs to record."""
    if (state.known_cards[viewer] | state.unplaced_cards[viewer]) & cards != 0:
        state.known_cards[viewer] = state.known_cards[viewer] & ~cards
        state.unplaced_cards[viewer] = state.unplaced_cards[viewer] & ~cards


def lay_open(state: LawTable, cards: i64) -> None:
    """Stop tracking cards that move to where they lie open for good."""
    for viewer in range(state.seats + 1):
        forget(state, viewer, cards)


def lose_sight(state: LawTable, among: i64, gone: i64, seen_by: i64) -> None:
    """Cards leave a set: viewers who do not see which ones lose track of the whole set."""
    if among == gone:
        return  # a viewer who knew one of them knows where it goes
    for viewer in range(state.seats + 1):
        if not has(seen_by, viewer):
            forget(state, viewer, among)


def lose_sight_of_top(state: LawTable, among: i64, card: i64, seen_by: i64) -> None:
    """The top card has left the draw pile, left to chance among these or, if there are none, from
    the stack: viewers who neither see it nor knew it lose track of the cards in the pile."""
    if among != 0:
        lose_sight(state, among, bit(card), seen_by)
        return
    for viewer in range(state.seats + 1):
        if not has(seen_by, viewer) and not has(state.known_cards[viewer], card):
            forget(state, viewer, state.piles.rest | state.unplaced_cards[viewer])


def fix_top(state: LawTable, among: i64, card: i64, seen_by: i64) -> None:
    """One of these cards gets the place on top of the draw pile: viewers who do not see which know
    as well as before that it is in the pile."""
    for viewer in range(state.seats + 1):
        if has(state.known_cards[viewer], card) and not has(seen_by, viewer) and among != bit(card):
            forget(state, viewer, bit(card))
            state.unplaced_cards[viewer] = state.unplaced_cards[viewer] | bit(card)


def mix_pile(state: LawTable) -> None:
    """The cards of the draw pile lose their places: viewers still know which are in it."""
    for viewer in range(state.seats + 1):
        learn(state, bit(viewer), state.unplaced_cards[viewer])


def unplaced_in_pile(state: LawTable, viewer: i64) -> i64:
    """The cards that a viewer knows to be in the draw pile, where some of them may be on the stack:
    none if the viewer knows all of the stack."""
    stack: i64 = 0
    for card in state.piles.stack:
        stack |= bit(card)
    if stack & ~state.known_cards[viewer] == 0:
        return 0
    return (state.piles.rest & state.known_cards[viewer]) | state.unplaced_cards[viewer]


def update_knowledge(state: LawTable) -> None:
    """Let all viewers learn the visible cards before a seat decides."""
    for cards in state.piles.discarded:
        learn_discards(state, cards)
    for seat in range(state.seats):
        if has_open_hand(state, seat):
            learn(state, state.all_viewers(), state.hands[seat])


def learn_discards(state: LawTable, cards: vec[i64]) -> None:
    """Viewers who see the faces of a discard pile know all of it; others may know its top."""
    faces: i64 = 0
    top: i64 = 0
    for card in cards:
        top = bit(card)
        faces |= top
    for viewer in range(state.seats + 1):
        if has(state.discard_pile_viewers, viewer):
            state.known_cards[viewer] = state.known_cards[viewer] | faces
        elif state.parameters[viewer].topping != 0:  # R35
            state.known_cards[viewer] = state.known_cards[viewer] | top


def viewers_who_know(state: LawTable, card: i64) -> i64:
    """The viewers that have recorded where a card is."""
    viewers: i64 = 0
    for viewer in range(state.seats + 1):
        if has(state.known_cards[viewer], card):
            viewers |= bit(viewer)
    return viewers


def transfer_viewers(state: LawTable, one: i64, other: i64) -> i64:
    """The viewers of a transfer between hands: both players, or all if either hand is open."""
    if has_open_hand(state, one) or has_open_hand(state, other):
        return state.all_viewers()
    return bit(one) | bit(other)


def has_open_hand(state: LawTable, seat: i64) -> bool:
    """Whether a Law makes the seat play with an open hand."""
    return state.parameters[seat].is_open_with_most and state.has_most_laws(seat)
