"""The rules of Law: the legal actions and their effects."""

from __future__ import annotations

from typing import Any, Final

from mypy_extensions import i64

from games.engines.base import Rng
from games.engines.common.agenda import kind_of, seat_of, subject_of
from games.engines.common.bits import bit, count, has, members
from games.engines.common.playing_cards import card_code
from games.engines.law.action_numbers import (
    ASK,
    ATTEND,
    DISCARD_ONE,
    END_TURN,
    ENDED_BY_IMPOSSIBILITY,
    ENDED_BY_LAWS,
    ENDED_BY_LENGTH,
    ENDED_BY_STALEMATE,
    ENDED_BY_STRAIGHT_FLUSH,
    LAST_AWAITING_TASK,
    REVEAL,
    TAKE_ONE,
    TASK_BEGIN_TURN,
    TASK_COLLECT,
    TASK_DRAW,
    TASK_EVENT,
    TASK_FIRE,
    TASK_GAIN,
    TASK_GRANT,
    TASK_LAY,
    TASK_TURN,
    TOP,
    TRADE,
    card_of,
    encode_subject,
    first_field,
    number_of,
    second_field,
)
from games.engines.law.bill_combinations import forget_bill, is_forced, lay_forced, propose_bill
from games.engines.law.card_moves import LawTable
from games.engines.law.determinization import redeal
from games.engines.law.effect_chains import (
    discard_card,
    draw_cards,
    end_chain,
    grant_laws,
    run_event,
    serve_next_trigger,
    settle_piles,
    update_knowledge,
)
from games.engines.law.endings import (
    MAX_ACTIONS,
    MAX_ROUNDS_WITHOUT_LAW,
    finish_game,
    is_stuck,
    seats_with_most_laws,
    winner_by_laws,
)
from games.engines.law.laws_in_force import fire_law, update_parameters
from games.engines.law.optional_plays import (
    add_anytime_actions,
    add_optional_turn_actions,
    ask_for_card,
    play_on_top,
    reveal_hand,
    start_trade,
)
from games.engines.law.pending_choices import apply_answer, legal_answers
from games.engines.law.rule_parameters import (
    SHAPE_STRAIGHT_FLUSH,
)
from games.engines.law.simultaneous_choices import apply_choices, awaited_seats, is_sealed
from games.engines.law.table_state import NO_BILL
from games.engines.law.turn_duties import (
    add_duty_actions,
    begin_turn,
    begin_turn_end,
    is_turn_over,
    perform_duty,
    usable_piles,
)

HAND_SIZE: Final[i64] = 2  # cards dealt to each


class LawState(LawTable):
    """The table together with its open decisions."""

    def set_up(self, seats: i64, deck: i64, rng: Rng) -> None:
        """Seat the players, shuffle, deal, and give a random player the first turn."""
        self.init_table(seats, deck)
        self.turn = self.actor = rng.below(seats)  # R20
        update_parameters(self)
        for seat in range(seats):
            for _ in range(HAND_SIZE):
                self.add_to_hand(seat, self.take_top_card(rng), bit(seat))
            if self.is_recording_news:
                secret = {"cards": [card_code(card) for card in members(self.hands[seat])]}
                facts: dict[str, Any] = {"count": int(HAND_SIZE)}
                self.add_news("dealt", seat, facts, secret, bit(seat))
        self.agenda.push(TASK_BEGIN_TURN, self.turn)
        self.advance(rng)

    def clone(self) -> LawState:
        copy = LawState()
        self.copy_to(copy)
        return copy

    def determinize(self, seat: i64, rng: Rng) -> None:
        redeal(self, seat, rng)
        update_knowledge(self)

    def returns(self) -> list[float]:
        worth = [0.0] * self.seats
        if self.to_act == 0:
            for seat in members(self.winners):
                worth[seat] = 1.0 / float(count(self.winners))
        return worth

    # -- legal actions ------------------------------------------------------------------------

    def legal_actions(self, seat: i64) -> list[i64]:
        if self.to_act == 0:
            return []
        task = self.agenda.top()
        if kind_of(task) == TASK_TURN:
            found: list[i64] = []
            if seat == self.turn:
                add_duty_actions(self, seat, found)
                add_optional_turn_actions(self, seat, found)
            add_anytime_actions(self, seat, found)
            return found
        return legal_answers(self, seat, task) if has(self.to_act, seat) else []

    # -- applying actions ---------------------------------------------------------------------

    def apply(self, seat: i64, action: i64, rng: Rng) -> None:
        if self.is_recording_news:
            self.news = []
        self.decisions += 1
        if kind_of(self.agenda.top()) == TASK_TURN:
            self.actor = seat
            self.apply_turn_action(
                seat, action & 0xFF, first_field(action), second_field(action), rng
            )
        else:
            apply_answer(self, seat, action, rng)
        self.advance(rng)
        if self.to_act != 0 and self.decisions >= MAX_ACTIONS:
            finish_game(self, seats_with_most_laws(self), ENDED_BY_LENGTH)  # R64

    def apply_turn_action(self, seat: i64, kind: i64, first: i64, second: i64, rng: Rng) -> None:
        """Apply an action that a turn asks for, or that is legal at any time."""
        if kind == TAKE_ONE:
            self.take_card(seat, first, rng)
        elif kind <= END_TURN:
            self.apply_end_action(seat, kind, first, second)
        elif kind == REVEAL:
            reveal_hand(self, seat, first)
        elif kind == ASK:
            ask_for_card(self, seat, first, second)
        elif kind == TRADE:
            start_trade(self, seat)
        elif kind == TOP:
            play_on_top(self, seat, first, second)
        else:
            propose_bill(self, seat, kind, first, second)

    def apply_end_action(self, seat: i64, kind: i64, first: i64, second: i64) -> None:
        """Apply an action owed at the end of a turn; the first one begins that end."""
        begin_turn_end(self)
        if kind == DISCARD_ONE:
            self.discards_left -= 1
            discard_card(self, seat, first, second)
        elif kind == ATTEND:
            perform_duty(self, seat, first)

    def take_card(self, seat: i64, pile: i64, rng: Rng) -> None:
        """Take one of the cards owed at the start of a turn."""
        self.takes -= 1
        if pile == 0:
            draw_cards(self, seat, 1, rng)
            return
        card = self.take_top_discard(pile)
        seen_by: i64 = 0
        for viewer in range(self.seats + 1):
            if viewer == seat or has(self.known_cards[viewer], card):
                seen_by |= bit(viewer)
        self.add_to_hand(seat, card, seen_by)
        if self.is_recording_news:
            self.add_card_news("took", seat, {"pile": int(pile)}, card, seen_by)

    # -- until a seat must decide ---------------------------------------------------------------

    def advance(self, rng: Rng) -> None:
        """Run tasks until one waits for a seat, or the game is over."""
        self.to_act = 0
        while self.ending == 0:
            if self.has_stale_parameters:
                update_parameters(self)
            if self.bill == NO_BILL:  # R2: nothing comes between the cards of a Bill
                settle_piles(self, rng)
            task = self.agenda.top()
            if kind_of(task) > LAST_AWAITING_TASK:
                self.agenda.pop()
                self.run_task(kind_of(task), seat_of(task), subject_of(task), rng)
            elif self.await_task(task, rng):
                break
        update_knowledge(self)

    def await_task(self, task: i64, rng: Rng) -> bool:
        """Whether a task waits for a seat; if not, it has been advanced."""
        kind = kind_of(task)
        if kind == TASK_TURN:
            return self.await_turn(rng)
        if is_sealed(kind):
            self.to_act = awaited_seats(self, task)
            if self.to_act == 0:
                self.agenda.pop()
                apply_choices(self, task)
            return self.to_act != 0
        if kind == TASK_LAY:
            return self.await_bill(seat_of(task))
        return self.await_answer(seat_of(task), task, rng)

    def await_answer(self, seat: i64, task: i64, rng: Rng) -> bool:
        """Whether there is more than one answer; if not, the task has been resolved."""
        possible = legal_answers(self, seat, task)
        if len(possible) > 1:
            self.to_act = bit(seat)
            return True
        if len(possible) == 1:
            apply_answer(self, seat, possible[0], rng)  # R62
        else:
            self.agenda.pop()
            if self.is_recording_news:
                self.add_news("nothing", seat, {})
        return False

    def await_bill(self, seat: i64) -> bool:
        """Whether the next card of a Bill can be laid in more than one way; if not, advance the
        Bill."""
        if self.bill_left > 0:
            if not is_forced(self, seat):
                self.to_act = bit(seat)
                return True
            lay_forced(self, seat)
            return False
        self.agenda.pop()
        if self.bill == SHAPE_STRAIGHT_FLUSH:
            finish_game(self, bit(seat), ENDED_BY_STRAIGHT_FLUSH)
        forget_bill(self)
        return False

    def await_turn(self, rng: Rng) -> bool:
        """Run the checks due after an action, and return whether a player must act now."""
        if len(self.pending_triggers) > 0:
            serve_next_trigger(self)
            return False
        if self.feed_empty_hand():
            return False
        end_chain(self)
        winner = winner_by_laws(self)
        if winner >= 0:
            finish_game(self, bit(winner), ENDED_BY_LAWS)
        elif is_stuck(self):
            finish_game(self, seats_with_most_laws(self), ENDED_BY_IMPOSSIBILITY)
        elif is_turn_over(self):
            self.agenda.pop()
            self.agenda.push(TASK_BEGIN_TURN, self.left_of(self.turn))
        else:
            return self.offer_turn()
        return False

    def feed_empty_hand(self) -> bool:
        """Whether a player without cards now draws one."""
        if self.is_draw_pile_empty():
            return False
        for step in range(self.seats):
            seat = (self.turn + step) % self.seats
            if self.hands[seat] == 0:  # R10
                self.agenda.push(TASK_DRAW, seat, encode_subject(1))
                return True
        return False

    def offer_turn(self) -> bool:
        """Wait for the player on turn; the other seats remain free to act."""
        if self.takes > 0 and len(usable_piles(self, self.turn)) == 0:
            self.takes = 0
        self.to_act = bit(self.turn)
        return True

    def run_task(self, kind: i64, seat: i64, subject: i64, rng: Rng) -> None:
        """Run a task that needs no answer."""
        number = number_of(subject)
        if kind == TASK_BEGIN_TURN:
            self.begin_next_turn(seat)
        elif kind == TASK_DRAW:
            draw_cards(self, seat, number, rng)
        elif kind == TASK_GAIN:
            laws = number * self.parameters[seat].collects  # R42
            self.agenda.push(TASK_COLLECT, seat, encode_subject(laws))
        elif kind == TASK_GRANT:
            grant_laws(self, seat, number, rng)
        elif kind == TASK_EVENT:
            run_event(self, seat, card_of(subject))
        elif kind == TASK_FIRE:
            fire_law(self, seat, card_of(subject))
        else:
            self.recycle_law(seat, card_of(subject))

    def begin_next_turn(self, seat: i64) -> None:
        """Begin the next turn, or end the game if it has come to a standstill."""
        self.quiet += 1
        if self.quiet > MAX_ROUNDS_WITHOUT_LAW * self.seats:
            finish_game(self, seats_with_most_laws(self), ENDED_BY_STALEMATE)  # R18
        else:
            begin_turn(self, seat)

    def recycle_law(self, seat: i64, card: i64) -> None:
        """Shuffle a Law into the draw pile, if the player still has it."""
        if not has(self.laws[seat], card):
            return
        self.repeal(bit(card))
        self.shuffle_in(bit(card))
        if self.is_recording_news:
            self.add_news("recycled", seat, {"card": card_code(card)})
