"""A game of Law as it stands: who may do what now, and what doing it leads to."""

from __future__ import annotations

from typing import Any, Final

from mypy_extensions import i64

from games.engines.base import News, Rng
from games.engines.common.agenda import kind_of, seat_of, subject_of
from games.engines.common.bits import bit, count, has, members
from games.engines.common.french import code
from games.engines.law.bills import forget_bill, is_forced, lay_forced, propose
from games.engines.law.chains import (
    discard,
    draw,
    end_chain,
    grant,
    let_happen,
    look,
    serve_next,
    settle_piles,
)
from games.engines.law.choices import answer, answers
from games.engines.law.endings import (
    MOST_DECISIONS,
    ROUNDS,
    finish,
    is_stuck,
    largest_collections,
    winner_by_laws,
)
from games.engines.law.force import enforce, fire
from games.engines.law.hidden import deal_again
from games.engines.law.layout import NO_BILL
from games.engines.law.plays import add_plays, add_turn_plays, ask, reveal, top, trade
from games.engines.law.sealed import is_sealed, unseal, waits_for
from games.engines.law.table import LawTable
from games.engines.law.tasks import (
    ASK,
    ATTEND,
    AWAITING,
    BEGIN,
    BY_IMPOSSIBILITY,
    BY_LAWS,
    BY_LENGTH,
    BY_STALEMATE,
    BY_STRAIGHT_FLUSH,
    COLLECT,
    DISCARD_ONE,
    DRAW,
    END_TURN,
    FIRE,
    GAIN,
    GRANT,
    HAPPEN,
    LAY,
    REVEAL,
    TAKE_ONE,
    TOP,
    TRADE,
    TURN,
    about,
    card_of,
    first_of,
    number_of,
    second_of,
)
from games.engines.law.terms import (
    STRAIGHT_FLUSH_SHAPE,
)
from games.engines.law.turns import (
    add_duties,
    attend,
    begin_end,
    begin_turn,
    is_turn_over,
    sources,
)

HAND: Final[i64] = 2  # cards dealt to each


class LawState(LawTable):
    """The table together with the decisions that are open on it."""

    def deal_in(self, seats: i64, deck: i64, rng: Rng) -> None:
        """Seat the players, shuffle, deal, and give a random player the first turn."""
        self.lay_out(seats, deck)
        self.turn = self.actor = rng.below(seats)  # R20
        enforce(self)
        for seat in range(seats):
            for _ in range(HAND):
                self.receive(seat, self.pull(rng), bit(seat))
            if self.listening:
                secret = {"cards": [code(card) for card in members(self.hands[seat])]}
                facts: dict[str, Any] = {"count": int(HAND)}
                self.news.append(News("dealt", seat, facts, secret, bit(seat)))
        self.agenda.push(BEGIN, self.turn)
        self.advance(rng)

    def clone(self) -> LawState:
        copy = LawState()
        self.copy_to(copy)
        return copy

    def determinize(self, seat: i64, rng: Rng) -> None:
        deal_again(self, seat, rng)
        look(self)

    def returns(self) -> list[float]:
        worth = [0.0] * self.seats
        if self.to_act == 0:
            for seat in members(self.winners):
                worth[seat] = 1.0 / float(count(self.winners))
        return worth

    # -- what may be done ---------------------------------------------------------------------

    def legal_actions(self, seat: i64) -> list[i64]:
        if self.to_act == 0:
            return []
        task = self.agenda.top()
        if kind_of(task) == TURN:
            found: list[i64] = []
            if seat == self.turn:
                add_duties(self, seat, found)
                add_turn_plays(self, seat, found)
            add_plays(self, seat, found)
            return found
        return answers(self, seat, task) if has(self.to_act, seat) else []

    # -- doing it -----------------------------------------------------------------------------

    def apply(self, seat: i64, action: i64, rng: Rng) -> None:
        if self.listening:
            self.news = []
        self.decisions += 1
        if kind_of(self.agenda.top()) == TURN:
            self.actor = seat
            self.act(seat, action & 0xFF, first_of(action), second_of(action), rng)
        else:
            answer(self, seat, action, rng)
        self.advance(rng)
        if self.to_act != 0 and self.decisions >= MOST_DECISIONS:
            finish(self, largest_collections(self), BY_LENGTH)  # R64

    def act(self, seat: i64, kind: i64, first: i64, second: i64, rng: Rng) -> None:
        """Something that a turn asks for, or that may be done at any time."""
        if kind == TAKE_ONE:
            self.take(seat, first, rng)
        elif kind <= END_TURN:
            self.work_off(seat, kind, first, second)
        elif kind == REVEAL:
            reveal(self, seat, first)
        elif kind == ASK:
            ask(self, seat, first, second)
        elif kind == TRADE:
            trade(self, seat)
        elif kind == TOP:
            top(self, seat, first, second)
        else:
            propose(self, seat, kind, first, second)

    def work_off(self, seat: i64, kind: i64, first: i64, second: i64) -> None:
        """Something that is owed at the end of a turn; the first of it begins that end."""
        begin_end(self)
        if kind == DISCARD_ONE:
            self.due -= 1
            discard(self, seat, first, second)
        elif kind == ATTEND:
            attend(self, seat, first)

    def take(self, seat: i64, pile: i64, rng: Rng) -> None:
        """Take one of the cards that are owed at the start of a turn."""
        self.takes -= 1
        if pile == 0:
            draw(self, seat, 1, rng)
            return
        card = self.pick_up(pile)
        seen_by: i64 = 0
        for viewer in range(self.seats + 1):
            if viewer == seat or has(self.knows[viewer], card):
                seen_by |= bit(viewer)
        self.receive(seat, card, seen_by)
        if self.listening:
            self.tell_card("took", seat, {"pile": int(pile)}, card, seen_by)

    # -- until somebody must decide -------------------------------------------------------------

    def advance(self, rng: Rng) -> None:
        """Run tasks until one waits for a seat, or the game is over."""
        self.to_act = 0
        while self.ending == 0:
            if self.is_amended:
                enforce(self)
            if self.bill == NO_BILL:  # R2: nothing comes between the cards of a Bill
                settle_piles(self, rng)
            task = self.agenda.top()
            if kind_of(task) > AWAITING:
                self.agenda.pop()
                self.run(kind_of(task), seat_of(task), subject_of(task), rng)
            elif self.waits(task, rng):
                break
        look(self)

    def waits(self, task: i64, rng: Rng) -> bool:
        """Does a task wait for somebody? If not, something was done about it."""
        kind = kind_of(task)
        if kind == TURN:
            return self.waits_in_turn(rng)
        if is_sealed(kind):
            self.to_act = waits_for(self, task)
            if self.to_act == 0:
                self.agenda.pop()
                unseal(self, task)
            return self.to_act != 0
        if kind == LAY:
            return self.waits_for_bill(seat_of(task))
        return self.waits_for_answer(seat_of(task), task, rng)

    def waits_for_answer(self, seat: i64, task: i64, rng: Rng) -> bool:
        """Is there more than one answer?"""
        possible = answers(self, seat, task)
        if len(possible) > 1:
            self.to_act = bit(seat)
            return True
        if len(possible) == 1:
            answer(self, seat, possible[0], rng)  # R62
        else:
            self.agenda.pop()
            if self.listening:
                self.tell("nothing", seat, {})
        return False

    def waits_for_bill(self, seat: i64) -> bool:
        """Is there more than one way to lay the next card of a Bill?"""
        if self.bill_left > 0:
            if not is_forced(self, seat):
                self.to_act = bit(seat)
                return True
            lay_forced(self, seat)
            return False
        self.agenda.pop()
        if self.bill == STRAIGHT_FLUSH_SHAPE:
            finish(self, bit(seat), BY_STRAIGHT_FLUSH)
        forget_bill(self)
        return False

    def waits_in_turn(self, rng: Rng) -> bool:
        """Nothing is left of the last action: look at all that is looked at then."""
        if len(self.waiting) > 0:
            serve_next(self)
            return False
        if self.feeds_empty_hands():
            return False
        end_chain(self)
        winner = winner_by_laws(self)
        if winner >= 0:
            finish(self, bit(winner), BY_LAWS)
        elif is_stuck(self):
            finish(self, largest_collections(self), BY_IMPOSSIBILITY)
        elif is_turn_over(self):
            self.agenda.pop()
            self.agenda.push(BEGIN, self.left_of(self.turn))
        else:
            return self.offers_turn()
        return False

    def feeds_empty_hands(self) -> bool:
        """Is there a player without cards who now draws one?"""
        if self.is_pile_empty():
            return False
        for step in range(self.seats):
            seat = (self.turn + step) % self.seats
            if self.hands[seat] == 0:  # R10
                self.agenda.push(DRAW, seat, about(1))
                return True
        return False

    def offers_turn(self) -> bool:
        """The player on turn is awaited, and nobody is kept from acting."""
        if self.takes > 0 and len(sources(self, self.turn)) == 0:
            self.takes = 0
        self.to_act = bit(self.turn)
        return True

    def run(self, kind: i64, seat: i64, subject: i64, rng: Rng) -> None:
        """A task that needs no answer."""
        number = number_of(subject)
        if kind == BEGIN:
            self.begin(seat)
        elif kind == DRAW:
            draw(self, seat, number, rng)
        elif kind == GAIN:
            laws = number * self.terms[seat].collects  # R42
            self.agenda.push(COLLECT, seat, about(laws))
        elif kind == GRANT:
            grant(self, seat, number, rng)
        elif kind == HAPPEN:
            let_happen(self, seat, card_of(subject))
        elif kind == FIRE:
            fire(self, seat, card_of(subject))
        else:
            self.recycle(seat, card_of(subject))

    def begin(self, seat: i64) -> None:
        """The next turn, unless the game has come to a standstill."""
        self.quiet += 1
        if self.quiet > ROUNDS * self.seats:
            finish(self, largest_collections(self), BY_STALEMATE)  # R18
        else:
            begin_turn(self, seat)

    def recycle(self, seat: i64, card: i64) -> None:
        """Shuffle a Law into the draw pile, if it is still there."""
        if not has(self.laws[seat], card):
            return
        self.repeal(bit(card))
        self.shuffle_in(bit(card))
        if self.listening:
            self.tell("recycled", seat, {"card": code(card)})
