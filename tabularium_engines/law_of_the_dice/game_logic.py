"""The rules of Law of the Dice: legal actions and their effects."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.base import Rng
from tabularium_engines.common.agenda import Agenda, kind_of, seat_of, subject_of
from tabularium_engines.common.bits import bit, count, first_n, has, members, nth
from tabularium_engines.law_of_the_dice import action_numbers as n
from tabularium_engines.law_of_the_dice import card_effects, suit_scoring, tablet_moves
from tabularium_engines.law_of_the_dice.action_numbers import encode_action
from tabularium_engines.law_of_the_dice.cards import die_of
from tabularium_engines.law_of_the_dice.hands_and_piles import Deck, undealt_deck
from tabularium_engines.law_of_the_dice.scoring import (
    NO_SEAT,
    Scoring,
    Variant,
    no_votes,
    voters_left,
)
from tabularium_engines.law_of_the_dice.table_state import DiceTable
from tabularium_engines.law_of_the_dice.tablets import SLOT_COUNT, Tablets, empty_tablets

# of a card: play it, enact it in three slots, put two numbers on each slot
CELLS_PER_CARD: Final[i64] = 10
TURN_DIE: Final[i64] = 4  # the sides of the die of a turn, by the house rules


class DiceState(DiceTable):
    """A table, and the rules that act on it."""

    def __init__(  # an inherited one runs twice when interpreted code calls the class
        self,
        variant: Variant,
        deck: Deck,
        tablets: Tablets,
        scoring: Scoring,
        votes: vec[i64],
        agenda: Agenda,
    ) -> None:
        super().__init__(variant, deck, tablets, scoring, votes, agenda)

    def clone(self) -> DiceState:
        deck, tablets, agenda = self.deck.clone(), self.tablets.clone(), self.agenda.clone()
        copy = DiceState(self.variant, deck, tablets, self.scoring, self.votes[:], agenda)
        copy.to_act = self.to_act
        copy.turn = self.turn
        copy.turns = self.turns
        copy.legs = self.legs
        copy.caller = self.caller
        copy.queue = self.queue[:]
        copy.fired = self.fired
        copy.rolled = self.rolled[:]
        return copy

    def legal_actions(self, seat: i64) -> list[i64]:
        """The legal actions of a seat."""
        if not has(self.to_act, seat):
            return []
        task = self.agenda.top()
        kind = kind_of(task)
        if kind == n.TASK_ACT:
            return turn_actions(self, seat)
        if kind == n.TASK_CLOSE_TURN:
            return [n.CALL_COUNT, n.END_TURN]
        if kind == n.TASK_SHIFT:
            return self.tablets.shift_actions(seat)
        if kind == n.TASK_SWAP:
            return self.tablets.swap_actions(seat)
        if kind == n.TASK_ROLL:
            return [n.ROLL_DIE, n.DECLINE]
        return choice_actions(self, seat, kind, subject_of(task))

    def promising_actions(self, seat: i64) -> list[i64]:
        """The legal actions, but of several empty slots only the first, and no number that its slot
        has already."""
        legal, slots = self.legal_actions(seat), self.tablets
        if kind_of(self.agenda.top()) != n.TASK_ACT:
            return legal
        found: list[i64] = []
        for action in legal:
            kind, slot = action & 0xFF, n.field(action, 2)
            is_number = kind == n.PUT_NUMBER
            is_repeated = is_number and slots.number(seat, slot) == n.field(action, 3) + 1
            if not is_repeated and not (
                (is_number or kind == n.ENACT) and slots.is_twin(seat, slot)
            ):
                found.append(action)
        return found

    def random_action(self, seat: i64, rng: Rng) -> i64:
        """A uniformly random legal action."""
        kind = kind_of(self.agenda.top())
        if kind == n.TASK_ACT:
            return random_turn_action(self, seat, rng)
        if kind == n.TASK_CLOSE_TURN:
            return n.CALL_COUNT + rng.below(2)
        if kind == n.TASK_VOTE:
            return encode_action(n.CAST_VOTE, rng.below(4))
        legal = self.legal_actions(seat)
        return legal[rng.below(len(legal))]

    def apply(self, seat: i64, action: i64, rng: Rng) -> None:
        if self.is_recording_news:
            self.news = []
        kind = action & 0xFF
        if kind == n.CAST_VOTE:
            suit_scoring.cast_vote(self, seat, n.field(action, 1))
        else:
            task = self.agenda.pop()
            if kind <= n.DRAW:
                apply_turn_action(self, seat, kind, action, rng)
            elif kind <= n.END_TURN:
                apply_turn_end(self, seat, kind)
            else:
                apply_answer(self, seat, action, task, rng)
        advance(self, rng)


def empty_table(variant: Variant, seats: i64) -> DiceState:
    """A table before the deal, with all cards in the draw pile."""
    scoring, votes = Scoring(vec[i64]([0] * seats)), no_votes(seats)
    return DiceState(variant, undealt_deck(seats), empty_tablets(seats), scoring, votes, Agenda())


def deal(state: DiceTable, rng: Rng) -> None:
    """Deal, and give a random player the first turn."""
    state.turn = rng.below(state.seats)  # R2
    state.scoring.starter = state.legs.opener = state.turn
    state.deal_hands(rng)
    state.agenda.push(n.TASK_BEGIN_TURN, state.turn)
    advance(state, rng)


# -- legal actions --------------------------------------------------------------------------------


def choice_actions(state: DiceTable, seat: i64, kind: i64, subject: i64) -> list[i64]:
    """The actions that choose one member of a set."""
    if kind == n.TASK_TARGET:
        return choices(n.AIM, state.deck.seats_with_cards(seat))
    if kind == n.TASK_DISCARD:
        return choices(n.DISCARD_CARD, state.deck.hands[seat])
    if kind == n.TASK_GIVE:
        return choices(n.GIVE_CARD, state.deck.hands[seat])
    if kind == n.TASK_LAST_WORD:
        return choices(n.DECIDE, subject)
    return choices(n.CAST_VOTE, first_n(4))


def choices(kind: i64, chosen: i64) -> list[i64]:
    """An action of this kind for each member of a set."""
    return [encode_action(kind, member) for member in members(chosen)]


def turn_actions(state: DiceTable, seat: i64) -> list[i64]:
    """The actions of a turn: the uses of each card, then drawing."""
    found: list[i64] = []
    for card in members(state.deck.hands[seat]):
        found.append(encode_action(n.PLAY, card))
        for slot in range(SLOT_COUNT):
            if state.tablets.can_enact(seat, slot):
                found.append(encode_action(n.ENACT, card, slot))
        if die_of(card) != 0:
            state.tablets.add_number_actions(seat, card, found)
    found.append(n.DRAW)
    return found


def random_turn_action(state: DiceTable, seat: i64, rng: Rng) -> i64:
    """Rejection sampling over all possible uses of the hand's cards, and drawing."""
    hand, slots = state.deck.hands[seat], state.tablets
    cells = count(hand) * CELLS_PER_CARD
    while True:
        dart = rng.below(cells + 1)
        if dart == cells:
            return n.DRAW
        card = nth(hand, dart // CELLS_PER_CARD)
        found = action_in_cell(slots, seat, card, dart % CELLS_PER_CARD)
        if found >= 0:
            return found


def action_in_cell(slots: Tablets, seat: i64, card: i64, cell: i64) -> i64:
    """The action in one of a card's ten cells, or -1."""
    if cell == 0:
        return encode_action(n.PLAY, card)
    slot = (cell - 1) % SLOT_COUNT
    if cell <= SLOT_COUNT:
        return encode_action(n.ENACT, card, slot) if slots.can_enact(seat, slot) else -1
    die = die_of(card)
    if die == 0:
        return -1
    number = slots.number_from_die(seat, slot, die, cell > 2 * SLOT_COUNT)
    return encode_action(n.PUT_NUMBER, card, slot, number - 1) if number != 0 else -1


# -- effects --------------------------------------------------------------------------------------


def apply_turn_action(state: DiceTable, seat: i64, kind: i64, chosen: i64, rng: Rng) -> None:
    """Apply one of the two actions of a turn."""
    card, slot = n.field(chosen, 1), n.field(chosen, 2)
    if kind == n.PLAY:
        card_effects.play_card(state, seat, card, rng)
    elif kind == n.ENACT:
        tablet_moves.enact_law(state, seat, card, slot)
    elif kind == n.PUT_NUMBER:
        tablet_moves.put_number_on_slot(state, seat, card, slot, n.field(chosen, 3) + 1)
    else:
        card_effects.draw_card(state, seat, rng)


def apply_turn_end(state: DiceTable, seat: i64, kind: i64) -> None:
    """End the turn and optionally call a count: then each other player has one more turn."""
    if kind == n.CALL_COUNT:
        state.caller = seat
        state.add_plain_news("called", seat)
    state.agenda.push(n.TASK_BEGIN_TURN, (seat + 1) % state.seats)


def apply_answer(state: DiceTable, seat: i64, chosen: i64, task: i64, rng: Rng) -> None:
    """Apply a decision inside an effect."""
    kind, field, subject = chosen & 0xFF, n.field(chosen, 1), subject_of(task)
    if kind == n.AIM:
        card_effects.apply_power_to(state, seat, subject, field, rng)
    elif kind == n.SHIFT_NUMBER:
        tablet_moves.shift_number(state, seat, chosen)
    elif kind == n.SWAP_NUMBERS:
        tablet_moves.swap_numbers(state, seat, chosen)
    elif kind == n.DISCARD_CARD:
        state.discard("discarded", seat, field)
    elif kind == n.GIVE_CARD:
        card_effects.exchange_cards(state, seat, subject, field, rng)
    elif kind == n.DECIDE:
        suit_scoring.settle_tie(state, seat, field)
    else:
        card_effects.answer_roll(state, seat, kind, subject, rng)


# -- until the next decision point ----------------------------------------------------------------


def advance(state: DiceTable, rng: Rng) -> None:
    """Run tasks until one needs a decision, or none is left and the game is over."""
    agenda = state.agenda
    while len(agenda.tasks) > 0:
        task = agenda.top()
        kind, seat = kind_of(task), seat_of(task)
        if kind <= n.LAST_AWAITING_TASK:
            state.to_act = voters_left(state.votes) if kind == n.TASK_VOTE else bit(seat)
            return
        agenda.pop()
        run_task(state, kind, seat, subject_of(task), rng)
    state.to_act = 0


def run_task(state: DiceTable, kind: i64, seat: i64, subject: i64, rng: Rng) -> None:
    """Run a task that needs no decision."""
    if kind == n.TASK_BEGIN_TURN:
        begin_turn(state, seat, rng)
    elif kind == n.TASK_END_TURN:
        end_turn(state, seat, rng)
    elif kind == n.TASK_CHAIN:
        card_effects.fire_next_law(state, rng)
    else:
        suit_scoring.count_suit(state, seat, subject, rng)


def begin_turn(state: DiceTable, seat: i64, rng: Rng) -> None:
    """Draw a card, roll the die of the house rules, and schedule two actions and the end of
    the turn."""
    agenda = state.agenda
    state.turn = seat
    state.turns += 1
    state.rolled = vec[i64]()
    agenda.push(n.TASK_END_TURN, seat)
    agenda.push(n.TASK_ACT, seat)
    agenda.push(n.TASK_ACT, seat)
    state.add_plain_news("turn", seat)
    if card_effects.draw_card(state, seat, rng) and state.variant.house_rules:
        agenda.push(n.TASK_CHAIN, seat)  # R39
        card_effects.roll_die(state, seat, TURN_DIE, rng)


def end_turn(state: DiceTable, seat: i64, rng: Rng) -> None:
    """Offer a call; if one is pending, continue until all others have had their turn."""
    following = (seat + 1) % state.seats
    if state.caller == NO_SEAT:
        if state.is_calm():  # R40
            state.agenda.push(n.TASK_BEGIN_TURN, following)
        else:
            state.agenda.push(n.TASK_CLOSE_TURN, seat)
    elif following == state.caller:
        suit_scoring.open_count(state, rng)
    else:
        state.agenda.push(n.TASK_BEGIN_TURN, following)
