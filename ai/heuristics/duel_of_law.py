"""The heuristic of Duel of Law: bots decide between whole turns, each with its worth."""

from __future__ import annotations

from typing import Final

from librt.vecs import append
from mypy_extensions import i64

from ai.heuristics.base import NO_ACTION, Plan, PlanningHeuristic
from ai.heuristics.duel_of_law_turns.law_openness import law_openness
from ai.heuristics.duel_of_law_turns.turn_planner import TurnPlanner
from ai.heuristics.duel_of_law_turns.turn_worth import TurnWorth, standing_of
from games.engines.base import State
from games.engines.common.agenda import kind_of, subject_of
from games.engines.duel_of_law import action_numbers as n
from games.engines.duel_of_law import legal_actions as legal
from games.engines.duel_of_law.game_logic import DuelState
from games.engines.duel_of_law.laws.claimable_clauses import legal_claims, sure_claims
from games.engines.duel_of_law.turn_in_progress import Turn

WORTH_MARGIN: Final[float] = 0.08  # how much better another plan may be at first sight


class DuelHeuristic(PlanningHeuristic):
    """Judges the true hands of the given state, which for a bot is a determinization."""

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
        judge = TurnWorth(turn, state.zones, state.seats, state.end.is_open)
        found, worth = judge.standing.chances(judge.next_seat), judge.worth_of_going_on()
        rest = 1.0 - found[seat]  # of a very large lead nothing may be left
        share = (1.0 - worth) / rest if rest > 0.0 else 0.0
        found = [part * share for part in found]
        found[seat] = worth
        return found

    def plans(self, state: State, seat: i64, is_imagined: bool) -> list[Plan]:
        assert isinstance(state, DuelState)
        turn, top = state.turn, kind_of(state.turn.agenda.top())
        if top == n.TASK_QUESTION:
            return [Plan([closest_answer(turn, not is_imagined)], self.value(state, seat))]
        planner = TurnPlanner(turn, state.zones, state.seats, state.end.is_open)
        if len(turn.laid) > 0:
            found = planner.continuing_plans(top == n.TASK_CONTINUE)
            if len(found) == 0:
                found.append(Plan([n.TAKE_BACK], planner.judge.stuck_worth()))
            return near_best(found)
        found = []
        if legal.may_lay_first_card(turn):
            found = planner.imagined_plans() if is_imagined else planner.opening_plans()
        found.append(self._plan_without_cards(state, planner.judge))
        return near_best(found)

    def _plan_without_cards(self, state: DuelState, judge: TurnWorth) -> Plan:
        """To draw, or to pass: that can end the game."""
        seat, action = state.turn.seat, legal.action_without_cards(state.zones)
        if action == n.DRAW_SIX:
            return Plan([action], judge.worth_of_drawing())
        after = state.clone()
        after.pass_turn(seat)
        return Plan([action], self.value(after, seat))

    def follow_up(self, state: State, seat: i64) -> i64:
        assert isinstance(state, DuelState)
        if state.to_act == 0 or kind_of(state.turn.agenda.top()) != n.TASK_QUESTION:
            return NO_ACTION
        return closest_answer(state.turn, False)


def near_best(plans: list[Plan]) -> list[Plan]:
    """The plans that are not clearly worse than the best one."""
    best = 0.0
    for plan in plans:
        best = max(best, plan.worth)
    return [plan for plan in plans if plan.worth >= best - WORTH_MARGIN]


def closest_answer(turn: Turn, is_exact: bool) -> i64:
    """Of the clauses that may be claimed, the one that leaves the smallest share of the deck to go
    on with; if there are none, leaving the line, or else taking back. An answer that is not exact
    looks at some of them only."""
    line, tableau = turn.line_in_question(subject_of(turn.agenda.top())), turn.tableau
    law = tableau.branch_on(line).law
    claims: list[i64] = []
    if not is_exact:
        claims = sure_claims(line.cards, law, tableau.wilds, tableau.language)
    if len(claims) == 0:
        claims = legal_claims(line.cards, law, tableau.wilds, tableau.language)
    best, least = n.TAKE_BACK if len(law) == 0 else n.LEAVE, 2.0
    for clause in claims:
        share = law_openness(append(law[:], clause))
        if share < least:
            best, least = n.encode_claim(clause), share
    return best


HEURISTIC: Final[PlanningHeuristic] = DuelHeuristic()
EXPLORATION: Final = 0.15  # of a search, tuned in contests
TIME_FACTOR: Final = 0.7  # of the usual time per decision: a turn takes many
