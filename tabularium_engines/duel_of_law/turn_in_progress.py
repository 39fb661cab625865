"""The turn in progress: its steps, the cards laid, the lines claimed, and the lines in question."""

from __future__ import annotations

from typing import Any, Final

from librt.vecs import append, vec
from mypy_extensions import i64

from tabularium_engines.common.agenda import Agenda, subject_of
from tabularium_engines.duel_of_law import action_numbers as n
from tabularium_engines.duel_of_law.card_zones import ZONE_TABLE, CardZones
from tabularium_engines.duel_of_law.laws.card_features import print_of
from tabularium_engines.duel_of_law.laws.claimable_clauses import is_narrowable
from tabularium_engines.duel_of_law.laws.joker_solver import settle_jokers
from tabularium_engines.duel_of_law.laws.possible_joker_values import restrict_joker
from tabularium_engines.duel_of_law.placement_rules import lines_of_turn
from tabularium_engines.duel_of_law.rulings import Rulings
from tabularium_engines.duel_of_law.tableau import Line, Tableau

NO_SEAT: Final[i64] = -1


class Turn:
    """A turn works on `tableau`; all viewers but the seat that lays cards look at `before`."""

    def __init__(self, seat: i64, before: Tableau, agenda: Agenda, rulings: Rulings) -> None:
        self.seat: i64 = seat
        self.rulings = rulings
        self.before = before  # as it was when the turn began
        self.tableau = before  # the same one, or a copy with the changes of the turn
        self.laid: vec[i64] = vec[i64]()  # the cards of this turn, in order
        self.claimed: vec[i64] = vec[i64]()  # the lines claimed in this turn, in order
        self.agenda = agenda
        self.taken_back: i64 = 0  # how often in this turn, one card or all
        # of the last turn that laid cards; replaced, never changed
        self.last_seat: i64 = NO_SEAT
        self.last_laid: vec[i64] = vec[i64]()
        self.last_stolen: vec[i64] = vec[i64]()  # the lines that it took over, in order

    def clone(self) -> Turn:
        """An independent copy."""
        copy = Turn(self.seat, self.before, self.agenda.clone(), self.rulings)
        if self.has_trial():
            copy.tableau = self.tableau.clone()
        copy.laid = self.laid[:]
        copy.claimed = self.claimed[:]
        copy.taken_back = self.taken_back
        copy.last_seat = self.last_seat
        copy.last_laid = self.last_laid
        copy.last_stolen = self.last_stolen
        return copy

    def contents(self) -> list[Any]:
        """The turn as plain numbers."""
        boards = [self.before.contents(), self.tableau.contents() if self.has_trial() else []]
        course = [list(self.laid), list(self.claimed), self.agenda.contents()]
        found = [*boards, *course, self.seat, self.taken_back]
        if self.rulings.shows_last_turn:
            found += [self.last_seat, list(self.last_laid), list(self.last_stolen)]
        return found

    def has_trial(self) -> bool:
        """Whether this turn has done anything that the other seats have not seen."""
        return self.before is not self.tableau

    def begin(self, seat: i64) -> None:
        """Begin a turn: the seat may lay cards, or draw."""
        self.seat = seat
        self.end()
        self.agenda.push(n.TASK_LAY, seat)

    def end(self) -> None:
        """End the turn: nothing of it is pending."""
        self.laid = vec[i64]()
        self.claimed = vec[i64]()
        self.taken_back = 0
        self.agenda.clear()

    def publish(self) -> None:
        """Let all seats see the tableau as this turn leaves it, and what the turn did."""
        self.before = self.tableau
        if self.rulings.shows_last_turn:
            self.last_seat, self.last_laid = self.seat, self.laid
            self.last_stolen = vec[i64]()
            for subject in self.claimed:
                if self.tableau.branch_on(self.line_in_question(subject)).level > 1:
                    self.last_stolen = append(self.last_stolen, subject)

    def lay(self, card: i64, place: i64, zones: CardZones) -> None:
        """Lay a card from the hand on the tableau, seen only by the seat on turn."""
        if not self.has_trial():
            self.tableau = self.before.clone()
        self.tableau.lay(card, place)
        zones.zone_of[card] = ZONE_TABLE
        self.laid = append(self.laid, card)
        self.agenda.pop()
        self.agenda.push(n.TASK_CONTINUE, self.seat)

    def name_joker(self, card: i64, clause: i64) -> None:
        """Fix a joker in one respect."""
        wilds, law = self.tableau.wilds, vec[i64]([clause])
        self.tableau.wilds = restrict_joker(wilds, card, print_of(clause), law)

    def undo(self, zones: CardZones) -> None:
        """Undo the turn so far, as if it began now."""
        for card in self.laid:
            zones.zone_of[card] = self.seat
        self.tableau = self.before
        self.begin(self.seat)

    def undo_last_card(self, zones: CardZones) -> None:
        """Undo the last card alone; jokers that this turn has named are open again."""
        laid, spots = self.laid, self.tableau.spots
        self.undo(zones)
        for index in range(len(laid) - 1):
            self.lay(laid[index], spots[laid[index]], zones)

    def question_lines(self) -> None:
        """After the last card, let branches grow or be bridged, and put every line in question."""
        tableau = self.tableau
        lines = lines_of_turn(tableau, self.laid)
        for line in lines:
            branch = tableau.branch_on(line)
            if branch.level > 0:
                tableau.put_branch(branch)
                tableau.wilds = settle_jokers(line.cards, branch.law, tableau.wilds)
        for index in range(len(lines) - 1, -1, -1):
            subject = n.encode_question(lines[index].start, lines[index].axis)
            self.agenda.push(n.TASK_QUESTION, self.seat, subject)

    def claim(self, subject: i64, clause: i64) -> None:
        """Add a clause to the law of a line, which changes its owner."""
        tableau, line = self.tableau, self.line_in_question(subject)
        branch = tableau.branch_on(line).with_clause(clause, self.seat)
        tableau.put_branch(branch)
        tableau.wilds = settle_jokers(line.cards, branch.law, tableau.wilds)
        self.claimed = append(self.claimed, subject)

    def skip_settled_questions(self) -> None:
        """Skip lines that need no answer: the seat's own branches, and those that cannot be
        narrowed."""
        while len(self.agenda.tasks) > 0:
            line = self.line_in_question(subject_of(self.agenda.top()))
            branch = self.tableau.branch_on(line)
            if branch.level == 0:
                return  # R7
            is_own, tableau = branch.owner == self.seat, self.tableau  # R10
            if not is_own and is_narrowable(
                line.cards, branch.law, tableau.wilds, tableau.language
            ):
                return
            self.agenda.pop()

    def line_in_question(self, subject: i64) -> Line:
        """The line that a task asks about."""
        return self.tableau.line(subject >> 1, subject & 1)
