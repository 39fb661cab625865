"""The worth of a turn: the chance of winning once it is over, with all claims that it can make."""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from tabularium_engines.common.agenda import kind_of, subject_of
from tabularium_engines.duel_of_law import action_numbers as n
from tabularium_engines.duel_of_law.card_zones import ZONE_PILE, ZONE_TABLE, CardZones
from tabularium_engines.duel_of_law.cards import CARD_COUNT, REGULAR_COUNT, is_joker
from tabularium_engines.duel_of_law.game_logic import CARDS_PER_DRAW
from tabularium_engines.duel_of_law.laws.claimable_clauses import is_surely_narrowable, legal_claims
from tabularium_engines.duel_of_law.laws.joker_solver import settle_jokers
from tabularium_engines.duel_of_law.placement_rules import TouchedLines, next_place_actions
from tabularium_engines.duel_of_law.tableau import NO_PLACE, Branch, Line, Tableau
from tabularium_engines.duel_of_law.turn_in_progress import Turn
from tabularium_engines.heuristics.duel_of_law_turns.law_openness import law_openness
from tabularium_engines.heuristics.duel_of_law_turns.position_worth import Standing, leader_of

UNLAWFUL_WORTH: Final[float] = -1.0
CERTAIN_WIN: Final[float] = 1.0
CERTAIN_LOSS: Final[float] = 0.001  # a rival is two branches ahead, and the turn ends the game
# share of a branch's worth that is lost if every card could lengthen it …
THREAT_WEIGHT: Final[float] = 0.5
USUAL_RISK: Final[float] = 0.1  # … and of one that has just been claimed, at first sight
NO_CLAIM: Final[float] = 2.0  # above any risk
STUCK_SHARE: Final[float] = 0.2  # of the chances, for a seat whose cards cannot stay


def risk_of(law: vec[i64]) -> float:
    """How likely a branch with this law is to be stolen."""
    return THREAT_WEIGHT * law_openness(law)


def standing_of(turn: Turn, zones: CardZones, seats: i64, is_open: bool) -> Standing:
    """The branches and cards of each seat, with the changes of the turn in progress."""
    owned, strengths = turn.tableau.branch_counts(seats), [0.0] * seats
    for branch in turn.tableau.branches:
        strengths[branch.owner] += 1.0 - risk_of(branch.law)
    hands, jokers = [zones.count(seat) for seat in range(seats)], [0.0] * seats
    for card in range(REGULAR_COUNT, CARD_COUNT):
        if zones.zone_of[card] < seats:
            jokers[zones.zone_of[card]] += 1.0
    return Standing(owned, strengths, hands, jokers, is_open)


class TurnWorth:
    """Judges the ways to go on with a turn."""

    def __init__(self, turn: Turn, zones: CardZones, seats: i64, is_open: bool) -> None:
        self.turn = turn
        self.seat: i64 = turn.seat
        self.next_seat: i64 = (turn.seat + 1) % seats
        self.hand: list[i64] = zones.cards(turn.seat)
        self.pile: i64 = zones.count(ZONE_PILE)
        self.standing: Standing = standing_of(turn, zones, seats, is_open)
        self.joker_share: float = 0.0  # of the cards that the seat cannot see
        self._expect_jokers(zones)

    def _expect_jokers(self, zones: CardZones) -> None:
        """Give the rivals the jokers to be expected: the seat cannot see where they are."""
        unseen, hidden = self.pile, 0.0
        hands, jokers = self.standing.hands, self.standing.jokers
        for card in range(REGULAR_COUNT, CARD_COUNT):
            if zones.zone_of[card] != ZONE_TABLE and zones.zone_of[card] != self.seat:
                hidden += 1.0
        for seat in range(len(hands)):
            unseen += 0 if seat == self.seat else hands[seat]
        self.joker_share = hidden / float(max(unseen, 1))
        for seat in range(len(hands)):
            if seat != self.seat:
                jokers[seat] = self.joker_share * float(hands[seat])

    def worth_of(self, tableau: Tableau, laid: vec[i64], is_exact: bool = False) -> float:
        """The chance of winning if the turn ends with these cards; UNLAWFUL_WORTH if they may not
        stay. An exact answer looks for the clauses that can be claimed, which takes long."""
        touched = TouchedLines(tableau, laid)
        if not touched.is_lawful():
            return UNLAWFUL_WORTH
        after = self.standing.copy()
        for number in range(len(touched.lines)):
            branch = touched.branches[number]
            risk = NO_CLAIM
            if branch.level == 0 or branch.owner != self.seat:
                risk = least_risk(touched, number) if is_exact else first_risk(touched, number)
            winner = self.seat if risk < NO_CLAIM else branch.owner
            if risk == NO_CLAIM:
                risk = risk_of(branch.law)
            give_line(after, tableau, touched.lines[number], winner, risk)
        return self._worth_after(after, laid)

    def worth_of_claims(self) -> float:
        """The chance of winning if all lines still in question are claimed."""
        after, turn = self.standing.copy(), self.turn
        for task in turn.agenda.tasks:
            if kind_of(task) == n.TASK_QUESTION:
                line = turn.line_in_question(subject_of(task))
                give_line(after, turn.tableau, line, self.seat, USUAL_RISK)
        return self._worth_after(after, vec[i64]())

    def worth_of_going_on(self) -> float:
        """The chance of winning if the turn in progress ends here, or with the next card."""
        turn, task = self.turn, kind_of(self.turn.agenda.top())
        if task == n.TASK_QUESTION:
            return self.worth_of_claims()
        best = UNLAWFUL_WORTH
        if task == n.TASK_CONTINUE:
            best = self.worth_of(turn.tableau, turn.laid)
        trial = turn.tableau.clone()
        for step in next_place_actions(trial, turn.laid, self.hand):
            if best == CERTAIN_WIN:
                return best
            trial.lay(n.card_in(step), n.place_in(step))
            best = max(best, self.worth_of(trial, append(turn.laid[:], n.card_in(step))))
            trial.lift(n.card_in(step))
        return best if best >= 0.0 else self.stuck_worth()

    def stuck_worth(self) -> float:
        """The chance of winning with cards that cannot stay."""
        return STUCK_SHARE * self.standing.chances(self.next_seat)[self.seat]

    def worth_of_drawing(self) -> float:
        """The chance of winning after a turn that draws cards."""
        drawn = min(self.pile, CARDS_PER_DRAW)
        after = self.standing.copy()
        after.jokers[self.seat] += self.joker_share * float(drawn)
        return self._worth_for_next(after, after.is_open, drawn)

    def _worth_after(self, after: Standing, laid: vec[i64]) -> float:
        """The chance of winning after a turn that lays these cards."""
        for card in laid:
            if self.turn.tableau.spots[card] == NO_PLACE:  # else it has left the hand already
                after.hands[self.seat] -= 1
                if is_joker(card):
                    after.jokers[self.seat] -= 1.0
        is_empty = after.hands[self.seat] == 0
        can_end = after.is_open or (is_empty and self.turn.rulings.opens_at_once)
        after.is_open = after.is_open or is_empty
        return self._worth_for_next(after, can_end, min(self.pile, 1))

    def _worth_for_next(self, after: Standing, can_end: bool, drawn: i64) -> float:
        """The chance of winning once the turn is over, and so many cards are drawn."""
        leader = leader_of(after.owned) if can_end else -1
        if leader >= 0:
            return CERTAIN_WIN if leader == self.seat else CERTAIN_LOSS
        after.hands[self.seat] += drawn
        return after.chances(self.next_seat)[self.seat]


def give_line(after: Standing, tableau: Tableau, line: Line, winner: i64, risk: float) -> None:
    """Let a line be one branch of a seat, in place of all that lie on it."""
    for index in tableau.branches_along(line):
        branch: Branch = tableau.branches[index]
        after.owned[branch.owner] -= 1
        after.strengths[branch.owner] -= 1.0 - risk_of(branch.law)
    after.owned[winner] += 1
    after.strengths[winner] += 1.0 - risk


def least_risk(touched: TouchedLines, number: i64) -> float:
    """How likely a line is to be stolen once the closest clause is claimed, or NO_CLAIM."""
    law, cards = touched.branches[number].law, touched.lines[number].cards
    wilds = settle_jokers(cards, law, touched.wilds) if len(law) > 0 else touched.wilds
    least = NO_CLAIM
    for clause in legal_claims(cards, law, wilds, touched.language):
        least = min(least, risk_of(append(law[:], clause)))
    return least


def first_risk(touched: TouchedLines, number: i64) -> float:
    """The same at first sight: of a line that can surely be claimed, the usual risk."""
    law, cards = touched.branches[number].law, touched.lines[number].cards
    if len(law) == 0:
        return USUAL_RISK
    wilds = settle_jokers(cards, law, touched.wilds)
    return USUAL_RISK if is_surely_narrowable(cards, law, wilds, touched.language) else NO_CLAIM
