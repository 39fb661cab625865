"""Promises 7 and 12: a log replays to the same game, and every view has a text and a picture."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from xml.etree import ElementTree as ET

from games.engines.base import Engine, State
from games.engines.common.replay_log import BrokenLog, Entry, Log, from_lines, replay, to_lines
from tests.engines.playing import Game, Position, onlooking, play, trace

SPOILT = 2  # entries of a log that are tampered with
SVG = "{http://www.w3.org/2000/svg}"
DRAWN = 2  # positions of a game that are drawn, which takes long

Rules = Engine[Any, Any]
Trace = list[Any]


# -- 7: the log -----------------------------------------------------------------------------------


def promise_7(engine: Rules, options: Any, seats: int, seed: int, sample: int) -> None:
    """Replaying a log gives the same game; a log that was tampered with does not."""
    game = play(engine, options, seats, seed)
    played = trace(engine, (position.state for position in game.positions))
    log = from_lines(list(to_lines(game.log)))
    assert log == game.log, "the log is another once it was written and read"
    states, found = folded(engine, log)
    assert found is None, f"the log is refused at entry {found}"
    now = trace(engine, states)
    for position, again, then in zip(game.positions, now, played, strict=True):
        assert again == then, f"{position} is replayed differently"
    for position in spoilable(game, seed):
        prefix = replace(game.log, entries=game.log.entries[: position.seq + 1])
        shown = played[: position.seq + 1]
        a_spoilt_draw_shows(engine, prefix, position, shown)
        another_action_shows(engine, prefix, position, shown)
    an_omission_shows(engine, game, played, seed)


def spoilable(game: Game, seed: int) -> list[Position]:
    """The deal, and a few entries, with draws if possible."""
    drawn = [position for position in game.positions[1:60] if position.draws]
    stride = max(1, len(drawn) // SPOILT)
    return [game.positions[0], *drawn[seed % stride :: stride][:SPOILT]]


def with_entry(log: Log, seq: int, **changes: Any) -> Log:
    """The same log with one entry changed."""
    entries = list(log.entries)
    entries[seq - 1] = replace(entries[seq - 1], **changes)
    return replace(log, entries=entries)


def folded(engine: Rules, log: Log) -> tuple[list[State], int | None]:
    """The states that a log leads to, and the entry at which it breaks, or None."""
    states: list[State] = []
    try:
        states.extend(replay(engine, log))
    except BrokenLog as broken:
        return states, broken.seq
    return states, None


def is_refused(engine: Rules, log: Log, seq: int, what: str) -> None:
    """The log breaks at this entry and not before."""
    _, found = folded(engine, log)
    assert found == seq, f"{what} in entry {seq} was found at {found}"


def shows(engine: Rules, log: Log, seq: int, played: Trace, what: str) -> None:
    """The log breaks at this entry, or the game visibly takes another course there."""
    assert leads_elsewhere(engine, log, seq, played, what), f"{what} in entry {seq} leaves no trace"


def leads_elsewhere(engine: Rules, log: Log, seq: int, played: Trace, what: str) -> bool:
    """Whether the log breaks at this entry or the game takes another course there; neither happens
    before."""
    states, found = folded(engine, log)
    assert found is None or found >= seq, f"{what} in entry {seq} was found at {found}"
    past = trace(engine, states[: seq - 1][-1:])
    assert past == played[: seq - 1][-1:], f"{what} in entry {seq} changed the past"
    return trace(engine, states[seq - 1 : seq]) != played[seq - 1 : seq]


def a_spoilt_draw_shows(engine: Rules, log: Log, position: Position, played: Trace) -> None:
    """A corrupted draw is noticed. An impossible draw, one too few or one too many is refused at
    its entry. A value changed below its limit is a legal draw of another game: as the entry's last
    draw, for which no later one can compensate, it shows; any other must at least not change the
    past. Of several values at least one shows: two may draw cards that look alike, and then the
    game is the same."""
    seq, draws = position.seq, position.draws
    is_refused(engine, with_entry(log, seq, draws=(*draws, (0, 2))), seq, "a draw too many")
    if not draws:
        return
    *others, (value, limit) = draws
    for wrong in ((limit, limit), (-1, limit), (value, limit + 1), (value % 2, 1 << 40)):
        spoilt = with_entry(log, seq, draws=(*others, wrong))
        is_refused(engine, spoilt, seq, f"the impossible draw {wrong}")
    is_refused(engine, with_entry(log, seq, draws=tuple(others)), seq, "a draw too few")
    changed = sorted({(value + 1) % limit, limit - 1, 0} - {value})
    what = f"another draw than {value} of {limit}, as {changed},"
    spoilt_logs = [with_entry(log, seq, draws=(*others, (other, limit))) for other in changed]
    elsewhere = [leads_elsewhere(engine, spoilt, seq, played, what) for spoilt in spoilt_logs]
    assert any(elsewhere) or not changed, f"{what} in entry {seq} leaves no trace"
    if others:
        first, limit = draws[0]
        spoilt = with_entry(log, seq, draws=(((first + 1) % limit, limit), *draws[1:]))
        _, found = folded(engine, spoilt)
        assert found is None or found >= seq, f"a spoilt draw in entry {seq} was found at {found}"


def another_action_shows(engine: Rules, log: Log, position: Position, played: Trace) -> None:
    """Another action, legal or not, is refused or makes a difference at once."""
    if position.before is None:
        return
    seq, seat = position.seq, position.seat or 0
    is_refused(engine, with_entry(log, seq, action={"type": "start"}), seq, "a second start")
    is_refused(engine, with_entry(log, seq, seat=None), seq, "an action without a seat")
    is_refused(engine, with_entry(log, seq, seat=position.state.seats), seq, "a stranger's action")
    legal = [int(action) for action in position.before.legal_actions(seat)]
    for action in [other for other in legal if other != position.action][:3]:
        document = engine.action_codec.to_json(engine.decode(position.before, seat, action))
        spoilt = with_entry(log, seq, action=document)
        shows(engine, spoilt, seq, played, f"{document} instead of {log.entries[seq - 1].action}")


def an_omission_shows(engine: Rules, game: Game, played: Trace, seed: int) -> None:
    """Without one of its entries, or with two of them swapped, a log leads elsewhere."""
    entries = game.log.entries
    for left_out in {0, 1 + seed % (len(entries) - 1), len(entries) - 1}:
        kept: list[Entry] = [*entries[:left_out], *entries[left_out + 1 :]]
        states, found = folded(engine, replace(game.log, entries=kept))
        assert found or trace(engine, states[-1:]) != played[-1:], (
            f"entry {left_out + 1} is not missed"
        )


# -- 12: texts and pictures -----------------------------------------------------------------------


def promise_12(engine: Rules, options: Any, seats: int, seed: int, sample: int) -> None:
    """Every view has a text, and a well-formed picture that carries it as its description."""
    positions = play(engine, options, seats, seed).sample(sample)
    for position in positions:
        for viewer in onlooking(position.state):
            text = engine.text(engine.view(position.state, viewer))
            assert text.strip(), f"{position}, viewer {viewer}: no text"
            assert "\x1b" not in text, f"{position}, viewer {viewer}: colours in plain text"
    chosen = [positions[(seed + 7 * number) % len(positions)] for number in range(DRAWN - 1)]
    for position in [*chosen, positions[-1]]:
        for viewer in (seed % seats, None):
            draws_well(engine, position, viewer)


def draws_well(engine: Rules, position: Position, viewer: int | None) -> None:
    """One picture: the same twice, well-formed, described by the text."""
    view = engine.view(position.state, viewer)
    told = f"{position}, viewer {viewer}"
    try:
        svg = engine.svg(view)
        root = ET.fromstring(svg)
    except Exception as problem:
        raise AssertionError(f"{told}: no picture, but {problem!r}") from problem
    assert root.tag == f"{SVG}svg", f"{told}: the picture is a {root.tag}"
    described = root.findtext(f"{SVG}desc")
    assert described == engine.text(view), f"{told}: described as {described!r}"
    assert (root.findtext(f"{SVG}title") or "").strip(), f"{told}: no title"
