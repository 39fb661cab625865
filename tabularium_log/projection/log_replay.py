"""The replay of a log into a projection. Runs of actions change one state in place, so that loading
a long log costs little more than playing; legality and draws are still checked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import TypeAlias

import orjson

from tabularium_engines.base import IllegalAction, State
from tabularium_engines.common.json_codec import MalformedDocument
from tabularium_engines.common.random_generators import DrawMismatch, ReplayingRng
from tabularium_engines.common.replayable_log import BrokenLog
from tabularium_log.projection.agreements import MAX_TAKEN_BACK
from tabularium_log.projection.entry import Entry, EntryContent, entry_from_content, time_text
from tabularium_log.projection.fold import apply_entry, proposal_after_action, seats_still_deciding
from tabularium_log.projection.projection import EntryMoment, GameRefusal, LastAction, Projection

REPLAY_ERRORS = (IllegalAction, DrawMismatch, MalformedDocument, GameRefusal)
# for the state that a run changes, a function that judges each action of a seat before it is made
Judge: TypeAlias = Callable[[State], Callable[[int, int], bool]]


def replay_contents(table: Projection, contents: Iterable[EntryContent]) -> Projection:
    """The projection after these entries too. Those that could be taken back are replayed slowly,
    and so is the last one, for its news."""
    log, place = list(contents), 0
    while place < len(log):
        end = min(end_of_run(log, place), len(log) - 1) if table.phase == "playing" else place
        if end > place:
            table = replay_run(table, log[place:end])
            place = end
        else:
            table = replay_entry(table, entry_from_content(log[place]))
            place += 1
    return table


def end_of_actions(log: Sequence[EntryContent], start: int) -> int:
    """The end of the game actions from there on."""
    after = start
    while after < len(log) and log[after][3] is not None:
        after += 1
    return after


def end_of_run(log: Sequence[EntryContent], start: int) -> int:
    """The same without the last actions, if they might be taken back."""
    after = end_of_actions(log, start)
    end, seat = after, log[after - 1][0]
    while end > start and after - end < MAX_TAKEN_BACK and log[end - 1][0] == seat:
        if log[end - 1][3]:
            break
        end -= 1
    return end


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


def replay_run(
    start: Projection, log: Sequence[EntryContent], judge: Judge = attrgetter("is_legal")
) -> Projection:
    """The projection after a run of game actions; none of them can be taken back afterwards."""
    assert start.state is not None
    state, seats = start.state.clone(), range(start.creation.seats)
    code_of_text, is_legal = start.engine.action_codec.int_from_text, judge(state)
    seq, no_draws = start.seq, ReplayingRng([])
    # plain tuples stand for LastAction and new EntryMoments until the run is replayed
    moments: list[EntryMoment | tuple[int, int]] = list(start.choice_since)
    last_actions: dict[int, tuple[int, int, str]] = {}
    try:
        start.check_not_paused()
        for seat, at, text, draws in log:
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
    except REPLAY_ERRORS as problem:
        raise BrokenLog(seq, f"cannot be replayed: {problem}") from problem
    table = replace(
        start,
        seq=seq,
        entry=entry_from_content(log[-1]),
        previous_at=time_text(log[-2][1]) if len(log) > 1 else start.entry.at,
        field_readers={},
        state=state,
    )
    return _with_moments(table, moments, last_actions)


def _entry_moment(moment: EntryMoment | tuple[int, int]) -> EntryMoment:
    if isinstance(moment, EntryMoment):
        return moment
    seq, milliseconds = moment
    return EntryMoment(seq, time_text(milliseconds))


def _with_moments(
    table: Projection,
    moments: list[EntryMoment | tuple[int, int]],
    last_actions: dict[int, tuple[int, int, str]],
) -> Projection:
    """The projection with the EntryMoment and LastAction objects that these tuples stand for, and
    with what follows from the seats that have acted."""
    actions, proposal = list(table.last_actions), table.proposal
    for seat in last_actions:
        proposal = proposal and proposal_after_action(table, seat)
    for seat, (seq, choice_seq, text) in last_actions.items():
        actions[seat] = LastAction(seq, choice_seq, orjson.loads(text))
    return replace(
        table,
        table_types=(),
        choice_since=tuple(map(_entry_moment, moments)),
        last_actions=tuple(actions),
        has_person_acted=table.has_person_acted
        or any(table.people >> seat & 1 for seat in last_actions),
        proposal=proposal,
        spent_proposals=0,
        takeback_points=(),
    )
