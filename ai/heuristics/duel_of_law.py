"""How good a table of Duel of Law looks: branches first, how safe they are, and what a turn in
progress is about to bring."""

from __future__ import annotations

from math import exp
from typing import Final

from mypy_extensions import i64

from ai.heuristics.base import Heuristic
from games.engines.base import State
from games.engines.common.agenda import kind_of, subject_of
from games.engines.duel_of_law.decision_codes import TASK_LAY, TASK_QUESTION
from games.engines.duel_of_law.game_logic import DuelState
from games.engines.duel_of_law.line_ownership import Branch
from games.engines.duel_of_law.play_generator import NEW_BRANCH_GAIN, STOLEN_BRANCH_GAIN
from games.engines.duel_of_law.play_selection import Trial, best_gain, openness

BRANCH_WEIGHT: Final[float] = 0.45  # log-odds that a branch is worth …
OPEN_END_WEIGHT: Final[float] = 0.6  # … and so much more once the game can be won
THREAT_WEIGHT: Final[float] = 0.5  # of a branch's worth is lost if every card could lengthen it
DECK_SIZE: Final[float] = 156.0
HAND_CARD_WEIGHT: Final[float] = 0.02  # each card in hand: the first empty one opens the end
TURN_GAIN_WEIGHT: Final[float] = 0.8  # how much of what a turn in progress promises is kept
CERTAIN_WIN: Final[float] = 0.97  # of victory, for whoever can win in this turn
ANNOUNCED_WEIGHT: Final[float] = 0.9  # of what more cards promise, once they are announced
STUCK_VALUE: Final[float] = -2.0  # cards that cannot stay as they lie


class DuelHeuristic(Heuristic):
    """Looks at the true hands of the state it is given, which a bot has imagined."""

    def value(self, state: State, seat: i64) -> float:
        assert isinstance(state, DuelState)
        if state.to_act == 0:
            return state.returns()[seat]
        return win_chances(state)[seat]

    def values(self, state: State) -> list[float]:
        assert isinstance(state, DuelState)
        return state.returns() if state.to_act == 0 else win_chances(state)


class DuelForesightHeuristic(DuelHeuristic):
    """Sees also that a turn in progress can win at once by laying the whole hand."""

    def value(self, state: State, seat: i64) -> float:
        return self.values(state)[seat]

    def values(self, state: State) -> list[float]:
        assert isinstance(state, DuelState)
        return certain_win_chances(state) if state.can_win_turn() else super().values(state)


def win_chances(state: DuelState) -> list[float]:
    """How likely each seat is to win."""
    strong = branch_strengths(state)
    worth = BRANCH_WEIGHT + (OPEN_END_WEIGHT if state.is_open else 0.0)
    odds: list[float] = []
    for seat in range(state.seats):
        odds.append(exp(worth * strong[seat] - HAND_CARD_WEIGHT * float(state.count_in_zone(seat))))
    total = 0.0
    for part in odds:
        total += part
    return [part / total for part in odds]


def certain_win_chances(state: DuelState) -> list[float]:
    """The same, if the turn in progress can be ended so that it wins."""
    found = [(1.0 - CERTAIN_WIN) / float(state.seats - 1)] * state.seats
    found[state.turn] = CERTAIN_WIN
    return found


def branch_strengths(state: DuelState) -> list[float]:
    """How many branches each seat has, those counting less that are easily stolen."""
    found = [0.0] * state.seats
    for branch in state.tableau.branches:
        found[branch.owner] += 1.0 - steal_risk(branch)
    promised = turn_gain(state)
    found[state.turn] += TURN_GAIN_WEIGHT * promised
    return found


def steal_risk(branch: Branch) -> float:
    """How likely a branch is to be stolen."""
    return THREAT_WEIGHT * float(openness(branch.law)) / DECK_SIZE


def turn_gain(state: DuelState) -> float:
    """What the turn in progress will bring."""
    if len(state.laid) == 0:
        return 0.0
    if kind_of(state.agenda.top()) == TASK_QUESTION:
        return question_gain(state)
    trial = Trial(state.tableau, state.laid, state.turn)
    best = best_gain(trial, state.cards_in_zone(state.turn))
    if kind_of(state.agenda.top()) != TASK_LAY:
        best = max(best, trial.gain)
    if best < 0:
        return STUCK_VALUE
    return float(best) * (ANNOUNCED_WEIGHT if kind_of(state.agenda.top()) == TASK_LAY else 1.0)


def question_gain(state: DuelState) -> float:
    """What the lines that are still in question will bring."""
    found: i64 = 0
    for task in state.agenda.tasks:
        if kind_of(task) == TASK_QUESTION:
            branch = state.tableau.branch_on(state.line_in_question(subject_of(task)))
            if branch.level == 0:
                found += NEW_BRANCH_GAIN
            elif branch.owner != state.turn:
                found += STOLEN_BRANCH_GAIN
    return float(found)
