"""The cache of the open decision: its legal actions, the promising ones, and a plan that wins."""

from __future__ import annotations

from mypy_extensions import i64

from games.engines.common.agenda import kind_of, subject_of
from games.engines.duel_of_law import action_numbers as n
from games.engines.duel_of_law import legal_actions as legal
from games.engines.duel_of_law import play_ranking as ranking
from games.engines.duel_of_law.card_zones import CardZones
from games.engines.duel_of_law.game_end import WINNING_LEAD
from games.engines.duel_of_law.immediate_win import lead_after, winning_steps
from games.engines.duel_of_law.placement_rules import is_lawful
from games.engines.duel_of_law.turn_in_progress import Turn
from games.engines.duel_of_law.turn_planner import TurnPlan, TurnPlanner, plans_after


class DecisionCache:
    """Answers that take long, once requested: they follow from the table, and are no part of its
    contents. The lists are never changed."""

    def __init__(self) -> None:
        self.is_imagined: bool = False  # determinized: long thought about openings does not pay
        self._has_winning_turn: bool | None = None  # None: not yet known
        self._legal_actions: list[i64] = []
        self._promising_actions: list[i64] = []
        self.plan: list[i64] = []  # how the turn in progress wins
        # since version 2: how it may go on; of a turn that has not begun, those of that turn
        self.plans: list[TurnPlan] = []

    def clone(self) -> DecisionCache:
        """An independent copy."""
        copy = DecisionCache()
        copy.is_imagined = self.is_imagined
        copy._has_winning_turn = self._has_winning_turn
        copy._legal_actions = self._legal_actions
        copy._promising_actions = self._promising_actions
        copy.plan = self.plan
        copy.plans = self.plans
        return copy

    def clear(self) -> None:
        """Clear it after a change of the table, or of the hand of the seat to act."""
        self._legal_actions = []
        self._promising_actions = []
        self._has_winning_turn = None
        self.plans = []

    def advance(self, action: i64) -> None:
        """Clear it when a seat acts, except for the rest of plans."""
        plan, plans = self.plan, plans_after(self.plans, action)
        if len(plan) > 0 and action == plan[0]:
            plan = plan[1:]
        elif action != n.MORE:
            plan = []
        self.clear()
        self.plans = plans
        if len(plan) > 0:
            self.plan = plan
            self._has_winning_turn = True

    def legal_actions(self, turn: Turn, zones: CardZones) -> list[i64]:
        """All legal actions of the seat on turn."""
        if len(self._legal_actions) == 0:
            self._legal_actions = legal.list_legal_actions(turn, zones)
        return self._legal_actions[:]

    def promising_actions(
        self, turn: Turn, zones: CardZones, seats: i64, is_open: bool
    ) -> list[i64]:
        """The first steps of the best plays, steps that make laid cards lawful, or the tightest
        clauses."""
        if len(self._promising_actions) == 0:
            self._promising_actions = self._find_promising(turn, zones, seats, is_open)
        return self._promising_actions

    def _find_promising(self, turn: Turn, zones: CardZones, seats: i64, is_open: bool) -> list[i64]:
        task, tableau, seat = turn.agenda.top(), turn.tableau, turn.seat
        if kind_of(task) == n.TASK_QUESTION:
            law = tableau.branch_on(turn.line_in_question(subject_of(task))).law
            answers = legal.question_answers(turn, subject_of(task))
            if turn.rulings.has_planners:
                return ranking.closest_answers(law, answers)
            return ranking.promising_answers(law, answers)
        if turn.rulings.has_planners and (len(self.plans) > 0 or not self.is_imagined):
            return self._planned_actions(turn, zones, seats, is_open)
        hand = zones.cards(seat)
        if len(turn.laid) > 0:
            trial = ranking.Trial(tableau, turn.laid, seat)
            steps = ranking.promising_steps(trial, hand, kind_of(task) == n.TASK_CONTINUE)
            has_plan = self.can_win_turn(turn, zones, seats, is_open)
            return self._prefer_plan_step(turn, seats, steps) if has_plan else steps
        found: list[i64] = []
        if legal.may_lay_first_card(turn):
            if self.is_imagined:
                found = ranking.quick_openings(tableau, hand, seat)
            else:
                found = ranking.promising_openings(tableau, hand, seat)
        found.append(legal.action_without_cards(zones))
        return found

    def _planned_actions(
        self, turn: Turn, zones: CardZones, seats: i64, is_open: bool
    ) -> list[i64]:
        """The next actions of the best plans; of a turn that has not begun, drawing, too."""
        is_asked, is_begun = kind_of(turn.agenda.top()) == n.TASK_CONTINUE, len(turn.laid) > 0
        if not is_begun:
            self.plans = []
            if legal.may_lay_first_card(turn):
                self.plans = TurnPlanner(turn, zones, seats, is_open).opening_plans()
        elif len(self.plans) == 0:
            self.plans = TurnPlanner(turn, zones, seats, is_open).continuing_plans(is_asked)
        found: list[i64] = []
        for plan in self.plans:
            if plan.next_action(is_asked) not in found:
                found.append(plan.next_action(is_asked))
        if not is_begun:
            found.append(legal.action_without_cards(zones))
        return found if len(found) > 0 else [n.TAKE_BACK]

    def planned_worth(self) -> float:
        """The chance of winning by the best plan for the turn in progress; negative without one."""
        best = -1.0
        for plan in self.plans:
            best = max(best, plan.worth)
        return best

    def _prefer_plan_step(self, turn: Turn, seats: i64, steps: list[i64]) -> list[i64]:
        """The next step of the plan that wins. While the plan depends on a line that is still to be
        made, the other steps are considered, too."""
        step = n.FINISH
        if len(self.plan) > 0:
            step = n.MORE if kind_of(turn.agenda.top()) == n.TASK_CONTINUE else self.plan[0]
        lead = lead_after(turn.tableau, turn.laid, turn.seat, seats)
        return [step] if lead >= WINNING_LEAD or step in steps else [step, *steps]

    def can_win_turn(self, turn: Turn, zones: CardZones, seats: i64, is_open: bool) -> bool:
        """Whether the turn in progress can end with a win; if so, there is a plan for it."""
        if self._has_winning_turn is None:
            self.plan = []
            can_win = _can_win_by_stopping(turn, zones, seats, is_open)
            is_question = kind_of(turn.agenda.top()) == n.TASK_QUESTION
            is_raced = turn.rulings.opens_at_once and not is_open
            if is_raced and not (can_win or is_question):
                hand = zones.cards(turn.seat)
                self.plan = winning_steps(turn.tableau, turn.laid, hand, turn.seat, seats)
                can_win = len(self.plan) > 0
            self._has_winning_turn = can_win
        return self._has_winning_turn


def _can_win_by_stopping(turn: Turn, zones: CardZones, seats: i64, is_open: bool) -> bool:
    """Whether laying no more cards wins."""
    task = kind_of(turn.agenda.top())
    empties_hand = turn.rulings.opens_at_once and zones.count(turn.seat) == 0
    if task == n.TASK_LAY or not (is_open or empties_hand):
        return False
    if lead_after(turn.tableau, turn.laid, turn.seat, seats) < WINNING_LEAD:
        return False
    return task == n.TASK_QUESTION or is_lawful(turn.tableau, turn.laid)
