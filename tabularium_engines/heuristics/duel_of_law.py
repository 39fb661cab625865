"""The heuristic of Duel of Law: bots decide between whole turns, each with its worth."""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from tabularium_engines.base import State
from tabularium_engines.common.agenda import kind_of, subject_of
from tabularium_engines.duel_of_law import action_numbers as n
from tabularium_engines.duel_of_law import legal_actions as legal
from tabularium_engines.duel_of_law.cards import CARD_COUNT
from tabularium_engines.duel_of_law.game_logic import DuelState
from tabularium_engines.duel_of_law.laws.claimable_clauses import legal_claims, sure_claims
from tabularium_engines.duel_of_law.turn_in_progress import Turn
from tabularium_engines.heuristics.base import NO_ACTION, Plan, PlanningHeuristic
from tabularium_engines.heuristics.duel_of_law_turns.law_openness import law_openness
from tabularium_engines.heuristics.duel_of_law_turns.law_plainness import effort_to_see
from tabularium_engines.heuristics.duel_of_law_turns.turn_planner import TurnPlanner
from tabularium_engines.heuristics.duel_of_law_turns.turn_worth import TurnWorth, standing_of

WORTH_MARGIN: Final[float] = 0.08  # how much better another plan may be at first sight
# How much of the deck laws may leave over the closest one, for the plainest of them to be named:
# a hundredth loses games.
EQUAL_SHARES: Final[float] = 0.001
ANY_SHARE: Final[float] = 1.0
EFFORT_IN_TURN: Final[float] = 0.25  # of that at the start of a turn


class DuelHeuristic(PlanningHeuristic):
    """Judges the true hands of the given state, which for a bot is a determinization. It may have
    a limit of cards that it lays in a turn, and name plain laws in place of close ones."""

    def __init__(self, most_cards: i64 = CARD_COUNT, share_margin: float = EQUAL_SHARES) -> None:
        self.most_cards: i64 = most_cards
        self.share_margin: float = share_margin

    def value(self, state: State, seat: i64) -> float:
        assert isinstance(state, DuelState)
        return self.values(state)[seat]

    def values(self, state: State) -> list[float]:
        """Each seat's chance of winning, with the turn in progress as it can go on: all other
        seats lose the same share of theirs."""
        assert isinstance(state, DuelState)
        if state.to_act == 0:
            return state.returns()
        turn, seat = state.turn, state.turn.seat
        if len(turn.laid) == 0:
            return standing_of(turn, state.zones, state.seats, state.end.is_open).chances(seat)
        turn_worth = TurnWorth(turn, state.zones, state.seats, state.end.is_open)
        found = turn_worth.standing.chances(turn_worth.next_seat)
        worth = turn_worth.worth_of_going_on()
        rest = 1.0 - found[seat]  # of a very large lead nothing may be left
        share = (1.0 - worth) / rest if rest > 0.0 else 0.0
        found = [part * share for part in found]
        found[seat] = worth
        return found

    def plans(self, state: State, seat: i64, is_imagined: bool) -> list[Plan]:
        assert isinstance(state, DuelState)
        turn, top = state.turn, kind_of(state.turn.agenda.top())
        if top == n.TASK_QUESTION:
            return [Plan([self.answer(turn, not is_imagined)], self.value(state, seat))]
        planner = TurnPlanner(turn, state.zones, state.seats, state.end.is_open, self.most_cards)
        if len(turn.laid) > 0:
            found = planner.continuing_plans(top == n.TASK_CONTINUE)
            if len(found) == 0:
                found.append(Plan([n.TAKE_BACK], planner.turn_worth.stuck_worth()))
            return near_best(found)
        found = []
        if legal.may_lay_first_card(turn):
            found = planner.imagined_plans() if is_imagined else planner.opening_plans()
        found.append(self._plan_without_cards(state, planner.turn_worth))
        return near_best(found)

    def _plan_without_cards(self, state: DuelState, turn_worth: TurnWorth) -> Plan:
        """To draw, or to pass: that can end the game."""
        seat, action = state.turn.seat, legal.action_without_cards(state.zones)
        if action == n.DRAW_SIX:
            return Plan([action], turn_worth.worth_of_drawing())
        after = state.clone()
        after.pass_turn(seat)
        return Plan([action], self.value(after, seat))

    def follow_up(self, state: State, seat: i64) -> i64:
        assert isinstance(state, DuelState)
        if state.to_act == 0 or kind_of(state.turn.agenda.top()) != n.TASK_QUESTION:
            return NO_ACTION
        return self.answer(state.turn, False)

    def effort(self, state: State, seat: i64) -> float:
        assert isinstance(state, DuelState)
        return 1.0 if len(state.turn.laid) == 0 else EFFORT_IN_TURN

    def answer(self, turn: Turn, is_exact: bool) -> i64:
        """The clause to claim, of those that may be; if there are none, leaving the line, or else
        taking back. An answer that is not exact looks at some clauses only."""
        line, tableau = turn.line_in_question(subject_of(turn.agenda.top())), turn.tableau
        law = tableau.branch_on(line).law
        claims: list[i64] = []
        if not is_exact:
            claims = sure_claims(line.cards, law, tableau.wilds, tableau.language)
        if len(claims) == 0:
            claims = legal_claims(line.cards, law, tableau.wilds, tableau.language)
        if len(claims) == 0:
            return n.TAKE_BACK if len(law) == 0 else n.LEAVE
        return n.encode_claim(best_claim(claims, law, self.share_margin))


def near_best(plans: list[Plan]) -> list[Plan]:
    """The plans that are not clearly worse than the best one."""
    best = 0.0
    for plan in plans:
        best = max(best, plan.worth)
    return [plan for plan in plans if plan.worth >= best - WORTH_MARGIN]


def best_claim(claims: list[i64], law: vec[i64], margin: float) -> i64:
    """The plainest of the clauses that leave hardly a larger share of the deck to go on with than
    the closest one; among equals, the closest."""
    shares = [law_openness(append(law[:], clause)) for clause in claims]
    best, least, limit = claims[0], 1000.0, min(shares) + margin
    for at in range(len(claims)):
        effort = float(effort_to_see(claims[at])) + shares[at] / 2.0  # a share is 1 at most
        if shares[at] <= limit and effort < least:
            best, least = claims[at], effort
    return best


HEURISTIC: Final[PlanningHeuristic] = DuelHeuristic()
EASY_HEURISTIC: Final[PlanningHeuristic] = DuelHeuristic(share_margin=ANY_SHARE)
EXPLORATION: Final = 0.15  # of a search, tuned in contests
TIME_FACTOR: Final = 1.4  # of the usual time, at the start of a turn
