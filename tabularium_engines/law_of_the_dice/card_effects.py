"""The effects of cards: dice rolls and the chain of laws that they trigger, and the powers of the
cards from two to eight, which are played or triggered as laws."""

from __future__ import annotations

from typing import Any

from librt.vecs import append, pop
from mypy_extensions import i64

from tabularium_engines.base import Rng
from tabularium_engines.common import playing_cards as p
from tabularium_engines.common.bits import bit, count, has, lowest
from tabularium_engines.common.playing_cards import card_code
from tabularium_engines.law_of_the_dice import action_numbers as n
from tabularium_engines.law_of_the_dice.cards import die_of
from tabularium_engines.law_of_the_dice.suit_scoring import count_on_empty_pile
from tabularium_engines.law_of_the_dice.table_state import DiceTable
from tabularium_engines.law_of_the_dice.tablet_moves import choose_shift, choose_swap
from tabularium_engines.law_of_the_dice.tablets import NO_CARD, SLOT_COUNT


def draw_card(state: DiceTable, seat: i64, rng: Rng) -> bool:
    """Draw a card and return True; if the pile is empty, start a count instead."""
    deck = state.deck
    if deck.pile == 0:
        count_on_empty_pile(state)
        return False
    card = deck.draw(seat, rng)
    if state.is_recording_news:
        state.add_news("drew", seat, {}, {"card": card_code(card)}, bit(seat))
    return True


def play_card(state: DiceTable, seat: i64, card: i64, rng: Rng) -> None:
    """Play a card from the hand: a die starts a chain, a power takes effect."""
    die = die_of(card)
    state.discard("played", seat, card)
    if die == 0:
        use_power(state, seat, card, True, rng)
    else:
        state.agenda.push(n.TASK_CHAIN, seat)
        roll_die(state, seat, die, rng)


def roll_die(state: DiceTable, seat: i64, die: i64, rng: Rng) -> None:
    """Roll, and queue all laws with that number, clockwise from the roller."""
    number = rng.below(die) + 1
    tablets, seats = state.tablets, state.seats
    state.rolled = append(state.rolled, (number << 16) | (die << 8) | seat)
    if state.is_recording_news:
        state.add_news("rolled", seat, {"die": int(die), "number": int(number)})
    for step in range(seats):
        owner = (seat + step) % seats
        slot = tablets.slot_of(owner, number)
        law = owner * SLOT_COUNT + slot
        # R18: at most once in a chain, however often its number is rolled.
        if slot >= 0 and tablets.laws[law] != NO_CARD and not has(state.fired, law):
            state.fired |= bit(law)
            state.queue = append(state.queue, law)


def answer_roll(state: DiceTable, seat: i64, kind: i64, die: i64, rng: Rng) -> None:
    """Apply the owner's decision on a triggered die."""
    if kind == n.ROLL_DIE:
        roll_die(state, seat, die, rng)
    else:
        state.add_plain_news("declined", seat)


def fire_next_law(state: DiceTable, rng: Rng) -> None:
    """Fire the first law in the queue; the chain ends when the queue is empty."""
    if len(state.queue) == 0:
        state.fired = 0
        return
    state.queue, law = pop(state.queue, 0)
    owner, card = law // SLOT_COUNT, state.tablets.laws[law]
    state.agenda.push(n.TASK_CHAIN, owner)
    if state.is_recording_news:
        facts: dict[str, Any] = {"slot": law % SLOT_COUNT + 1, "card": card_code(card)}
        state.add_news("triggered", owner, facts)
    if die_of(card) == 0:
        use_power(state, owner, card, False, rng)
    else:
        state.agenda.push(n.TASK_ROLL, owner, die_of(card))  # R17


def use_power(state: DiceTable, seat: i64, card: i64, is_played: bool, rng: Rng) -> None:
    """Use the power of a card for `seat`: played from the hand, or fired as a law."""
    rank = p.rank_of(card)
    if rank == p.TWO:
        if draw_card(state, seat, rng):  # the draw stops at an empty pile
            draw_card(state, seat, rng)
    elif rank == p.THREE:
        choose_shift(state, seat)
    elif rank == p.FIVE:
        choose_swap(state, seat)
    elif rank == p.SEVEN:
        take_discard(state, seat, is_played)
    else:
        choose_target(state, seat, rank, rng)


def choose_target(state: DiceTable, seat: i64, rank: i64, rng: Rng) -> None:
    """A four, six or eight: ask for the target unless there is at most one."""
    seats = state.deck.seats_with_cards(seat)
    if seats == 0 or (rank == p.EIGHT and state.deck.hands[seat] == 0):
        state.add_plain_news("fizzled", seat)  # R13, R14
    elif count(seats) == 1:
        apply_power_to(state, seat, rank, lowest(seats), rng)
    else:
        state.agenda.push(n.TASK_TARGET, seat, rank)


def apply_power_to(state: DiceTable, seat: i64, rank: i64, target: i64, rng: Rng) -> None:
    """Apply a power to its target, which has at least one card."""
    if rank == p.FOUR:
        steal_card(state, seat, target, rng)
    elif rank == p.SIX:
        choose_discard(state, target)
    else:
        choose_gift(state, seat, target, rng)


def steal_card(state: DiceTable, seat: i64, target: i64, rng: Rng) -> None:
    """A four: steal a random card."""
    card = state.deck.pick_from_hand(target, rng)
    state.deck.lose_sight(target, seat)
    state.deck.hand_over(target, seat, card)
    if state.is_recording_news:
        secret = {"card": card_code(card)}
        state.add_news("stole", seat, {"from": int(target)}, secret, bit(seat) | bit(target))


def choose_discard(state: DiceTable, target: i64) -> None:
    """A six: the target chooses a card to discard, if there is a choice."""
    if count(state.deck.hands[target]) > 1:
        state.agenda.push(n.TASK_DISCARD, target)
    else:
        state.discard("discarded", target, lowest(state.deck.hands[target]))


def choose_gift(state: DiceTable, seat: i64, target: i64, rng: Rng) -> None:
    """An eight: choose a card to give, if there is a choice."""
    if count(state.deck.hands[seat]) > 1:
        state.agenda.push(n.TASK_GIVE, seat, target)
    else:
        exchange_cards(state, seat, target, lowest(state.deck.hands[seat]), rng)


def exchange_cards(state: DiceTable, seat: i64, target: i64, given: i64, rng: Rng) -> None:
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


def take_discard(state: DiceTable, seat: i64, is_played: bool) -> None:
    """A seven: take the top discard, but never the seven itself."""
    depth: i64 = 1 if is_played else 0  # R12
    if len(state.deck.discard_pile) <= depth:
        state.add_plain_news("fizzled", seat)
    else:
        state.add_card_news("took_discard", seat, state.deck.take_discard(seat, depth))
