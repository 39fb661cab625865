"""The replay log: it survives a round trip through lines, and every corruption is reported at its
entry."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tabularium_engines.base import AnyEngine, IllegalAction
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.common.replayable_log import (
    BrokenLog,
    Log,
    append_action,
    from_lines,
    replay,
    start_log,
    to_lines,
)
from tabularium_engines.promises.random_games import Game, play
from tests.engines.lucky_draw import Draw, LuckyDraw, Options

ENGINE: AnyEngine = LuckyDraw()
GAME: Game = play(ENGINE, Options(), 2, 5)
LINES = list(to_lines(GAME.log))

Alteration = Callable[[list[Any]], None]


def altered_lines(alter: Alteration) -> list[str]:
    """The lines of the game after `alter` has changed their documents."""
    documents = [json.loads(line) for line in LINES]
    alter(documents)
    return [json.dumps(document) for document in documents]


def test_a_log_survives_a_round_trip_through_lines() -> None:
    log = from_lines(LINES)
    assert log == GAME.log
    assert list(to_lines(log)) == LINES
    assert all("\n" not in line for line in LINES)


def test_the_first_line_is_the_header_and_the_others_are_numbered() -> None:
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


def test_append_writes_the_entry_and_leaves_the_old_state_unchanged() -> None:
    state, log = start_log(ENGINE, Options(), 2, FastRng(1))
    seat = ENGINE.awaited_seats(state)[0]
    before = state.contents()
    successor = append_action(ENGINE, state, log, seat, Draw(), FastRng(2))
    assert state.contents() == before != successor.contents()
    assert log.entries[-1].action == {"type": "lucky_draw.draw"}
    assert [limit for _, limit in log.entries[-1].draws] == [8]
    assert [item["kind"] for item in ENGINE.news(successor, None)] == ["drew"]


def test_a_refused_action_adds_no_entry() -> None:
    state, log = start_log(ENGINE, Options(), 2, FastRng(1))
    with pytest.raises(IllegalAction, match="must act, not you"):
        append_action(ENGINE, state, log, 1 - ENGINE.awaited_seats(state)[0], Draw(), FastRng(2))
    assert len(log.entries) == 1


def entry_name(seq: int) -> str:
    """A line's name in an error message."""
    return f"Entry {seq}" if seq else "The header"


def first_seq_with_draws() -> int:
    """The seq of the first entry after the deal that has a draw."""
    return next(p.seq for p in GAME.positions[1:] if p.draws)


def change_entry(entry: int, /, **changes: Any) -> Alteration:
    """An alteration that replaces fields of one entry."""
    return lambda documents: documents[entry].update(changes)


def first_draw(seq: int) -> tuple[int, int]:
    """The first draw of an entry."""
    value, limit = GAME.log.entries[seq - 1].draws[0]
    return value, limit


DRAW_SEQ = first_seq_with_draws()


@pytest.mark.parametrize(
    ("alter", "seq"),
    [
        (lambda d: d[0].update(rules="chess"), 0),
        (lambda d: d[0].update(version=2), 0),
        (lambda d: d[0].update(seats=3), 1),
        (lambda d: d[0].update(seats=4), 0),
        (lambda d: d[0].update(options={"is_low": 1}), 0),
        (lambda d: d[0].update(options={"stranger": True}), 0),
        (lambda d: d[0]["options"].update(dealt=3), 1),
        (change_entry(1, draws=[]), 1),
        (change_entry(1, action={"type": "lucky_draw.draw"}), 1),
        (change_entry(1, seat=0), 1),
        (change_entry(2, action={"type": "start"}), 2),
        (change_entry(2, action={"type": "lucky_draw.fly"}), 2),
        (change_entry(2, action=None), 2),
        (change_entry(2, seat=None), 2),
        (change_entry(2, seat=9), 2),
        (change_entry(2, draws=[[0, 2], [0, 2], [0, 2]]), 2),
        (change_entry(DRAW_SEQ, draws=[]), DRAW_SEQ),
        (change_entry(DRAW_SEQ, draws=[[99, first_draw(DRAW_SEQ)[1]]]), DRAW_SEQ),
        (change_entry(DRAW_SEQ, draws=[[first_draw(DRAW_SEQ)[0], 99]]), DRAW_SEQ),
        (lambda d: d.append(d[-1] | {"seq": len(d)}), len(LINES)),
    ],
)
def test_an_altered_log_breaks_at_the_altered_entry(alter: Alteration, seq: int) -> None:
    log = from_lines(altered_lines(alter))
    with pytest.raises(BrokenLog, match=f"^{entry_name(seq)} ") as caught:
        list(replay(ENGINE, log))
    assert caught.value.seq == seq


@pytest.mark.parametrize(
    ("alter", "seq"),
    [
        (lambda d: d.pop(3), 3),
        (lambda d: d.insert(3, d[3]), 4),
        (lambda d: d.insert(2, d.pop(3)), 2),
    ],
)
def test_lines_out_of_order_are_refused(alter: Alteration, seq: int) -> None:
    with pytest.raises(BrokenLog, match=f"^Entry {seq} is missing: the line is entry"):
        from_lines(altered_lines(alter))


@pytest.mark.parametrize(
    "alter",
    [
        lambda d: d[2].pop("seq"),
        change_entry(2, seq="2"),
        lambda d: d[2].pop("draws"),
        lambda d: d[2].pop("action"),
        change_entry(2, draws=[[1]]),
        change_entry(2, draws=None),
        change_entry(2, draws=[["a", "b"]]),
        change_entry(2, stranger=1),
        change_entry(2, seat="0"),
        lambda d: d.__setitem__(2, 7),
    ],
)
def test_a_line_that_is_no_entry_is_named(alter: Alteration) -> None:
    with pytest.raises(BrokenLog, match=r"^Entry 2 "):
        list(replay(ENGINE, from_lines(altered_lines(alter))))


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
