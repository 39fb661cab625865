"""The replay log: it survives a round trip through a file, and every corruption is reported at its
entry."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from games.engines.base import Engine, IllegalAction
from games.engines.common.replay_log import (
    BrokenLog,
    Log,
    append_action,
    from_lines,
    replay,
    start_log,
    to_lines,
)
from games.engines.common.rng import FastRng
from tests.engines.lucky_draw import Draw, LuckyDraw, Options
from tests.engines.random_games import Game, play

ENGINE: Engine[Any, Any] = LuckyDraw()
GAME: Game = play(ENGINE, Options(), 2, 5)
LINES = list(to_lines(GAME.log))

Spoil = Callable[[list[Any]], None]


def spoilt(spoil: Spoil) -> list[str]:
    """The lines of the game after `spoil` has altered their documents."""
    documents = [json.loads(line) for line in LINES]
    spoil(documents)
    return [json.dumps(document) for document in documents]


def test_a_log_is_the_same_after_a_journey_through_lines() -> None:
    log = from_lines(LINES)
    assert log == GAME.log
    assert list(to_lines(log)) == LINES
    assert all("\n" not in line for line in LINES)


def test_the_first_line_is_the_game_and_the_others_are_numbered() -> None:
    header, *entries = [json.loads(line) for line in LINES]
    assert header == {
        "rules": "lucky_draw",
        "version": 1,
        "seats": 2,
        "options": {"is_low": False, "dealt": 2},
    }
    assert [entry["seq"] for entry in entries] == list(range(1, len(LINES)))
    assert entries[0]["action"] == {"type": "start"}
    assert entries[0]["seat"] is None


def test_append_writes_the_entry_and_leaves_the_old_state_alone() -> None:
    state, log = start_log(ENGINE, Options(), 2, FastRng(1))
    seat = ENGINE.awaited_seats(state)[0]
    before = state.contents()
    following = append_action(ENGINE, state, log, seat, Draw(), FastRng(2))
    assert state.contents() == before != following.contents()
    assert log.entries[-1].action == {"type": "lucky_draw.draw"}
    assert [limit for _, limit in log.entries[-1].draws] == [8]
    assert [item["kind"] for item in ENGINE.news(following, None)] == ["drew"]


def test_a_refused_action_leaves_no_entry() -> None:
    state, log = start_log(ENGINE, Options(), 2, FastRng(1))
    with pytest.raises(IllegalAction, match="must act, not you"):
        append_action(ENGINE, state, log, 1 - ENGINE.awaited_seats(state)[0], Draw(), FastRng(2))
    assert len(log.entries) == 1


def named(seq: int) -> str:
    """The name of a line in an error message."""
    return f"Entry {seq}" if seq else "The header"


def drawn() -> int:
    """The seq of the first entry after the deal that has a draw."""
    return next(p.seq for p in GAME.positions[1:] if p.draws)


def change(entry: int, /, **changes: Any) -> Spoil:
    """A corruption that replaces fields of one entry."""
    return lambda documents: documents[entry].update(changes)


def draw_of(seq: int) -> tuple[int, int]:
    """The first draw of an entry."""
    value, limit = GAME.log.entries[seq - 1].draws[0]
    return value, limit


@pytest.mark.parametrize(
    ("spoil", "seq"),
    [
        (lambda d: d[0].update(rules="chess"), 0),
        (lambda d: d[0].update(version=2), 0),
        (lambda d: d[0].update(seats=3), 1),
        (lambda d: d[0].update(seats=4), 0),
        (lambda d: d[0].update(options={"is_low": 1}), 0),
        (lambda d: d[0].update(options={"stranger": True}), 0),
        (lambda d: d[0]["options"].update(dealt=3), 1),
        (change(1, draws=[]), 1),
        (change(1, action={"type": "lucky_draw.draw"}), 1),
        (change(1, seat=0), 1),
        (change(2, action={"type": "start"}), 2),
        (change(2, action={"type": "lucky_draw.fly"}), 2),
        (change(2, action=None), 2),
        (change(2, seat=None), 2),
        (change(2, seat=9), 2),
        (change(2, draws=[[0, 2], [0, 2], [0, 2]]), 2),
        (change(drawn(), draws=[]), drawn()),
        (change(drawn(), draws=[[99, draw_of(drawn())[1]]]), drawn()),
        (change(drawn(), draws=[[draw_of(drawn())[0], 99]]), drawn()),
        (lambda d: d.append(d[-1] | {"seq": len(d)}), len(LINES)),
    ],
)
def test_a_spoilt_log_breaks_where_it_was_spoilt(spoil: Spoil, seq: int) -> None:
    log = from_lines(spoilt(spoil))
    with pytest.raises(BrokenLog, match=f"^{named(seq)} ") as caught:
        list(replay(ENGINE, log))
    assert caught.value.seq == seq


@pytest.mark.parametrize(
    ("spoil", "seq"),
    [
        (lambda d: d.pop(3), 3),
        (lambda d: d.insert(3, d[3]), 4),
        (lambda d: d.insert(2, d.pop(3)), 2),
    ],
)
def test_lines_out_of_order_are_not_read(spoil: Spoil, seq: int) -> None:
    with pytest.raises(BrokenLog, match=f"^Entry {seq} is missing: the line is entry"):
        from_lines(spoilt(spoil))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda d: d[2].pop("seq"),
        change(2, seq="2"),
        lambda d: d[2].pop("draws"),
        lambda d: d[2].pop("action"),
        change(2, draws=[[1]]),
        change(2, draws=None),
        change(2, draws=[["a", "b"]]),
        change(2, stranger=1),
        change(2, seat="0"),
        lambda d: d.__setitem__(2, 7),
    ],
)
def test_a_line_that_is_no_entry_is_named(spoil: Spoil) -> None:
    with pytest.raises(BrokenLog, match=r"^Entry 2 "):
        list(replay(ENGINE, from_lines(spoilt(spoil))))


@pytest.mark.parametrize("line", ["", "{", "null", "[]", '{"rules": "lucky_draw"}'])
def test_a_file_without_a_game_is_refused(line: str) -> None:
    with pytest.raises(BrokenLog, match=r"^The header ") as caught:
        from_lines([line, *LINES[1:]])
    assert caught.value.seq == 0


def test_an_empty_file_is_refused() -> None:
    with pytest.raises(BrokenLog, match="the log is empty"):
        from_lines([])


def test_a_line_that_is_no_json_is_named() -> None:
    with pytest.raises(BrokenLog, match=r"^Entry 2 "):
        from_lines([*LINES[:2], LINES[2][:-4], *LINES[3:]])


def test_an_unfinished_game_replays_as_far_as_it_goes() -> None:
    log: Log = from_lines(LINES[:4])
    states = list(replay(ENGINE, log))
    assert [s.contents() for s in states] == [p.state.contents() for p in GAME.positions[:3]]
    assert ENGINE.result(states[-1]) is None
