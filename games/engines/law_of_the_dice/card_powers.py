"""The powers of the cards from two to eight: their effects when played, or when triggered as
laws."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from games.engines.base import Rng
from games.engines.common import playing_cards as p
from games.engines.common.bits import bit, count, lowest
from games.engines.common.playing_cards import card_code
from games.engines.law_of_the_dice import action_numbers as n
from games.engines.law_of_the_dice.tablets import choose_shift, choose_swap

if TYPE_CHECKING:
    from games.engines.law_of_the_dice.table_state import DiceState


def use_power(state: DiceState, seat: i64, card: i64, is_played: bool, rng: Rng) -> None:
    """Use the power of a card for `seat`: played from the hand, or fired as a law."""
    rank = p.rank_of(card)
    if rank == p.TWO:
        draw_two(state, seat, rng)
    elif rank == p.THREE:
        choose_shift(state, seat)
    elif rank == p.FIVE:
        choose_swap(state, seat)
    elif rank == p.SEVEN:
        take_discard(state, seat, is_played)
    else:
        choose_target(state, seat, rank, rng)


def draw_two(state: DiceState, seat: i64, rng: Rng) -> None:
    """A two: draw two cards; the draw stops at an empty pile."""
    if state.draw_card(seat, rng):
        state.draw_card(seat, rng)


def choose_target(state: DiceState, seat: i64, rank: i64, rng: Rng) -> None:
    """A four, six or eight: ask for the target unless there is at most one."""
    seats = state.deck.seats_with_cards(seat)
    if seats == 0 or (rank == p.EIGHT and state.deck.hands[seat] == 0):
        state.add_fizzle_news(seat)  # R13, R14
    elif count(seats) == 1:
        apply_power_to(state, seat, rank, lowest(seats), rng)
    else:
        state.agenda.push(n.TASK_TARGET, seat, rank)


def apply_power_to(state: DiceState, seat: i64, rank: i64, target: i64, rng: Rng) -> None:
    """Apply a power to its target, which has at least one card."""
    if rank == p.FOUR:
        steal_card(state, seat, target, rng)
    elif rank == p.SIX:
        choose_discard(state, target)
    else:
        choose_gift(state, seat, target, rng)


def steal_card(state: DiceState, seat: i64, target: i64, rng: Rng) -> None:
    """A four: steal a random card."""
    card = state.deck.pick_from_hand(target, rng)
    state.deck.lose_sight(target, seat)
    state.deck.hand_over(target, seat, card)
    if state.is_recording_news:
        secret = {"card": card_code(card)}
        state.add_news("stole", seat, {"from": int(target)}, secret, bit(seat) | bit(target))


def choose_discard(state: DiceState, target: i64) -> None:
    """A six: the target chooses a card to discard, if there is a choice."""
    if count(state.deck.hands[target]) > 1:
        state.agenda.push(n.TASK_DISCARD, target)
    else:
        discard_card(state, target, lowest(state.deck.hands[target]))


def discard_card(state: DiceState, seat: i64, card: i64) -> None:
    """Discard a card because of a six."""
    state.deck.discard(seat, card)
    state.add_card_news("discarded", seat, card)


def choose_gift(state: DiceState, seat: i64, target: i64, rng: Rng) -> None:
    """An eight: choose a card to give, if there is a choice."""
    if count(state.deck.hands[seat]) > 1:
        state.agenda.push(n.TASK_GIVE, seat, target)
    else:
        exchange_cards(state, seat, target, lowest(state.deck.hands[seat]), rng)


def exchange_cards(state: DiceState, seat: i64, target: i64, given: i64, rng: Rng) -> None:
    """Give a card and take a random one of those the target held before."""
    deck = state.deck
    taken = deck.pick_from_hand(target, rng)  # R13: drawn before the gift arrives
    deck.lose_sight(target, seat)
    deck.lose_sight(seat, target)
    deck.hand_over(target, seat, taken)
    deck.hand_over(seat, target, given)
    if state.is_recording_news:
        secret = {"gave": card_code(given), "got": card_code(taken)}
        state.add_news("swapped", seat, {"with": int(target)}, secret, bit(seat) | bit(target))


def take_discard(state: DiceState, seat: i64, is_played: bool) -> None:
    """A seven: take the top discard, but never the seven itself."""
    depth: i64 = 1 if is_played else 0  # R12
    if len(state.deck.discard_pile) <= depth:
        state.add_fizzle_news(seat)
    else:
        state.add_card_news("took_discard", seat, state.deck.take_discard(seat, depth))
