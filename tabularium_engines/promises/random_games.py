"""Whole random games, with every position; players prefer some kinds of action."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from random import Random
from typing import Any

from tabularium_engines.base import ONLOOKER_SEAT, AnyEngine, State
from tabularium_engines.common.action_codec import BITS_PER_FIELD
from tabularium_engines.common.random_generators import FastRng, RecordingRng
from tabularium_engines.common.replayable_log import Entry, Log, apply_to_copy, start_log

FULL_SAMPLE = 20  # positions of a game; a sample this large leaves nothing out
ABORT_FACTOR = 20  # times the bound, after which a game is aborted; promise 5 is stricter
KIND_WEIGHTS = (0.05, 1.0, 1.0, 3.0)  # how much a player may favour one kind of action


@dataclass(frozen=True)
class Position:
    """A state of a game, and the step that led to it."""

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

    engine: AnyEngine
    log: Log
    positions: tuple[Position, ...]

    @cached_property
    def index_by_kinds(self) -> dict[frozenset[int], int]:
        """The first position of each combination of kinds."""
        indices: dict[frozenset[int], int] = {}
        for index, position in enumerate(self.positions):
            indices.setdefault(legal_kinds(position.state), index)
        return indices

    def sample(self, number: int) -> list[Position]:
        """About `number` positions: the first, the last, one for each combination of kinds, and
        some between."""
        indices = {0, len(self.positions) - 1, *self.index_by_kinds.values()}
        stride = max(1, len(self.positions) // number)
        indices.update(range(stride // 2, len(self.positions), stride))
        return [self.positions[index] for index in sorted(indices)]


def legal_kinds(state: State) -> frozenset[int]:
    """The kinds of action that any seat may take."""
    return frozenset(
        int(action) % (1 << BITS_PER_FIELD)
        for seat in range(state.seats)
        for action in state.legal_actions(seat)
    )


@lru_cache(maxsize=16)
def play(engine: AnyEngine, options: Any, seats: int, seed: int) -> Game:
    """The game of this seed; AssertionError if it cannot be played to its end."""
    rng = FastRng(seed)
    state, log = start_log(engine, options, seats, rng)
    positions = [Position(1, None, None, -1, log.entries[0].draws, state, False)]
    players = RandomPlayers(seed)
    while state.to_act:
        last = positions[-1]
        assert len(positions) <= ABORT_FACTOR * engine.about.max_actions, "the game does not end"
        position = next_position(last, *players.choose(engine, last), rng)
        document = engine.action_codec.to_json(
            engine.decode(state, position.seat or 0, position.action)
        )
        log.entries.append(Entry(position.seat, document, position.draws))
        positions.append(position)
        state = position.state
    return Game(engine, log, tuple(positions))


def next_position(last: Position, seat: int, action: int, rng: FastRng) -> Position:
    """The position after one more step."""
    recorder = RecordingRng(rng)
    before = last.state
    try:
        state = apply_to_copy(before, seat, action, recorder)
    except Exception as error:
        message = f"after {last}, legal action {action:#x} of seat {seat} raised {error!r}"
        raise AssertionError(message) from error
    awaited_before, awaited_after = int(before.to_act), int(state.to_act)
    is_sealed = (
        0 < awaited_after < awaited_before
        and awaited_after & awaited_before == awaited_after
        and (last.is_sealed or awaited_after == awaited_before & ~(1 << seat))
    )
    return Position(last.seq + 1, before, seat, action, tuple(recorder.draws), state, is_sealed)


class RandomPlayers:
    """The random players of one game, who favour some kinds of action over others."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.is_unbiased = seed % 2 == 0
        self.weights: dict[int, float] = {}

    def choose(self, engine: AnyEngine, position: Position) -> tuple[int, int]:
        """A seat and one of its legal actions; sometimes a seat that is not awaited."""
        state = position.state
        candidates = engine.awaited_seats(state)
        unawaited_seats = [seat for seat in range(state.seats) if seat not in candidates]
        if self.chance.random() < 0.125:
            candidates = [
                seat for seat in unawaited_seats if state.legal_actions(seat)
            ] or candidates
        seat = self.chance.choice(candidates)
        legal_actions = [int(action) for action in state.legal_actions(seat)]
        assert legal_actions, f"after {position}, seat {seat} is awaited and can do nothing"
        (action,) = self.chance.choices(
            legal_actions, [self.weight(action) for action in legal_actions]
        )
        return seat, action

    def weight(self, action: int) -> float:
        """The weight of an action's kind."""
        kind = action % (1 << BITS_PER_FIELD)
        if kind not in self.weights:
            self.weights[kind] = 1.0 if self.is_unbiased else self.chance.choice(KIND_WEIGHTS)
        return self.weights[kind]


def all_viewers(state: State) -> list[int | None]:
    """All viewers: the seats, and an onlooker."""
    return [*range(state.seats), None]


def viewers_of_position(position: Position, sample: int) -> list[int | None]:
    """The viewers to check at a position: all in a full sample, otherwise two seats and an
    onlooker."""
    viewers = all_viewers(position.state)
    if sample >= FULL_SAMPLE:
        return viewers
    seats = position.state.seats
    return [*sorted({position.seq % seats, (position.seq + 1) % seats}), None]


def viewer_seat(viewer: int | None) -> int:
    """A viewer as the number that `determinize` takes."""
    return ONLOOKER_SEAT if viewer is None else viewer


def contents_after_steps(state: State, rng: FastRng, steps: int) -> Iterator[list[Any]]:
    """Play random steps in place; the contents after each."""
    for _ in range(steps):
        seats = [seat for seat in range(state.seats) if int(state.to_act) >> seat & 1]
        if not seats:
            return
        seat = seats[rng.below(len(seats))]
        legal_actions = state.legal_actions(seat)
        state.apply(seat, legal_actions[rng.below(len(legal_actions))], rng)
        yield state.contents()


def news_of_all_viewers(engine: AnyEngine, state: State) -> list[Any]:
    """The news of the last action for each viewer."""
    return [engine.news(state, viewer) for viewer in all_viewers(state)]


def trace(engine: AnyEngine, states: Iterable[State]) -> list[Any]:
    """The contents, news and result of each of a series of states."""
    return [[s.contents(), news_of_all_viewers(engine, s), engine.result(s)] for s in states]
