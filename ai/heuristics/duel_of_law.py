"""How good a table of Duel of Law looks: branches first, how safe they are, and what a turn in
progress is about to bring."""

from __future__ import annotations

from math import exp
from typing import Final

from mypy_extensions import i64

from ai.heuristics.base import Heuristic
from games.engines.base import State
from games.engines.common.agenda import kind_of, subject_of
from games.engines.duel_of_law.branches import Branch
from games.engines.duel_of_law.planning import Trial, best_gain, openness
from games.engines.duel_of_law.state import DuelState
from games.engines.duel_of_law.suggesting import NEW, STOLEN
from games.engines.duel_of_law.tasks import ASK, LAY

BRANCH: Final[float] = 0.45  # log-odds that a branch is worth …
OPEN: Final[float] = 0.6  # … and so much more once the game can be won
THREAT: Final[float] = 0.5  # of a branch's worth is lost if every card could lengthen it
DECK: Final[float] = 156.0
BURDEN: Final[float] = 0.02  # each card in hand: the first empty one opens the end
STAKE: Final[float] = 0.8  # how much of what a turn in progress promises is kept
SURE: Final[float] = 0.97  # of victory, for whoever can win in this turn
DOUBT: Final[float] = 0.9  # of what more cards promise, once they are announced
STUCK: Final[float] = -2.0  # cards that cannot stay as they lie


class DuelHeuristic(Heuristic):
    """Looks at the true hands of the state it is given, which a bot has imagined."""

    def value(self, state: State, seat: i64) -> float:
        assert isinstance(state, DuelState)
        if state.to_act == 0:
            return state.returns()[seat]
        return chances(state)[seat]

    def values(self, state: State) -> list[float]:
        assert isinstance(state, DuelState)
        return state.returns() if state.to_act == 0 else chances(state)


class DuelForesight(DuelHeuristic):
    """Sees also that a turn in progress can win at once by laying the whole hand."""

    def value(self, state: State, seat: i64) -> float:
        return self.values(state)[seat]

    def values(self, state: State) -> list[float]:
        assert isinstance(state, DuelState)
        return certainty(state) if state.is_won() else super().values(state)


def chances(state: DuelState) -> list[float]:
    """How likely each seat is to win."""
    strong = strengths(state)
    worth = BRANCH + (OPEN if state.is_open else 0.0)
    odds: list[float] = []
    for seat in range(state.seats):
        odds.append(exp(worth * strong[seat] - BURDEN * float(state.count(seat))))
    total = 0.0
    for part in odds:
        total += part
    return [part / total for part in odds]


def certainty(state: DuelState) -> list[float]:
    """The same, if the turn in progress can be ended so that it wins."""
    found = [(1.0 - SURE) / float(state.seats - 1)] * state.seats
    found[state.turn] = SURE
    return found


def strengths(state: DuelState) -> list[float]:
    """How many branches each seat has, those counting less that are easily stolen."""
    found = [0.0] * state.seats
    for branch in state.tableau.branches:
        found[branch.owner] += 1.0 - threat(branch)
    promised = promise(state)
    found[state.turn] += STAKE * promised
    return found


def threat(branch: Branch) -> float:
    """How likely a branch is to be stolen."""
    return THREAT * float(openness(branch.law)) / DECK


def promise(state: DuelState) -> float:
    """What the turn in progress will bring."""
    if len(state.laid) == 0:
        return 0.0
    if kind_of(state.agenda.top()) == ASK:
        return questions(state)
    trial = Trial(state.tableau, state.laid, state.turn)
    best = best_gain(trial, state.held(state.turn))
    if kind_of(state.agenda.top()) != LAY:
        best = max(best, trial.gain)
    if best < 0:
        return STUCK
    return float(best) * (DOUBT if kind_of(state.agenda.top()) == LAY else 1.0)


def questions(state: DuelState) -> float:
    """What the lines that are still in question will bring."""
    found: i64 = 0
    for task in state.agenda.tasks:
        if kind_of(task) == ASK:
            branch = state.tableau.on(state.asked(subject_of(task)))
            if branch.level == 0:
                found += NEW
            elif branch.owner != state.turn:
                found += STOLEN
    return float(found)
