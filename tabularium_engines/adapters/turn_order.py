"""The order of turns for environments that ask one seat at a time.

Where several seats must act at once, they are asked one after the other, the lowest first; none of
them sees the others' choices, because a view does not show them. Where seats may act out of turn
(in Law, whenever a turn is open), each other seat is asked first, clockwise from the seat that must
act, and may wait. All are asked, even those that can only wait: the order shows nothing of a hand.
An action that is not `wait` begins a new round of questions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from tabularium_engines.adapters.action_space import action_space
from tabularium_engines.base import AnyEngine, State
from tabularium_engines.common.agenda import kind_of
from tabularium_engines.common.bits import lowest
from tabularium_engines.law.action_numbers import TASK_TURN

NO_SEAT: Final = -1


class Decision(NamedTuple):
    """A complete action of a seat, as the engine applies it."""

    seat: int
    action: int


def is_law_turn(state: Any) -> bool:
    """Whether the next task of Law is a turn: a public fact."""
    return state.to_act != 0 and int(kind_of(state.agenda.top())) == int(TASK_TURN)


# by game: whether seats may act out of turn now, which depends on public facts alone
MAY_INTERRUPT: Final[Mapping[str, Callable[[Any], bool]]] = {"law": is_law_turn}


class TurnOrder:
    """A state, the seat that is asked, and the words of the action that it has begun."""

    def __init__(self, engine: AnyEngine, state: State) -> None:
        self.engine = engine
        self.space = action_space(engine)
        self.words: tuple[int, ...] = ()  # of the action that the seat has begun
        self._legal_words: list[tuple[int, ...]] | None = None  # listed when they are needed
        self._may_interrupt = MAY_INTERRUPT.get(engine.about.slug)
        self.set_state(state)

    @property
    def number_count(self) -> int:
        """How many action numbers there are, `wait` included."""
        return number_count(self.engine)

    def set_state(self, state: State) -> None:
        """Go on from a state, with a new round of questions."""
        self.state = state
        self._queue = self._seats_to_ask()
        self._begin()

    def copy(self) -> TurnOrder:
        """An independent copy."""
        copied = TurnOrder(self.engine, self.state.clone())
        copied._queue = list(self._queue)
        copied.words = self.words
        copied._legal_words = self._legal_words
        return copied

    @property
    def seat(self) -> int:
        """The seat that is asked; NO_SEAT if the game is over."""
        return self._queue[0] if self._queue else NO_SEAT

    def legal_numbers(self) -> list[int]:
        """The numbers that may follow now, ascending."""
        if not self._queue:
            return []
        place = len(self.words)
        if self._legal_words is None:
            self._legal_words = [*map(self.space.words_of, self._legal_actions())]
        begun = (words for words in self._legal_words if words[:place] == self.words)
        numbers = sorted({words[place] for words in begun})
        return [*numbers, self.space.size] if len(self._queue) > 1 and not place else numbers

    def choose(self, number: int) -> Decision | None:
        """Take one of the legal numbers; the decision, if it is complete. The caller applies it to
        the state, and calls `set_state`."""
        if number not in self.legal_numbers():
            raise ValueError(f"{number} is not a legal action number of seat {self.seat} now")
        if number == self.space.size:
            del self._queue[0]
            self._begin()
            return None
        self.words = (*self.words, number)
        action = self.space.action_of_words(self.words)
        return None if action is None else Decision(self.seat, action)

    def _begin(self) -> None:
        self.words = ()
        self._legal_words = None

    def _legal_actions(self) -> list[int]:
        return [int(action) for action in self.state.legal_actions(self.seat)]

    def _seats_to_ask(self) -> list[int]:
        if self.state.to_act == 0:
            return []
        awaited, seats = int(lowest(self.state.to_act)), int(self.state.seats)
        if self._may_interrupt is None or not self._may_interrupt(self.state):
            return [awaited]
        return [(awaited + step) % seats for step in range(1, seats + 1)]


def number_count(engine: AnyEngine) -> int:
    """How many action numbers an environment has: those of the space and, where seats may act out
    of turn, `wait` as the last."""
    return action_space(engine).size + (engine.about.slug in MAY_INTERRUPT)
