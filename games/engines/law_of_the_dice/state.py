"""A game of Law of the Dice as it stands: who may do what now, and what doing it leads to."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.base import Rng
from games.engines.common.agenda import kind_of, seat_of, subject_of
from games.engines.common.bits import bit, count, first, has, members, nth
from games.engines.law_of_the_dice.cards import die_of
from games.engines.law_of_the_dice.chains import fire_next, play, roll_or_not
from games.engines.law_of_the_dice.counting import (
    champions,
    count_suit,
    decide,
    open_count,
    vote,
)
from games.engines.law_of_the_dice.powers import exchange, give_up, strike
from games.engines.law_of_the_dice.table import NO_SEAT, NO_SUIT, SLOTS, DiceTable
from games.engines.law_of_the_dice.tablets import (
    enact,
    may_enact,
    number_actions,
    put_number,
    shift,
    shifts,
    spend,
    swap,
    swaps,
)
from games.engines.law_of_the_dice.tasks import (
    ACT,
    AIM,
    AWAITING,
    CALL_COUNT,
    CAST_VOTE,
    CHAIN,
    CLOSE,
    DECIDE,
    DECLINE,
    DISCARD,
    DISCARD_CARD,
    DRAW,
    ENACT,
    END,
    END_TURN,
    GIVE,
    GIVE_CARD,
    LAST_WORD,
    NUMBER,
    PLAY,
    ROLL,
    ROLL_DIE,
    SHIFT,
    SHIFT_NUMBER,
    SWAP,
    SWAP_NUMBERS,
    TARGET,
    TURN,
    VOTE,
    action,
    first_of,
    second_of,
    third_of,
)

CELLS: Final[i64] = 10  # of a card: play it, make it a law in three slots, put two numbers there


class DiceState(DiceTable):
    """The table together with the decisions that are open on it."""

    def deal_in(self, seats: i64, rng: Rng) -> None:
        """Seat the players, shuffle, deal, and give a random player the first turn."""
        self.lay_out(seats)
        self.turn = rng.below(seats)  # R2
        self.deal(rng)
        self.agenda.push(TURN, self.turn)
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
        copy.knows = self.knows[:]
        return copy

    def returns(self) -> list[float]:
        worth = [0.0] * self.seats
        if self.to_act == 0:
            winners = members(champions(self))
            for seat in winners:
                worth[seat] = 1.0 / len(winners)
        return worth

    # -- what may be done ---------------------------------------------------------------------

    def legal_actions(self, seat: i64) -> list[i64]:
        if not has(self.to_act, seat):
            return []
        task = self.agenda.top()
        kind = kind_of(task)
        if kind == ACT:
            return self.acts(seat)
        if kind == CLOSE:
            return [CALL_COUNT, END_TURN]
        if kind == SHIFT:
            return shifts(self, seat)
        if kind == SWAP:
            return swaps(self, seat)
        if kind == ROLL:
            return [ROLL_DIE, DECLINE]
        return self.picks(seat, kind, subject_of(task))

    def picks(self, seat: i64, kind: i64, subject: i64) -> list[i64]:
        """The decisions that pick one member of a set."""
        if kind == TARGET:
            return [action(AIM, other) for other in members(self.with_cards(seat))]
        if kind == DISCARD:
            return [action(DISCARD_CARD, card) for card in members(self.hands[seat])]
        if kind == GIVE:
            return [action(GIVE_CARD, card) for card in members(self.hands[seat])]
        if kind == LAST_WORD:
            return [action(DECIDE, suit) for suit in members(subject)]
        return [action(CAST_VOTE, suit) for suit in range(4)]

    def acts(self, seat: i64) -> list[i64]:
        """The actions of a turn: card by card what can be done with it, then drawing."""
        found: list[i64] = []
        for card in members(self.hands[seat]):
            found.append(action(PLAY, card))
            for slot in range(SLOTS):
                if may_enact(self, seat, slot):
                    found.append(action(ENACT, card, slot))
            if die_of(card) != 0:
                number_actions(self, seat, card, found)
        found.append(DRAW)
        return found

    def random_action(self, seat: i64, rng: Rng) -> i64:
        kind = kind_of(self.agenda.top())
        if kind == ACT:
            return self.random_act(seat, rng)
        if kind == CLOSE:
            return CALL_COUNT + rng.below(2)
        if kind == VOTE:
            return action(CAST_VOTE, rng.below(4))
        legal = self.legal_actions(seat)
        return legal[rng.below(len(legal))]

    def random_act(self, seat: i64, rng: Rng) -> i64:
        """Throw darts at everything a card could ever be used for until one is legal."""
        hand = self.hands[seat]
        cells = count(hand) * CELLS
        while True:
            dart = rng.below(cells + 1)
            if dart == cells:
                return DRAW
            found = self.act_at(seat, nth(hand, dart // CELLS), dart % CELLS)
            if found >= 0:
                return found

    def act_at(self, seat: i64, card: i64, cell: i64) -> i64:
        """The action in one of a card's ten cells, or -1."""
        if cell == 0:
            return action(PLAY, card)
        slot = (cell - 1) % SLOTS
        if cell <= SLOTS:
            return action(ENACT, card, slot) if may_enact(self, seat, slot) else -1
        if die_of(card) == 0:
            return -1
        number = put_number(self, seat, slot, die_of(card), cell > 2 * SLOTS)
        return action(NUMBER, card, slot, number - 1) if number != 0 else -1

    # -- doing it -----------------------------------------------------------------------------

    def apply(self, seat: i64, action: i64, rng: Rng) -> None:
        if self.listening:
            self.news = []
        kind = action & 0xFF
        if kind == CAST_VOTE:
            vote(self, seat, first_of(action))
        else:
            task = self.agenda.pop()
            if kind <= DRAW:
                self.act(seat, kind, action, rng)
            elif kind <= END_TURN:
                self.close(seat, kind)
            else:
                self.answer(seat, action, task, rng)
        self.advance(rng)

    def act(self, seat: i64, kind: i64, chosen: i64, rng: Rng) -> None:
        """One of the two actions of a turn."""
        card = first_of(chosen)
        if kind == PLAY:
            play(self, seat, card, rng)
        elif kind == ENACT:
            enact(self, seat, card, second_of(chosen))
        elif kind == NUMBER:
            spend(self, seat, card, second_of(chosen), third_of(chosen) + 1)
        else:
            self.draw(seat, rng)

    def close(self, seat: i64, kind: i64) -> None:
        """End the turn, and perhaps call a count: then everybody else has one more turn."""
        if kind == CALL_COUNT:
            self.caller = seat
            if self.listening:
                self.tell("called", seat, {})
        self.agenda.push(TURN, (seat + 1) % self.seats)

    def answer(self, seat: i64, chosen: i64, task: i64, rng: Rng) -> None:
        """A decision inside an effect."""
        kind = chosen & 0xFF
        if kind == AIM:
            strike(self, seat, subject_of(task), first_of(chosen), rng)
        elif kind == SHIFT_NUMBER:
            shift(self, seat, chosen)
        elif kind == SWAP_NUMBERS:
            swap(self, seat, chosen)
        elif kind == DISCARD_CARD:
            give_up(self, seat, first_of(chosen))
        elif kind == GIVE_CARD:
            exchange(self, seat, subject_of(task), first_of(chosen), rng)
        elif kind == DECIDE:
            decide(self, seat, first_of(chosen))
        else:
            roll_or_not(self, seat, kind, subject_of(task), rng)

    # -- until somebody must decide -------------------------------------------------------------

    def advance(self, rng: Rng) -> None:
        """Run tasks until one waits for a seat, or none is left and the game is over."""
        while len(self.agenda.tasks) > 0:
            task = self.agenda.top()
            if kind_of(task) <= AWAITING:
                self.await_answer(kind_of(task), seat_of(task))
                return
            self.agenda.pop()
            self.run(kind_of(task), seat_of(task), subject_of(task), rng)
        self.to_act = 0

    def await_answer(self, kind: i64, seat: i64) -> None:
        """Whom the table waits for: one seat, or in a vote all that have not voted."""
        if kind != VOTE:
            self.to_act = bit(seat)
            return
        self.to_act = first(self.seats)
        for voter in range(self.seats):
            if self.votes[voter] != NO_SUIT:
                self.to_act ^= bit(voter)

    def run(self, kind: i64, seat: i64, subject: i64, rng: Rng) -> None:
        """A task that needs no answer."""
        if kind == TURN:
            self.begin_turn(seat, rng)
        elif kind == END:
            self.end_turn(seat, rng)
        elif kind == CHAIN:
            fire_next(self, rng)
        else:
            count_suit(self, seat, subject, rng)

    def begin_turn(self, seat: i64, rng: Rng) -> None:
        """A card, two actions, the end."""
        self.turn = seat
        self.rolled = vec[i64]()
        self.agenda.push(END, seat)
        self.agenda.push(ACT, seat)
        self.agenda.push(ACT, seat)
        if self.listening:
            self.tell("turn", seat, {})
        self.draw(seat, rng)

    def end_turn(self, seat: i64, rng: Rng) -> None:
        """Ask for a call; while one is pending, go on until everybody else has moved."""
        following = (seat + 1) % self.seats
        if self.caller == NO_SEAT:
            self.agenda.push(CLOSE, seat)
        elif following == self.caller:
            open_count(self, rng)
        else:
            self.agenda.push(TURN, following)
