"""Worlds that a viewer cannot distinguish: the position of a game with other hidden cards, and
acts in each of them that look alike."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

import orjson
import pytest
from django.db import transaction
from django.utils import timezone

from games import position_cache
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.promises.random_games import viewer_seat
from tabularium_log.projection.entry_writer import EntryWriter
from tabularium_log.projection.projection import Projection
from tests.ai.honesty.tables import fix_randomness
from tests.games.test_two_worlds import news_of, view_of

WORLDS: Final = 3
ACTIONS: Final = 12  # of a seat, tried in each world
Act = tuple[int, Any]  # a seat and its action


def imagined(table: Projection, viewer: int | None, seed: int) -> Projection:
    """The position in another world that looks alike to the viewer."""
    state: Any = table.state
    state = state.clone()
    state.determinize(viewer_seat(viewer), FastRng(seed))
    state.record_news()
    return replace(table, state=state)


def worlds_alike(game: str, viewer: int | None) -> Iterator[int]:
    """Put the game into one world after another: the number of each."""
    position = position_cache.current_position(game)
    for seed in range(WORLDS):
        position_cache.cache.clear()
        world = imagined(position.projection, viewer, seed)
        position_cache.cache.store(position._replace(projection=world))
        yield seed


@contextmanager
def undone(game: str, now: datetime) -> Iterator[None]:
    """All changes within the block have this time, and the same randomness every time, and are
    undone: the game is in the same world as before."""
    position = position_cache.current_position(game)
    with transaction.atomic(), pytest.MonkeyPatch.context() as patch:
        fix_randomness(patch, "alike")
        patch.setattr(timezone, "now", lambda: now)
        yield
        transaction.set_rollback(True)
    position_cache.cache.clear()
    position_cache.cache.store(position)


def acts_alike(game: str, viewer: int | None) -> list[Act]:
    """The next acts of another seat, in one world after another, that look alike to the viewer, and
    not to this seat, by the news; none if there are no such acts."""
    position = position_cache.current_position(game)
    found: defaultdict[bytes, dict[int, tuple[str, Act]]] = defaultdict(dict)
    for seed in range(WORLDS):
        table = imagined(position.projection, viewer, seed)
        for act in acts_of_others(table, viewer):
            writer = EntryWriter(position.secret, table, position.hash)
            after = writer.write(*act, timezone.now()), ""
            look = orjson.dumps([view_of(after, viewer), news_of(after, viewer)])
            content = orjson.dumps([act[1], news_of(after, act[0])]).decode()
            found[look].setdefault(seed, (content, act))
    whole = [list(acts.values()) for acts in found.values() if len(acts) == WORLDS]
    varied = (acts for acts in whole if len({content for content, _ in acts}) > 1)
    return [act for _, act in next(varied, [])]


def acts_of_others(table: Projection, viewer: int | None) -> Iterator[Act]:
    """Legal actions of all other seats that are awaited."""
    state: Any = table.state
    for seat in table.engine.awaited_seats(state):
        if seat != viewer:
            for code in state.legal_actions(seat)[:ACTIONS]:
                action = table.engine.decode(state, seat, code)
                yield seat, table.engine.action_codec.to_json(action)
