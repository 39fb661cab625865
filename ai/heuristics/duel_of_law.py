"""The heuristic of Duel of Law: branches first, then how safe they are, and the gain of a turn in
progress."""

from __future__ import annotations

from math import exp
from typing import Final

from mypy_extensions import i64

from ai.heuristics.base import Heuristic
from games.engines.base import State
from games.engines.common.agenda import kind_of, subject_of
from games.engines.duel_of_law.action_numbers import TASK_LAY, TASK_QUESTION
from games.engines.duel_of_law.game_logic import DuelState
from games.engines.duel_of_law.play_generator import branch_gain
from games.engines.duel_of_law.play_ranking import Trial, best_gain, openness
from games.engines.duel_of_law.tableau import Branch
from games.engines.duel_of_law.turn_worth import TurnWorth, standing_of

BRANCH_WEIGHT: Final[float] = 0.45  # log-odds of a branch …
OPEN_END_WEIGHT: Final[float] = 0.6  # … and in addition once the game can be won
# share of a branch's worth that is lost if every card could lengthen it
THREAT_WEIGHT: Final[float] = 0.5
DECK_SIZE: Final[float] = 156.0
# of each card in hand: the first empty hand makes winning possible
HAND_CARD_WEIGHT: Final[float] = 0.02
TURN_GAIN_WEIGHT: Final[float] = 0.8  # share of the gain of a turn in progress that counts
CERTAIN_WIN: Final[float] = 0.97  # for a seat that can win in this turn
ANNOUNCED_WEIGHT: Final[float] = 0.9  # share of the gain of further cards, once announced
STUCK_VALUE: Final[float] = -2.0  # of laid cards that cannot stay as they are


class DuelHeuristic(Heuristic):
    """Evaluates the true hands of the given state, which for a bot is a determinization."""

    def value(self, state: State, seat: i64) -> float:
        assert isinstance(state, DuelState)
        return self.values(state)[seat]

    def values(self, state: State) -> list[float]:
        assert isinstance(state, DuelState)
        if state.to_act == 0:
            return state.returns()
        return planned_chances(state) if state.turn.rulings.has_planners else win_chances(state)


class DuelForesightHeuristic(DuelHeuristic):
    """Also sees that a turn in progress can win at once by laying the whole hand."""

    def values(self, state: State) -> list[float]:
        assert isinstance(state, DuelState)
        if state.turn.rulings.has_planners:
            return super().values(state)
        return certain_win_chances(state) if state.can_win_turn() else super().values(state)


def win_chances(state: DuelState) -> list[float]:
    """Each seat's probability of winning."""
    strong = branch_strengths(state)
    worth = BRANCH_WEIGHT + (OPEN_END_WEIGHT if state.end.is_open else 0.0)
    odds: list[float] = []
    for seat in range(state.seats):
        odds.append(exp(worth * strong[seat] - HAND_CARD_WEIGHT * float(state.zones.count(seat))))
    total = 0.0
    for part in odds:
        total += part
    return [part / total for part in odds]


def planned_chances(state: DuelState) -> list[float]:
    """Each seat's probability of winning in version 2, with the turn in progress as it is planned:
    all other seats lose the same share of theirs."""
    turn, seat = state.turn, state.turn.seat
    if len(turn.laid) == 0:
        return standing_of(turn, state.zones, state.seats, state.end.is_open).chances(seat)
    judge = TurnWorth(turn, state.zones, state.seats, state.end.is_open)
    found, worth = judge.standing.chances(judge.next_seat), state.cache.planned_worth()
    if worth < 0.0:
        worth = judge.worth_of_going_on()
    rest = 1.0 - found[seat]  # of a very large lead nothing may be left
    share = (1.0 - worth) / rest if rest > 0.0 else 0.0
    found = [part * share for part in found]
    found[seat] = worth
    return found


def certain_win_chances(state: DuelState) -> list[float]:
    """The same, if the turn in progress can end with a win."""
    found = [(1.0 - CERTAIN_WIN) / float(state.seats - 1)] * state.seats
    found[state.turn.seat] = CERTAIN_WIN
    return found


def branch_strengths(state: DuelState) -> list[float]:
    """The number of each seat's branches; those that are easily stolen count less."""
    found = [0.0] * state.seats
    for branch in state.turn.tableau.branches:
        found[branch.owner] += 1.0 - steal_risk(branch)
    promised = turn_gain(state)
    found[state.turn.seat] += TURN_GAIN_WEIGHT * promised
    return found


def steal_risk(branch: Branch) -> float:
    """How likely a branch is to be stolen."""
    return THREAT_WEIGHT * float(openness(branch.law)) / DECK_SIZE


def turn_gain(state: DuelState) -> float:
    """The expected gain of the turn in progress."""
    if len(state.turn.laid) == 0:
        return 0.0
    if kind_of(state.turn.agenda.top()) == TASK_QUESTION:
        return question_gain(state)
    trial = Trial(state.turn.tableau, state.turn.laid, state.turn.seat)
    best = best_gain(trial, state.zones.cards(state.turn.seat))
    if kind_of(state.turn.agenda.top()) != TASK_LAY:
        best = max(best, trial.gain)
    if best < 0:
        return STUCK_VALUE
    return float(best) * (ANNOUNCED_WEIGHT if kind_of(state.turn.agenda.top()) == TASK_LAY else 1.0)


def question_gain(state: DuelState) -> float:
    """The gain of the lines that are still in question."""
    found: i64 = 0
    for task in state.turn.agenda.tasks:
        if kind_of(task) == TASK_QUESTION:
            branch = state.turn.tableau.branch_on(state.turn.line_in_question(subject_of(task)))
            found += branch_gain(branch, state.turn.seat)
    return float(found)


HEURISTIC: Final[Heuristic] = DuelHeuristic()
SEARCH_HEURISTIC: Final[Heuristic] = DuelForesightHeuristic()  # slower, and stronger in a search
EXPLORATION: Final = 0.15  # of a search, tuned in contests
TIME_FACTOR: Final = 0.7  # of the usual time per decision: a turn takes many
