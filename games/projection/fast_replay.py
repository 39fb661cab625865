"""Fast replay of long logs: runs of actions change one state in place, so that loading costs little
more than playing; legality and draws are still checked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import orjson

from games.engines.base import IllegalAction
from games.engines.common.codec import MalformedDocument
from games.engines.common.replay_log import BrokenLog
from games.engines.common.rng import DrawMismatch, ReplayingRng
from games.projection.entry import Entry, EntryContent, entry_from_content
from games.projection.fold import apply_entry, seats_still_deciding
from games.projection.projection import EntryMoment, GameRefusal, LastAction, Projection

REPLAY_ERRORS = (IllegalAction, DrawMismatch, MalformedDocument, GameRefusal)


def replay_contents(table: Projection, contents: Iterable[EntryContent]) -> Projection:
    """The projection after these entries too. The last one is replayed slowly, for its news."""
    left = iter(contents)
    content, following = next(left, None), next(left, None)
    while content is not None:
        if following is None or content[3] is None or table.phase != "playing":
            table = replay_entry(table, entry_from_content(content))
            content, following = following, next(left, None)
        else:
            table, content, following = _replay_in_place(table, content, following, left)
    return table


def replay_entry(table: Projection, entry: Entry) -> Projection:
    """The projection after an entry of the log; raises BrokenLog unless the entry is possible, with
    exactly the draws that the rules make."""
    rng = ReplayingRng(list(entry.draws or ()))
    try:
        following = apply_entry(table, entry, rng)
        rng.finish()
    except REPLAY_ERRORS as problem:
        raise BrokenLog(table.seq + 1, f"cannot be replayed: {problem}") from problem
    return following


def _replay_in_place(
    start: Projection,
    content: EntryContent,
    following: EntryContent | None,
    left: Iterator[EntryContent],
) -> tuple[Projection, EntryContent, EntryContent | None]:
    """Replay the run of game actions that comes next, but never the last entry; returns the
    projection after it, and the next two entries. The actions change one state, which is not
    shared."""
    assert start.state is not None
    state, seats = start.state.clone(), range(start.creation.seats)
    known_int, is_legal = start.engine.action_codec.int_from_text, state.is_legal
    last, seq, no_draws = content, start.seq, ReplayingRng([])
    # plain tuples stand for EntryMoment and LastAction until the run is replayed
    since: list[tuple[int, str]] = list(start.choice_since)
    done: dict[int, tuple[int, int, str]] = {}
    try:
        while following is not None and content[3] is not None:
            seat, at, text, draws = content
            code, before, seq = known_int(text), state.to_act, seq + 1
            if seat not in seats or not is_legal(seat, code):
                raise IllegalAction("illegal", f"Seat {seat} may not make this action: {text}.")
            rng = ReplayingRng([(value, limit) for value, limit in draws]) if draws else no_draws
            state.apply(seat, code, rng)
            rng.finish()
            done[seat] = seq, since[seat][0], text
            now = seq, at
            if before == 1 << seat or not (
                late := seats_still_deciding(before, seat, state.to_act)
            ):
                since = [now] * len(since)
            else:
                since = [old if late >> s & 1 else now for s, old in enumerate(since)]
            last, content, following = content, following, next(left, None)
    except REPLAY_ERRORS as problem:
        raise BrokenLog(seq, f"cannot be replayed: {problem}") from problem
    table = replace(start, seq=seq, entry=entry_from_content(last), field_readers={}, state=state)
    return _with_moments(table, since, done), content, following


def _with_moments(
    table: Projection, since: list[tuple[int, str]], done: dict[int, tuple[int, int, str]]
) -> Projection:
    """The projection with the EntryMoment and LastAction objects that these tuples stand for."""
    deeds = list(table.last_actions)
    for seat, (seq, had, text) in done.items():
        deeds[seat] = LastAction(seq, had, orjson.loads(text))
    return replace(
        table,
        choice_since=tuple(EntryMoment(*moment) for moment in since),
        last_actions=tuple(deeds),
    )
