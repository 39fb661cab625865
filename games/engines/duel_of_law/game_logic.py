"""The rules of Duel of Law: the legal actions and their effects."""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from games.engines.base import Rng
from games.engines.common.agenda import subject_of
from games.engines.common.bits import bit, members
from games.engines.duel_of_law.action_generator import DuelActions
from games.engines.duel_of_law.action_numbers import (
    CLAIM,
    DRAW_SIX,
    FINISH,
    MORE,
    NAME,
    PASS,
    PLACE,
    TAKE_BACK,
    TASK_CONTINUE,
    TASK_LAY,
    TASK_QUESTION,
    card_in,
    clause_in,
    encode_question,
    name_clause_in,
    place_in,
)
from games.engines.duel_of_law.laws.joker_values import name_joker
from games.engines.duel_of_law.laws.law_evaluation import settle_jokers
from games.engines.duel_of_law.laws.legal_claims import is_narrowable
from games.engines.duel_of_law.news_publication import add_trial_news, add_turn_news
from games.engines.duel_of_law.placement_rules import lines_of_turn
from games.engines.duel_of_law.table_state import (
    ENDED_BY_LEAD,
    ENDED_BY_PASSES,
    ENDING_NAMES,
    ZONE_TABLE,
)

CARDS_PER_DRAW: Final[i64] = 6


class DuelState(DuelActions):
    """The table, its legal actions, and their effects."""

    def set_up(self, seats: i64, rng: Rng) -> None:
        """Deal; the seat after the dealer begins."""
        self.init_table(seats)
        self.turn = (rng.below(seats) + 1) % seats  # R35
        self.deal(rng)
        self.begin_turn(self.turn)

    def clone(self) -> DuelState:
        copy = DuelState()
        copy.seats = self.seats
        copy.to_act = self.to_act
        copy.cached_actions = self.cached_actions
        copy.zones = self.zones[:]
        copy.before = self.before
        copy.tableau = self.tableau.clone() if self.has_trial() else self.before
        copy.laid = self.laid[:]
        copy.claimed = self.claimed[:]
        copy.agenda = self.agenda.clone()
        copy.turn = self.turn
        copy.taken_back = self.taken_back
        copy.passes = self.passes
        copy.is_open = self.is_open
        copy.ending = self.ending
        copy.cached_promising_actions = self.cached_promising_actions
        copy.winning_plan = self.winning_plan
        copy.is_plan_cached = self.is_plan_cached
        copy.has_winning_turn = self.has_winning_turn
        copy.is_imagined = self.is_imagined
        copy.winners = self.winners
        return copy

    def returns(self) -> list[float]:
        worth = [0.0] * self.seats
        champions = members(self.winners)
        for seat in champions:
            worth[seat] = 1.0 / len(champions)
        return worth

    # -- applying actions -------------------------------------------------------------------------

    def apply(self, seat: i64, action: i64, rng: Rng) -> None:
        if self.is_recording_news:
            self.news = []
        self.advance_plan(action)
        kind = action & 0xFF
        if kind == DRAW_SIX:
            self.draw_cards(seat, CARDS_PER_DRAW, rng)
            self.passes = 0
            self.next_turn()
        elif kind == PASS:
            self.pass_turn(seat)
        else:
            self.apply_trial_step(kind, action)
            if len(self.agenda.tasks) == 0:
                self.end_turn(seat, rng)
            elif self.is_recording_news:
                add_trial_news(self, action)

    def apply_trial_step(self, kind: i64, action: i64) -> None:
        """Apply a step of a turn that lays cards."""
        if kind == PLACE:
            self.lay_card(card_in(action), place_in(action))
        elif kind == NAME:
            self.tableau.wilds = name_joker(
                self.tableau.wilds, card_in(action), name_clause_in(action)
            )
        elif kind == TAKE_BACK:
            self.undo_turn()
            self.taken_back += 1
        else:
            task = self.agenda.pop()
            if kind == MORE:
                self.agenda.push(TASK_LAY, self.turn)
            else:
                self.apply_answer(kind, subject_of(task), action)

    def apply_answer(self, kind: i64, subject: i64, action: i64) -> None:
        """Apply a `finish` or an answer to a question, and move on to the next question."""
        if kind == FINISH:
            self.question_lines()
        elif kind == CLAIM:
            self.add_claim(subject, clause_in(action))
        self.skip_settled_questions()

    def lay_card(self, card: i64, place: i64) -> None:
        """Lay a card from the hand on the tableau, seen only by the seat on turn."""
        if not self.has_trial():
            self.tableau = self.before.clone()
        self.tableau.lay(card, place)
        self.zones[card] = ZONE_TABLE
        self.laid = append(self.laid, card)
        self.agenda.pop()
        self.agenda.push(TASK_CONTINUE, self.turn)

    def question_lines(self) -> None:
        """After the last card, let branches grow or be bridged, and put every line in question."""
        lines = lines_of_turn(self.tableau, self.laid)
        for line in lines:
            branch = self.tableau.branch_on(line)
            if branch.level > 0:
                self.tableau.put_branch(branch)
                self.tableau.wilds = settle_jokers(line.cards, branch.law, self.tableau.wilds)
        for index in range(len(lines) - 1, -1, -1):
            self.agenda.push(
                TASK_QUESTION, self.turn, encode_question(lines[index].start, lines[index].axis)
            )

    def add_claim(self, subject: i64, clause: i64) -> None:
        """Add a clause to the law of a line, which changes its owner."""
        line = self.line_in_question(subject)
        branch = self.tableau.branch_on(line).with_clause(clause, self.turn)
        self.tableau.put_branch(branch)
        self.tableau.wilds = settle_jokers(line.cards, branch.law, self.tableau.wilds)
        self.claimed = append(self.claimed, subject)

    def skip_settled_questions(self) -> None:
        """Skip lines that need no answer: the seat's own branches, and those that cannot be
        narrowed."""
        while len(self.agenda.tasks) > 0:
            line = self.line_in_question(subject_of(self.agenda.top()))
            branch = self.tableau.branch_on(line)
            if branch.level == 0:
                return  # R7
            is_own = branch.owner == self.turn  # R10
            if not is_own and is_narrowable(line.cards, branch.law, self.tableau.wilds):
                return
            self.agenda.pop()

    # -- turns ------------------------------------------------------------------------------------

    def end_turn(self, seat: i64, rng: Rng) -> None:
        """Publish the turn; if no player has won, draw a card."""
        if self.is_recording_news:
            add_turn_news(self)
        self.before = self.tableau
        self.passes = 0
        self.check_empty_hands()
        if self.is_open and self.leading_seat() >= 0:
            self.finish(ENDED_BY_LEAD, bit(self.leading_seat()))
            return
        self.draw_cards(seat, 1, rng)
        self.next_turn()

    def check_empty_hands(self) -> None:
        """Open the game to winning from the first empty hand on."""  # R30
        for seat in range(self.seats):
            if not self.is_open and self.count_in_zone(seat) == 0:
                self.is_open = True
                if self.is_recording_news:
                    self.add_news("opened", seat, {})

    def pass_turn(self, seat: i64) -> None:
        """Pass; when all have passed the game is over."""  # R32
        self.passes += 1
        if self.is_recording_news:
            self.add_news("passed", seat, {})
        if self.passes == self.seats:
            self.finish(ENDED_BY_PASSES, self.best_seats())
        else:
            self.next_turn()

    def next_turn(self) -> None:
        """Begin the next seat's turn."""
        self.begin_turn((self.turn + 1) % self.seats)

    def begin_turn(self, seat: i64) -> None:
        """Begin a turn: the seat may lay cards, or draw."""
        self.turn = seat
        self.laid = vec[i64]()
        self.claimed = vec[i64]()
        self.taken_back = 0
        self.agenda.clear()
        self.agenda.push(TASK_LAY, seat)
        self.to_act = bit(seat)

    def finish(self, ending: i64, winners: i64) -> None:
        """End the game."""
        self.ending = ending
        self.winners = winners
        self.laid = vec[i64]()
        self.claimed = vec[i64]()
        self.taken_back = 0
        self.agenda.clear()
        self.to_act = 0
        if self.is_recording_news:
            facts = {
                "how": ENDING_NAMES[ending],
                "winners": [int(seat) for seat in members(winners)],
            }
            self.add_news("ended", self.turn, facts)
