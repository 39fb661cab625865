"""Whole games for the tests: played at random with varying preferences, every position kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

from games.engines.base import ONLOOKER_SEAT, Engine, State
from games.engines.common.action_codec import BITS_PER_FIELD
from games.engines.common.replay_log import Entry, Log, apply_to_copy, start_log
from games.engines.common.rng import FastRng, RecordingRng

THOROUGH = 20  # positions of a game; a sample this large leaves nothing out
ENDLESS = 20  # times the bound, after which a game is given up; promise 5 is stricter
WEIGHTS = (0.05, 1.0, 1.0, 3.0)  # how much a player may favour one kind of action


@dataclass(frozen=True)
class Position:
    """The state at one point of a game, and the step that led there."""

    seq: int
    before: State | None  # None for the deal
    seat: int | None
    action: int
    draws: tuple[tuple[int, int], ...]
    state: State
    is_sealed: bool  # whether there are answers that no other seat has seen yet

    def __str__(self) -> str:
        by = "the deal" if self.seat is None else f"action {self.action:#x} of seat {self.seat}"
        return f"entry {self.seq} ({by})"


@dataclass(frozen=True)
class Game:
    """A game from the deal to the end."""

    engine: Engine[Any, Any]
    log: Log
    positions: tuple[Position, ...]

    def sample(self, number: int) -> list[Position]:
        """About `number` positions: the first, the last, one for each combination of kinds, some
        between."""
        chosen = {0, len(self.positions) - 1}
        kinds: dict[frozenset[int], int] = {}
        for index, position in enumerate(self.positions):
            kinds.setdefault(kinds_of(position.state), index)
        stride = max(1, len(self.positions) // number)
        chosen.update(kinds.values(), range(stride // 2, len(self.positions), stride))
        return [self.positions[index] for index in sorted(chosen)]


def kinds_of(state: State) -> frozenset[int]:
    """The kinds of action that are legal."""
    return frozenset(
        int(action) % (1 << BITS_PER_FIELD)
        for seat in range(state.seats)
        for action in state.legal_actions(seat)
    )


@lru_cache(maxsize=16)
def play(engine: Engine[Any, Any], options: Any, seats: int, seed: int) -> Game:
    """The game that these seeds give; AssertionError if it cannot be played to its end."""
    rng = FastRng(seed)
    state, log = start_log(engine, options, seats, rng)
    positions = [Position(1, None, None, -1, log.entries[0].draws, state, False)]
    temper = Temper(seed)
    while state.to_act:
        last = positions[-1]
        assert len(positions) <= ENDLESS * engine.about.max_actions, "the game does not end"
        position = played(last, *temper.choose(engine, last), rng)
        document = engine.action_codec.to_json(
            engine.decode(state, position.seat or 0, position.action)
        )
        log.entries.append(Entry(position.seat, document, position.draws))
        positions.append(position)
        state = position.state
    return Game(engine, log, tuple(positions))


def played(last: Position, seat: int, action: int, rng: FastRng) -> Position:
    """The position after one more step."""
    recorder = RecordingRng(rng)
    before = last.state
    try:
        state = apply_to_copy(before, seat, action, recorder)
    except Exception as problem:
        told = f"after {last}, legal action {action:#x} of seat {seat} raised {problem!r}"
        raise AssertionError(told) from problem
    waiting, left = int(before.to_act), int(state.to_act)
    is_sealed = (
        0 < left < waiting
        and left & waiting == left
        and (last.is_sealed or left == waiting & ~(1 << seat))
    )
    return Position(last.seq + 1, before, seat, action, tuple(recorder.draws), state, is_sealed)


class Temper:
    """The random players of one game, who favour some kinds of action over others."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.is_even = seed % 2 == 0
        self.weights: dict[int, float] = {}

    def choose(self, engine: Engine[Any, Any], position: Position) -> tuple[int, int]:
        """A seat and one of its legal actions; occasionally a seat that is not awaited."""
        state = position.state
        awaited = engine.awaited_seats(state)
        others = [seat for seat in range(state.seats) if seat not in awaited]
        if self.chance.random() < 0.125:
            awaited = [seat for seat in others if state.legal_actions(seat)] or awaited
        seat = self.chance.choice(awaited)
        legal = [int(action) for action in state.legal_actions(seat)]
        assert legal, f"after {position}, seat {seat} is awaited and can do nothing"
        (action,) = self.chance.choices(legal, [self.weight(action) for action in legal])
        return seat, action

    def weight(self, action: int) -> float:
        """The weight of an action's kind."""
        kind = action % (1 << BITS_PER_FIELD)
        if kind not in self.weights:
            self.weights[kind] = 1.0 if self.is_even else self.chance.choice(WEIGHTS)
        return self.weights[kind]


def onlooking(state: State) -> list[int | None]:
    """All viewers: the seats, and an onlooker."""
    return [*range(state.seats), None]


def lookers(position: Position, sample: int) -> list[int | None]:
    """The viewers of a position: all of them in a thorough sample, otherwise two seats in turn and
    an onlooker."""
    everybody = onlooking(position.state)
    if sample >= THOROUGH:
        return everybody
    seats = position.state.seats
    return [*sorted({position.seq % seats, (position.seq + 1) % seats}), None]


def number_of(viewer: int | None) -> int:
    """A viewer's number in the engine."""
    return ONLOOKER_SEAT if viewer is None else viewer


def run_on(state: State, rng: FastRng, steps: int) -> Iterator[list[Any]]:
    """Play some steps in place, yielding the contents after each."""
    for _ in range(steps):
        seats = [seat for seat in range(state.seats) if int(state.to_act) >> seat & 1]
        if not seats:
            return
        seat = seats[rng.below(len(seats))]
        legal = state.legal_actions(seat)
        state.apply(seat, legal[rng.below(len(legal))], rng)
        yield state.contents()


def heard(engine: Engine[Any, Any], state: State) -> list[Any]:
    """The news of the last action for every viewer."""
    return [engine.news(state, viewer) for viewer in onlooking(state)]


def trace(engine: Engine[Any, Any], states: Iterable[State]) -> list[Any]:
    """The contents, news and result of each of a series of states."""
    return [[s.contents(), heard(engine, s), engine.result(s)] for s in states]
