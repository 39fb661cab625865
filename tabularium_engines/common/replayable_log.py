"""The log from which a game is replayed, in memory and as lines of JSON: each entry holds a
decision and every draw the rules made for it, so a replay draws nothing new and always gives the
same game."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

from tabularium_engines.base import AnyEngine, Engine, IllegalAction, Rng, S, V
from tabularium_engines.common import json_codec
from tabularium_engines.common.json_codec import Json
from tabularium_engines.common.random_generators import DrawMismatch, RecordingRng, ReplayingRng

T = TypeVar("T")


class BrokenLog(ValueError):
    """A log that is not a game by these rules, with the first faulty `seq`; 0 is the header."""

    def __init__(self, seq: int, why: str) -> None:
        super().__init__(f"Entry {seq} {why}" if seq else f"The header {why}")
        self.seq = seq


@dataclass(frozen=True)
class Entry:
    """One decision and its draws."""

    seat: int | None  # None: the start entry
    action: Json
    draws: tuple[tuple[int, int], ...]  # (value, limit) pairs


@dataclass
class Log:
    """A whole game: its rules and all entries, numbered by `seq` from 1."""

    rules: str
    version: int
    seats: int
    options: Json
    entries: list[Entry] = field(default_factory=list)


START_ACTION: Json = {"type": "start"}


def start_log(engine: Engine[S, V], options: Any, seats: int, rng: Rng) -> tuple[S, Log]:
    """A new game's state, and its log with the start entry."""
    log = Log(engine.about.slug, engine.about.version, seats, json_codec.to_json(options))
    recorder = RecordingRng(rng)
    state = engine.start(options, seats, recorder)
    log.entries.append(Entry(None, START_ACTION, tuple(recorder.draws)))
    return state, log


def append_action(engine: Engine[S, V], state: S, log: Log, seat: int, action: Any, rng: Rng) -> S:
    """Append the action and return the state after it; IllegalAction leaves all unchanged."""
    code = engine.encode(state, seat, action)
    document = engine.action_codec.to_json(engine.decode(state, seat, code))
    recorder = RecordingRng(rng)
    following = apply_to_copy(state, seat, code, recorder)
    log.entries.append(Entry(seat, document, tuple(recorder.draws)))
    return following


def apply_to_copy(state: S, seat: int, code: int, rng: Rng) -> S:
    """A copy of the state after a legal action, with its news."""
    following = state.clone()
    following.record_news()
    following.apply(seat, code, rng)
    return following


def replay(engine: Engine[S, V], log: Log) -> Iterator[S]:
    """Yield the state after each entry; raises BrokenLog at the first impossible one."""
    options = _read_options(engine, log)
    state: S | None = None
    for seq, entry in enumerate(log.entries, start=1):
        rng = ReplayingRng(list(entry.draws))
        try:
            if state is None:
                state = _replay_start(engine, log.seats, options, entry, rng)
            else:
                state = _replay_action(engine, state, entry, rng)
            rng.finish()
        except (IllegalAction, DrawMismatch, json_codec.MalformedDocument) as problem:
            raise BrokenLog(seq, f"cannot be replayed: {problem}") from problem
        yield state


def _read_options(engine: AnyEngine, log: Log) -> Any:
    about = engine.about
    if (log.rules, log.version) != (about.slug, about.version):
        ours = f"{about.slug} version {about.version}"
        raise BrokenLog(0, f"names {log.rules} version {log.version}, but this ruleset is {ours}")
    fewest, most = about.seats
    if not fewest <= log.seats <= most:
        ours = f"the game is for {about.player_count_text}"
        raise BrokenLog(0, f"names {log.seats} seats, but {ours}")
    try:
        return engine.read_options(log.options, log.seats)
    except json_codec.MalformedDocument as problem:
        raise BrokenLog(0, f"names invalid options: {problem}") from problem


def _replay_start(engine: Engine[S, V], seats: int, options: Any, entry: Entry, rng: Rng) -> S:
    if entry.seat is not None or entry.action != START_ACTION:
        raise json_codec.MalformedDocument("/action", "must be the start of the game")
    return engine.start(options, seats, rng)


def _replay_action(engine: Engine[S, V], state: S, entry: Entry, rng: Rng) -> S:
    if entry.seat is None:
        raise json_codec.MalformedDocument("/seat", "must be a seat")
    code = engine.encode(state, entry.seat, entry.action)
    if engine.action_json(state, entry.seat, code) != entry.action:
        raise json_codec.MalformedDocument("/action", "must have all of its members")
    return apply_to_copy(state, entry.seat, code, rng)


# -- as a file: a header line, then a line for each entry -----------------------------------------


@dataclass(frozen=True)
class _Header:
    """The first line."""

    rules: str
    version: int
    seats: int
    options: Json


@dataclass(frozen=True)
class _EntryLine:
    """Every other line."""

    seq: int
    seat: int | None
    action: Json
    draws: tuple[tuple[int, int], ...]


def header_line(log: Log) -> str:
    """The header line, which names the ruleset, seats and options."""
    return json.dumps(json_codec.to_json(_Header(log.rules, log.version, log.seats, log.options)))


def entry_line(seq: int, entry: Entry) -> str:
    """The line of an entry."""
    return json.dumps(json_codec.to_json(_EntryLine(seq, entry.seat, entry.action, entry.draws)))


def to_lines(log: Log) -> Iterator[str]:
    """The whole log as lines of JSON."""
    yield header_line(log)
    for seq, entry in enumerate(log.entries, start=1):
        yield entry_line(seq, entry)


def from_lines(lines: Iterable[str]) -> Log:
    """Parse a log; raises BrokenLog. Only `replay` can verify that it is a legal game."""
    log: Log | None = None
    for seq, line in enumerate(lines):
        if log is None:
            header = _parse_line(_Header, seq, line)
            log = Log(header.rules, header.version, header.seats, header.options)
            continue
        read = _parse_line(_EntryLine, seq, line)
        if read.seq != seq:
            raise BrokenLog(seq, f"is missing: the line is entry {read.seq}")
        log.entries.append(Entry(read.seat, read.action, read.draws))
    if log is None:
        raise BrokenLog(0, "is missing: the log is empty")
    return log


def _parse_line(kind: type[T], seq: int, line: str) -> T:
    try:
        return json_codec.from_json(kind, json.loads(line))
    except json_codec.MalformedDocument as problem:
        raise BrokenLog(seq, f"is malformed: {problem}") from problem
    except (ValueError, RecursionError) as problem:
        raise BrokenLog(seq, "is truncated or not JSON") from problem
