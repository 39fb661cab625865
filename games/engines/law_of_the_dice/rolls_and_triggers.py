"""Dice rolls and triggers: playing a card, rolling a die, and the chain of laws that a roll
triggers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from librt.vecs import append, pop, vec
from mypy_extensions import i64

from games.engines.base import Rng
from games.engines.common.bits import bit, has
from games.engines.common.playing_cards import card_code
from games.engines.law_of_the_dice import action_numbers as n
from games.engines.law_of_the_dice.card_powers import use_power
from games.engines.law_of_the_dice.cards import die_of
from games.engines.law_of_the_dice.tablets import NO_CARD, SLOT_COUNT

if TYPE_CHECKING:
    from games.engines.law_of_the_dice.table_state import DiceState


class Chain:
    """The turn's rolls, and the laws (seat * SLOT_COUNT + slot) that the current one triggers."""

    def __init__(self) -> None:
        self.queue: vec[i64] = vec[i64]()  # laws that wait to fire
        self.fired: i64 = 0  # the set of laws that this chain has triggered
        self.rolled: vec[i64] = vec[i64]()  # oldest first: number << 16 | die << 8 | seat

    def clone(self) -> Chain:
        """An independent copy."""
        copy = Chain()
        copy.queue = self.queue[:]
        copy.fired = self.fired
        copy.rolled = self.rolled[:]
        return copy

    def contents(self) -> list[Any]:
        """The rolls and laws as plain numbers."""
        return [list(self.queue), self.fired, list(self.rolled)]

    def cancel(self) -> None:
        """End the chain, whichever laws wait."""
        self.queue = vec[i64]()
        self.fired = 0

    def trigger(self, law: i64) -> None:
        """Queue a law. R18: at most once in a chain, however often its number is rolled."""
        if not has(self.fired, law):
            self.fired |= bit(law)
            self.queue = append(self.queue, law)


def play_card(state: DiceState, seat: i64, card: i64, rng: Rng) -> None:
    """Play a card from the hand: a die starts a chain, a power takes effect."""
    state.deck.discard(seat, card)
    state.add_card_news("played", seat, card)
    if die_of(card) == 0:
        use_power(state, seat, card, True, rng)
    else:
        state.agenda.push(n.TASK_CHAIN, seat)
        roll_die(state, seat, die_of(card), rng)


def roll_die(state: DiceState, seat: i64, die: i64, rng: Rng) -> None:
    """Roll, and queue all laws with that number, clockwise from the roller."""
    number = rng.below(die) + 1
    chain, tablets, seats = state.chain, state.tablets, state.seats
    chain.rolled = append(chain.rolled, (number << 16) | (die << 8) | seat)
    if state.is_recording_news:
        state.add_news("rolled", seat, {"die": int(die), "number": int(number)})
    for step in range(seats):
        owner = (seat + step) % seats
        slot = tablets.slot_of(owner, number)
        if slot >= 0 and tablets.laws[owner * SLOT_COUNT + slot] != NO_CARD:
            chain.trigger(owner * SLOT_COUNT + slot)


def answer_roll(state: DiceState, seat: i64, kind: i64, die: i64, rng: Rng) -> None:
    """Apply the owner's decision on a triggered die."""
    if kind == n.ROLL_DIE:
        roll_die(state, seat, die, rng)
    elif state.is_recording_news:
        state.add_news("declined", seat, {})


def fire_next_law(state: DiceState, rng: Rng) -> None:
    """Fire the first law in the queue; the chain ends when the queue is empty."""
    chain = state.chain
    if len(chain.queue) == 0:
        chain.fired = 0
        return
    chain.queue, law = pop(chain.queue, 0)
    owner, card = law // SLOT_COUNT, state.tablets.laws[law]
    state.agenda.push(n.TASK_CHAIN, owner)
    if state.is_recording_news:
        facts: dict[str, Any] = {"slot": law % SLOT_COUNT + 1, "card": card_code(card)}
        state.add_news("triggered", owner, facts)
    if die_of(card) == 0:
        use_power(state, owner, card, False, rng)
    else:
        state.agenda.push(n.TASK_ROLL, owner, die_of(card))  # R17
