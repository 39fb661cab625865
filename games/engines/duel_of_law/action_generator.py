"""The generator of actions for the seat on turn: all legal ones, a random one and the most
promising ones, and the check of one."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from games.engines.base import Rng
from games.engines.common.agenda import kind_of, subject_of
from games.engines.common.bits import bit
from games.engines.duel_of_law.action_numbers import (
    DRAW_SIX,
    FINISH,
    LEAVE,
    MORE,
    PASS,
    PLACE,
    TAKE_BACK,
    TASK_CONTINUE,
    TASK_LAY,
    TASK_QUESTION,
    card_in,
    encode_claim,
    encode_name,
    place_in,
)
from games.engines.duel_of_law.immediate_win import WINNING_LEAD, lead_after, winning_steps
from games.engines.duel_of_law.laws.joker_values import possible_namings
from games.engines.duel_of_law.laws.legal_claims import legal_claims
from games.engines.duel_of_law.placement_rules import (
    can_begin,
    can_continue,
    first_place_actions,
    is_lawful,
    jokers_of_turn,
    next_place_actions,
)
from games.engines.duel_of_law.play_ranking import (
    Trial,
    promising_answers,
    promising_openings,
    promising_steps,
    quick_openings,
)
from games.engines.duel_of_law.random_play import NO_ACTION, random_opening, random_step
from games.engines.duel_of_law.table_state import ZONE_PILE, DuelTable
from games.engines.duel_of_law.tableau import Line

MAX_RETRIES: Final[i64] = 2  # R37
RANDOM_DRAW_ODDS: Final[i64] = 12  # one random turn in so many draws, even if cards could be laid


class DuelActions(DuelTable):
    """The table, and the one decision that is open on it."""

    def __init__(self) -> None:
        super().__init__()
        self.cached_actions: list[i64] = []  # the legal actions, once requested; never changed
        self.cached_promising_actions: list[i64] = []  # the best of them, in the same way
        self.winning_plan: list[i64] = []  # how the turn in progress wins, once requested
        self.is_plan_cached: bool = False
        self.has_winning_turn: bool = False
        self.is_imagined: bool = False  # determinized: long thought about openings does not pay

    def clear_caches(self) -> None:
        """Clear the caches after a change of the table, or of the hand of the seat to act."""
        self.cached_actions = []
        self.cached_promising_actions = []
        self.is_plan_cached = False

    def determinize(self, seat: i64, rng: Rng) -> None:
        if seat != self.turn:
            self.clear_caches()
        self.is_imagined = True
        super().determinize(seat, rng)

    # -- all legal actions ------------------------------------------------------------------------

    def legal_actions(self, seat: i64) -> list[i64]:
        if self.to_act != bit(seat):
            return []
        if len(self.cached_actions) == 0:
            self.cached_actions = self.compute_legal_actions(seat)
        return self.cached_actions[:]

    def compute_legal_actions(self, seat: i64) -> list[i64]:
        """Find all legal actions; that takes long, so `legal_actions` keeps them."""
        task = self.agenda.top()
        if kind_of(task) == TASK_QUESTION:
            return self.question_answers(subject_of(task))
        if kind_of(task) == TASK_CONTINUE:
            return self.turn_continuations()
        return (
            self.turn_openings(seat)
            if len(self.laid) == 0
            else [*self.next_place_actions(), TAKE_BACK]
        )

    def turn_openings(self, seat: i64) -> list[i64]:
        """The actions that may begin a turn."""
        found: list[i64] = []
        if self.taken_back <= MAX_RETRIES:  # R37
            found = first_place_actions(self.tableau, self.cards_in_zone(seat))
        found.append(DRAW_SIX if self.count_in_zone(ZONE_PILE) > 0 else PASS)  # R33
        return found

    def next_place_actions(self) -> list[i64]:
        """The actions that lay another card."""
        return next_place_actions(self.tableau, self.laid, self.cards_in_zone(self.turn))

    def turn_continuations(self) -> list[i64]:
        """The actions that may continue a turn once a card is laid."""
        found: list[i64] = []
        for joker in jokers_of_turn(self.tableau, self.laid):
            found += [
                encode_name(joker, clause) for clause in possible_namings(self.tableau.wilds, joker)
            ]
        if len(self.next_place_actions()) > 0:
            found.append(MORE)
        if is_lawful(self.tableau, self.laid):
            found.append(FINISH)
        found.append(TAKE_BACK)
        return found

    def question_answers(self, subject: i64) -> list[i64]:
        """The answers to the question about a line."""
        line = self.line_in_question(subject)
        law = self.tableau.branch_on(line).law
        found = [
            encode_claim(clause) for clause in legal_claims(line.cards, law, self.tableau.wilds)
        ]
        if len(law) > 0:
            found.append(LEAVE)  # R8
        found.append(TAKE_BACK)
        return found

    def line_in_question(self, subject: i64) -> Line:
        """The line that a task asks about."""
        return self.tableau.line(subject >> 1, subject & 1)

    # -- one action -------------------------------------------------------------------------------

    def is_legal(self, seat: i64, action: i64) -> bool:
        if self.to_act != bit(seat):
            return False
        kind, task = action & 0xFF, kind_of(self.agenda.top())
        if kind == PLACE:
            return task == TASK_LAY and self.can_place(seat, card_in(action), place_in(action))
        if action == TAKE_BACK:
            return len(self.laid) > 0
        if action == FINISH:
            return task == TASK_CONTINUE and is_lawful(self.tableau, self.laid)
        return action in self.legal_actions(seat)

    def can_place(self, seat: i64, card: i64, place: i64) -> bool:
        """Whether this card may be laid there next."""
        if self.zones[card] != seat:
            return False
        if len(self.laid) > 0:
            return can_continue(self.tableau, self.laid, card, place)
        return self.taken_back <= MAX_RETRIES and can_begin(self.tableau, card, place)

    # -- selected actions -------------------------------------------------------------------------

    def random_action(self, seat: i64, rng: Rng) -> i64:
        """A lawful step of a random turn; it draws only if none is found, or now and then by
        chance."""
        task = self.agenda.top()
        if kind_of(task) == TASK_QUESTION:
            answers = self.question_answers(subject_of(task))
            return answers[rng.below(max(len(answers) - 1, 1))]  # the last one takes back
        if len(self.laid) > 0:
            hand = self.cards_in_zone(seat)
            return random_step(self.tableau, self.laid, hand, kind_of(task) == TASK_CONTINUE, rng)
        found = NO_ACTION
        if self.taken_back <= MAX_RETRIES and (
            self.count_in_zone(ZONE_PILE) == 0 or rng.below(RANDOM_DRAW_ODDS) > 0
        ):
            found = random_opening(self.tableau, self.cards_in_zone(seat), rng)
        if found != NO_ACTION:
            return found
        return DRAW_SIX if self.count_in_zone(ZONE_PILE) > 0 else PASS

    def promising_actions(self, seat: i64) -> list[i64]:
        if self.to_act != bit(seat):
            return []
        if len(self.cached_promising_actions) == 0:
            self.cached_promising_actions = self.compute_promising_actions(seat)
        return self.cached_promising_actions

    def compute_promising_actions(self, seat: i64) -> list[i64]:
        """The first steps of the best plays, steps that make laid cards lawful, or the tightest
        clauses."""
        task = self.agenda.top()
        if kind_of(task) == TASK_QUESTION:
            law = self.tableau.branch_on(self.line_in_question(subject_of(task))).law
            return promising_answers(law, self.question_answers(subject_of(task)))
        if len(self.laid) > 0:
            hand = self.cards_in_zone(seat)
            trial = Trial(self.tableau, self.laid, seat)
            steps = promising_steps(trial, hand, kind_of(task) == TASK_CONTINUE)
            return self.prefer_plan_step(steps) if self.can_win_turn() else steps
        found: list[i64] = []
        if self.taken_back <= MAX_RETRIES:
            hand = self.cards_in_zone(seat)
            if self.is_imagined:
                found = quick_openings(self.tableau, hand, seat)
            else:
                found = promising_openings(self.tableau, hand, seat)
        found.append(DRAW_SIX if self.count_in_zone(ZONE_PILE) > 0 else PASS)
        return found

    def prefer_plan_step(self, steps: list[i64]) -> list[i64]:
        """The next step of the plan that wins. While the plan depends on a line that is still to be
        made, the other steps are considered, too."""
        step = FINISH
        if len(self.winning_plan) > 0:
            step = MORE if kind_of(self.agenda.top()) == TASK_CONTINUE else self.winning_plan[0]
        if (
            lead_after(self.tableau, self.laid, self.turn, self.seats) >= WINNING_LEAD
            or step in steps
        ):
            return [step]
        return [step, *steps]

    def can_win_turn(self) -> bool:
        """Whether the turn in progress can end with a win; if so, there is a plan for it."""
        if len(self.laid) == 0 or self.to_act == 0:
            return False
        if not self.is_plan_cached:
            self.is_plan_cached = True
            self.winning_plan = []
            self.has_winning_turn = self.can_win_by_stopping()
            if (
                not self.has_winning_turn
                and not self.is_open
                and kind_of(self.agenda.top()) != TASK_QUESTION
            ):
                hand = self.cards_in_zone(self.turn)
                self.winning_plan = winning_steps(
                    self.tableau, self.laid, hand, self.turn, self.seats
                )
                self.has_winning_turn = len(self.winning_plan) > 0
        return self.has_winning_turn

    def can_win_by_stopping(self) -> bool:
        """Whether laying no more cards wins."""
        task = kind_of(self.agenda.top())
        if task == TASK_LAY or not (self.is_open or self.count_in_zone(self.turn) == 0):
            return False
        if lead_after(self.tableau, self.laid, self.turn, self.seats) < WINNING_LEAD:
            return False
        return task == TASK_QUESTION or is_lawful(self.tableau, self.laid)

    def advance_plan(self, action: i64) -> None:
        """Discard the cached decisions when a seat acts, except for the rest of a plan."""
        plan = self.winning_plan
        if len(plan) > 0 and action == plan[0]:
            plan = plan[1:]
        elif action != MORE:
            plan = []
        self.clear_caches()
        if len(plan) > 0:
            self.winning_plan = plan
            self.is_plan_cached = True
            self.has_winning_turn = True
