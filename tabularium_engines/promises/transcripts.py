"""Transcripts of seeded games, step by step, and promise 13, which compares those of two builds."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import Any

from tabularium_engines.base import AnyEngine
from tabularium_engines.common import json_codec
from tabularium_engines.common.news_formats import news_schema
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.rule_books import rule_book
from tabularium_engines.promises.random_games import (
    Position,
    all_viewers,
    news_of_all_viewers,
    play,
    viewer_seat,
)
from tabularium_engines.promises.variants import Table


def table_transcript(table: Table, seed: int) -> Iterator[dict[str, Any]]:
    """The lines of a game, one per step, with a digest of each value that could differ between
    interpreted and compiled code."""
    for position in play(table.engine, table.options, table.seats, seed).positions:
        facts = visible_facts(table.engine, position, seed)
        digests = {name: digest(value) for name, value in facts.items()}
        yield {"table": str(table), "game": seed, "seq": position.seq} | digests
    yield last_line(table, seed)


def last_line(table: Table, seed: int) -> dict[str, Any]:
    """The end of the transcript of a game: a playout, and the documents of its rules."""
    documents = digest(published_documents(table.engine))
    playout = playout_digest(table, seed)
    return {"table": str(table), "game": seed, "playout": playout, "documents": documents}


def digest(value: Any) -> str:
    """A short digest of a value."""
    return hashlib.sha256(repr(value).encode()).hexdigest()[:12]


def visible_facts(engine: AnyEngine, position: Position, seed: int) -> dict[str, Any]:
    """All facts of a step that any viewer may see, and two worlds."""
    state = position.state
    viewer = all_viewers(state)[position.seq % (state.seats + 1)]
    view = engine.view(state, viewer)
    legal_actions = [[int(action) for action in state.legal_actions(s)] for s in range(state.seats)]
    worlds = state.clone(), engine.imagine(view, FastRng(seed))
    worlds[0].determinize(viewer_seat(viewer), FastRng(seed))
    return {
        "step": [position.seat, position.action, position.draws],
        "contents": state.contents(),
        "cards": [int(card) for card in state.cards()],
        "views": [engine.view(state, seat) for seat in all_viewers(state)],
        "legal actions": legal_actions,
        "labels": [
            engine.label(state, s, a)
            for s, seat_actions in enumerate(legal_actions)
            for a in seat_actions
        ],
        "news": news_of_all_viewers(engine, state),
        "result": [engine.result(state), state.returns()],
        "worlds": [world.contents() for world in worlds],
    }


def published_documents(engine: AnyEngine) -> list[Any]:
    """The rule book, and the schemas of options, actions, views and news."""
    options, view = json_codec.schema(engine.about.options), json_codec.schema(engine.about.view)
    actions, news = engine.action_codec.schema(), news_schema(engine)
    return [rule_book(engine), options, actions, view, news]


def playout_digest(table: Table, seed: int) -> str:
    """A digest of the end of a game played by `random_action`."""
    rng = FastRng(seed)
    state = table.engine.start(table.options, table.seats, rng)
    while state.to_act:
        seat = table.engine.awaited_seats(state)[0]
        state.apply(seat, state.random_action(seat, rng), rng)
    return digest([state.contents(), state.returns()])


def promise_13(interpreted: Iterable[str], compiled_: Iterable[str]) -> None:
    """Interpreted and compiled engines agree on every step of a seeded game."""
    pairs = zip_longest(interpreted, compiled_, fillvalue="{}")
    modes = [json.loads(line) for line in next(pairs)]
    assert modes == [{"mode": "interpreted"}, {"mode": "compiled"}], f"compared were {modes}"
    for lines in pairs:
        if lines[0] != lines[1]:
            interpreted_line, compiled_line = (json.loads(line) for line in lines)
            step_name = ", ".join(
                f"{name} {interpreted_line.get(name)}" for name in ("table", "game", "seq")
            )
            field_names = [
                name
                for name in interpreted_line | compiled_line
                if interpreted_line.get(name) != compiled_line.get(name)
            ]
            raise AssertionError(f"{step_name}: they differ in {', '.join(field_names)}")
