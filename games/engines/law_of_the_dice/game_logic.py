"""The rules of Law of the Dice: legal actions and their effects."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.base import Rng
from games.engines.common.agenda import kind_of, seat_of, subject_of
from games.engines.common.bits import bit, count, first_n, has, members, nth
from games.engines.law_of_the_dice.action_numbers import (
    AIM,
    CALL_COUNT,
    CAST_VOTE,
    DECIDE,
    DECLINE,
    DISCARD_CARD,
    DRAW,
    ENACT,
    END_TURN,
    GIVE_CARD,
    LAST_AWAITING_TASK,
    PLAY,
    PUT_NUMBER,
    ROLL_DIE,
    SHIFT_NUMBER,
    SWAP_NUMBERS,
    TASK_ACT,
    TASK_BEGIN_TURN,
    TASK_CHAIN,
    TASK_CLOSE_TURN,
    TASK_DISCARD,
    TASK_END_TURN,
    TASK_GIVE,
    TASK_LAST_WORD,
    TASK_ROLL,
    TASK_SHIFT,
    TASK_SWAP,
    TASK_TARGET,
    TASK_VOTE,
    encode_action,
    first_field,
    second_field,
    third_field,
)
from games.engines.law_of_the_dice.card_powers import apply_power_to, discard_card, exchange_cards
from games.engines.law_of_the_dice.cards import die_of
from games.engines.law_of_the_dice.rolls_and_triggers import answer_roll, fire_next_law, play_card
from games.engines.law_of_the_dice.suit_scoring import (
    cast_vote,
    count_suit,
    open_count,
    settle_tie,
    winning_seats,
)
from games.engines.law_of_the_dice.table_state import NO_SEAT, NO_SUIT, SLOT_COUNT, DiceTable
from games.engines.law_of_the_dice.tablet_slots import (
    add_number_actions,
    can_enact,
    enact_law,
    number_from_die,
    put_number_on_slot,
    shift_actions,
    shift_number,
    swap_actions,
    swap_numbers,
)

# of a card: play it, enact it in three slots, put two numbers on each slot
CELLS_PER_CARD: Final[i64] = 10


class DiceState(DiceTable):
    """The table together with the open decisions."""

    def set_up(self, seats: i64, rng: Rng) -> None:
        """Set up the table, deal, and give a random player the first turn."""
        self.init_table(seats)
        self.turn = rng.below(seats)  # R2
        self.deal_hands(rng)
        self.agenda.push(TASK_BEGIN_TURN, self.turn)
        self.advance(rng)

    def clone(self) -> DiceState:
        copy = DiceState()
        copy.points_to_win = self.points_to_win
        copy.suit_by_die = self.suit_by_die
        copy.laws_kept = self.laws_kept
        copy.counts_hands = self.counts_hands
        copy.counts_laws = self.counts_laws
        copy.seats = self.seats
        copy.to_act = self.to_act
        copy.hands = self.hands[:]
        copy.pile = self.pile
        copy.discards = self.discards[:]
        copy.laws = self.laws[:]
        copy.numbers = self.numbers[:]
        copy.points = self.points[:]
        copy.turn = self.turn
        copy.caller = self.caller
        copy.counts = self.counts
        copy.last_count = self.last_count[:]
        copy.agenda = self.agenda.clone()
        copy.queue = self.queue[:]
        copy.fired = self.fired
        copy.rolled = self.rolled[:]
        copy.votes = self.votes[:]
        copy.known_cards = self.known_cards[:]
        return copy

    def returns(self) -> list[float]:
        worth = [0.0] * self.seats
        if self.to_act == 0:
            winners = members(winning_seats(self))
            for seat in winners:
                worth[seat] = 1.0 / len(winners)
        return worth

    # -- legal actions ------------------------------------------------------------------------

    def legal_actions(self, seat: i64) -> list[i64]:
        if not has(self.to_act, seat):
            return []
        task = self.agenda.top()
        kind = kind_of(task)
        if kind == TASK_ACT:
            return self.turn_actions(seat)
        if kind == TASK_CLOSE_TURN:
            return [CALL_COUNT, END_TURN]
        if kind == TASK_SHIFT:
            return shift_actions(self, seat)
        if kind == TASK_SWAP:
            return swap_actions(self, seat)
        if kind == TASK_ROLL:
            return [ROLL_DIE, DECLINE]
        return self.choice_actions(seat, kind, subject_of(task))

    def choice_actions(self, seat: i64, kind: i64, subject: i64) -> list[i64]:
        """The actions that choose one member of a set."""
        if kind == TASK_TARGET:
            return [encode_action(AIM, other) for other in members(self.seats_with_cards(seat))]
        if kind == TASK_DISCARD:
            return [encode_action(DISCARD_CARD, card) for card in members(self.hands[seat])]
        if kind == TASK_GIVE:
            return [encode_action(GIVE_CARD, card) for card in members(self.hands[seat])]
        if kind == TASK_LAST_WORD:
            return [encode_action(DECIDE, suit) for suit in members(subject)]
        return [encode_action(CAST_VOTE, suit) for suit in range(4)]

    def turn_actions(self, seat: i64) -> list[i64]:
        """The actions of a turn: the uses of each card, then drawing."""
        found: list[i64] = []
        for card in members(self.hands[seat]):
            found.append(encode_action(PLAY, card))
            for slot in range(SLOT_COUNT):
                if can_enact(self, seat, slot):
                    found.append(encode_action(ENACT, card, slot))
            if die_of(card) != 0:
                add_number_actions(self, seat, card, found)
        found.append(DRAW)
        return found

    def random_action(self, seat: i64, rng: Rng) -> i64:
        kind = kind_of(self.agenda.top())
        if kind == TASK_ACT:
            return self.random_turn_action(seat, rng)
        if kind == TASK_CLOSE_TURN:
            return CALL_COUNT + rng.below(2)
        if kind == TASK_VOTE:
            return encode_action(CAST_VOTE, rng.below(4))
        legal = self.legal_actions(seat)
        return legal[rng.below(len(legal))]

    def random_turn_action(self, seat: i64, rng: Rng) -> i64:
        """Rejection sampling over all possible uses of the hand's cards, and drawing."""
        hand = self.hands[seat]
        cells = count(hand) * CELLS_PER_CARD
        while True:
            dart = rng.below(cells + 1)
            if dart == cells:
                return DRAW
            found = self.action_in_cell(
                seat, nth(hand, dart // CELLS_PER_CARD), dart % CELLS_PER_CARD
            )
            if found >= 0:
                return found

    def action_in_cell(self, seat: i64, card: i64, cell: i64) -> i64:
        """The action in one of a card's ten cells, or -1."""
        if cell == 0:
            return encode_action(PLAY, card)
        slot = (cell - 1) % SLOT_COUNT
        if cell <= SLOT_COUNT:
            return encode_action(ENACT, card, slot) if can_enact(self, seat, slot) else -1
        if die_of(card) == 0:
            return -1
        number = number_from_die(self, seat, slot, die_of(card), cell > 2 * SLOT_COUNT)
        return encode_action(PUT_NUMBER, card, slot, number - 1) if number != 0 else -1

    # -- effects ------------------------------------------------------------------------------

    def apply(self, seat: i64, action: i64, rng: Rng) -> None:
        if self.is_recording_news:
            self.news = []
        kind = action & 0xFF
        if kind == CAST_VOTE:
            cast_vote(self, seat, first_field(action))
        else:
            task = self.agenda.pop()
            if kind <= DRAW:
                self.apply_turn_action(seat, kind, action, rng)
            elif kind <= END_TURN:
                self.apply_turn_end(seat, kind)
            else:
                self.apply_answer(seat, action, task, rng)
        self.advance(rng)

    def apply_turn_action(self, seat: i64, kind: i64, chosen: i64, rng: Rng) -> None:
        """Apply one of the two actions of a turn."""
        card = first_field(chosen)
        if kind == PLAY:
            play_card(self, seat, card, rng)
        elif kind == ENACT:
            enact_law(self, seat, card, second_field(chosen))
        elif kind == PUT_NUMBER:
            put_number_on_slot(self, seat, card, second_field(chosen), third_field(chosen) + 1)
        else:
            self.draw_card(seat, rng)

    def apply_turn_end(self, seat: i64, kind: i64) -> None:
        """End the turn and optionally call a count: then each other player has one more turn."""
        if kind == CALL_COUNT:
            self.caller = seat
            if self.is_recording_news:
                self.add_news("called", seat, {})
        self.agenda.push(TASK_BEGIN_TURN, (seat + 1) % self.seats)

    def apply_answer(self, seat: i64, chosen: i64, task: i64, rng: Rng) -> None:
        """Apply a decision inside an effect."""
        kind = chosen & 0xFF
        if kind == AIM:
            apply_power_to(self, seat, subject_of(task), first_field(chosen), rng)
        elif kind == SHIFT_NUMBER:
            shift_number(self, seat, chosen)
        elif kind == SWAP_NUMBERS:
            swap_numbers(self, seat, chosen)
        elif kind == DISCARD_CARD:
            discard_card(self, seat, first_field(chosen))
        elif kind == GIVE_CARD:
            exchange_cards(self, seat, subject_of(task), first_field(chosen), rng)
        elif kind == DECIDE:
            settle_tie(self, seat, first_field(chosen))
        else:
            answer_roll(self, seat, kind, subject_of(task), rng)

    # -- until the next decision point ----------------------------------------------------------

    def advance(self, rng: Rng) -> None:
        """Run tasks until one needs a decision, or none is left and the game is over."""
        while len(self.agenda.tasks) > 0:
            task = self.agenda.top()
            if kind_of(task) <= LAST_AWAITING_TASK:
                self.await_answer(kind_of(task), seat_of(task))
                return
            self.agenda.pop()
            self.run_task(kind_of(task), seat_of(task), subject_of(task), rng)
        self.to_act = 0

    def await_answer(self, kind: i64, seat: i64) -> None:
        """Set the seats that must act: one seat, or in a vote all that have not voted."""
        if kind != TASK_VOTE:
            self.to_act = bit(seat)
            return
        self.to_act = first_n(self.seats)
        for voter in range(self.seats):
            if self.votes[voter] != NO_SUIT:
                self.to_act ^= bit(voter)

    def run_task(self, kind: i64, seat: i64, subject: i64, rng: Rng) -> None:
        """Run a task that needs no decision."""
        if kind == TASK_BEGIN_TURN:
            self.begin_turn(seat, rng)
        elif kind == TASK_END_TURN:
            self.end_turn(seat, rng)
        elif kind == TASK_CHAIN:
            fire_next_law(self, rng)
        else:
            count_suit(self, seat, subject, rng)

    def begin_turn(self, seat: i64, rng: Rng) -> None:
        """Draw a card, and schedule two actions and the end of the turn."""
        self.turn = seat
        self.rolled = vec[i64]()
        self.agenda.push(TASK_END_TURN, seat)
        self.agenda.push(TASK_ACT, seat)
        self.agenda.push(TASK_ACT, seat)
        if self.is_recording_news:
            self.add_news("turn", seat, {})
        self.draw_card(seat, rng)

    def end_turn(self, seat: i64, rng: Rng) -> None:
        """Offer a call; if one is pending, continue until all others have had their turn."""
        following = (seat + 1) % self.seats
        if self.caller == NO_SEAT:
            self.agenda.push(TASK_CLOSE_TURN, seat)
        elif following == self.caller:
            open_count(self, rng)
        else:
            self.agenda.push(TASK_BEGIN_TURN, following)
