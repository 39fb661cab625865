"""Making a state from a view: a random state that would look exactly like the view."""

from __future__ import annotations

from collections.abc import Iterable

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.base import ONLOOKER_SEAT, Rng
from games.engines.common import playing_cards
from games.engines.common.bits import bit, count, members
from games.engines.law.action_numbers import DUTY_NAMES, ENDING_NAMES, TASK_NAMES, encode_subject
from games.engines.law.actions import Card
from games.engines.law.cards import INTRODUCTORY_DECK
from games.engines.law.game_logic import LawState
from games.engines.law.game_options import Options
from games.engines.law.laws_in_force import update_parameters
from games.engines.law.rule_parameters import SHAPE_NAMES
from games.engines.law.table_state import NOT_BEGUN
from games.engines.law.view import View


def deck_of(options: Options) -> int:
    """The cards in play, as a set."""
    return int(playing_cards.FULL_DECK if options.deck == "whole" else INTRODUCTORY_DECK)


def imagine(seen: View, rng: Rng) -> LawState:
    """A state that would look like this view, with hidden cards placed at random."""
    state = LawState()
    state.init_table(seen.seats, deck_of(seen.options))
    state.to_act = sum(bit(seat) for seat in seen.to_act)
    _restore_turn(state, seen)
    _restore_chain(state, seen)
    state.laws = vec[i64](_card_set(law.card for law in laws) for laws in seen.laws)
    for law in (law for laws in seen.laws for law in laws):
        if law.bound is not None:
            state.bound[law.bound] |= bit(_card_number(law.card))
    state.raised = vec[i64](seen.raised)
    state.trash = _card_set(seen.trash)
    state.removed = _card_set(seen.removed)
    update_parameters(state)
    _place_hidden_cards(state, seen)
    state.determinize(ONLOOKER_SEAT if seen.seat is None else seen.seat, rng)
    return state


def _restore_turn(state: LawState, seen: View) -> None:
    """Restore whose turn it is and the work that remains."""
    state.turn = seen.turn
    state.actor = seen.chain.actor
    state.takes = seen.takes
    state.discards_left = NOT_BEGUN if seen.discards is None else seen.discards
    state.duties = sum(bit(DUTY_NAMES.index(duty)) for duty in seen.duties)
    state.has_stolen = seen.stolen
    state.asked = seen.asked
    state.quiet = seen.quiet
    state.decisions = seen.decisions
    state.winners = sum(bit(seat) for seat in seen.winners)
    state.ending = ENDING_NAMES.index(seen.ending)
    for task in seen.agenda:
        other = -1 if task.other is None else task.other
        card = -1 if task.card is None else _card_number(task.card)
        state.agenda.push(
            TASK_NAMES.index(task.kind), task.seat, encode_subject(task.number, other, card)
        )


def _restore_chain(state: LawState, seen: View) -> None:
    """Restore the Bill being laid and the consequences of the action so far."""
    if seen.bill is not None:
        state.bill = SHAPE_NAMES.index(seen.bill.shape)
        state.bill_place = seen.bill.lowest
        state.bill_suit = seen.bill.suit
        state.bill_left = seen.bill.cards
        state.bill_hearts = seen.bill.hearts
    triggers = seen.triggers
    state.pending_triggers = vec[i64](
        trigger.seat << 8 | _card_number(trigger.card) for trigger in triggers
    )
    state.pending_trigger_laws = vec[i64](_card_set(trigger.laws) for trigger in triggers)
    pairs = ((_card_number(fired.law), _card_number(fired.card)) for fired in seen.chain.fired)
    state.fired = vec[i64](law << 8 | card for law, card in pairs)
    state.happened = _card_set(seen.chain.happened)
    state.has_contributed = seen.chain.contributed


def _place_hidden_cards(state: LawState, seen: View) -> None:
    """Fill each hidden place with some card; the re-deal chooses which."""
    viewer = seen.seats if seen.seat is None else seen.seat
    rows = [seen.draw_top, *seen.discard_piles]
    sure = _card_set(seen.draw_known) | _card_set(card for row in rows for card in row if card)
    for known in seen.known:
        state.hands[known.seat] = _card_set(known.cards)
        sure |= state.hands[known.seat]
    state.known_cards[viewer] = sure
    if seen.seat is not None:
        state.hands[seen.seat] = _card_set(seen.hand)
        state.chosen[seen.seat] = _card_set(seen.chosen)
    open_ = state.open_cards() | sure | _card_set(seen.hand)
    hidden = members(state.deck & ~open_)
    for seat in range(seen.seats):
        for _ in range(seen.hand_sizes[seat] - count(state.hands[seat])):
            state.hands[seat] |= bit(hidden.pop())
        if seat != seen.seat:  # the re-deal uses only the number
            state.chosen[seat] = bit(seen.chosen_sizes[seat]) - 1
    state.stack, *state.discards = (
        vec[i64](_card_number(card) if card else hidden.pop() for card in row) for row in rows
    )
    state.pile = _card_set(seen.draw_known) | sum(bit(card) for card in hidden)


def _card_number(card: Card) -> int:
    """The number of a card in the rules."""
    return playing_cards.CARD_CODES.index(card)


def _card_set(cards: Iterable[Card]) -> int:
    return sum(bit(_card_number(card)) for card in cards)
