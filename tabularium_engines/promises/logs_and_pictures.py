"""Promises 7 and 12: a log replays to the same game, and every view has a text and a picture."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from xml.etree import ElementTree as ET

from tabularium_engines.base import AnyEngine, State
from tabularium_engines.common.replayable_log import (
    BrokenLog,
    Entry,
    Log,
    from_lines,
    replay,
    to_lines,
)
from tabularium_engines.promises.random_games import Game, Position, all_viewers, play, trace

ALTERED_ENTRIES = 2  # of a log
MOST_TAKEN_BACK = 30  # entries in a row that later ones take back
SVG = "{http://www.w3.org/2000/svg}"
PICTURES = 2  # positions of a game whose pictures are checked, which takes long

Trace = list[Any]


# -- 7: the log -----------------------------------------------------------------------------------


def promise_7(engine: AnyEngine, options: Any, seats: int, seed: int, sample: int) -> None:
    """A log replays to the same game; an altered log does not."""
    game = play(engine, options, seats, seed)
    original = trace(engine, (position.state for position in game.positions))
    log = from_lines(list(to_lines(game.log)))
    assert log == game.log, "the log differs after a round trip through lines"
    states, broken_seq = replay_log(engine, log)
    assert broken_seq is None, f"the log is refused at entry {broken_seq}"
    replayed = trace(engine, states)
    for position, replayed_step, original_step in zip(
        game.positions, replayed, original, strict=True
    ):
        assert replayed_step == original_step, f"{position} is replayed differently"
    for position in positions_to_alter(game, seed):
        prefix = replace(game.log, entries=game.log.entries[: position.seq + 1])
        original_prefix = original[: position.seq + 1]
        check_altered_draws(engine, prefix, position, original_prefix)
        check_other_actions(engine, prefix, position, original_prefix)
    check_omissions(engine, game, original, seed)


def positions_to_alter(game: Game, seed: int) -> list[Position]:
    """The deal, and a few positions with draws."""
    positions_with_draws = [position for position in game.positions[1:60] if position.draws]
    stride = max(1, len(positions_with_draws) // ALTERED_ENTRIES)
    return [game.positions[0], *positions_with_draws[seed % stride :: stride][:ALTERED_ENTRIES]]


def log_with_entry(log: Log, seq: int, **changes: Any) -> Log:
    """The same log with one entry changed."""
    entries = list(log.entries)
    entries[seq - 1] = replace(entries[seq - 1], **changes)
    return replace(log, entries=entries)


def replay_log(engine: AnyEngine, log: Log) -> tuple[list[State], int | None]:
    """The states of a log, and the entry at which it breaks, or None."""
    states: list[State] = []
    try:
        states.extend(replay(engine, log))
    except BrokenLog as error:
        return states, error.seq
    return states, None


def check_refused_at(engine: AnyEngine, log: Log, seq: int, change: str) -> None:
    """The log breaks at this entry and not before."""
    _, broken_seq = replay_log(engine, log)
    assert broken_seq == seq, f"{change} in entry {seq} was found at {broken_seq}"


def check_change_shows(engine: AnyEngine, log: Log, seq: int, original: Trace, change: str) -> None:
    """The log breaks at this entry, or the game visibly takes another course there."""
    assert has_other_course(engine, log, seq, original, change), (
        f"{change} in entry {seq} leaves no trace"
    )


def has_other_course(engine: AnyEngine, log: Log, seq: int, original: Trace, change: str) -> bool:
    """Whether the log breaks at this entry or the game takes another course there; neither happens
    before."""
    states, broken_seq = replay_log(engine, log)
    assert broken_seq is None or broken_seq >= seq, (
        f"{change} in entry {seq} was found at {broken_seq}"
    )
    last_step = trace(engine, states[: seq - 1][-1:])
    assert last_step == original[: seq - 1][-1:], f"{change} in entry {seq} changed the past"
    return trace(engine, states[seq - 1 : seq]) != original[seq - 1 : seq]


def check_altered_draws(engine: AnyEngine, log: Log, position: Position, original: Trace) -> None:
    """An altered draw is noticed. An impossible, missing or extra draw is refused at its entry. A
    value changed below its limit is a legal draw of another game: as the entry's last draw, for
    which no later one can compensate, it changes the game; any other must at least not change the
    past. Of several values at least one changes the game: two cards may look alike."""
    seq, draws = position.seq, position.draws
    check_refused_at(engine, log_with_entry(log, seq, draws=(*draws, (0, 2))), seq, "an extra draw")
    if not draws:
        return
    *others, (value, limit) = draws
    for wrong_draw in ((limit, limit), (-1, limit), (value, limit + 1), (value % 2, 1 << 40)):
        altered_log = log_with_entry(log, seq, draws=(*others, wrong_draw))
        check_refused_at(engine, altered_log, seq, f"the impossible draw {wrong_draw}")
    check_refused_at(engine, log_with_entry(log, seq, draws=tuple(others)), seq, "a missing draw")
    other_values = sorted({(value + 1) % limit, limit - 1, 0} - {value})
    change = f"another draw than {value} of {limit}, as {other_values},"
    altered_logs = [
        log_with_entry(log, seq, draws=(*others, (other, limit))) for other in other_values
    ]
    has_other_courses = [
        has_other_course(engine, altered_log, seq, original, change) for altered_log in altered_logs
    ]
    assert any(has_other_courses) or not other_values, f"{change} in entry {seq} leaves no trace"
    if others:
        first, limit = draws[0]
        altered_log = log_with_entry(log, seq, draws=(((first + 1) % limit, limit), *draws[1:]))
        _, broken_seq = replay_log(engine, altered_log)
        assert broken_seq is None or broken_seq >= seq, (
            f"an altered draw in entry {seq} was found at {broken_seq}"
        )


def check_other_actions(engine: AnyEngine, log: Log, position: Position, original: Trace) -> None:
    """Another action, legal or not, is refused or changes the game at once."""
    if position.before is None:
        return
    seq, seat = position.seq, position.seat or 0
    check_refused_at(
        engine, log_with_entry(log, seq, action={"type": "start"}), seq, "a second start"
    )
    check_refused_at(engine, log_with_entry(log, seq, seat=None), seq, "an action without a seat")
    check_refused_at(
        engine, log_with_entry(log, seq, seat=position.state.seats), seq, "an unknown seat's action"
    )
    legal_actions = [int(action) for action in position.before.legal_actions(seat)]
    for action in [other for other in legal_actions if other != position.action][:3]:
        document = engine.action_codec.to_json(engine.decode(position.before, seat, action))
        altered_log = log_with_entry(log, seq, action=document)
        check_change_shows(
            engine,
            altered_log,
            seq,
            original,
            f"{document} instead of {log.entries[seq - 1].action}",
        )


def check_omissions(engine: AnyEngine, game: Game, original: Trace, seed: int) -> None:
    """Without one of its entries, a log breaks or ends in another state. Only an entry that a later
    one takes back is not missed: then those after it are tried."""
    last = len(game.log.entries) - 1
    for omitted in (0, last):
        assert is_missed(engine, game, original, omitted), f"entry {omitted + 1} is not missed"
    first = 1 + seed % last
    between = range(first, min(last, first + MOST_TAKEN_BACK) + 1)
    assert any(is_missed(engine, game, original, omitted) for omitted in between), (
        f"entries {first + 1} to {between[-1] + 1} are not missed"
    )


def is_missed(engine: AnyEngine, game: Game, original: Trace, omitted: int) -> bool:
    """Whether a log without this entry breaks or ends in another state."""
    entries = game.log.entries
    remaining_entries: list[Entry] = [*entries[:omitted], *entries[omitted + 1 :]]
    states, broken_seq = replay_log(engine, replace(game.log, entries=remaining_entries))
    return broken_seq is not None or trace(engine, states[-1:]) != original[-1:]


# -- 12: texts and pictures -----------------------------------------------------------------------


def promise_12(engine: AnyEngine, options: Any, seats: int, seed: int, sample: int) -> None:
    """Every view has a text, and a well-formed picture that carries it as its description."""
    positions = play(engine, options, seats, seed).sample(sample)
    for position in positions:
        for viewer in all_viewers(position.state):
            text = engine.text(engine.view(position.state, viewer))
            assert text.strip(), f"{position}, viewer {viewer}: no text"
            assert "\x1b" not in text, f"{position}, viewer {viewer}: colours in plain text"
    picture_positions = [
        positions[(seed + 7 * number) % len(positions)] for number in range(PICTURES - 1)
    ]
    for position in [*picture_positions, positions[-1]]:
        for viewer in (seed % seats, None):
            check_picture(engine, position, viewer)


def check_picture(engine: AnyEngine, position: Position, viewer: int | None) -> None:
    """The picture of a view is well-formed, and the text is its description."""
    view = engine.view(position.state, viewer)
    context = f"{position}, viewer {viewer}"
    try:
        svg = engine.svg(view)
        root = ET.fromstring(svg)
    except Exception as error:
        raise AssertionError(f"{context}: no picture, but {error!r}") from error
    assert root.tag == f"{SVG}svg", f"{context}: the picture is a {root.tag}"
    description = root.findtext(f"{SVG}desc")
    assert description == engine.text(view), f"{context}: described as {description!r}"
    assert (root.findtext(f"{SVG}title") or "").strip(), f"{context}: no title"
