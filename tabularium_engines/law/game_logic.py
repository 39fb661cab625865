"""The rules of Law: the deal, the legal actions, the tasks that follow from an action, and the end
of the game."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from tabularium_engines.base import Rng
from tabularium_engines.common.agenda import kind_of, seat_of, subject_of
from tabularium_engines.common.bits import bit, count, has, members
from tabularium_engines.common.playing_cards import card_code
from tabularium_engines.law import action_numbers as n
from tabularium_engines.law import card_moves, effect_chains, pending_choices, turn_play
from tabularium_engines.law.bill_combinations import NO_BILL, BillBeingLaid
from tabularium_engines.law.bill_laying import lay_forced_cards
from tabularium_engines.law.card_knowledge import learn, update_knowledge
from tabularium_engines.law.cards import card_codes
from tabularium_engines.law.determinization import redeal
from tabularium_engines.law.laws import LAW_BY_CARD, update_parameters
from tabularium_engines.law.table_state import LawTable

HAND_SIZE: Final[i64] = 2  # cards dealt to each
MAX_ROUNDS_WITHOUT_LAW: Final[i64] = 50
MAX_ACTIONS: Final[i64] = 10_000


class LawState(LawTable):
    """A table, and the rules that act on it."""

    def __init__(self) -> None:  # an inherited one runs twice when interpreted code calls the class
        super().__init__()

    def clone(self) -> LawState:
        copy = LawState()
        self.copy_to(copy)
        return copy

    def legal_actions(self, seat: i64) -> list[i64]:
        """The legal actions of a seat: any seat may act at any time, unless a choice is open."""
        if self.to_act == 0:
            return []
        task = self.agenda.top()
        if kind_of(task) == n.TASK_TURN:
            found: list[i64] = []
            if seat == self.turn:
                found = turn_play.duty_actions(self, seat)
                turn_play.add_optional_turn_play(self, seat, found)
            turn_play.add_anytime_actions(self, seat, found)
            return found
        return pending_choices.legal_answers(self, seat, task) if has(self.to_act, seat) else []

    def reacting_seats(self) -> i64:
        """The seats out of turn that hold enough cards to play one."""
        if self.to_act == 0 or kind_of(self.agenda.top()) != n.TASK_TURN:
            return 0
        found: i64 = 0
        for seat in range(self.seats):
            cards = count(self.hands[seat])
            if seat != self.turn and cards >= turn_play.fewest_cards_to_react(self, seat):
                found |= bit(seat)
        return found

    def apply(self, seat: i64, action: i64, rng: Rng) -> None:
        if self.is_recording_news:
            self.news = []
        self.end.decisions += 1
        if kind_of(self.agenda.top()) == n.TASK_TURN:
            self.chain.actor = seat
            turn_play.apply_turn_action(self, seat, action, rng)
        else:
            pending_choices.apply_answer(self, seat, action, rng)
        advance(self, rng)
        if self.to_act != 0 and self.end.decisions >= MAX_ACTIONS:
            finish_game(self, seats_with_most_laws(self), n.ENDED_BY_LENGTH)  # R64

    def determinize(self, seat: i64, rng: Rng) -> None:
        redeal(self, seat, rng)
        update_knowledge(self)

    def returns(self) -> list[float]:
        return self.shared_victory(0 if self.to_act != 0 else self.end.winners)


def deal(state: LawTable, first: i64, rng: Rng) -> None:
    """Deal to each player, and give `first` the first turn."""
    state.turn = state.chain.actor = first
    update_parameters(state)
    for seat in range(state.seats):
        for _ in range(HAND_SIZE):
            card = state.piles.take_top(0, rng)
            card_moves.add_to_hand(state, seat, bit(card), bit(seat))
        secret = {"cards": card_codes(state.hands[seat])}
        state.add_news("dealt", seat, {"count": int(HAND_SIZE)}, secret, bit(seat))
    state.agenda.push(n.TASK_BEGIN_TURN, state.turn)
    advance(state, rng)


# -- until a seat must decide ---------------------------------------------------------------


def advance(state: LawTable, rng: Rng) -> None:
    """Run tasks until one waits for a seat, or the game is over."""
    state.to_act = 0
    while state.end.ending == 0:
        if state.has_stale_parameters:
            update_parameters(state)
        # R2: nothing comes between the cards of a Bill
        if state.bill.shape == NO_BILL:
            card_moves.settle_piles(state, rng)
        task = state.agenda.top()
        if kind_of(task) > n.LAST_AWAITING_TASK:
            state.agenda.pop()
            run_task(state, kind_of(task), seat_of(task), subject_of(task), rng)
        elif await_task(state, task, rng):
            break
    update_knowledge(state)


def await_task(state: LawTable, task: i64, rng: Rng) -> bool:
    """Whether a task waits for a seat; if not, it has been advanced."""
    kind = kind_of(task)
    if kind == n.TASK_TURN:
        return await_turn(state, rng)
    if pending_choices.is_sealed(kind):
        state.to_act = pending_choices.awaited_seats(state, task)
        if state.to_act == 0:
            state.agenda.pop()
            pending_choices.apply_choices(state, task)
        return state.to_act != 0
    if kind == n.TASK_LAY:
        return await_bill(state, seat_of(task))
    return await_answer(state, seat_of(task), task, rng)


def await_answer(state: LawTable, seat: i64, task: i64, rng: Rng) -> bool:
    """Whether there is more than one answer; if not, the task has been resolved."""
    if kind_of(task) == n.TASK_STEAL:  # R45: the thief sees the hand, whatever happened since
        learn(state, bit(seat), state.hands[n.other_of(subject_of(task))])
    possible = pending_choices.legal_answers(state, seat, task)
    if len(possible) > 1:
        state.to_act = bit(seat)
        return True
    if len(possible) == 1:
        pending_choices.apply_answer(state, seat, possible[0], rng)  # R62
    else:
        state.agenda.pop()
        state.add_news("nothing", seat, {})
    return False


def await_bill(state: LawTable, seat: i64) -> bool:
    """Whether the next card of a Bill can be laid in more than one way; if not, advance the
    Bill."""
    if state.bill.cards > 0:
        if lay_forced_cards(state, seat):
            return False
        state.to_act = bit(seat)
        return True
    state.agenda.pop()
    if state.bill.shape == n.SHAPE_STRAIGHT_FLUSH:
        finish_game(state, bit(seat), n.ENDED_BY_STRAIGHT_FLUSH)
    state.bill = BillBeingLaid()
    return False


def await_turn(state: LawTable, rng: Rng) -> bool:
    """Run the checks due after an action, and return whether a player must act now."""
    if len(state.chain.waiting) > 0:
        effect_chains.serve_next_trigger(state)
        return False
    if feed_empty_hand(state):
        return False
    state.chain.end()
    winner = winner_by_laws(state)
    if winner >= 0:
        finish_game(state, bit(winner), n.ENDED_BY_LAWS)
    elif state.is_stuck:
        finish_game(state, seats_with_most_laws(state), n.ENDED_BY_IMPOSSIBILITY)
    elif turn_play.is_turn_over(state):
        state.agenda.pop()
        state.agenda.push(n.TASK_BEGIN_TURN, state.left_of(state.turn))
    else:
        if state.progress.takes > 0 and len(turn_play.usable_piles(state, state.turn)) == 0:
            state.progress.takes = 0
        state.to_act = bit(state.turn)  # the other seats remain free to act
        return True
    return False


def feed_empty_hand(state: LawTable) -> bool:
    """Whether a player without cards now draws one."""
    if state.piles.is_draw_pile_empty():
        return False
    for step in range(state.seats):
        seat = (state.turn + step) % state.seats
        if state.hands[seat] == 0:  # R10
            state.agenda.push(n.TASK_DRAW, seat, n.encode_subject(1))
            return True
    return False


def run_task(state: LawTable, kind: i64, seat: i64, subject: i64, rng: Rng) -> None:
    """Run a task that needs no answer."""
    number, card = n.number_of(subject), n.card_of(subject)
    if kind == n.TASK_BEGIN_TURN:
        begin_next_turn(state, seat)
    elif kind == n.TASK_DRAW:
        effect_chains.draw_cards(state, seat, number, rng)
    elif kind == n.TASK_GAIN:
        laws = number * state.parameters[seat].collects  # R42
        state.agenda.push(n.TASK_COLLECT, seat, n.encode_subject(laws))
    elif kind == n.TASK_GRANT:
        effect_chains.grant_laws(state, seat, number, rng)
    elif kind == n.TASK_EVENT:
        effect_chains.run_event(state, seat, card)
    elif kind == n.TASK_FIRE:
        effect_chains.run_effect(state, LAW_BY_CARD[card].fire, seat, card)
    else:
        recycle_law(state, seat, card)


def begin_next_turn(state: LawTable, seat: i64) -> None:
    """Begin the next turn, or end the game if it has come to a standstill."""
    state.end.quiet += 1
    if state.end.quiet > MAX_ROUNDS_WITHOUT_LAW * state.seats:
        finish_game(state, seats_with_most_laws(state), n.ENDED_BY_STALEMATE)  # R18
    else:
        turn_play.begin_turn(state, seat)


def recycle_law(state: LawTable, seat: i64, card: i64) -> None:
    """Shuffle a Law into the draw pile, if the player still has it."""
    if not has(state.laws[seat], card):
        return
    card_moves.repeal(state, bit(card))
    card_moves.shuffle_in(state, bit(card))
    state.add_news("recycled", seat, {"card": card_code(card)})


# -- the end of the game ---------------------------------------------------------------------------


def winner_by_laws(state: LawTable) -> i64:
    """The first seat with enough Laws, clockwise from the seat that acted; -1 if there is none."""
    for step in range(state.seats):
        seat = (state.chain.actor + step) % state.seats
        if count(state.laws[seat]) >= state.laws_needed(seat):
            return seat  # R14
    return -1


def seats_with_most_laws(state: LawTable) -> i64:
    """The players with the most Laws."""
    return sum(bit(seat) for seat in range(state.seats) if state.has_most_laws(seat))


def finish_game(state: LawTable, winners: i64, ending: i64) -> None:
    """End the game and open all hands."""
    state.end.winners = winners
    state.end.ending = ending
    state.to_act = 0
    state.agenda.clear()
    for seat in range(state.seats):
        learn(state, state.all_viewers(), state.hands[seat])  # R60
    seats = [int(seat) for seat in members(winners)]
    state.add_news("over", state.chain.actor, {"ending": n.ENDING_NAMES[ending], "winners": seats})
