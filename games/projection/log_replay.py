"""The replay of a log into a projection. Runs of actions change one state in place, so that loading
a long log costs little more than playing; legality and draws are still checked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import orjson

from games.engines.base import IllegalAction
from games.engines.common.json_codec import MalformedDocument
from games.engines.common.random_generators import DrawMismatch, ReplayingRng
from games.engines.common.replayable_log import BrokenLog
from games.projection.entry import Entry, EntryContent, entry_from_content
from games.projection.fold import apply_entry, seats_still_deciding
from games.projection.projection import EntryMoment, GameRefusal, LastAction, Projection

REPLAY_ERRORS = (IllegalAction, DrawMismatch, MalformedDocument, GameRefusal)


def replay_contents(table: Projection, contents: Iterable[EntryContent]) -> Projection:
    """The projection after these entries too. The last one is replayed slowly, for its news."""
    source = iter(contents)
    content, next_content = next(source, None), next(source, None)
    while content is not None:
        if next_content is None or content[3] is None or table.phase != "playing":
            table = replay_entry(table, entry_from_content(content))
            content, next_content = next_content, next(source, None)
        else:
            table, content, next_content = _replay_in_place(table, content, next_content, source)
    return table


def replay_entry(table: Projection, entry: Entry) -> Projection:
    """The projection after an entry of the log; raises BrokenLog unless the entry is possible, with
    exactly the draws that the rules make."""
    rng = ReplayingRng(list(entry.draws or ()))
    try:
        next_table = apply_entry(table, entry, rng)
        rng.finish()
    except REPLAY_ERRORS as problem:
        raise BrokenLog(table.seq + 1, f"cannot be replayed: {problem}") from problem
    if next_table.entry.action != entry.action:
        raise BrokenLog(table.seq + 1, "has an action that is not written in full")
    return next_table


def _replay_in_place(
    start: Projection,
    content: EntryContent,
    next_content: EntryContent | None,
    source: Iterator[EntryContent],
) -> tuple[Projection, EntryContent, EntryContent | None]:
    """Replay the run of game actions that comes next, but never the last entry; returns the
    projection after it, and the next two entries. The actions change one state, which is not
    shared."""
    assert start.state is not None
    state, seats = start.state.clone(), range(start.creation.seats)
    code_of_text, is_legal = start.engine.action_codec.int_from_text, state.is_legal
    last, seq, no_draws = content, start.seq, ReplayingRng([])
    # plain tuples stand for EntryMoment and LastAction until the run is replayed
    moments: list[tuple[int, str]] = list(start.choice_since)
    last_actions: dict[int, tuple[int, int, str]] = {}
    try:
        while next_content is not None and content[3] is not None:
            seat, at, text, draws = content
            seq += 1
            code, old_mask = code_of_text(text), state.to_act
            if seat not in seats or not is_legal(seat, code):
                raise IllegalAction("illegal", f"Seat {seat} may not make this action: {text}.")
            rng = ReplayingRng([(value, limit) for value, limit in draws]) if draws else no_draws
            state.apply(seat, code, rng)
            rng.finish()
            last_actions[seat] = seq, moments[seat][0], text
            now = seq, at
            if old_mask == 1 << seat or not (
                deciding := seats_still_deciding(old_mask, seat, state.to_act)
            ):
                moments = [now] * len(moments)
            else:
                moments = [moment if deciding >> s & 1 else now for s, moment in enumerate(moments)]
            last, content, next_content = content, next_content, next(source, None)
    except REPLAY_ERRORS as problem:
        raise BrokenLog(seq, f"cannot be replayed: {problem}") from problem
    table = replace(start, seq=seq, entry=entry_from_content(last), field_readers={}, state=state)
    return _with_moments(table, moments, last_actions), content, next_content


def _with_moments(
    table: Projection,
    moments: list[tuple[int, str]],
    last_actions: dict[int, tuple[int, int, str]],
) -> Projection:
    """The projection with the EntryMoment and LastAction objects that these tuples stand for."""
    actions = list(table.last_actions)
    for seat, (seq, choice_seq, text) in last_actions.items():
        actions[seat] = LastAction(seq, choice_seq, orjson.loads(text))
    return replace(
        table,
        choice_since=tuple(EntryMoment(*moment) for moment in moments),
        last_actions=tuple(actions),
    )
