"""How does a long log become a table quickly? Stretches of actions change one state in place, so
that loading costs little more than playing; legality and draws are checked all the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import orjson

from games.engines.base import IllegalAction
from games.engines.common.codec import Malformed
from games.engines.common.log import BrokenLog
from games.engines.common.rng import DrawMismatch, ReplayingRng
from games.table.entry import Content, Entry, entry_of
from games.table.fold import after, still_deciding
from games.table.table import Deed, Moment, Refused, Table

MISFITS = (IllegalAction, DrawMismatch, Malformed, Refused)


def replayed(table: Table, contents: Iterable[Content]) -> Table:
    """The table after these entries as well. The last is made slowly: its news are wanted."""
    left = iter(contents)
    content, following = next(left, None), next(left, None)
    while content is not None:
        if following is None or content[3] is None or table.phase != "playing":
            table = once_more(table, entry_of(content))
            content, following = following, next(left, None)
        else:
            table, content, following = _played(table, content, following, left)
    return table


def once_more(table: Table, entry: Entry) -> Table:
    """The table after an entry of the log, or BrokenLog: it must be something that could happen,
    with just the draws that the rules make."""
    rng = ReplayingRng(list(entry.draws or ()))
    try:
        following = after(table, entry, rng)
        rng.finish()
    except MISFITS as problem:
        raise BrokenLog(table.seq + 1, f"cannot have happened: {problem}") from problem
    return following


def _played(
    start: Table, content: Content, following: Content | None, left: Iterator[Content]
) -> tuple[Table, Content, Content | None]:
    """The table after as many actions of the game as come now, but the last entry, and the two
    entries that come then. The actions are made on one state that nobody else has."""
    assert start.state is not None
    state, seats = start.state.clone(), range(start.create.seats)
    known_int, is_legal = start.engine.actions.known_int, state.is_legal
    last, seq, no_draws = content, start.seq, ReplayingRng([])
    # plain tuples take the place of moments and deeds until all is played
    since: list[tuple[int, str]] = list(start.since)
    done: dict[int, tuple[int, int, str]] = {}
    try:
        while following is not None and content[3] is not None:
            seat, at, text, draws = content
            code, before, seq = known_int(text), state.to_act, seq + 1
            if seat not in seats or not is_legal(seat, code):
                raise IllegalAction("illegal", f"Seat {seat} may not do this: {text}.")
            rng = ReplayingRng([(value, limit) for value, limit in draws]) if draws else no_draws
            state.apply(seat, code, rng)
            rng.finish()
            done[seat] = seq, since[seat][0], text
            now = seq, at
            if before == 1 << seat or not (late := still_deciding(before, seat, state.to_act)):
                since = [now] * len(since)
            else:
                since = [old if late >> s & 1 else now for s, old in enumerate(since)]
            last, content, following = content, following, next(left, None)
    except MISFITS as problem:
        raise BrokenLog(seq, f"cannot have happened: {problem}") from problem
    table = replace(start, seq=seq, entry=entry_of(last), readers={}, state=state)
    return _dated(table, since, done), content, following


def _dated(
    table: Table, since: list[tuple[int, str]], done: dict[int, tuple[int, int, str]]
) -> Table:
    """The table with the moments and deeds that these stand for."""
    deeds = list(table.deeds)
    for seat, (seq, had, text) in done.items():
        deeds[seat] = Deed(seq, had, orjson.loads(text))
    return replace(table, since=tuple(Moment(*moment) for moment in since), deeds=tuple(deeds))
