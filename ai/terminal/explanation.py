"""Why a game at the terminal was won or lost: the decision after which a seat's chances stayed
below, or above, an equal share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from ai.bot_registry import create_evaluator
from tabularium_engines.base import AnyEngine, State
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.common.replayable_log import Log, replay

SAMPLES: Final = 4  # evaluations of a position
ROUNDING: Final = 1e-9  # of an equal share of a victory
PARTS: Final = 4  # of the game, at whose ends the chances are told


@dataclass(frozen=True)
class Explanation:
    """A seat's chances after each entry of a finished game, judged with all cards open."""

    engine: AnyEngine
    log: Log
    seat: int
    states: Sequence[State]
    chances: Sequence[float]
    is_won: bool

    @property
    def turning_point(self) -> int | None:
        """The first entry from which on the seat is ahead for good, or behind; None if that is the
        first entry."""
        share = 1 / int(self.states[0].seats) - ROUNDING
        ahead = [chance >= share for chance in self.chances]
        unlike = [seq for seq, is_ahead in enumerate(ahead, start=1) if is_ahead != self.is_won]
        return unlike[-1] + 1 if unlike else None

    def sentences(self) -> Iterator[str]:
        """The decision on which the game turned, and the chances through the game."""
        outcome = "won" if self.is_won else "lost"
        seq = self.turning_point
        if seq is None:
            yield f"You {outcome}: you were {'ahead' if self.is_won else 'behind'} from the start."
        else:
            yield f"You {outcome} because of entry {seq}: {self._decision_text(seq)}."
            change = f"from {self._percent(seq - 1)} to {self._percent(seq)}"
            side = "below" if self.is_won else "above"
            yield f"Your chances went {change} with it, and never again {side} an equal share."
        ends = [max(1, len(self.chances) * part // PARTS) for part in range(1, PARTS)]
        yield f"After each quarter of the game they were {', '.join(map(self._percent, ends))}."
        yield "The evaluator of the search judges them, with all cards open."

    def _percent(self, seq: int) -> str:
        return f"{self.chances[seq - 1]:.0%}".replace("%", " %")

    def _decision_text(self, seq: int) -> str:
        """The entry's decision. The first entry is the deal, so there is a state before it."""
        entry, before = self.log.entries[seq - 1], self.states[seq - 2]
        assert entry.seat is not None, "only the first entry is no decision"
        code = self.engine.encode(before, entry.seat, entry.action)
        who = "you" if entry.seat == self.seat else f"seat {entry.seat}"
        return f"{who} chose “{self.engine.label(before, entry.seat, code)}”"


def explain(engine: AnyEngine, log: Log, seat: int) -> Explanation:
    """The explanation of a finished game for one seat."""
    states = [*replay(engine, log)]
    result = engine.result(states[-1])
    assert result is not None, "only a finished game is explained"
    evaluator = create_evaluator(engine.about.slug, engine.about.version)
    chances = [
        sum(evaluator.rewards(state.clone(), FastRng(seed))[seat] for seed in range(SAMPLES))
        / SAMPLES
        for state in states
    ]
    return Explanation(engine, log, seat, states, chances, seat in result.winners)
